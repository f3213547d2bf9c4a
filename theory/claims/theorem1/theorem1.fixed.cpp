#include "theory/attention/attained.hpp"
#include "theory/claims/theorem1/shared.hpp"

namespace attn::claims::theorem1_fixed {

constexpr auto kHalfSpread = of(kDistance, [](auto t) {
  t.spread = t.spread / 2.0;
  t.cancels = false;
  return Sides{t.distance, theorem1_bound(t)};
});

constexpr auto kOneOtherToken = of(kDistance, [](auto t) {
  t.excess = t.mass - t.outside;
  t.cancels = false;
  return Sides{t.distance, theorem1_bound(t)};
});

Claim claim() {
  return {
      .id = "theorem1.fixed",
      .title = "Distance between the top-$N$ tokens and the rest",
      .statement =
          "$D <= (1-A) d1 + X (A (L-N) - (1-A))$ for weights $a_i >= 0$ of sum 1 and any vectors "
          "$x_i$, where $I$ holds the $N < L$ largest weights, $A = sum_{i in I} a_i$, $s = "
          "sum_{i in I} a_i x_i$, $D = sum_{i not in I} ||a_i x_i - s||$, $d1 = max_{i not in I, "
          "j in I} ||x_i - x_j||$, $X = max_{j in I} ||x_j||$",
      .paper = "Theorem 1 (1)",
      .provenance = FormulaOrigin::quoted,
      .argument =
          "$A >= N/L > 0$, since $I$ holds the largest of $L$ weights of sum 1. $a_i x_i - s = "
          "sum_{j in I} (a_j/A) [a_i (x_i - x_j) - (A - a_i) x_j]$, and the shares $a_j/A$ have "
          "sum 1. For $i not in I$, $A >= a_i$ because each weight of $I$ is at least $a_i$, so "
          "$||a_i x_i - s|| <= a_i d1 + (A - a_i) X$. Over the $L-N$ tokens outside, $sum a_i = 1 "
          "- A$ and $sum (A - a_i) = A (L-N) - (1-A)$. Attained just where the $x_j$ of weight in "
          "$I$ are one vector $c$, so that $s = A c$, and every $i not in I$ has $a_i = 0$ or "
          "$||x_i - c|| = d1$, has $a_i = A$ or $||c|| = X$, and has $a_i (x_i - c)$ and $-(A - "
          "a_i) c$ pointing one way, if neither is 0: as when all $x$ are equal. (Lengths of a "
          "mean are equal to the largest only where all vectors are: the $x_j$ are one vector if "
          "some $a_i > 0$ outside, else as $A = 1$ asks for $||s/A|| = X$.) On readings: a review "
          "prints $D$ as one norm, $||sum_{i not in I} a_i x_i - s||$, and in one language a root "
          "over $A (L-N) - (1-A)$. With $s$ subtracted once the bound is false: $L = 3$, $N = 1$, "
          "$a = (1/3, 1/3, 1/3)$, $x = 1$: $1/3 > 0$, root or not. With the root it is false "
          "though $s$ is subtracted for each token: $a = (4/5, 1/10, 1/10)$, $N = 1$, $x = 1$: "
          "$7/5 > sqrt(7/5)$. With $s$ subtracted for each token and no root it holds, for the "
          "norm of the sum (distance.net, then this) and for the sum of the norms, which is more "
          "and is what is decided here.",
      .kind = InputKind::top_n_embeddings,
      .evaluators = sides<kTheorem1>,
      .attained = &attains_theorem1,
      .unmet = &breaks_theorem1,
      .example = R"({"weights":["1/2","1/2"],"embeddings":[["1"],["1"]],"N":1})",
      .mutants = {on_rows(mutant<kSpreadAlone>("no_norms", "the term with $X$ left out")),
                  mutant<kHalfSpread>("half_spread", "$d1$ halved"),
                  on_rows(mutant<kOneOtherToken>("one_other", "$L - N$ taken as 1")),
                  {.id = "any_set",
                   .change = "the hypothesis that $I$ holds the $N$ largest weights left out",
                   .kind = InputKind::set_embeddings}},
  };
}

}  // namespace attn::claims::theorem1_fixed
