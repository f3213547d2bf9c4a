#include "theory/claims/corollary3/shared.hpp"

namespace attn::claims::softmax_row_sums {

constexpr auto kSides = of(kSoftmax, [](const auto& t) {
  return Sides{largest_row_sum(t.w) / t.temperature, corollary3_sharp_bound(t.temperature)};
});

constexpr auto kSecondWeight = of(kSoftmax, [](const auto& t) {
  return Sides{largest_row_sum(t.w) / t.temperature, t.second()};
});

constexpr auto kEntry = of(kSoftmax, [](const auto& t) {
  return Sides{largest_row_sum(t.w) / t.temperature, t.entry()};
});

Claim claim() {
  return {
      .id = "softmax.row_sums",
      .title = "The gradient bound of softmax holds for the largest row sum too",
      .statement =
          "$max_i sum_j |J_ij| <= 1/(2T)$ for $J = da/dl$, $a = softmax(l/T)$, $l$ any $L$ "
          "logits, $T > 0$: its gradient in the norms $l_1$ and $l_infinity$",
      .paper = "arXiv 2510.23012, beside Corollary 3",
      .argument =
          "$T sum_j |J_ij| = a_i (1 - a_i) + sum_{j != i} a_i a_j = 2 a_i (1 - a_i) <= 1/2$. $J$ "
          "is symmetric, so that the largest row sum is its norm on $l_infinity$ and on $l_1$. "
          "Attained where a weight is $1/2$.",
      .kind = InputKind::softmax_row,
      .evaluators = sides<kSides>,
      .attained = &has_two_equal_logits,
      .example = kTwoEqualLogits,
      .mutants = {scaled<kSides, 1, 2>("quarter", "$1/(4T)$ in place of $1/(2T)$"), strict(),
                  on_rows(mutant<kSecondWeight>("second", "$a_(2)/T$ in place of $1/(2T)$")),
                  on_rows(mutant<kEntry>("entry", "$max_ij |J_ij|$ in place of $1/(2T)$"))},
  };
}

}  // namespace attn::claims::softmax_row_sums
