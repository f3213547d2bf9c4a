#include "theory/attention/attained.hpp"
#include "theory/claims/theorem1/shared.hpp"

namespace attn::claims::theorem1_fixed_any_set_repaired {

constexpr auto kSides = of(kDistance, [](const auto& t) {
  return Sides{t.distance, theorem1_bound_any_set(t)};
});

constexpr auto kSignedMismatch = of(kDistance, [](auto t) {
  t.mismatch = t.excess;
  return Sides{t.distance, theorem1_bound_any_set(t)};
});

constexpr auto kAnySetWithoutNorms = of(kDistance, [](const auto& t) {
  return Sides{t.distance, t.outside * t.spread + t.mismatch};
});

constexpr auto kWithoutSpread = of(kDistance, [](const auto& t) {
  return Sides{t.distance, t.radius * t.mismatch};
});

Claim claim() {
  return {
      .id = "theorem1.fixed.any_set.repaired",
      .title = "The bound that holds for any set",
      .statement =
          "$D <= (1-A) d1 + X sum_{i not in I} |A - a_i|$ for weights $a_i >= 0$ of sum 1, any "
          "vectors $x_i$ and $I$ any set of $N < L$ tokens, $A = sum_{i in I} a_i$, $s = sum_{i "
          "in I} a_i x_i$, $D = sum_{i not in I} ||a_i x_i - s||$, $d1 = max_{i not in I, j in I} "
          "||x_i - x_j||$, $X = max_{j in I} ||x_j||$",
      .paper = "Theorem 1 (1)",
      .argument =
          "Where $A > 0$, $a_i x_i - s = sum_{j in I} (a_j/A) [a_i (x_i - x_j) - (A - a_i) x_j]$, "
          "so that $||a_i x_i - s|| <= a_i d1 + |A - a_i| X$: the proof of theorem1.fixed with the "
          "absolute value of $A - a_i$ kept. Where $A = 0$, $s = 0$ and $a_i x_i - s = (1/N) "
          "sum_{j in I} [a_i (x_i - x_j) + a_i x_j]$, which is at most $a_i d1 + |A - a_i| X$ too. "
          "Sum over the tokens outside, where $sum a_i = 1 - A$. Attained for $A > 0$ just where "
          "the $x_j$ of weight in $I$ are one vector $c$, so that $s = A c$, and every $i not in "
          "I$ has $a_i = 0$ or $||x_i - c|| = d1$, has $a_i = A$ or $||c|| = X$, and has $a_i (x_i "
          "- c)$ and $-(A - a_i) c$ pointing one way, if neither is 0: as when all $x$ are equal. "
          "(Lengths of a mean are equal to the largest only where all vectors are: the $x_j$ are "
          "one vector if some $a_i > 0$ outside, else as $A = 1$ asks for $||s/A|| = X$.) For $A = "
          "0$ just where $||x_i|| = d1 + X$ for every $i not in I$ with $a_i > 0$.",
      .kind = InputKind::set_embeddings,
      .evaluators = sides<kSides>,
      .attained = &attains_theorem1_any_set,
      .unmet = &breaks_theorem1,
      .example = R"({"weights":["1/4","3/4"],"embeddings":[["1"],["1"]],"set":[0]})",
      .mutants = {mutant<kSignedMismatch>("signed", "$A - a_i$ without its absolute value"),
                  mutant<kAnySetWithoutNorms>("no_norm", "$X$ left out"),
                  on_rows(mutant<kSpreadAlone>("no_mismatch", "the term with $X$ left out")),
                  on_rows(mutant<kWithoutSpread>("no_spread", "the term with $d1$ left out"))},
  };
}

}  // namespace attn::claims::theorem1_fixed_any_set_repaired
