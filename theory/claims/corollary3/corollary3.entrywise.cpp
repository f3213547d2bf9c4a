#include "theory/claims/corollary3/shared.hpp"

namespace attn::claims::corollary3_entrywise {

constexpr auto kSides = of(kSoftmax, [](const auto& t) {
  return Sides{largest_entry(t.w) / t.temperature, 1.0 / (4.0 * t.temperature)};
});

constexpr auto kEighthEntrywise = []<class S>(const CaseContext& context) -> Sides<S> {
  return {largest_entry(sorted_softmax<S>(context)), S(0.125)};
};

constexpr auto kOffDiagonal = of(kSoftmax, [](const auto& t) {
  return Sides{t.entry(), t.off_diagonal()};
});

constexpr auto kLeastEntry = of(kSoftmax, [](const auto& t) {
  auto least = self_derivative(t.w, 0);
  for (std::size_t i = 1; i < t.w.a.size(); ++i) least = min(least, self_derivative(t.w, i));
  return Sides{t.entry(), least / t.temperature};
});

Claim claim() {
  return {
      .id = "corollary3.entrywise",
      .title = "Where $1/4$ comes from: the entries of the gradient",
      .statement =
          "$max_ij |J_ij| <= 1/(4T)$, $J = da/dl$ for $a = softmax(l/T)$, $l$ any $L$ logits, $T "
          "> 0$",
      .paper = "Corollary 3",
      .argument =
          "$J_ii = a_i (1 - a_i)/T <= 1/(4T)$, and for $j != i$ $|J_ij| = a_i a_j/T <= a_i (1 - "
          "a_i)/T$, since $a_i + a_j <= 1$. Attained at $L = 2$ with equal logits.",
      .kind = InputKind::softmax_row,
      .evaluators = sides<kSides>,
      .attained = &has_two_equal_logits,
      .example = kTwoEqualLogits,
      .mutants =
          {mutant<kEighthEntrywise>("eighth", "$1/8$ in place of $1/4$"), strict(),
           on_rows(mutant<kOffDiagonal>("off_diagonal", "$a_(1) a_(2)/T$ in place of $1/(4T)$")),
           on_rows(mutant<kLeastEntry>("least", "$min_i a_i (1 - a_i)/T$ in place of $1/(4T)$"))},
  };
}

}  // namespace attn::claims::corollary3_entrywise
