#include "theory/claims/lemma1/shared.hpp"

namespace attn::claims::lemma1_lower_sharp {

constexpr auto kBelow = [](const auto& t) {
  return Sides{lemma1_lower_sharp_bound(t), t.least_weight};
};

constexpr auto kSides = of(kDispersion, kBelow);

constexpr auto kOneOtherFewer = of(kDispersion, [](auto t) {
  t.count = t.count - 1.0;
  return kBelow(t);
});

Claim claim() {
  return {
      .id = "lemma1.lower.sharp",
      .title = "The least weight that bounded logits allow",
      .statement =
          "$m/(m+(L-1) M) <= min_i a_i$ for $a_i = F(l_i/T)/sum_j F(l_j/T)$ of $L$ logits with "
          "$|l_i| <= a$, $T > 0$, where $F > 0$ is continuous and does not depend on $L$, $m$ and "
          "$M$ its least and its largest value at $l/T$ with $|l| <= a$",
      .paper = "Lemma 1",
      .argument =
          "$a_i = F_i / (F_i + sum_{j != i} F_j)$ grows with $F_i >= m$ and falls with the others, "
          "each at most $M$. Attained with one logit where $F = m$ and all others where $F = M$.",
      .kind = InputKind::bounded_row,
      .evaluators = sides<kSides>,
      .attained =
          [](const CaseContext& context) { return is_one_at(context, -logit_bound(context)); },
      .unmet = &lemma1_unmet,
      .example = R"({"logits":["-1","1","1"],"temperature":"1","normalizer":"softmax"})",
      .sharpens = "lemma1.lower",
      .mutants = {on_rows(mutant<kOneOtherFewer>("one_fewer", "$L - 2$ in place of $L - 1$")),
                  strict(), on_rows(mutant<kUniformBelow>("no_spread", "$M$ in place of $m$"))},
  };
}

}  // namespace attn::claims::lemma1_lower_sharp
