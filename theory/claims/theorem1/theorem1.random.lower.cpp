#include "theory/attention/attained.hpp"
#include "theory/claims/theorem1/shared.hpp"

namespace attn::claims::theorem1_random_lower {

constexpr auto kSides = of(kRandomSet<Moments::mean>, [](const auto& t) {
  return Sides{random_lower_bound(t), t.expected};
});

constexpr auto kLowerOfAll = of(kRandomSet<Moments::mean>, [](const auto& t) {
  return Sides{random_lower_bound(t) / t.share, t.expected};
});

constexpr auto kLowerWithoutOthers = of(kRandomSet<Moments::none>, [](const auto& t) {
  return Sides{t.share * t.contributions, t.expected};
});

constexpr auto kLowerWithVariance = of(kRandomSet<Moments::mean_and_variance>, [](const auto& t) {
  return Sides{random_upper_bound(t), t.expected};
});

Claim claim() {
  return {
      .id = "theorem1.random.lower",
      .title = "Randomly selected tokens: the distance from below",
      .statement =
          "$p sum_i ||m_i|| <= E$ for weights $a_i$ and vectors $x_i$ of any sort, where $I$ is "
          "uniform over the sets of $N$ of the $L$ tokens, $E = E[D]$, $D = sum_{i not in I} "
          "||y_i - s||$, $s = sum_{i in I} y_i$, $y_i = a_i x_i$, $p = (L-N)/L$, $m_i = y_i - "
          "(N/(L-1)) sum_{j != i} y_j$",
      .paper = "Theorem 1 (2)",
      .provenance = FormulaOrigin::reconstructed,
      .argument =
          "$E = sum_i P(i not in I) E_i$ with $P(i not in I) = p$ and $E_i$ the mean of $||y_i - "
          "s||$ given that $i$ is not selected. Given that, $I$ is a uniform $N$-subset of the "
          "rest, which holds each $j != i$ with probability $N/(L-1)$, so $y_i - s$ has mean "
          "$m_i$, and $E_i >= ||m_i||$ (Jensen). Nothing is asked of the vectors $y_i$: the "
          "weights may have any sign and sum. Attained at $N = L-1$, where $i not in I$ leaves one "
          "$I$. On readings: of $M_c = p sum_i ||y_i - c sum_{j != i} y_j||$ the prose gives $c = "
          "N/(L-1)$, the $m_i$ here: $M_c <= E$ always. $E <= M_c$ is false: $a = (1/2, 1/2, 0)$, "
          "$x = (1, -1, 0)$, $N = 1$: $4/3 > 1$. $c = N/L$ bounds $E$ on neither side: $a = (1/2, "
          "1/2)$, $x = (1, 1)$, $N = 1$: $E = 0 < 1/4$; the case before: $4/3 > 8/9$. Nor does $c "
          "= 1$: $a_i = 1/12$, $x = 1$, $N = 1$: $E = 0 < 55/6$; $a_i = 1/4$, $x = (1, 1, 1, -1)$, "
          "$N = 2$: $E = 3/4 > 1/2$. The second curve of Figure 2(a) grows with $L$, as $M_1$ "
          "does, about $(L-N) ||o||$, and as neither $E$ nor $M_c <= E$ can "
          "(theorem1.random.linear): so $c = 1$ is what was drawn (inferred).",
      .kind = InputKind::random_set_embeddings,
      .evaluators = sides<kSides>,
      .attained = &attains_random_lower,
      .unmet = &lacks_weights,
      .example = R"({"weights":["1/2","1/2"],"embeddings":[["1"],["1/2"]],"N":1})",
      .mutants = {on_rows(mutant<kLowerOfAll>("no_share", "the factor $p$ left out")),
                  mutant<kLowerWithoutOthers>("no_others", "$y_i$ in place of $m_i$"),
                  on_rows(mutant<kLowerWithVariance>("with_variance", "$V_i$ added"))},
  };
}

}  // namespace attn::claims::theorem1_random_lower
