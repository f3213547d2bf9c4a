#include "theory/claims/lemma2/shared.hpp"

namespace attn::claims::lemma2_sharp {

constexpr auto kSides = of(kGradient, [](const auto& t) {
  return Sides{t.norm, lemma2_sharp_bound(t.terms)};
});

constexpr auto kWithoutSlope = of(kGradient, []<class S>(const Gradient<S>& t) {
  return Sides{t.norm, S(0.5)};
});

constexpr auto kSecondWeight = of(kGradient, []<class S>(const Gradient<S>& t) {
  return Sides{t.norm, 2.0 * sorted_softmax<S>(t.context).a[1] * lemma2_sharp_bound(t.terms)};
});

constexpr auto kEntry = of(kGradient, []<class S>(const Gradient<S>& t) {
  const S entry = largest_entry(sorted_softmax<S>(t.context));
  return Sides{t.norm, 2.0 * entry * lemma2_sharp_bound(t.terms)};
});

/// F is 1/2 of the sum for both tokens, with the same |F'|: at one logit, or of the Taylor
/// polynomial at two about its least value; or J = 0.
bool has_two_equal_slopes(const CaseContext& context) {
  if (is_flat(context) || has_two_equal_logits(context)) return true;
  if (context.normalizer() != Normalizer::taylor || context.tokens() != 2) return false;
  const std::vector<Rational> z = context.scaled_logits();
  return z[0] + z[1] == -2;
}

Claim claim() {
  return {
      .id = "lemma2.sharp",
      .title = "The sharp gradient bound of a normaliser",
      .statement =
          "$||J|| <= (1/2) max_j |F'(l_j)/F(l_j)|$, $a_i = F(l_i)/S$, $S = sum_j F(l_j)$, $J = "
          "da/dl$, $||J||$ its spectral norm, $F > 0$ differentiable in the logit $l$ ($l/T$ is "
          "what the normaliser reads, $T > 0$), which may depend on the number $L$ of logits",
      .paper = "Lemma 2",
      .argument =
          "$J = diag(F')/S - F F'^T/S^2 = (diag a - a a^T) diag(F'/F)$, $S = sum_j F(l_j)$. The "
          "first factor is symmetric, and the sizes of the entries of its row $i$ have sum $a_i (1 "
          "- a_i) + sum_{j != i} a_i a_j = 2 a_i (1 - a_i) <= 1/2$: so no eigenvalue is larger in "
          "size (Gershgorin), and its norm is at most $1/2$. The norm of $diag(F'/F)$ is $max_j "
          "|F'_j/F_j|$. Attained just where $F' = 0$ for all, or at $L = 2$ with equal $F$ and "
          "equal $|F'|$: a first factor of norm $1/2$ has two weights of $1/2$ and no other, and "
          "then $||J||^2 = (g_1^2 + g_2^2)/8$, $g = F'/F$. For the normalisers here that is at $L "
          "= 2$ with equal logits; of the Taylor polynomial also where $l_1 + l_2 = -2T$, and at "
          "all $l_i = -T$. On many tokens of nearly equal weight lemma2 is the smaller of the two.",
      .kind = InputKind::normalized_row,
      .evaluators = sides<kSides>,
      .attained = &has_two_equal_slopes,
      .unmet = &breaks_lemma2,
      .example = R"({"logits":["0","0"],"temperature":"1","normalizer":"softmax"})",
      .sharpens = "lemma2",
      .mutants = {mutant<kWithoutSlope>("no_slope", "$max |F'/F|$ left out"), strict(),
                  on_rows(mutant<kSecondWeight>("second", "$a_(2)$ in place of $1/2$")),
                  on_rows(mutant<kEntry>("entry", "$max_i a_i (1 - a_i)$ in place of $1/2$"))},
  };
}

}  // namespace attn::claims::lemma2_sharp
