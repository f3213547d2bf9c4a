#include "theory/claims/corollary1/shared.hpp"

namespace attn::claims::corollary1_upper_sharp {

constexpr auto kAbove = [](const auto& t) {
  return Sides{t.largest_weight, corollary1_upper_sharp_bound(t)};
};

constexpr auto kSides = of(kRange, kAbove);
constexpr auto kUniform = of(kNoRange, kAbove);

constexpr auto kOneOtherMore = of(kRange, [](auto t) {
  t.others = t.others + 1.0;
  return kAbove(t);
});

constexpr auto kGap = []<class S>(const CaseContext& context) -> Sides<S> {
  return kAbove(range_terms(context, logit_gap<S>(context, 0, 1)));
};

Claim claim() {
  return {
      .id = "corollary1.upper.sharp",
      .title = "The largest weight that the range of the logits allows",
      .statement =
          "$max_i a_i <= 1/(1 + (L-1) exp(-D/T))$ for $a = softmax(l/T)$, $l_i = q . k_i$ of a "
          "query $q$ and $L$ keys $k_i$, $T > 0$, $D = max l - min l$",
      .paper = "Corollary 1",
      .argument =
          "$1/a_i = sum_j exp((l_j - l_i)/T)$, where the term of $i$ itself is 1 and each of the "
          "$L-1$ others at least $exp(-D/T)$. Attained where all logits but one are equal and that "
          "one is the largest. Never looser than corollary1.upper: $D <= 2 Delta$ "
          "(Cauchy-Schwarz), and $1 + (L-1) exp(-D/T) >= L exp(-D/T)$.",
      .kind = InputKind::query_keys,
      .evaluators = sides<kSides>,
      .attained = [](const CaseContext& context) { return context.others_tied(); },
      .example = R"({"query":["1"],"keys":[["1"],["0"],["0"]],"temperature":"1"})",
      .sharpens = "corollary1.upper",
      .mutants = {mutant<kOneOtherMore>("one_more", "$L$ in place of $L - 1$"), strict(),
                  on_rows(mutant<kUniform>("no_range", "$exp(-D/T)$ left out")),
                  on_rows(mutant<kGap>("gap",
                                       "the gap between the two largest logits in place of $D$"))},
  };
}

}  // namespace attn::claims::corollary1_upper_sharp
