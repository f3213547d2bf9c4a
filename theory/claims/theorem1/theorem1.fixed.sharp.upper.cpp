#include "theory/attention/attained.hpp"
#include "theory/claims/theorem1/shared.hpp"

namespace attn::claims::theorem1_fixed_sharp_upper {

constexpr auto kSides = of(kCentred, [](const auto& t) { return Sides{t.distance, t.above}; });

constexpr auto kNoAround = of(kCentred, [](const auto& t) { return Sides{t.distance, t.core}; });

constexpr auto kHalfAround = of(kCentred, [](const auto& t) {
  return Sides{t.distance, t.core + 0.5 * t.around};
});

constexpr auto kCoreLessAround = of(kCentred, [](const auto& t) {
  return Sides{t.distance, t.below};
});

Claim claim() {
  return {
      .id = "theorem1.fixed.sharp.upper",
      .title = "The distance, measured about the selected tokens' centre",
      .statement =
          "$D <= ||c|| (A (L-N) - (1-A)) + sum_{i not in I} a_i ||x_i - c||$, $c = s/A$, for "
          "weights $a_i >= 0$ of sum 1 and any vectors $x_i$, where $I$ holds the $N < L$ largest "
          "weights, $A = sum_{i in I} a_i$, $s = sum_{i in I} a_i x_i$, $D = sum_{i not in I} "
          "||a_i x_i - s||$",
      .paper = "Theorem 1 (1)",
      .argument =
          "$a_i x_i - s = a_i (x_i - c) - (A - a_i) c$ with $A >= a_i$ and $A > 0$ "
          "(theorem1.fixed), so $||a_i x_i - s|| <= a_i ||x_i - c|| + (A - a_i) ||c||$; sum over "
          "the $L-N$ tokens outside, where $sum (A - a_i) = A (L-N) - (1-A)$. Never looser than "
          "theorem1.fixed: $c$ is a mean of the selected $x_j$, so that $||c|| <= X$ and $||x_i - "
          "c|| <= d1$. Attained just where $s = 0$, or every $x_i$ outside with $0 < a_i < A$ is "
          "$t s$ with $t <= 1/A$: as when all $x$ are equal.",
      .kind = InputKind::top_n_embeddings,
      .evaluators = sides<kSides>,
      .attained = &attains_centred_upper,
      .unmet = &breaks_theorem1,
      .example = R"({"weights":["1/2","1/2"],"embeddings":[["1"],["1"]],"N":1})",
      .sharpens = "theorem1.fixed",
      .mutants = {on_rows(mutant<kNoAround>("no_spread", "the sum of $a_i ||x_i - c||$ left out")),
                  mutant<kHalfAround>("half_spread", "the sum of $a_i ||x_i - c||$ halved"),
                  strict(),
                  on_rows(
                      mutant<kCoreLessAround>("sign", "the sum of $a_i ||x_i - c||$ subtracted"))},
  };
}

}  // namespace attn::claims::theorem1_fixed_sharp_upper
