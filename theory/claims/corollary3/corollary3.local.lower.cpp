#include "theory/claims/corollary3/shared.hpp"

namespace attn::claims::corollary3_local_lower {

constexpr auto kSides = of(kSoftmax, [](const auto& t) {
  return Sides{attn::corollary3_local_lower(t.w) / t.temperature, t.norm()};
});

constexpr auto kLargestWeightBelow = of(kSoftmax, [](const auto& t) {
  return Sides{t.w.a[0] / t.temperature, t.norm()};
});

constexpr auto kGershgorinBelow = of(kSoftmax, [](const auto& t) {
  return Sides{2.0 * t.entry(), t.norm()};
});

Claim claim() {
  return {
      .id = "corollary3.local.lower",
      .title = "The gradient is at least what the weights at hand ask for",
      .statement =
          "$max(a_(2), L/(L-1) max_i a_i (1 - a_i))/T <= ||J||$, $J = da/dl$ for $a = "
          "softmax(l/T)$, $l$ any $L$ logits, $T > 0$, $||J||$ its spectral norm, $a_(2)$ the "
          "second largest weight",
      .paper = "Corollary 3",
      .argument =
          "$T J = diag a - a a^T$ is symmetric and positive semidefinite, since $v^T (T J) v$ is "
          "the variance of $v_i$ where $i$ is drawn with probability $a_i$: its norm is its "
          "largest eigenvalue. Subtracting the rank one $a a^T$ from $diag a$ takes the largest "
          "eigenvalue no lower than the second of $diag a$, which is $a_(2)$ (Weyl). With $v = e_i "
          "- (1/(L-1)) sum_{j != i} e_j$, $v_i$ is 1 with probability $a_i$ and $-1/(L-1)$ "
          "otherwise: the variance is $a_i (1 - a_i) (L/(L-1))^2$, and $||v||^2 = L/(L-1)$, so "
          "that the Rayleigh quotient is $L/(L-1) a_i (1 - a_i)$. Attained exactly where the two "
          "largest weights tie or all but the largest are equal, so always at $L = 2$. "
          "corollary3.local.upper is less than twice this bound $b/T$: $a_(1) (1 - a_(1)) <= (1 - "
          "1/L) b$ and $a_(1) a_(2) <= a_(1) b$, of sum $(1 + a_(1) - 1/L) b < 2 b$.",
      .kind = InputKind::softmax_row,
      .evaluators = sides<kSides>,
      .attained = &ties_at_an_end,
      .example = kTwoEqualLogits,
      .mutants = {on_rows(mutant<kLargestWeightBelow>("largest", "$a_(1)$ in place of the bound")),
                  strict(),
                  on_rows(mutant<kGershgorinBelow>("gershgorin",
                                                   "2 in place of $L/(L-1)$, without $a_(2)$"))},
  };
}

}  // namespace attn::claims::corollary3_local_lower
