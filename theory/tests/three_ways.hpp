#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "theory/attention/case_json.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/claims/decide.hpp"
#include "theory/cli/certificate.hpp"
#include "theory/recheck/recheck.hpp"

namespace attn {

/// What the ways to a verdict say of one case: the filter and the ladder, as a search decides it;
/// intervals alone; and the second implementation.
struct ThreeWays {
  Decision usual;             ///< by the filter and the ladder
  bool compared{};            ///< with both others: not where an expectation is sampled, of which
                              ///< each way draws its own sample, or the case is beyond the second
  std::string contradiction;  ///< in words; empty where all agree, or one cannot tell;
                              ///< that the second refuses a valid case is one
};

namespace detail {

inline bool is_undecided(std::string_view verdict) {
  return verdict == to_string(Verdict::undecided);
}

/// Two verdicts on one case: who cannot tell contradicts nobody.
inline bool agree(std::string_view a, std::string_view b) {
  return a == b || is_undecided(a) || is_undecided(b);
}

inline std::string against(std::string_view way, std::string_view verdict, std::string_view other) {
  return fmt::format("{}: {}, and not {}", way, verdict, other);
}

/// Of a case outside the assumptions of the claim.
inline std::string outside(const recheck::Checks& checks, const Claim& claim, const Case& input) {
  const recheck::Rechecked second = recheck::recheck(checks, std::string(claim.id), to_json(input));
  if (!second.unmet.empty()) return {};
  return against("the second implementation", second.verdict,
                 to_string(Verdict::assumption_not_met));
}

inline std::string inside(const recheck::Checks& checks, const Claim& claim, const Case& input,
                          std::string_view usual) {
  const nlohmann::ordered_json certificate = make_certificate(claim, input);
  const std::string by_intervals = certificate.at("verdict");
  if (!agree(usual, by_intervals)) return against("intervals alone", by_intervals, usual);
  const Recheck second = recheck_certificate(checks, certificate);
  const std::string verdict = second.result.at("verdict");
  if (!agree(usual, verdict)) return against("the second implementation", verdict, usual);
  if (second.agrees || !agree(by_intervals, verdict) || is_undecided(by_intervals) ||
      is_undecided(verdict)) {
    return {};
  }
  return "the two implementations enclose a side apart from each other";
}

}  // namespace detail

/// Decides a case that `read_case` has read or a generator drawn in all three ways; `max_digits`
/// ends the ladder of the first.
inline ThreeWays decide_three_ways(const recheck::Checks& checks, const Claim& claim,
                                   const Case& input, unsigned max_digits = 200) {
  ThreeWays ways;
  ways.usual = decide(claim, input, max_digits);
  if (ways.usual.sampled) return ways;
  try {
    ways.contradiction = ways.usual.verdict == Verdict::assumption_not_met
                             ? detail::outside(checks, claim, input)
                             : detail::inside(checks, claim, input, to_string(ways.usual.verdict));
    ways.compared = true;
  } catch (const BadInput& refusal) {
    if (recheck::is_beyond(refusal)) return ways;
    ways.contradiction =
        fmt::format("the second implementation refuses a valid case: {}", refusal.what());
  }
  return ways;
}

}  // namespace attn
