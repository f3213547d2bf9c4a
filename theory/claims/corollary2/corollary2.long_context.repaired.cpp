#include "theory/attention/attained.hpp"
#include "theory/claims/theorem1/shared.hpp"

namespace attn::claims::corollary2_long_context_repaired {

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  const auto t = random_set_terms<S>(context, Moments::none);
  const S expected_sum = expected_contributions(t);
  return {abs(S(t.expected - expected_sum)), from_count<S>(context.top_n()) * expected_sum};
};

constexpr auto kGapWithoutN = []<class S>(const CaseContext& context) -> Sides<S> {
  const auto t = random_set_terms<S>(context, Moments::none);
  const S sum = expected_contributions(t);
  return {abs(S(t.expected - sum)), sum};
};

constexpr auto kGapToAll = []<class S>(const CaseContext& context) -> Sides<S> {
  const auto t = random_set_terms<S>(context, Moments::none);
  return {abs(S(t.expected - t.contributions)),
          from_count<S>(context.top_n()) * expected_contributions(t)};
};

Claim claim() {
  return {
      .id = "corollary2.long_context.repaired",
      .title = "Long contexts: how far the distance is from the sum of contributions",
      .statement =
          "$|E - p sum_i ||y_i||| <= p N sum_i ||y_i||$ for weights $a_i$ and vectors $x_i$ of "
          "any sort, where $I$ is uniform over the sets of $N$ of the $L$ tokens, $E = E[D]$, $D "
          "= sum_{i not in I} ||y_i - s||$, $s = sum_{i in I} y_i$, $y_i = a_i x_i$, $p = (L-N)/L$",
      .paper = "Corollary 2",
      .argument =
          "$E = p sum_i E_i$, $E_i$ the mean of $||y_i - s||$ given that $i$ is not selected "
          "(theorem1.random.lower). $|E_i - ||y_i||| <= E||s|| <= (N/(L-1)) sum_{j != i} ||y_j||$, "
          "as each $j != i$ is then selected with probability $N/(L-1)$. In the sum over $i$ each "
          "$||y_j||$ comes $L-1$ times. It holds for any vectors $y_i$. Attained at $L = 2$, $N = "
          "1$ where $y_2 = -y_1$.",
      .kind = InputKind::random_set_embeddings,
      .evaluators = sides<kSides>,
      .attained = &attains_contributions,
      .unmet = &lacks_weights,
      .example = R"({"weights":["1/2","1/2"],"embeddings":[["1"],["-1"]],"N":1})",
      .mutants = {on_rows(mutant<kGapWithoutN>("no_n", "the factor $N$ left out")),
                  mutant<kGapToAll>("no_share",
                                    "$p$ left out before the sum that $E$ is compared with"),
                  on_rows(scaled<kSides, 1, 2>("half", "the bound halved"))},
  };
}

}  // namespace attn::claims::corollary2_long_context_repaired
