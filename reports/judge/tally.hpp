#pragma once

#include <cstddef>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "reports/record/report.hpp"
#include "theory/claims/evidence.hpp"
#include "theory/claims/relation.hpp"

namespace attn::report {

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

/// The claim itself as a record that no stage has filled yet.
ClaimRecord described(const Claim& claim);

/// Gathers the decisions of one claim in one stage into a record. It decides nothing.
///
/// A tally belongs to one thread. Tallies of consecutive parts of the input, merged in the order of
/// the input, give the same record as one tally over the whole of it.
class Tally {
 public:
  Tally(const Claim& claim, Stage stage);

  /// Counts one decided case, under the input family `family` where one is named, and by how its
  /// tokens were selected where `set` names that. `describe()` returns a pair-like {Case or
  /// MakeCase, std::string where}; it is called only where the case is kept: as the worst so far,
  /// the first violation or the first case that stays undecided at the precision cap (one that a
  /// confidence interval leaves open is only counted). A decision whose ratio is too rough to tell
  /// whether it is the largest is for `settle_ratio` before.
  template <class Describe>
  void add(const Decision& decision, const Describe& describe, std::string_view family = {},
           std::string_view set = {}) {
    if (!set.empty()) count_set(decision.verdict, set);
    const Wanted wanted = count(decision, family);
    if (wanted.worst || wanted.violation || wanted.undecided) {
      auto [input, where] = describe();
      keep(wanted, decided_case(decision, std::move(input), std::move(where)));
    }
  }

  /// Joins the counts of `other`, a tally of the same claim and stage over later cases. Of two
  /// cases with the same ratio the earlier stays the worst.
  void merge(const Tally& other);

  /// The tally as JSON, and the tally that wrote it: of the same claim and stage. Throws BadInput
  /// for what no tally of them wrote.
  [[nodiscard]] nlohmann::json to_json() const;
  static Tally from_json(const Claim& claim, Stage stage, const nlohmann::json& json);

  /// The counts so far, without the kept cases.
  [[nodiscard]] const ClaimRecord& counts() const { return counts_; }

  /// The kept cases, to be certified.
  [[nodiscard]] const KeptCases& kept() const { return kept_; }

  /// The record, with its outcome judged; it has no input classes and no mutants yet, and is judged
  /// again (see `rejudge`) by who adds them. `cases`: the kept ones, certified. Where the worst
  /// case was counted by the least that its ratio could be, max_ratio is the certified one. Throws
  /// std::logic_error where the worst case's ratio is not the largest that was counted.
  [[nodiscard]] ClaimRecord record(const CertifiedCases& cases) const;

 private:
  struct Wanted {
    bool worst{}, violation{}, undecided{};
  };
  Wanted count(const Decision& decision, std::string_view family);
  void count_set(Verdict verdict, std::string_view set);
  void keep(const Wanted& wanted, DecidedCase decided);
  void raise_max_ratio(ClaimRecord& record, double ratio) const;

  ClaimRecord counts_;
  KeptCases kept_;
};

/// Counts a case by how the two bounds relate on it.
void count(ComparisonRecord& record, Relation relation);

/// The bin of a ratio histogram that counts `ratio`, which is not NaN.
std::size_t ratio_bin(double ratio);

}  // namespace attn::report
