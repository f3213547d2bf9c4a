#include "theory/claims/corollary3/shared.hpp"

namespace attn::claims::softmax_row_sums {
namespace {

constexpr auto kSides = []<class S>(const CaseContext& problem) -> Sides<S> {
  const SoftmaxGradient<S> softmax(problem);
  return {largest_row_sum(softmax.w) / softmax.temperature,
          corollary3_sharp_bound(softmax.temperature)};
};

constexpr auto kSecondWeight = []<class S>(const CaseContext& problem) -> Sides<S> {
  const SoftmaxGradient<S> softmax(problem);
  return {largest_row_sum(softmax.w) / softmax.temperature, softmax.second()};
};

constexpr auto kEntry = []<class S>(const CaseContext& problem) -> Sides<S> {
  const SoftmaxGradient<S> softmax(problem);
  return {largest_row_sum(softmax.w) / softmax.temperature, softmax.entry()};
};

}  // namespace

Claim claim() {
  return {
      .id = "softmax.row_sums",
      .title = "The gradient bound of softmax holds for the largest row sum too",
      .statement =
          "$max_i sum_j |J_ij| <= 1/(2T)$ for $J = da/dl$, $a = softmax(l/T)$, $l$ any $L$ "
          "logits, $T > 0$: its gradient in the norms $l_1$ and $l_infinity$",
      .paper = "arXiv 2510.23012, beside Corollary 3",
      .provenance = FormulaOrigin::derived,
      .status = Status::proved,
      .argument =
          "$T sum_j |J_ij| = a_i (1 - a_i) + sum_{j != i} a_i a_j = 2 a_i (1 - a_i) <= 1/2$. $J$ "
          "is symmetric, so that the largest row sum is its norm on $l_infinity$ and on $l_1$. "
          "Attained where a weight is $1/2$.",
      .kind = InputKind::softmax_row,
      .evaluators = sides<kSides>,
      .attained = &has_two_equal_logits,
      .steps = &softmax_steps,
      .example = kTwoEqualLogits,
      .mutants = {scaled<kSides, 1, 2>("softmax.row_sums/quarter", "$1/(4T)$ in place of $1/(2T)$"),
                  strict("softmax.row_sums/strict"),
                  on_rows(mutant<kSecondWeight>("softmax.row_sums/second",
                                                "$a_(2)/T$ in place of $1/(2T)$")),
                  on_rows(mutant<kEntry>("softmax.row_sums/entry",
                                         "$max_ij |J_ij|$ in place of $1/(2T)$"))},
  };
}

}  // namespace attn::claims::softmax_row_sums
