#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "reports/record/report.hpp"
#include "theory/attention/case.hpp"
#include "theory/claims/decide.hpp"

namespace attn::report {

/// A record keeps a case of more numbers by its place alone, unless it violates the claim: that of
/// a row of some 1,500 tokens with embeddings of 64 coordinates would fill megabytes.
inline constexpr std::size_t kMostNumbers = 100'000;

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

  /// Counts one decided case, under the input family `family` where one is named. `describe()`
  /// returns a pair-like {Case, std::string where}; it is called only where the case is kept: as
  /// the worst so far, the first violation or the first case that stays undecided at the precision
  /// cap (one that a confidence interval leaves open is only counted). In place of the Case it may
  /// give a function that returns it, called only for what is kept to the end.
  template <class Describe>
  void add(const Decision& decision, Describe&& describe, std::string_view family = {}) {
    const Wanted wanted = count(decision, family);
    if (wanted.worst || wanted.violation || wanted.undecided) {
      auto [input, where] = std::forward<Describe>(describe)();
      keep(wanted, decision, deferred(std::move(input)), std::move(where));
    }
  }

  /// Joins the counts of `other`, a tally of the same claim and stage over later cases. Of two
  /// cases with the same ratio the earlier stays the worst.
  void merge(const Tally& other);

  /// The counts so far, without the kept cases.
  [[nodiscard]] const ClaimRecord& counts() const { return counts_; }

  /// The record, with its outcome judged; it has no input classes and no mutants yet, and is judged
  /// again (see `rejudge`) by who adds them. The cases kept are decided anew by intervals alone;
  /// throws std::logic_error where that contradicts the verdict that was counted, or where the
  /// worst case's lhs/rhs cannot be max_ratio: its bounds when it was counted and its certified
  /// ones have no number in common.
  [[nodiscard]] ClaimRecord record() const;

 private:
  struct Wanted {
    bool worst{}, violation{}, undecided{};
  };
  using DeferredCase = std::function<Case()>;
  struct Kept {
    DeferredCase input;
    std::string where;
    Decision decision;
  };
  using KeptCase = std::shared_ptr<const Kept>;

  static DeferredCase deferred(Case input) {
    return [input = std::move(input)] { return input; };
  }
  static DeferredCase deferred(DeferredCase input) { return input; }

  Wanted count(const Decision& decision, std::string_view family);
  void keep(const Wanted& wanted, const Decision& decision, DeferredCase input, std::string where);
  [[nodiscard]] CaseRecord certified(const Kept& kept) const;
  void expect_max_ratio(const Kept& worst, const Decision& certified) const;

  const Claim* claim_;
  ClaimRecord counts_;
  KeptCase worst_, violation_, undecided_;
};

/// A case with its evidence, as reports keep it. `where`: its place on real input, else its family.
CaseRecord case_record(const Case& input, const Certificate& certificate, std::string where);

/// lhs/rhs of a decided case, made to agree with its verdict where rounding of the approximate
/// sides would not: at most 1 where the claim holds, 1 where the bound is attained, above 1 where
/// it is violated. Empty where rhs > 0 does not hold or nothing was decided.
std::optional<double> tightness(const Decision& decision);

}  // namespace attn::report
