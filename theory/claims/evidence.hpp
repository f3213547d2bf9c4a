#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "theory/attention/case.hpp"
#include "theory/claims/claim.hpp"
#include "theory/claims/decide.hpp"
#include "theory/claims/shared_case.hpp"

/// What is kept of a decided case, and how it is decided anew.
namespace attn {

/// lhs/rhs of a decided case. Where its bounds do not agree to nine digits, as those of an
/// expectation that was sampled, the least that it can be: 0 where its sign is not known. Made to
/// agree with the verdict where rounding of the approximate sides would not: at most 1 where the
/// claim holds, 1 where the bound is attained, above 1 where it is violated. Infinite where it is
/// violated and certainly lhs > 0 >= rhs: no multiple of rhs reaches lhs. Else empty where rhs > 0
/// is not certain or nothing was decided.
std::optional<double> tightness(const Decision& decision);

/// The tightness where it is finite: bounds are compared on such cases.
std::optional<double> finite_tightness(const Decision& decision);

/// Whether all numbers within the bounds of a ratio agree to nine digits, more than a report shows.
bool is_known_ratio(const Bounds& ratio);

/// Whether the ratio of a case that is not sampled may be above `largest`, that of all cases before
/// it where there were any, but is known too roughly to tell.
bool is_rough_beyond(const Decision& decision, std::optional<double> largest);

/// Has intervals tell the ratio of a case, made by `make()`, where it is known too roughly to tell
/// whether it is above `largest`, that of all cases before it where there were any.
template <class Make>
void settle_ratio(Decision& decision, const Claim& claim, std::optional<double> largest,
                  const Make& make) {
  if (is_rough_beyond(decision, largest)) enclose_sides(decision, claim, make());
}

/// Decides `lhs <= rhs` for one valid case, as `decide`, and has intervals tell its ratio where
/// that is needed to tell whether it is above `largest`, that of all cases before it.
Decision decide_beyond(const Claim& claim, const Case& input, std::optional<double> largest);

/// Makes a case, which is done only where it is decided anew or written.
using MakeCase = std::function<Case()>;

/// A case that was found, with what was decided of it there.
struct DecidedCase {
  MakeCase input;
  std::string where;            ///< the place on real input, or the family
  Verdict verdict;              ///< what was counted
  Bounds bounds;                ///< bounds of lhs/rhs
  std::optional<double> ratio;  ///< see `tightness`
};

/// A case that lies at `where`, with what was decided of it.
DecidedCase decided_case(const Decision& decision, Case input, std::string where);
DecidedCase decided_case(const Decision& decision, MakeCase input, std::string where);

/// The case itself as JSON.
nlohmann::json input_json(const DecidedCase& decided);

/// What makes the case of a claim that `input_json` wrote. Throws BadInput for what it did not.
MakeCase made_from(const nlohmann::json& json, const Claim& claim);

/// A case that was decided anew by intervals and by exact arithmetic.
struct Certified {
  Case input;
  std::string where;      ///< the place on real input, or the family
  std::size_t numbers{};  ///< how many numbers the case holds
  Certificate certificate;
};

/// A case that lies at `where` with the certificate that was made of it.
Certified certified(Case input, Certificate certificate, std::string where);

/// The cases of a claim that are kept of all that were decided; null where there was none.
struct KeptCases {
  std::shared_ptr<const DecidedCase> worst{};  ///< that of the largest ratio
  std::shared_ptr<const DecidedCase>
      violation{};  ///< a violation, the first unless asked otherwise
  std::shared_ptr<const DecidedCase> undecided{};  ///< the first that stayed undecided
};

/// The kept cases of a claim, decided anew; null where none was kept.
struct CertifiedCases {
  std::shared_ptr<const Certified> worst{}, violation{}, undecided{};
};

/// Keeps the worst case in place of the first violation, where it is a violation and has at most
/// `most_numbers`: one case less to certify.
void prefer_worst(KeptCases& kept, std::size_t most_numbers);

/// Decides the kept cases anew without the filter. Those whose worst cases are the same one take
/// less together where they are certified by the same `cases`, one after the other. Throws
/// std::logic_error where that contradicts a verdict that was counted, or where the worst case's
/// bounds of lhs/rhs when it was counted and its certified ones have no number in common.
CertifiedCases certify(const Claim& claim, const KeptCases& kept, SharedCase& cases);
CertifiedCases certify(const Claim& claim, const KeptCases& kept);

}  // namespace attn
