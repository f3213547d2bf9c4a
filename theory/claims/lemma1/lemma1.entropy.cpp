#include "theory/claims/lemma1/shared.hpp"

namespace attn::claims::lemma1_entropy {

constexpr auto kSides = of(kDeviation, [](const auto& d) {
  return Sides{d.entropy, entropy_bound(d.range)};
});

constexpr auto kPinsker = of(kDeviation, [](const auto& d) {
  return Sides{d.entropy, square(d.total_variation)};
});

constexpr auto kLeastLogit = of(kDeviation, [](const auto& d) {
  return Sides{d.entropy, entropy_bound(d.least_logit)};
});

Claim claim() {
  return {
      .id = "lemma1.entropy",
      .title = "How much entropy the weights lack: by the range of the logits, not their number",
      .statement =
          "$log L - H(a) <= (max l - min l)^2/(8 T^2)$, $H(a) = -sum_i a_i log a_i$ for $a = "
          "softmax(l/T)$, $l$ any $L$ logits, $T > 0$",
      .paper = "Lemma 1, its remark on uniform selection",
      .argument =
          "With $z = l/T$ and $K(t) = log((1/L) sum_i e^(t z_i))$, $log L - H(a) = K'(1) - K(1)$, "
          "which is the integral of $t K''(t)$ over $[0, 1]$ since $K(0) = 0$. $K''(t)$ is the "
          "variance of $z$ under weights proportional to $e^(t z_i)$, at most a quarter of the "
          "squared range of $z$ (Popoviciu's inequality; this is Hoeffding's lemma). So the "
          "left-hand side is at most $(1/2)(1/4)(max z - min z)^2$. Attained where all logits are "
          "equal, and approached to first order by half of them at each end of a small range.",
      .kind = InputKind::softmax_row,
      .evaluators = sides<kSides>,
      .attained = &all_logits_equal,
      .example = R"({"logits":["1","1"],"temperature":"1"})",
      .mutants = {scaled<kSides, 1, 2>("half", "$16 T^2$ in place of $8 T^2$"), strict(),
                  on_rows(mutant<kPinsker>("pinsker", "$TV(a, uniform)^2$ as the bound")),
                  on_rows(mutant<kLeastLogit>("least_logit",
                                              "$min_i |l_i|$ in place of $max l - min l$"))},
  };
}

}  // namespace attn::claims::lemma1_entropy
