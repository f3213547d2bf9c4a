#include "theory/claims/lemma2/shared.hpp"

namespace attn::claims::lemma2 {

constexpr auto kSides = of(kGradient, [](const auto& t) {
  return Sides{t.norm, lemma2_bound(t.terms)};
});

constexpr auto kExtremesSwapped = of(kGradient, [](const auto& t) {
  const auto& e = t.terms;
  return Sides{t.norm, 2.0 * e.steepest / (e.count * e.most)};
});

constexpr auto kSecondTermSwapped = of(kGradient, [](const auto& t) {
  const auto& e = t.terms;
  return Sides{t.norm, e.steepest * e.least / (e.count * square(e.most))};
});

Claim claim() {
  return {
      .id = "lemma2",
      .title = "How large the gradient of a normaliser gets",
      .statement =
          "$||J|| <= max|F'| (1/(L min F) + max F/(L (min F)^2))$, $a_i = F(l_i)/S$, $S = sum_j "
          "F(l_j)$, $J = da/dl$, $||J||$ its spectral norm, $F > 0$ differentiable in the logit "
          "$l$ ($l/T$ is what the normaliser reads, $T > 0$), which may depend on the number $L$ "
          "of logits, maxima over the given logits",
      .paper = "Lemma 2",
      .provenance = FormulaOrigin::reconstructed,
      .argument =
          "$J = diag(F')/S - F F'^T/S^2$, $S = sum_j F(l_j)$, so $||J|| <= max|F'|/S + ||F|| "
          "||F'||/S^2$ with $S >= L min F$, $||F|| <= sqrt(L) max F$, $||F'|| <= sqrt(L) max|F'|$. "
          "Always at least twice too large: lemma2.oblique is at most half of it. So it is "
          "attained just where both are 0, as no normaliser but the Taylor polynomial can have it, "
          "with all $l_i = -T$. It does not recover the $1/(4T)$ of softmax: at two equal logits "
          "it is $(1/T)(1/2 + 1/2) = 1/T$, and the norm is $1/(2T)$.",
      .kind = InputKind::normalized_row,
      .evaluators = sides<kSides>,
      .attained = &is_flat,
      .unmet = &breaks_lemma2,
      .mutants = {mutant<kExtremesSwapped>("swapped", "$max F$ in place of $min F$"),
                  scaled<kSides, 1, 3>("third", "a third of the bound"),
                  on_rows(mutant<kSecondSlope>("second",
                                               "the second largest $|F'|$ over $S$ as the bound")),
                  on_rows(mutant<kSecondTermSwapped>(
                      "second_term", "the second term alone, $min F$ and $max F$ exchanged"))},
  };
}

}  // namespace attn::claims::lemma2
