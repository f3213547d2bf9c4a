#include "theory/claims/corollary3/shared.hpp"

namespace attn::claims::corollary3_local_upper {

constexpr auto kSides = of(kSoftmax, [](const auto& t) {
  return Sides{t.norm(), attn::corollary3_local_upper(t.w) / t.temperature};
});

constexpr auto kWithoutSecond = of(kSoftmax, [](const auto& t) {
  return Sides{t.norm(), self_derivative(t.w, 0) / t.temperature};
});

Claim claim() {
  return {
      .id = "corollary3.local.upper",
      .title = "The gradient is at most what the weights at hand allow",
      .statement =
          "$||J|| <= a_(1) (1 - a_(1) + a_(2))/T$, $J = da/dl$ for $a = softmax(l/T)$, $l$ any $L$ "
          "logits, $T > 0$, $||J||$ its spectral norm, $a_(1) >= a_(2)$ the two largest weights",
      .paper = "Corollary 3",
      .argument =
          "$T J = diag a - a a^T$ is positive semidefinite (corollary3.local.lower) and at most "
          "$diag a$, so that its largest eigenvalue is at most $a_(1)$. With $t = a_(1) (1 - a_(1) "
          "+ a_(2))$, $t - a_(2) = (a_(1) - a_(2)) (1 - a_(1))$ and $a_(1) - t = a_(1) (a_(1) - "
          "a_(2))$. Where $a_(1) = a_(2)$, $t = a_(1)$. Else $a_(2) < t < a_(1)$. Between these "
          "two $det(T J - x I)$ is $1 - f(x)$ times the product of all $a_i - x$, with $f(x) = "
          "sum_i a_i^2/(a_i - x)$, and $f$ grows from minus to plus infinity: one eigenvalue is "
          "there, where $f = 1$, and it is the largest, since the others are at most the second of "
          "$diag a$, $a_(2)$. As $a_i/(t - a_i) <= a_(2)/(t - a_(2))$ for all but the largest, "
          "$f(t) >= a_(1)^2/(a_(1) - t) - a_(2) (1 - a_(1))/(t - a_(2)) = (a_(1) - a_(2))/(a_(1) - "
          "a_(2)) = 1$: the eigenvalue is at most $t$. Attained exactly where the two largest "
          "weights tie or all but the largest are equal. Never looser than corollary3.sharp: "
          "$a_(2) <= 1 - a_(1)$, and $2 a_(1) (1 - a_(1)) <= 1/2$. ($g_1$ of arXiv 2507.07814.)",
      .kind = InputKind::softmax_row,
      .evaluators = sides<kSides>,
      .attained = &ties_at_an_end,
      .example = kTwoEqualLogits,
      .sharpens = "corollary3.sharp",
      .mutants = {on_rows(mutant<kWithoutSecond>("no_second", "$a_(2)$ left out")),
                  on_rows(mutant<kNormBelowSecond>("second", "$a_(2)$ in place of the bound")),
                  strict()},
  };
}

}  // namespace attn::claims::corollary3_local_upper
