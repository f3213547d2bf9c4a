#include "theory/claims/lemma2/shared.hpp"

namespace attn::claims::lemma2_oblique {

constexpr auto kSides = of(kGradient, [](const auto& t) {
  return Sides{t.norm, lemma2_oblique_bound(t.terms)};
});

constexpr auto kWithoutRoot = of(kGradient, [](const auto& t) {
  return Sides{t.norm, lemma2_oblique_bound(t.terms) / sqrt_nonnegative(t.terms.count)};
});

constexpr auto kLeastSlope = of(kGradient, [](const auto& t) {
  auto least = abs(t.f.derivative.front());
  for (const auto& slope : t.f.derivative) least = min(least, abs(slope));
  return Sides{t.norm, lemma2_oblique_bound(t.terms) * least / t.terms.steepest};
});

Claim claim() {
  return {
      .id = "lemma2.oblique",
      .title = "The gradient bound from an oblique projection",
      .statement =
          "$||J|| <= sqrt(L) ||a|| max|F'|/S$, $a_i = F(l_i)/S$, $S = sum_j F(l_j)$, $J = da/dl$, "
          "$||J||$ its spectral norm, $F > 0$ differentiable in the logit $l$ ($l/T$ is what the "
          "normaliser reads, $T > 0$), which may depend on the number $L$ of logits, maxima over "
          "the given logits",
      .paper = "Lemma 2",
      .argument =
          "$J = diag(F')/S - F F'^T/S^2 = (I - a 1^T) diag(F')/S$. As $1^T a = 1$, $Q = a 1^T$ is "
          "a projection, neither 0 nor $I$ since $L >= 2$, so that $||I - Q|| = ||Q||$ (Kato), and "
          "$||a 1^T|| = sqrt(L) ||a||$. At most half of lemma2: with $m$ and $M$ the least and the "
          "largest $F(l_i)$, $(F_i - m)(M - F_i) >= 0$ gives $sum_i F_i^2 <= (m + M) S - L m M$, "
          "and with $x = L/S$ $L ||a||^2 = L ||F||^2/S^2 <= (m + M) x - m M x^2 <= (m + M)^2/(4 m "
          "M)$. So $sqrt(L) ||a|| max|F'|/S <= (m + M)/(2 sqrt(m M)) max|F'|/(L m)$, while lemma2 "
          "is $max|F'| (m + M)/(L m^2)$: the quotient is at most $sqrt(m/M)/2 <= 1/2$. Attained "
          "with equal logits.",
      .kind = InputKind::normalized_row,
      .evaluators = sides<kSides>,
      .attained = &all_logits_equal,
      .unmet = &breaks_lemma2,
      .example = R"({"logits":["0","0"],"temperature":"1","normalizer":"softmax"})",
      .sharpens = "lemma2",
      .mutants = {mutant<kWithoutRoot>("no_root", "$sqrt(L)$ left out"), strict(),
                  on_rows(mutant<kSecondSlope>("second",
                                               "the second largest $|F'|$ over $S$ as the bound")),
                  on_rows(mutant<kLeastSlope>("least", "$min|F'|$ in place of $max|F'|$"))},
  };
}

}  // namespace attn::claims::lemma2_oblique
