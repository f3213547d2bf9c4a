#include "theory/claims/corollary3/shared.hpp"

namespace attn::claims::corollary3_frobenius {

constexpr auto kSides = of(kSoftmax, [](const auto& t) {
  return Sides{frobenius_norm(t.w) / t.temperature, corollary3_sharp_bound(t.temperature)};
});

constexpr auto kSecondWeight = of(kSoftmax, [](const auto& t) {
  return Sides{frobenius_norm(t.w) / t.temperature, t.second()};
});

constexpr auto kEntry = of(kSoftmax, [](const auto& t) {
  return Sides{frobenius_norm(t.w) / t.temperature, t.entry()};
});

Claim claim() {
  return {
      .id = "corollary3.frobenius",
      .title = "The gradient bound of softmax holds for the Frobenius norm too",
      .statement =
          "$||J||_F <= 1/(2T)$, $J = da/dl$ for $a = softmax(l/T)$, $l$ any $L$ logits, $T > 0$, "
          "where $||J||_F^2 = sum_ij J_ij^2$",
      .paper = "Corollary 3",
      .argument =
          "With $p_k = sum_i a_i^k$: $T^2 ||J||_F^2 = sum_i a_i^2 (1 - a_i)^2 + sum_{i != j} a_i^2 "
          "a_j^2 = p_2 - 2 p_3 + p_2^2 <= p_2 (1 - p_2) <= 1/4$, since $p_2^2 <= p_1 p_3 = p_3$ "
          "(Cauchy-Schwarz). Attained at $L = 2$ with equal logits.",
      .kind = InputKind::softmax_row,
      .evaluators = sides<kSides>,
      .attained = &has_two_equal_logits,
      .example = kTwoEqualLogits,
      .mutants = {scaled<kSides, 1, 2>("quarter", "$1/(4T)$ in place of $1/(2T)$"), strict(),
                  on_rows(mutant<kSecondWeight>("second", "$a_(2)/T$ in place of $1/(2T)$")),
                  on_rows(mutant<kEntry>("entry", "$max_ij |J_ij|$ in place of $1/(2T)$"))},
  };
}

}  // namespace attn::claims::corollary3_frobenius
