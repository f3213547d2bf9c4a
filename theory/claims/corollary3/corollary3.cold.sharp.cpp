#include "theory/attention/softmax_row.hpp"
#include "theory/claims/corollary3/shared.hpp"

namespace attn::claims::corollary3_cold_sharp {

/// 1/(4 T cosh^2(g/2)) = e/((1 + e)^2 T), g = (l_(1) - l_(2))/T, e = exp(-g).
template <class S>
S of_two(const CaseContext& context) {
  using std::exp;
  const S e = exp(S(-logit_gap<S>(context, 0, 1)));
  return e / square(S(S(1.0) + e)) / from<S>(context.temperature());
}

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  return {found<S>(kSoftmax, context).norm(), from_count<S>(context.tokens()) * of_two<S>(context)};
};

constexpr auto kWithoutLength = []<class S>(const CaseContext& context) -> Sides<S> {
  return {found<S>(kSoftmax, context).norm(), of_two<S>(context)};
};

constexpr auto kLargestWeight = []<class S>(const CaseContext& context) -> Sides<S> {
  const auto& softmax = found<S>(kSoftmax, context);
  return {softmax.norm(), softmax.w.a[0] * of_two<S>(context)};
};

Claim claim() {
  return {
      .id = "corollary3.cold.sharp",
      .title = "How fast the gradient vanishes in the cold",
      .statement =
          "$||J|| <= L/(4 T cosh^2((l_(1) - l_(2))/(2T)))$, $J = da/dl$ for $a = softmax(l/T)$, "
          "$l$ any $L$ logits, $T > 0$, $||J||$ its spectral norm, $l_(1) >= l_(2)$ the two "
          "largest logits",
      .paper = "Corollary 3, its remark on small T",
      .argument =
          "None of the $L-1$ others is larger than $a_(2)$, so that $1 - a_(1) <= (L-1) a_(2)$, "
          "and by corollary3.local.upper $T ||J|| <= a_(1) (1 - a_(1) + a_(2)) <= L a_(1) a_(2)$. "
          "With $e = a_(2)/a_(1) = exp(-(l_(1) - l_(2))/T)$ and $a_(1) + a_(2) <= 1$, $a_(1) <= "
          "1/(1 + e)$ and $a_(1) a_(2) = e a_(1)^2 <= e/(1 + e)^2 = 1/(4 cosh^2((l_(1) - "
          "l_(2))/(2T)))$. Attained at $L = 2$, for all logits. Below corollary3.cold.repaired by "
          "the factor $(1 + e)^2$, which lies between 1 and 4.",
      .kind = InputKind::softmax_row,
      .evaluators = sides<kSides>,
      .attained = [](const CaseContext& context) { return context.tokens() == 2; },
      .example = kTwoEqualLogits,
      .mutants = {strict(), on_rows(mutant<kWithoutLength>("no_length", "$L$ left out")),
                  on_rows(mutant<kLargestWeight>("largest", "$a_(1)$ in place of $L$"))},
  };
}

}  // namespace attn::claims::corollary3_cold_sharp
