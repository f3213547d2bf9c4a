#include "theory/claims/corollary1/shared.hpp"

namespace attn::claims::corollary1_lower_sharp {

constexpr auto kBelow = [](const auto& t) {
  return Sides{corollary1_lower_sharp_bound(t), t.least_weight};
};

constexpr auto kSides = of(kRange, kBelow);
constexpr auto kUniform = of(kNoRange, kBelow);

constexpr auto kOneOtherFewer = of(kRange, [](auto t) {
  t.others = t.others - 1.0;
  return kBelow(t);
});

constexpr auto kGap = []<class S>(const CaseContext& context) -> Sides<S> {
  const std::size_t last = context.tokens() - 1;
  return kBelow(range_terms(context, logit_gap<S>(context, last - 1, last)));
};

bool all_but_the_least_tie(const CaseContext& context) {
  const auto& l = context.logits();
  const auto& order = context.order();
  return l[order.front()] == l[order[order.size() - 2]];
}

Claim claim() {
  return {
      .id = "corollary1.lower.sharp",
      .title = "The least weight that the range of the logits allows",
      .statement =
          "$1/(1 + (L-1) exp(D/T)) <= min_i a_i$ for $a = softmax(l/T)$, $l_i = q . k_i$ of a "
          "query $q$ and $L$ keys $k_i$, $T > 0$, $D = max l - min l$",
      .paper = "Corollary 1",
      .argument =
          "$1/a_i = sum_j exp((l_j - l_i)/T)$, where the term of $i$ itself is 1 and each of the "
          "$L-1$ others at most $exp(D/T)$. Attained where all logits but one are equal and that "
          "one is the least. Never looser than corollary1.lower: $D <= 2 Delta$ (Cauchy-Schwarz), "
          "and $1 + (L-1) exp(D/T) <= L exp(D/T)$.",
      .kind = InputKind::query_keys,
      .evaluators = sides<kSides>,
      .attained = &all_but_the_least_tie,
      .example = R"({"query":["1"],"keys":[["0"],["1"],["1"]],"temperature":"1"})",
      .sharpens = "corollary1.lower",
      .mutants = {mutant<kOneOtherFewer>("one_fewer", "$L - 2$ in place of $L - 1$"), strict(),
                  on_rows(mutant<kUniform>("no_range", "$exp(D/T)$ left out")),
                  on_rows(
                      mutant<kGap>("gap", "the gap between the two least logits in place of $D$"))},
  };
}

}  // namespace attn::claims::corollary1_lower_sharp
