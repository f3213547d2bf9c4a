#include "gpt2_check/rows/head_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "theory/claims/catalogue.hpp"
#include "theory/claims/dispersion.hpp"

namespace attn::gpt2 {
namespace {

using ErrorSides = Sides<ErrorDouble>;

/// The order of row_claims().
enum ClaimIndex : std::size_t {
  kLemma1Lower,
  kLemma1Upper,
  kLemma1LowerSharp,
  kLemma1UpperSharp,
  kCorollary1Lower,
  kCorollary1Upper,
  kTheorem1,
  kTheorem1SharpUpper,
  kTheorem1SharpLower,
  kTheorem1AnySet,
  kTheorem1AnySetRepaired,
  kLemma2,
  kLemma2Sharp,
  kLemma2Oblique,
  kCorollary3,
  kCorollary3Entrywise,
  kCorollary3Sharp,
  kCorollary3LocalLower,
  kCorollary3LocalUpper,
  kClaimCount
};

constexpr const char* kClaimIds[kClaimCount] = {"lemma1.lower",
                                                "lemma1.upper",
                                                "lemma1.lower.sharp",
                                                "lemma1.upper.sharp",
                                                "corollary1.lower",
                                                "corollary1.upper",
                                                "theorem1.fixed",
                                                "theorem1.fixed.sharp.upper",
                                                "theorem1.fixed.sharp.lower",
                                                "theorem1.fixed.any_set",
                                                "theorem1.fixed.any_set.repaired",
                                                "lemma2",
                                                "lemma2.sharp",
                                                "lemma2.oblique",
                                                "corollary3",
                                                "corollary3.entrywise",
                                                "corollary3.sharp",
                                                "corollary3.local.lower",
                                                "corollary3.local.upper"};

/// What Lemma 1 speaks of, with a = max |l_i| and F = exp((l - top)/T) over a common factor.
DispersionTerms<ErrorDouble> dispersion_of(const RowWeights& weights, const ErrorDouble& t) {
  const auto logits = weights.logits();
  const ErrorDouble& top = logits[weights.order().front()];
  ErrorDouble bound = abs(logits.front());
  ErrorDouble least = weights.at(0);
  ErrorDouble largest = least;
  for (std::size_t i = 1; i < logits.size(); ++i) {
    bound = max(bound, abs(logits[i]));
    least = min(least, weights.at(i));
    largest = max(largest, weights.at(i));
  }
  return {.least = exp((-bound - top) / t),
          .most = exp((bound - top) / t),
          .count = ErrorDouble(static_cast<double>(logits.size())),
          .least_weight = least,
          .largest_weight = largest};
}

}  // namespace

std::vector<const Claim*> row_claims() {
  static const std::vector<const Claim*> claims = [] {
    std::vector<const Claim*> found;
    for (const char* id : kClaimIds) found.push_back(&find_claim(id));
    return found;
  }();
  return claims;
}

HeadCheck::HeadCheck(std::shared_ptr<const Head> head, report::Stage stage)
    : head_(std::move(head)),
      stage_(stage),
      q_length_(head_->q.rowwise().norm()),
      longest_key_(head_->k.rowwise().norm()),
      checked_(kClaimCount) {
  for (Eigen::Index i = 1; i < longest_key_.size(); ++i) {
    longest_key_(i) = std::max(longest_key_(i), longest_key_(i - 1));
  }
}

void HeadCheck::check(const RowSelections& selections, double temperature) {
  const Row row{.row = selections.row, .temperature = temperature};
  const RowWeights& weights = *selections.weights;
  check_dispersion(row, weights);
  check_gradient(row, weights);
  for (std::size_t c = 0; c < selections.top.size(); ++c) {
    const std::size_t n = selections.measures[c].n;
    check_top_n(row, weights, n, selections.top[c]);
    check_set(row, selections.random_order.first(n), selections.random[c]);
  }
}

void HeadCheck::check_dispersion(const Row& row, const RowWeights& weights) {
  const Checked at{.decision = {}, .row = row, .n = 0, .set = {}};
  const ErrorDouble t(row.temperature);
  const auto terms = dispersion_of(weights, t);
  const ErrorDouble& least = terms.least_weight;
  const ErrorDouble& largest = terms.largest_weight;
  settle(kLemma1Lower, ErrorSides{lemma1_lower_bound(terms), least}, at);
  settle(kLemma1Upper, ErrorSides{largest, lemma1_upper_bound(terms)}, at);
  settle(kLemma1LowerSharp, ErrorSides{lemma1_lower_sharp_bound(terms), least}, at);
  settle(kLemma1UpperSharp, ErrorSides{largest, lemma1_upper_sharp_bound(terms)}, at);
  const Eigen::Index width = head_->q.cols();
  const ErrorDouble reach = ErrorDouble(2.0) * euclidean(q_length_(row.row), width) *
                            euclidean(longest_key_(row.row), width) / t;
  settle(kCorollary1Lower, ErrorSides{exp(-reach) / terms.count, least}, at);
  settle(kCorollary1Upper, ErrorSides{largest, exp(reach) / terms.count}, at);
}

void HeadCheck::check_gradient(const Row& row, const RowWeights& weights) {
  const Checked at{.decision = {}, .row = row, .n = 0, .set = {}};
  const auto sorted = weights.sorted();
  if (!sorted) {
    for (std::size_t c = kLemma2; c < kClaimCount; ++c) settle(c, std::nullopt, at);
    return;
  }
  const ErrorDouble t(row.temperature);
  const ErrorDouble norm = softmax_jacobian_norm(*sorted) / t;
  settle(kLemma2, ErrorSides{norm, lemma2_bound(weights.normalized())}, at);
  settle(kLemma2Sharp, ErrorSides{norm, lemma2_sharp_bound(weights.normalized())}, at);
  settle(kLemma2Oblique, ErrorSides{norm, lemma2_oblique_bound(weights.normalized())}, at);
  settle(kCorollary3, ErrorSides{norm, corollary3_printed_bound(t)}, at);
  settle(kCorollary3Entrywise,
         ErrorSides{largest_entry(*sorted) / t, ErrorDouble(1.0) / (ErrorDouble(4.0) * t)}, at);
  settle(kCorollary3Sharp, ErrorSides{norm, corollary3_sharp_bound(t)}, at);
  settle(kCorollary3LocalLower, ErrorSides{sorted->a[1] / t, norm}, at);
  settle(kCorollary3LocalUpper, ErrorSides{norm, corollary3_local_upper(*sorted) / t}, at);
}

/// Theorem 1 for the N largest weights.
void HeadCheck::check_top_n(const Row& row, const RowWeights& weights, std::size_t n,
                            const SetTerms& terms) {
  const Checked at{.decision = {}, .row = row, .n = n, .set = {}};
  if (!weights.certainly_top(n)) {
    for (const std::size_t c : {kTheorem1, kTheorem1SharpUpper, kTheorem1SharpLower}) {
      settle(c, std::nullopt, at);
    }
    return;
  }
  const ErrorDouble& distance = terms.theorem1.distance;
  settle(kTheorem1, ErrorSides{distance, theorem1_bound(terms.theorem1)}, at);
  // D <= core + around and core - around <= D, decided with core taken off both sides.
  settle(kTheorem1SharpUpper, ErrorSides{terms.beyond_core, terms.centred.around}, at,
         ErrorSides{distance, terms.centred.above});
  settle(kTheorem1SharpLower, ErrorSides{-terms.centred.around, terms.beyond_core}, at,
         ErrorSides{terms.centred.below, distance});
}

/// Theorem 1 for a set that does not look at the weights.
void HeadCheck::check_set(const Row& row, std::span<const std::size_t> set, const SetTerms& terms) {
  Checked at{.decision = {}, .row = row, .n = set.size(), .set = {set.begin(), set.end()}};
  std::ranges::sort(at.set);
  const ErrorDouble& distance = terms.theorem1.distance;
  settle(kTheorem1AnySet, ErrorSides{distance, theorem1_bound(terms.theorem1)}, at);
  settle(kTheorem1AnySetRepaired, ErrorSides{distance, theorem1_bound_any_set(terms.theorem1)},
         std::move(at));
}

/// Decides by the filter where it can, else by the ladder on the exact case. `shown`: the claim's
/// own sides, where `sides` are others that say the same.
void HeadCheck::settle(std::size_t claim, const std::optional<ErrorSides>& sides, Checked at,
                       const std::optional<ErrorSides>& shown) {
  if (sides) at.decision = filter(*sides);
  if (shown) {
    at.decision.lhs = shown->lhs.value();
    at.decision.rhs = shown->rhs.value();
  }
  if (at.decision.verdict == Verdict::undecided) {
    at.decision = decide(*row_claims()[claim], exact_case(*head_, claim, at));
  }
  checked_[claim].push_back(std::move(at));
}

Case HeadCheck::exact_case(const Head& head, std::size_t claim, const Checked& at) {
  if (claim == kCorollary1Lower || claim == kCorollary1Upper) return exact_query_keys(head, at.row);
  if (at.n == 0) return exact_logits(head, at.row);
  if (at.set.empty()) return exact_top_n(head, at.row, at.n);
  return exact_set(head, at.row, at.set);
}

/// The largest ratio is counted first, so that a tally keeps no case but that one.
std::vector<report::Tally> HeadCheck::tallies() const {
  std::vector<report::Tally> tallies;
  for (std::size_t claim = 0; claim < kClaimCount; ++claim) {
    report::Tally& tally = tallies.emplace_back(*row_claims()[claim], stage_);
    const std::vector<Checked>& checked = checked_[claim];
    const auto ratio = [](const Checked& c) {
      return report::tightness(c.decision).value_or(-std::numeric_limits<double>::infinity());
    };
    const auto worst = std::ranges::max_element(checked, {}, ratio);
    const auto add = [&](const Checked& c) {
      tally.add(c.decision, [&] {
        return std::pair<std::function<Case()>, std::string>(
            [head = head_, claim, at = c] { return exact_case(*head, claim, at); }, where(c));
      });
    };
    if (worst != checked.end()) add(*worst);
    for (auto c = checked.begin(); c != checked.end(); ++c) {
      if (c != worst) add(*c);
    }
  }
  return tallies;
}

std::string HeadCheck::where(const Checked& at) const {
  std::string place = fmt::format("layer {}, head {}, row {}, T {}", head_->layer, head_->head,
                                  at.row.row, at.row.temperature);
  if (at.n > 0) place += fmt::format(", N {}{}", at.n, at.set.empty() ? "" : " (random set)");
  return place;
}

}  // namespace attn::gpt2
