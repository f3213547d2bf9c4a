#include "theory/claims/lemma1/shared.hpp"

namespace attn::claims::lemma1_upper {

constexpr auto kAbove = [](const auto& t) {
  return Sides{t.largest_weight, lemma1_upper_bound(t)};
};

constexpr auto kSides = of(kDispersion, kAbove);
constexpr auto kHalfBound = of(kHalfBoundTerms, kAbove);
constexpr auto kLeastLogit = of(kLeastLogitTerms, kAbove);

Claim claim() {
  return {
      .id = "lemma1.upper",
      .title = "No weight rises above a fixed multiple of $1/L$",
      .statement =
          "$max_i a_i <= M/(m L)$ for $a_i = F(l_i/T)/sum_j F(l_j/T)$ of $L$ logits with $|l_i| "
          "<= a$, $T > 0$, where $F > 0$ is continuous and does not depend on $L$, $m$ and $M$ "
          "its least and its largest value at $l/T$ with $|l| <= a$",
      .paper = "Lemma 1",
      .provenance = FormulaOrigin::quoted,
      .argument =
          "$a_i = F(l_i)/sum_j F(l_j)$, the numerator at most $M$ and the denominator at least $L "
          "m$. Attained just where $m = M$, for both take every $F(l_j)$; of the normalisers here, "
          "at $a = 0$.",
      .kind = InputKind::bounded_row,
      .evaluators = sides<kSides>,
      .attained = &is_unspread,
      .unmet = &lemma1_unmet,
      .example = R"({"logits":["0","0"],"temperature":"1","normalizer":"softmax"})",
      .mutants = {mutant<kHalfBound>("half_bound", "$F$ taken over $[-a/2, a/2]$"),
                  on_rows(mutant<kUniformAbove>("no_spread", "$M$ in place of $m$")),
                  on_rows(mutant<kLeastLogit>("least_logit",
                                              "$a = min |l_i|$ in place of $max |l_i|$"))},
  };
}

}  // namespace attn::claims::lemma1_upper
