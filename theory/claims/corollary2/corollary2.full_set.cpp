#include "theory/attention/output.hpp"
#include "theory/claims/theorem1/shared.hpp"

namespace attn::claims::corollary2_full_set {

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  const S outside = from_count<S>(context.tokens() - context.top_n());
  return {random_set_terms<S>(context, Moments::none).expected,
          outside * longest_embedding<S>(context)};
};

constexpr auto kOneOutside = []<class S>(const CaseContext& context) -> Sides<S> {
  return {random_set_terms<S>(context, Moments::none).expected, longest_embedding<S>(context)};
};

constexpr auto kShortestEmbedding = []<class S>(const CaseContext& context) -> Sides<S> {
  const auto t = random_set_terms<S>(context, Moments::none);
  const auto x = embeddings_of<S>(context);
  S least = squared_norm(x.front());
  for (const auto& row : x) least = min(least, squared_norm(row));
  const std::size_t outside = context.tokens() - context.top_n();
  return {t.expected, from_count<S>(outside) * sqrt_nonnegative(least)};
};

Claim claim() {
  return {
      .id = "corollary2.full_set",
      .title = "Nearly everything selected: few tokens are left to be far",
      .statement =
          "$E <= (L-N) max_i ||x_i||$ for $a_i >= 0$ with $sum_i a_i <= 1$ and any vectors $x_i$, "
          "so $E = 0$ at $N = L$, where $I$ is uniform over the sets of $N$ of the $L$ tokens, $E "
          "= E[D]$, $D = sum_{i not in I} ||y_i - s||$, $s = sum_{i in I} y_i$, $y_i = a_i x_i$",
      .paper = "Corollary 2",
      .provenance = FormulaOrigin::reconstructed,
      .argument =
          "Of any weights $a_i >= 0$ of sum at most 1: $||a_i x_i - s|| <= a_i ||x_i|| + sum_{j in "
          "I} a_j ||x_j|| <= max ||x||$ for $i not in I$; $L-N$ tokens are left. Attained at $N = "
          "L-1$ with all the weight on one longest $x$. $E$ need not vanish before $N = L$: at "
          "$a_i = 1/L$, $x_i = x$, $N = L-1$ it is $(L-2)||x||/L$.",
      .kind = InputKind::random_set_embeddings,
      .evaluators = sides<kSides>,
      .unmet = &sum_beyond_one,
      .example = R"({"weights":["1","0"],"embeddings":[["1"],["0"]],"N":1})",
      .mutants = {mutant<kOneOutside>("one_outside", "$L - N$ taken as 1"),
                  mutant<kShortestEmbedding>("shortest", "$min ||x_i||$ in place of the max"),
                  on_rows(exchanged<kSides>()), on_rows(thousandth<kSides>())},
  };
}

}  // namespace attn::claims::corollary2_full_set
