#include "theory/attention/attained.hpp"
#include "theory/claims/theorem1/shared.hpp"

namespace attn::claims::corollary2_full_set_sharp {

/// E <= (N + more) p sum_i ||y_i||, p = (L-N)/L.
template <std::size_t more>
constexpr auto kWithin = []<class S>(const CaseContext& context) -> Sides<S> {
  const auto t = random_set_terms<S>(context, Moments::none);
  return {t.expected, from_count<S>(context.top_n() + more) * expected_contributions(t)};
};
constexpr auto kSides = kWithin<1>;
constexpr auto kWithoutOne = kWithin<0>;

Claim claim() {
  return {
      .id = "corollary2.full_set.sharp",
      .title = "The distance from a random set is at most so many times the mean contribution",
      .statement =
          "$E <= ((N+1)(L-N)/L) sum_i a_i ||x_i||$ for weights $a_i >= 0$ of any sum and any "
          "vectors $x_i$, where $I$ is uniform over the sets of $N$ of the $L$ tokens, $E = "
          "E[D]$, $D = sum_{i not in I} ||y_i - s||$, $s = sum_{i in I} y_i$, $y_i = a_i x_i$",
      .paper = "Corollary 2",
      .argument =
          "With $y_i = a_i x_i$, $||y_i - s|| <= ||y_i|| + sum_{j in I} ||y_j||$. Token $i$ is "
          "outside with probability $p = (L-N)/L$, and any $j$ is then selected with probability "
          "$N/(L-1)$, so $E <= p sum_i (||y_i|| + (N/(L-1)) sum_{j != i} ||y_j||) = p (N+1) sum_i "
          "||y_i||$. No sum is asked of the weights. Where $sum a_i <= 1$ it is never looser than "
          "corollary2.full_set: $N + 1 <= L$ and $sum_i a_i ||x_i|| <= max ||x_i||$. Attained for "
          "all $L$ and $N$ where one token has all the weight: outside it is $||x||$ from $s = 0$, "
          "selected it leaves the $L-N$ others $||x||$ from $s = x$.",
      .kind = InputKind::random_set_embeddings,
      .evaluators = sides<kSides>,
      .attained = &attains_full_set,
      .unmet = &lacks_weights,
      .example = R"({"weights":["1","0","0"],"embeddings":[["1"],["0"],["0"]],"N":1})",
      .sharpens = "corollary2.full_set",
      .mutants = {on_rows(mutant<kWithoutOne>("n", "$N$ in place of $N + 1$")),
                  on_rows(per_token<kSides>()), strict()},
  };
}

}  // namespace attn::claims::corollary2_full_set_sharp
