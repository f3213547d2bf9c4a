#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "reports/record/report.hpp"
#include "theory/attention/case.hpp"
#include "theory/claims/decide.hpp"
#include "theory/claims/relation.hpp"
#include "theory/claims/shared_case.hpp"

namespace attn::report {

/// A record keeps a case of more numbers by its place alone, unless it is the violation that shows
/// the claim false. A row of some 1,500 tokens with embeddings of 64 coordinates fills megabytes.
inline constexpr std::size_t kMostNumbers = 100'000;

/// A case that a tally keeps, with what was counted of it.
struct KeptRecord {
  ATTN_RECORD(KeptRecord, "kept", "A case that a tally keeps.",
              (required, nlohmann::json, input, "The exact input.", {.name = "case"}),
              (required, std::string, where, "Where it comes from."),
              (required, Verdict, verdict, "What was counted."),
              (required, double, least, "lhs/rhs is at least this."),
              (required, double, most, "lhs/rhs is at most this."),
              (sparse, std::optional<double>, ratio, "See `tightness`."));
};

/// A tally as it is written.
struct TallyRecord {
  ATTN_RECORD(TallyRecord, "tally", "What some cases of one claim came to.",
              (required, ClaimRecord, counts, "The record so far."),
              (sparse, std::optional<KeptRecord>, worst, "The case of max_ratio."),
              (sparse, std::optional<KeptRecord>, violation, "The first violation."),
              (sparse, std::optional<KeptRecord>, undecided,
               "The first case that stayed undecided."));
};

/// Makes a case, which is done only where a record keeps it.
using MakeCase = std::function<Case()>;

/// The claim itself as a record that no stage has filled yet.
ClaimRecord described(const Claim& claim);

/// Gathers the decisions of one claim in one stage into a record.
///
/// A tally belongs to one thread. Tallies of consecutive parts of the input, merged in the order of
/// the input, give the same record as one tally over the whole of it.
class Tally {
 public:
  /// `claim` must outlive the tally (a claim of the catalogue does).
  Tally(const Claim& claim, Stage stage);

  /// Counts one decided case, under the input family `family` where one is named, and by how its
  /// tokens were selected where `set` names that. `describe()`
  /// returns a pair-like {Case, std::string where}; it is called only where the case is kept: as
  /// the worst so far, the first violation or the first case that stays undecided at the precision
  /// cap (one that a confidence interval leaves open is only counted); and where the ratio is known
  /// too roughly to tell whether it is the largest, which intervals then tell. In place of the Case
  /// it may give a MakeCase, which is called only for that, or of what is kept to the end.
  template <class Describe>
  void add(Decision decision, const Describe& describe, std::string_view family = {},
           std::string_view set = {}) {
    if (may_be_worst(decision)) {
      auto [input, where] = describe();
      enclose_sides(decision, *claim_, deferred(std::move(input))());
    }
    if (!set.empty()) count_set(decision.verdict, set);
    const Wanted wanted = count(decision, family);
    if (wanted.worst || wanted.violation || wanted.undecided) {
      auto [input, where] = describe();
      keep(wanted, decision, deferred(std::move(input)), std::move(where));
    }
  }

  /// Joins the counts of `other`, a tally of the same claim and stage over later cases. Of two
  /// cases with the same ratio the earlier stays the worst.
  void merge(const Tally& other);

  /// Keeps the worst case in place of the first violation, where it is one and has no more than
  /// kMostNumbers: one case less to certify.
  void prefer_worst();

  /// The tally as JSON, and the tally that wrote it: of the same claim and stage. Throws BadInput
  /// for what no tally of them wrote.
  [[nodiscard]] nlohmann::json to_json() const;
  static Tally from_json(const Claim& claim, Stage stage, const nlohmann::json& json);

  /// The counts so far, without the kept cases.
  [[nodiscard]] const ClaimRecord& counts() const { return counts_; }

  /// The record, with its outcome judged; it has no input classes and no mutants yet, and is judged
  /// again (see `rejudge`) by who adds them. The cases kept are decided anew by intervals alone;
  /// throws std::logic_error where that contradicts the verdict that was counted, or where the
  /// worst case's lhs/rhs cannot be max_ratio: its bounds when it was counted and its certified
  /// ones have no number in common. Where it was counted by the least that it could be, max_ratio
  /// is the certified one.
  [[nodiscard]] ClaimRecord record() const;

  /// The record, as without `cases`; those whose worst cases are the same one take less together
  /// where they are certified by the same `cases`, one after the other.
  [[nodiscard]] ClaimRecord record(SharedCase& cases) const;

  /// Where the worst case comes from; empty where there is none.
  [[nodiscard]] std::string_view worst_place() const {
    return worst_ ? std::string_view(worst_->where) : std::string_view();
  }

 private:
  struct Wanted {
    bool worst{}, violation{}, undecided{};
  };
  struct Kept {
    MakeCase input;
    std::string where;
    Verdict verdict;
    Bounds bounds;                ///< bounds of lhs/rhs
    std::optional<double> ratio;  ///< see `tightness`
  };
  using KeptCase = std::shared_ptr<const Kept>;
  static std::optional<KeptRecord> record_of(const KeptCase& kept);
  KeptCase kept_from(const std::optional<KeptRecord>& record) const;

  static MakeCase deferred(Case input) {
    return [input = std::move(input)] { return input; };
  }
  static MakeCase deferred(MakeCase input) { return input; }

  /// Whether the ratio of a case that is not sampled may be the largest, but is not known.
  [[nodiscard]] bool may_be_worst(const Decision& decision) const;
  Wanted count(const Decision& decision, std::string_view family);
  void count_set(Verdict verdict, std::string_view set);
  void keep(const Wanted& wanted, const Decision& decision, MakeCase input, std::string where);
  /// The case decided anew, and its ratio.
  [[nodiscard]] std::pair<CaseRecord, std::optional<double>> certified(const Kept& kept,
                                                                       SharedCase& cases) const;
  void raise_max_ratio(ClaimRecord& record, double ratio) const;
  void expect_max_ratio(const Kept& worst, const Decision& certified) const;

  const Claim* claim_;
  ClaimRecord counts_;
  KeptCase worst_, violation_, undecided_;
};

/// A case with its evidence, as reports keep it. `where`: its place on real input, else its family.
CaseRecord case_record(const Case& input, const Certificate& certificate, std::string where);

/// lhs/rhs of a decided case. Where its bounds do not agree to nine digits, as those of an
/// expectation that was sampled, the least that it can be: 0 where its sign is not known. Made to
/// agree with the verdict where rounding of the approximate sides would not: at most 1 where the
/// claim holds, 1 where the bound is attained, above 1 where it is violated. Infinite where it is
/// violated and certainly lhs > 0 >= rhs: no multiple of rhs reaches lhs. Else empty where rhs > 0
/// is not certain or nothing was decided.
std::optional<double> tightness(const Decision& decision);

/// The tightness where it is finite: bounds are compared on such cases.
std::optional<double> finite_tightness(const Decision& decision);

/// Counts a case by how the two bounds relate on it.
void count(ComparisonRecord& record, Relation relation);

/// The bin of a ratio histogram that counts `ratio`, which is not NaN.
std::size_t ratio_bin(double ratio);

}  // namespace attn::report
