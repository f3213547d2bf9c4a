#include "gpt2_check/rows/head_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>

#include "gpt2_check/rows/head_filter.hpp"
#include "theory/catalogue.hpp"

namespace attn::gpt2 {
namespace {

using ErrorSides = Sides<ErrorDouble>;

/// The order of row_claims().
enum ClaimIndex : std::size_t {
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

constexpr const char* kClaimIds[kClaimCount] = {"theorem1.fixed",
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

/// One decided case, with what is needed to build it again exactly.
struct Checked {
  Decision decision;
  Row row;
  std::size_t n{};               ///< 0 where the claim has no set
  std::vector<std::size_t> set;  ///< for claims about any set
};

/// A stream of numbers that depends on nothing but the seed and the place.
std::mt19937_64 stream_of(std::uint64_t seed, const LayerRows& layer, const Row& row,
                          std::size_t n) {
  std::seed_seq sequence{
      static_cast<std::uint32_t>(seed),        static_cast<std::uint32_t>(seed >> 32),
      static_cast<std::uint32_t>(layer.layer), static_cast<std::uint32_t>(row.head),
      static_cast<std::uint32_t>(row.row),     static_cast<std::uint32_t>(n)};
  return std::mt19937_64(sequence);
}

/// n distinct tokens of `tokens`, by the first n steps of a Fisher-Yates shuffle.
std::vector<std::size_t> random_set(std::size_t tokens, std::size_t n, std::mt19937_64 stream) {
  std::vector<std::size_t> all(tokens);
  std::iota(all.begin(), all.end(), std::size_t{0});
  for (std::size_t i = 0; i < n; ++i) std::swap(all[i], all[i + stream() % (tokens - i)]);
  all.resize(n);
  std::ranges::sort(all);
  return all;
}

class HeadCheck {
 public:
  HeadCheck(std::shared_ptr<const LayerRows> layer, std::int64_t head, const CheckPlan& plan)
      : layer_(std::move(layer)), head_(head), plan_(plan), filter_(*layer_, head) {}

  HeadResult run() {
    HeadResult result{
        .layer = layer_->layer, .head = head_, .tallies = {}, .measures = {}, .gradients = {}};
    std::vector<double> temperatures = plan_.temperatures;
    if (temperatures.empty()) temperatures = {layer_->temperature};
    for (const double temperature : temperatures) {
      gradient_ = {.layer = layer_->layer,
                   .head = head_,
                   .temperature = temperature,
                   .rows = 0,
                   .above_printed = 0,
                   .largest = 0,
                   .sum = 0};
      for (const std::int64_t row : plan_.rows) check_row({head_, row, temperature}, result);
      result.gradients.push_back(gradient_);
    }
    const auto claims = row_claims();
    for (std::size_t c = 0; c < kClaimCount; ++c) {
      result.tallies.push_back(tally_of(*claims[c], checked_[c]));
    }
    return result;
  }

 private:
  void check_row(const Row& row, HeadResult& result) {
    const RowFilter weights(filter_, row);
    check_gradient(row, weights);
    for (const std::size_t n : plan_.top_n) {
      if (n >= weights.tokens()) continue;
      const auto set = random_set(weights.tokens(), n, stream_of(plan_.seed, *layer_, row, n));
      result.measures.push_back(check_top_n(row, weights, n, set));
      check_set(row, weights, set);
    }
  }

  /// Theorem 1 for the N largest weights.
  Measure check_top_n(const Row& row, const RowFilter& weights, std::size_t n,
                      const std::vector<std::size_t>& random) {
    const std::span<const std::size_t> top(weights.order().data(), n);
    const auto terms = weights.terms(top);
    const ErrorDouble bound = theorem1_bound(terms);
    const Checked at{.decision = {}, .row = row, .n = n, .set = {}};
    if (weights.certainly_top(n)) {
      const auto centred = weights.centred_terms(top);
      settle(kTheorem1, ErrorSides{terms.distance, bound}, at);
      // D <= core + around and core - around <= D, decided with core taken off both sides.
      const ErrorDouble beyond = weights.beyond_core(top);
      settle(kTheorem1SharpUpper, ErrorSides{beyond, centred.around}, at,
             ErrorSides{terms.distance, centred.above});
      settle(kTheorem1SharpLower, ErrorSides{-centred.around, beyond}, at,
             ErrorSides{centred.below, terms.distance});
    } else {
      for (const std::size_t c : {kTheorem1, kTheorem1SharpUpper, kTheorem1SharpLower}) {
        settle(c, std::nullopt, at);
      }
    }
    return {.layer = layer_->layer,
            .head = head_,
            .tokens = row.row + 1,
            .temperature = row.temperature,
            .n = n,
            .distance = terms.distance.value(),
            .bound = bound.value(),
            .distinguishable = weights.distinguishable_share(top),
            .distinguishable_random = weights.distinguishable_share(random)};
  }

  /// Theorem 1 for a set that does not look at the weights.
  void check_set(const Row& row, const RowFilter& weights, const std::vector<std::size_t>& set) {
    const auto terms = weights.terms(set);
    const Checked at{.decision = {}, .row = row, .n = set.size(), .set = set};
    settle(kTheorem1AnySet, ErrorSides{terms.distance, theorem1_bound(terms)}, at);
    settle(kTheorem1AnySetRepaired, ErrorSides{terms.distance, theorem1_bound_any_set(terms)}, at);
  }

  void check_gradient(const Row& row, const RowFilter& weights) {
    const Checked at{.decision = {}, .row = row, .n = 0, .set = {}};
    const auto sorted = weights.sorted();
    if (!sorted) {
      for (std::size_t c = kLemma2; c < kClaimCount; ++c) settle(c, std::nullopt, at);
      return;
    }
    const ErrorDouble t(row.temperature);
    const ErrorDouble norm = softmax_jacobian_norm(*sorted) / t;
    const ErrorDouble printed = corollary3_printed_bound(t);
    settle(kLemma2, ErrorSides{norm, lemma2_bound(weights.normalized())}, at);
    settle(kLemma2Sharp, ErrorSides{norm, lemma2_sharp_bound(weights.normalized())}, at);
    settle(kLemma2Oblique, ErrorSides{norm, lemma2_oblique_bound(weights.normalized())}, at);
    settle(kCorollary3, ErrorSides{norm, printed}, at);
    settle(kCorollary3Entrywise,
           ErrorSides{largest_entry(*sorted) / t, ErrorDouble(1.0) / (ErrorDouble(4.0) * t)}, at);
    settle(kCorollary3Sharp, ErrorSides{norm, corollary3_sharp_bound(t)}, at);
    settle(kCorollary3LocalLower, ErrorSides{sorted->a[1] / t, norm}, at);
    settle(kCorollary3LocalUpper, ErrorSides{norm, corollary3_local_upper(*sorted) / t}, at);
    const double scaled = norm.value() * row.temperature;
    ++gradient_.rows;
    gradient_.above_printed += norm.value() > printed.value() ? 1 : 0;
    gradient_.largest = std::max(gradient_.largest, scaled);
    gradient_.sum += scaled;
  }

  /// Decides by the filter where it can, else by the ladder on the exact case. `shown`: the claim's
  /// own sides, where `sides` are others that say the same.
  void settle(std::size_t claim, const std::optional<ErrorSides>& sides, Checked at,
              const std::optional<ErrorSides>& shown = {}) {
    if (sides) at.decision = filter(*sides);
    if (shown) {
      at.decision.lhs = shown->lhs.value();
      at.decision.rhs = shown->rhs.value();
    }
    if (at.decision.verdict == Verdict::undecided) {
      at.decision = decide(*row_claims()[claim], exact_case_of(*layer_, at));
    }
    checked_[claim].push_back(std::move(at));
  }

  static Case exact_case_of(const LayerRows& layer, const Checked& at) {
    if (at.n == 0) return exact_case(layer, at.row);
    if (at.set.empty()) return exact_case_top_n(layer, at.row, at.n);
    return exact_case_set(layer, at.row, at.set);
  }

  /// The largest ratio is counted first, so that the tally keeps no case but that one.
  report::Tally tally_of(const Claim& claim, const std::vector<Checked>& checked) const {
    report::Tally tally(claim, plan_.stage);
    const auto ratio = [](const Checked& c) {
      return report::tightness(c.decision).value_or(-std::numeric_limits<double>::infinity());
    };
    const auto worst = std::ranges::max_element(checked, {}, ratio);
    const auto add = [&](const Checked& c) {
      tally.add(c.decision, [&] {
        return std::pair<std::function<Case()>, std::string>(
            [layer = layer_, at = c] { return exact_case_of(*layer, at); }, where_of(c));
      });
    };
    if (worst != checked.end()) add(*worst);
    for (auto c = checked.begin(); c != checked.end(); ++c) {
      if (c != worst) add(*c);
    }
    return tally;
  }

  std::string where_of(const Checked& c) const {
    std::string where = fmt::format("layer {}, head {}, row {}, T {}", layer_->layer, head_,
                                    c.row.row, c.row.temperature);
    if (c.n > 0) where += fmt::format(", N {}{}", c.n, c.set.empty() ? "" : " (random set)");
    return where;
  }

  std::shared_ptr<const LayerRows> layer_;
  std::int64_t head_;
  const CheckPlan& plan_;
  HeadFilter filter_;
  GradientMeasure gradient_;
  std::vector<Checked> checked_[kClaimCount];
};

}  // namespace

std::vector<const Claim*> row_claims() {
  static const std::vector<const Claim*> claims = [] {
    std::vector<const Claim*> found;
    for (const char* id : kClaimIds) found.push_back(&find_claim(id));
    return found;
  }();
  return claims;
}

HeadResult check_head(const std::shared_ptr<const LayerRows>& layer, std::int64_t head,
                      const CheckPlan& plan) {
  return HeadCheck(layer, head, plan).run();
}

}  // namespace attn::gpt2
