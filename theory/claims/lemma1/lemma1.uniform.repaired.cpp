#include "theory/claims/lemma1/shared.hpp"

namespace attn::claims::lemma1_uniform_repaired {

constexpr auto kSides = of(kDeviation, [](const auto& d) {
  return Sides{d.total_variation, total_variation_bound(d.range)};
});

constexpr auto kEighth = of(kDeviation, [](const auto& d) {
  return Sides{d.total_variation, total_variation_bound(d.range / 2.0)};
});

constexpr auto kHalfLargest = of(kDeviation, [](const auto& d) {
  return Sides{d.total_variation, d.largest / 2.0};
});

constexpr auto kLeastLogit = of(kDeviation, [](const auto& d) {
  return Sides{d.total_variation, total_variation_bound(d.least_logit)};
});

Claim claim() {
  return {
      .id = "lemma1.uniform.repaired",
      .title = "How far the weights are from uniform: by the range of the logits, not their number",
      .statement =
          "$TV(a, uniform) <= tanh((max l - min l)/(4T))$, $TV(a, uniform) = (1/2) sum_i |a_i - "
          "1/L|$ for $a = softmax(l/T)$, $l$ any $L$ logits, $T > 0$",
      .paper = "Lemma 1, its remark on uniform selection",
      .argument =
          "$TV = a(B) - |B|/L$ for the set $B$ of tokens above $1/L$. With $u = |B|/L$, $r = (max "
          "l - min l)/T$ and $q$ the mean of $exp(l_i/T)$ in $B$ over that outside, $q <= e^r$ and "
          "$a(B) = u q/(u q + 1 - u) <= u e^r/(u e^r + 1 - u)$, so that $TV <= u (1-u) (e^r - "
          "1)/(1 + u (e^r - 1))$. Over real $u$ this is largest where $1 - 2u - u^2 (e^r - 1) = "
          "0$, at $u = 1/(1 + e^(r/2))$, and is $(e^(r/2) - 1)/(e^(r/2) + 1) = tanh(r/4)$ there. "
          "Attained where all logits are equal, and in the limit of many tokens by a share $u$ of "
          "them at one end and the others at the other; $L$ does not enter.",
      .kind = InputKind::softmax_row,
      .evaluators = sides<kSides>,
      .attained = &all_logits_equal,
      .example = R"({"logits":["1","1"],"temperature":"1"})",
      .mutants = {mutant<kEighth>("eighth", "$8T$ in place of $4T$"), strict(),
                  on_rows(mutant<kHalfLargest>("largest", "$max_i |a_i - 1/L|/2$ as the bound")),
                  on_rows(mutant<kLeastLogit>("least_logit",
                                              "$min_i |l_i|$ in place of $max l - min l$"))},
  };
}

}  // namespace attn::claims::lemma1_uniform_repaired
