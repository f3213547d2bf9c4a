#include "theory/attention/attained.hpp"
#include "theory/claims/theorem1/shared.hpp"

namespace attn::claims::theorem1_fixed_sharp_lower {

constexpr auto kSides = of(kCentred, [](const auto& t) { return Sides{t.below, t.distance}; });

constexpr auto kNoAround = of(kCentred, [](const auto& t) { return Sides{t.core, t.distance}; });

constexpr auto kHalfAround = of(kCentred, [](const auto& t) {
  return Sides{t.core - 0.5 * t.around, t.distance};
});

constexpr auto kCoreMoreAround = of(kCentred, [](const auto& t) {
  return Sides{t.above, t.distance};
});

constexpr auto kAllTokensBelow = []<class S>(const CaseContext& context) -> Sides<S> {
  const auto t = centred_terms<S>(context);
  const S selected = from_count<S>(context.selected().size());
  return {t.below + selected * selected_length<S>(context), t.distance};
};

Claim claim() {
  return {
      .id = "theorem1.fixed.sharp.lower",
      .title = "The distance from below",
      .statement =
          "$||c|| (A (L-N) - (1-A)) - sum_{i not in I} a_i ||x_i - c|| <= D$, $c = s/A$, for "
          "weights $a_i >= 0$ of sum 1 and any vectors $x_i$, where $I$ holds the $N < L$ largest "
          "weights, $A = sum_{i in I} a_i$, $s = sum_{i in I} a_i x_i$, $D = sum_{i not in I} "
          "||a_i x_i - s||$",
      .paper = "Theorem 1 (1)",
      .argument =
          "$a_i x_i - s = a_i (x_i - c) - (A - a_i) c$ with $A >= a_i$ and $A > 0$ "
          "(theorem1.fixed), so $||a_i x_i - s|| >= (A - a_i) ||c|| - a_i ||x_i - c||$; sum over "
          "the $L-N$ tokens outside, where $sum (A - a_i) = A (L-N) - (1-A)$. Attained just where "
          "every $x_i$ outside with $a_i > 0$ is $t s$ with $1/A <= t <= 1/a_i$, or $c$ itself: "
          "as when all $x$ are equal.",
      .kind = InputKind::top_n_embeddings,
      .evaluators = sides<kSides>,
      .attained = &attains_centred_lower,
      .unmet = &breaks_theorem1,
      .example = R"({"weights":["1/2","1/4","1/4"],"embeddings":[["1"],["1"],["1"]],"N":2})",
      .mutants = {mutant<kNoAround>("no_spread", "the sum of $a_i ||x_i - c||$ left out"),
                  mutant<kHalfAround>("half_spread", "the sum of $a_i ||x_i - c||$ halved"),
                  on_rows(mutant<kCoreMoreAround>("sign", "the sum of $a_i ||x_i - c||$ added")),
                  on_rows(mutant<kAllTokensBelow>("all_tokens", "$L$ in place of $L - N$"))},
  };
}

}  // namespace attn::claims::theorem1_fixed_sharp_lower
