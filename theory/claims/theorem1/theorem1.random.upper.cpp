#include "theory/attention/attained.hpp"
#include "theory/claims/theorem1/shared.hpp"

namespace attn::claims::theorem1_random_upper {

constexpr auto kSides = of(kRandomSet<Moments::mean_and_variance>, [](const auto& t) {
  return Sides{t.expected, random_upper_bound(t)};
});

constexpr auto kUpperOfSelected = of(kRandomSet<Moments::mean_and_variance>, [](auto t) {
  t.share = 1.0 - t.share;
  return Sides{t.expected, random_upper_bound(t)};
});

Claim claim() {
  return {
      .id = "theorem1.random.upper",
      .title = "Randomly selected tokens: the distance from above",
      .statement =
          "$E <= p sum_i (||m_i|| + sqrt V_i)$ for weights $a_i$ and vectors $x_i$ of any sort, "
          "where $I$ is uniform over the sets of $N$ of the $L$ tokens, $E = E[D]$, $D = sum_{i "
          "not in I} ||y_i - s||$, $s = sum_{i in I} y_i$, $y_i = a_i x_i$, $p = (L-N)/L$, $m_i = "
          "y_i - (N/(L-1)) sum_{j != i} y_j$, $V_i = N (L-1-N)/((L-1)(L-2)) [sum_{j != i} "
          "||y_j||^2 - ||sum_{j != i} y_j||^2/(L-1)]$, 0 when $L = 2$ or $N = L-1$",
      .paper = "Theorem 1 (2)",
      .provenance = FormulaOrigin::reconstructed,
      .argument =
          "As in theorem1.random.lower $E = p sum_i E_i$, and given that $i$ is not selected $y_i "
          "- s$ has mean $m_i$. With $q = N/(L-1)$, the indicator of $j != i$ being selected has "
          "variance $q (1-q)$, and those of two tokens have covariance $-q (1-q)/(L-2)$, since "
          "their number is fixed. So $s$ has the total variance $q (1-q) (Q - C/(L-2)) = V_i$ with "
          "$Q = sum_{j != i} ||y_j||^2$ and $C = sum_{j != k; j,k != i} y_j . y_k$, as $C = "
          "||sum_{j != i} y_j||^2 - Q$; where $q = 1$ nothing varies. $E_i <= ||m_i|| + E||s - E "
          "s|| <= ||m_i|| + sqrt V_i$ (Jensen). It holds for any vectors $y_i$. Attained at $N = "
          "L-1$. How the main sum was read is in theorem1.random.lower.",
      .kind = InputKind::random_set_embeddings,
      .evaluators = sides<kSides>,
      .attained = &attains_random,
      .unmet = &lacks_weights,
      .example = R"({"weights":["1/2","1/2"],"embeddings":[["1"],["1/2"]],"N":1})",
      .mutants = {on_rows(mutant<kExpectedBelowMeans>("no_variance", "$V_i$ left out")),
                  on_rows(mutant<kUpperOfSelected>("selected_share",
                                                   "$N/L$ in place of $p = (L-N)/L$"))},
  };
}

}  // namespace attn::claims::theorem1_random_upper
