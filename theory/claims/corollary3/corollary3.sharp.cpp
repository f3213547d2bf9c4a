#include "theory/claims/corollary3/shared.hpp"

namespace attn::claims::corollary3_sharp {

constexpr auto kSides = of(kSoftmax, [](const auto& t) {
  return Sides{t.norm(), corollary3_sharp_bound(t.temperature)};
});

constexpr auto kEntry = of(kSoftmax, [](const auto& t) { return Sides{t.norm(), t.entry()}; });

Claim claim() {
  return {
      .id = "corollary3.sharp",
      .title = "The sharp gradient bound of softmax",
      .statement =
          "$||J|| <= 1/(2T)$, $J = da/dl$ for $a = softmax(l/T)$, $l$ any $L$ logits, $T > 0$, "
          "$||J||$ its spectral norm",
      .paper = "Corollary 3",
      .argument =
          "lemma2.sharp with $F(l) = exp(l/T)$, $F'/F = 1/T$. Attained at $L = 2$ with equal "
          "logits.",
      .kind = InputKind::softmax_row,
      .evaluators = sides<kSides>,
      .attained = &has_two_equal_logits,
      .example = kTwoEqualLogits,
      .mutants = {scaled<kSides, 1, 2>("quarter", "$1/(4T)$ in place of $1/(2T)$"), strict(),
                  on_rows(mutant<kNormBelowSecond>("second", "$a_(2)/T$ in place of $1/(2T)$")),
                  on_rows(mutant<kEntry>("entry", "$max_ij |J_ij|$ in place of $1/(2T)$"))},
  };
}

}  // namespace attn::claims::corollary3_sharp
