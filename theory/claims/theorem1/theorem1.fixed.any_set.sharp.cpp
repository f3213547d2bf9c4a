#include "theory/attention/attained.hpp"
#include "theory/claims/theorem1/shared.hpp"

namespace attn::claims::theorem1_fixed_any_set_sharp {

constexpr auto kSides = of(kCentred, [](const auto& t) {
  return Sides{t.distance, t.core_any_set + t.around};
});

constexpr auto kSigned = of(kCentred, [](const auto& t) { return Sides{t.distance, t.above}; });

constexpr auto kNoAround = of(kCentred, [](const auto& t) {
  return Sides{t.distance, t.core_any_set};
});

constexpr auto kCoreLessAround = of(kCentred, [](const auto& t) {
  return Sides{t.distance, t.core_any_set - t.around};
});

Claim claim() {
  return {
      .id = "theorem1.fixed.any_set.sharp",
      .title = "The distance from any set, measured about its centre",
      .statement =
          "$D <= ||c|| sum_{i not in I} |A - a_i| + sum_{i not in I} a_i ||x_i - c||$, $c = s/A$, "
          "for weights $a_i >= 0$ of sum 1, any vectors $x_i$ and $I$ any set of $N < L$ tokens "
          "with $A > 0$, $A = sum_{i in I} a_i$, $s = sum_{i in I} a_i x_i$, $D = sum_{i not in "
          "I} ||a_i x_i - s||$",
      .paper = "Theorem 1 (1)",
      .argument =
          "$a_i x_i - s = a_i (x_i - c) - (A - a_i) c$, since $s = A c$; take lengths (triangle "
          "inequality) and sum over the tokens outside. Never looser than "
          "theorem1.fixed.any_set.repaired: $c$ is a mean of the selected $x_j$, so $||c|| <= X$ "
          "and $||x_i - c|| <= d1$, and the $a_i$ outside sum to $1 - A$. Attained when all $x$ "
          "are equal.",
      .kind = InputKind::set_embeddings,
      .evaluators = sides<kSides>,
      .attained = &attains_centred_upper,
      .unmet = &some_mass,
      .example = R"({"weights":["1/100","99/100"],"embeddings":[["1","0"],["1","0"]],"set":[0]})",
      .sharpens = "theorem1.fixed.any_set.repaired",
      .mutants = {mutant<kSigned>("signed", "$A - a_i$ without its absolute value"), strict(),
                  on_rows(mutant<kNoAround>("no_spread", "the sum of $a_i ||x_i - c||$ left out")),
                  on_rows(
                      mutant<kCoreLessAround>("sign", "the sum of $a_i ||x_i - c||$ subtracted"))},
  };
}

}  // namespace attn::claims::theorem1_fixed_any_set_sharp
