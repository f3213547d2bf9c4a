#include "theory/claims/lemma2/shared.hpp"

namespace attn::claims::lemma2_local {

constexpr auto kSides = of(kGradient, []<class S>(const Gradient<S>& t) {
  return Sides{t.norm, lemma2_local_bound(t.terms, sorted_softmax<S>(t.context))};
});

constexpr auto kWithoutSlope = of(kGradient, []<class S>(const Gradient<S>& t) {
  return Sides{t.norm, attn::corollary3_local_upper(sorted_softmax<S>(t.context))};
});

constexpr auto kEntry = of(kGradient, []<class S>(const Gradient<S>& t) {
  const S entry = self_derivative(sorted_softmax<S>(t.context), 0);
  return Sides{t.norm, 2.0 * lemma2_sharp_bound(t.terms) * entry};
});

constexpr auto kSecondWeight = of(kGradient, []<class S>(const Gradient<S>& t) {
  return Sides{t.norm, 2.0 * lemma2_sharp_bound(t.terms) * sorted_softmax<S>(t.context).a[1]};
});

/// Known where the logits are equal, and of the normalisers of which F'/F is the same everywhere.
bool ties_at_equal_slopes(const CaseContext& context) {
  const bool exponential = traits(context.normalizer()).exponential;
  return all_logits_equal(context) || (exponential && ties_at_an_end(context));
}

Claim claim() {
  return {
      .id = "lemma2.local",
      .title = "The gradient of a normaliser is at most what the weights at hand allow",
      .statement =
          "$||J|| <= max_j |F'(l_j)/F(l_j)| a_(1) (1 - a_(1) + a_(2))$, $a_i = F(l_i)/S$, $S = "
          "sum_j F(l_j)$, $J = da/dl$, $||J||$ its spectral norm, $F > 0$ differentiable in the "
          "logit $l$ ($l/T$ is what the normaliser reads, $T > 0$), which may depend on the "
          "number $L$ of logits, $a_(1) >= a_(2)$ the two largest weights",
      .paper = "Lemma 2",
      .argument =
          "$J = (diag a - a a^T) diag(g)$, $g_j = F'_j/F_j$, so that $||J|| <= max_j |g_j| ||diag "
          "a - a a^T||$, and the last factor is at most $t = a_(1) (1 - a_(1) + a_(2))$. Where "
          "$a_(1) = a_(2)$, $t = a_(1)$, and $diag a - a a^T <= diag a$. Else its largest "
          "eigenvalue is the only root above $a_(2)$ of $sum_i a_i^2/(a_i - s) = 1$, whose left "
          "side grows in $s$ between $a_(2)$ and $a_(1)$. There, at $s = t$, since $a_(1) - t = "
          "a_(1) (a_(1) - a_(2))$, $t - a_j >= t - a_(2) = (a_(1) - a_(2)) (1 - a_(1))$ for the "
          "others, and the sum of their $a_j^2$ is at most $a_(2) (1 - a_(1))$, it is at least "
          "$a_(1)/(a_(1) - a_(2)) - a_(2)/(a_(1) - a_(2)) = 1$, so the root is at most $t$. Never "
          "looser than lemma2.sharp: $a_(2) <= 1 - a_(1)$, so $t <= 2 a_(1) (1 - a_(1)) <= 1/2$. "
          "Attained where $|g|$ is the same for all tokens, and the two largest weights are equal "
          "or $L = 2$.",
      .kind = InputKind::normalized_row,
      .evaluators = sides<kSides>,
      .attained = &ties_at_equal_slopes,
      .unmet = &breaks_lemma2,
      .example = R"({"logits":["0","0","-1"],"temperature":"1","normalizer":"softmax"})",
      .sharpens = "lemma2",
      .mutants = {mutant<kWithoutSlope>("no_slope", "$max |F'/F|$ left out"), strict(),
                  on_rows(mutant<kEntry>("entry", "$a_(2)$ left out")),
                  on_rows(mutant<kSecondWeight>(
                      "second", "$a_(2)$ in place of $a_(1) (1 - a_(1) + a_(2))$"))},
  };
}

}  // namespace attn::claims::lemma2_local
