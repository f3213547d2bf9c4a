#include "theory/attention/attained.hpp"
#include "theory/claims/theorem1/shared.hpp"

namespace attn::claims::theorem1_random_sharp {

constexpr auto kSides = of(kRandomSet<Moments::mean_and_variance>, [](const auto& t) {
  return Sides{t.expected, random_sharp_bound(t)};
});

constexpr auto kSharpOfSelected = of(kRandomSet<Moments::mean_and_variance>, [](auto t) {
  t.share = 1.0 - t.share;
  return Sides{t.expected, random_sharp_bound(t)};
});

Claim claim() {
  return {
      .id = "theorem1.random.sharp",
      .title = "Randomly selected tokens: mean and variance together",
      .statement =
          "$E <= p sum_i sqrt(||m_i||^2 + V_i)$ for weights $a_i$ and vectors $x_i$ of any sort, "
          "where $I$ is uniform over the sets of $N$ of the $L$ tokens, $E = E[D]$, $D = sum_{i "
          "not in I} ||y_i - s||$, $s = sum_{i in I} y_i$, $y_i = a_i x_i$, $p = (L-N)/L$, $m_i = "
          "y_i - (N/(L-1)) sum_{j != i} y_j$, $V_i = N (L-1-N)/((L-1)(L-2)) [sum_{j != i} "
          "||y_j||^2 - ||sum_{j != i} y_j||^2/(L-1)]$, 0 when $L = 2$ or $N = L-1$",
      .paper = "Theorem 1 (2)",
      .argument =
          "$E = p sum_i E_i$, and $E_i^2 <= E||y_i - s||^2 = ||m_i||^2 + V_i$ (Jensen), given that "
          "$i$ is not selected, with the mean and the variance of theorem1.random.upper. It holds "
          "for any vectors $y_i$. Never looser than theorem1.random.upper, since $sqrt(u^2 + v^2) "
          "<= u + v$. Attained at $N = L-1$.",
      .kind = InputKind::random_set_embeddings,
      .evaluators = sides<kSides>,
      .attained = &attains_random,
      .unmet = &lacks_weights,
      .example = R"({"weights":["1/2","1/2"],"embeddings":[["1"],["1/2"]],"N":1})",
      .sharpens = "theorem1.random.upper",
      .mutants = {on_rows(mutant<kExpectedBelowMeans>("no_variance", "$V_i$ left out")),
                  on_rows(mutant<kSharpOfSelected>("selected_share",
                                                   "$N/L$ in place of $p = (L-N)/L$"))},
  };
}

}  // namespace attn::claims::theorem1_random_sharp
