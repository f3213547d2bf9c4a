#include "theory/claims/lemma1/shared.hpp"

namespace attn::claims::lemma1_lower {

constexpr auto kBelow = [](const auto& t) { return Sides{lemma1_lower_bound(t), t.least_weight}; };

constexpr auto kSides = of(kDispersion, kBelow);
constexpr auto kHalfBound = of(kHalfBoundTerms, kBelow);
constexpr auto kLeastLogit = of(kLeastLogitTerms, kBelow);

Claim claim() {
  return {
      .id = "lemma1.lower",
      .title = "No weight falls below a fixed share of $1/L$",
      .statement =
          "$m/(M L) <= min_i a_i$ for $a_i = F(l_i/T)/sum_j F(l_j/T)$ of $L$ logits with $|l_i| "
          "<= a$, $T > 0$, where $F > 0$ is continuous and does not depend on $L$, $m$ and $M$ "
          "its least and its largest value at $l/T$ with $|l| <= a$",
      .paper = "Lemma 1",
      .provenance = FormulaOrigin::quoted,
      .argument =
          "$a_i = F(l_i)/sum_j F(l_j)$, the numerator at least $m$ and the denominator at most $L "
          "M$. Attained just where $m = M$, for both take every $F(l_j)$; of the normalisers here, "
          "at $a = 0$.",
      .kind = InputKind::bounded_row,
      .evaluators = sides<kSides>,
      .attained = &is_unspread,
      .unmet = &lemma1_unmet,
      .example = R"({"logits":["0","0"],"temperature":"1","normalizer":"softmax"})",
      .mutants = {mutant<kHalfBound>("half_bound", "$F$ taken over $[-a/2, a/2]$"),
                  on_rows(mutant<kUniformBelow>("no_spread", "$M$ in place of $m$")),
                  on_rows(mutant<kLeastLogit>("least_logit",
                                              "$a = min |l_i|$ in place of $max |l_i|$"))},
  };
}

}  // namespace attn::claims::lemma1_lower
