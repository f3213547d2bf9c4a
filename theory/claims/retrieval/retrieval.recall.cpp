#include "theory/attention/retrieval_counts.hpp"
#include "theory/claims/any_weights.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims::retrieval_recall {
/// GInv divided by `share`.
template <std::size_t share>
constexpr auto kOfShare = []<class S>(const CaseContext& context) -> Sides<S> {
  const RetrievalCounts counts = retrieval_counts<S>(context);
  const std::size_t n = context.top_n();
  return {recall_of<S>(counts.inversions, share * n), recall_of<S>(counts.missed, n)};
};
constexpr auto kSides = kOfShare<1>;
constexpr auto kHalf = kOfShare<2>;

Claim claim() {
  return {
      .id = "retrieval.recall",
      .title = "How many selected tokens are nearer than all others: by pairs out of order",
      .statement =
          "$max(0, 1 - GInv/N) <= #{i in I : D_i < min_{j not in I} D_j}/N$, $GInv = #{(i, j) : i "
          "in I, j not in I, D_j <= D_i}$, $D_i = ||a_i x_i - s||$, for weights $a_i >= 0$ of any "
          "sum, any vectors $x_i$ and $I$ the $N < L$ tokens of the largest weights, $s = sum_{i "
          "in I} a_i x_i$",
      .paper = "arXiv 2609.37879: Retrieval capacity, A.2",
      .provenance = FormulaOrigin::quoted,
      .argument =
          "A selected token that is no nearer to $s$ than the nearest one outside makes a pair "
          "with that one which $GInv$ counts, and no two such tokens make the same pair. Attained "
          "where each of them has no other token outside as near as itself.",
      .kind = InputKind::top_n_embeddings,
      .evaluators = sides<kSides>,
      // Known where every comparison is: on rational weights, and where nothing but equal tokens
      // tie.
      .attained =
          [](const CaseContext& context) {
            return has_tight_recall(closest_counts(context), context.top_n());
          },
      .unmet = &lacks_weights,
      .example = R"({"weights":["1/2","1/4","1/4"],"embeddings":[["1"],["2"],["0"]],"N":1})",
      .mutants = {strict(), on_rows(mutant<kHalf>("half", "half of $GInv$")),
                  on_rows(exchanged<kSides>())},
  };
}

}  // namespace attn::claims::retrieval_recall
