#include "theory/claims/lemma1/shared.hpp"

namespace attn::claims::lemma1_upper_sharp {

constexpr auto kAbove = [](const auto& t) {
  return Sides{t.largest_weight, lemma1_upper_sharp_bound(t)};
};

constexpr auto kSides = of(kDispersion, kAbove);
constexpr auto kLeastLogit = of(kLeastLogitTerms, kAbove);

constexpr auto kOneOtherMore = of(kDispersion, [](auto t) {
  t.count = t.count + 1.0;
  return kAbove(t);
});

Claim claim() {
  return {
      .id = "lemma1.upper.sharp",
      .title = "The largest weight that bounded logits allow",
      .statement =
          "$max_i a_i <= M/(M+(L-1) m)$ for $a_i = F(l_i/T)/sum_j F(l_j/T)$ of $L$ logits with "
          "$|l_i| <= a$, $T > 0$, where $F > 0$ is continuous and does not depend on $L$, $m$ and "
          "$M$ its least and its largest value at $l/T$ with $|l| <= a$",
      .paper = "Lemma 1",
      .argument =
          "$a_i = F_i / (F_i + sum_{j != i} F_j)$ grows with $F_i <= M$ and falls with the others, "
          "each at least $m$. Attained with one logit where $F = M$ and all others where $F = m$.",
      .kind = InputKind::bounded_row,
      .evaluators = sides<kSides>,
      .attained =
          [](const CaseContext& context) { return is_one_at(context, logit_bound(context)); },
      .unmet = &lemma1_unmet,
      .example = R"({"logits":["1","-1","-1"],"temperature":"1","normalizer":"softmax"})",
      .sharpens = "lemma1.upper",
      .mutants = {mutant<kOneOtherMore>("one_more", "$L$ in place of $L - 1$"), strict(),
                  on_rows(mutant<kUniformAbove>("no_spread", "$M$ in place of $m$")),
                  on_rows(mutant<kLeastLogit>("least_logit",
                                              "$a = min |l_i|$ in place of $max |l_i|$"))},
  };
}

}  // namespace attn::claims::lemma1_upper_sharp
