#include "theory/claims/corollary3/shared.hpp"

namespace attn::claims::corollary3_frobenius {
namespace {

constexpr auto kSides = []<class S>(const CaseContext& problem) -> Sides<S> {
  const SoftmaxGradient<S> softmax(problem);
  return {frobenius_norm(softmax.w) / softmax.temperature,
          corollary3_sharp_bound(softmax.temperature)};
};

constexpr auto kSecondWeight = []<class S>(const CaseContext& problem) -> Sides<S> {
  const SoftmaxGradient<S> softmax(problem);
  return {frobenius_norm(softmax.w) / softmax.temperature, softmax.second()};
};

constexpr auto kEntry = []<class S>(const CaseContext& problem) -> Sides<S> {
  const SoftmaxGradient<S> softmax(problem);
  return {frobenius_norm(softmax.w) / softmax.temperature, softmax.entry()};
};

}  // namespace

Claim claim() {
  return {
      .id = "corollary3.frobenius",
      .title = "The gradient bound of softmax holds for the Frobenius norm too",
      .statement =
          "$||J||_F <= 1/(2T)$, $J = da/dl$ for $a = softmax(l/T)$, $l$ any $L$ logits, $T > 0$, "
          "where $||J||_F^2 = sum_ij J_ij^2$",
      .paper = "Corollary 3",
      .provenance = FormulaOrigin::derived,
      .status = Status::proved,
      .argument =
          "With $p_k = sum_i a_i^k$: $T^2 ||J||_F^2 = sum_i a_i^2 (1 - a_i)^2 + sum_{i != j} a_i^2 "
          "a_j^2 = p_2 - 2 p_3 + p_2^2 <= p_2 (1 - p_2) <= 1/4$, since $p_2^2 <= p_1 p_3 = p_3$ "
          "(Cauchy-Schwarz). Attained at $L = 2$ with equal logits.",
      .kind = InputKind::softmax_row,
      .evaluators = sides<kSides>,
      .attained = &has_two_equal_logits,
      .steps = &softmax_steps,
      .example = kTwoEqualLogits,
      .mutants = {scaled<kSides, 1, 2>("corollary3.frobenius/quarter",
                                       "$1/(4T)$ in place of $1/(2T)$"),
                  strict("corollary3.frobenius/strict"),
                  on_rows(mutant<kSecondWeight>("corollary3.frobenius/second",
                                                "$a_(2)/T$ in place of $1/(2T)$")),
                  on_rows(mutant<kEntry>("corollary3.frobenius/entry",
                                         "$max_ij |J_ij|$ in place of $1/(2T)$"))},
  };
}

}  // namespace attn::claims::corollary3_frobenius
