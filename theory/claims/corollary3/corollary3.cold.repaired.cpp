#include "theory/attention/softmax_row.hpp"
#include "theory/claims/corollary3/shared.hpp"

namespace attn::claims::corollary3_cold_repaired {

/// exp(-(l_(1) - l_(2))/T)/T.
template <class S>
S cooled(const CaseContext& context) {
  using std::exp;
  return exp(S(-logit_gap<S>(context, 0, 1))) / from<S>(context.temperature());
}

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  return {found<S>(kSoftmax, context).norm(), from_count<S>(context.tokens()) * cooled<S>(context)};
};

constexpr auto kWithoutLength = []<class S>(const CaseContext& context) -> Sides<S> {
  return {found<S>(kSoftmax, context).norm(), cooled<S>(context)};
};

constexpr auto kLargestWeight = []<class S>(const CaseContext& context) -> Sides<S> {
  const auto& softmax = found<S>(kSoftmax, context);
  return {softmax.norm(), softmax.w.a[0] * cooled<S>(context)};
};

constexpr auto kOverLength = []<class S>(const CaseContext& context) -> Sides<S> {
  return {found<S>(kSoftmax, context).norm(), cooled<S>(context) / from_count<S>(context.tokens())};
};

Claim claim() {
  return {
      .id = "corollary3.cold.repaired",
      .title = "The gradient vanishes in the cold where the largest logit stands alone",
      .statement =
          "$||J|| <= L exp(-(l_(1) - l_(2))/T)/T$, $J = da/dl$ for $a = softmax(l/T)$, $l$ any "
          "$L$ logits, $T > 0$, $||J||$ its spectral norm, $l_(1) >= l_(2)$ the two largest logits",
      .paper = "Corollary 3, its remark on small T",
      .argument =
          "With $e = exp(-(l_(1) - l_(2))/T)$, $a_(2) = e a_(1)$, and none of the $L-1$ others is "
          "larger, so that $1 - a_(1) <= (L-1) e a_(1)$; by corollary3.local.upper, $T ||J|| <= "
          "a_(1) (1 - a_(1) + a_(2)) <= L e a_(1)^2 <= L e$. So $||J|| -> 0$ as $T -> 0$ unless "
          "the largest logit is tied: a smaller $T$ need not inflate the gradient.",
      .kind = InputKind::softmax_row,
      .evaluators = sides<kSides>,
      .mutants = {mutant<kWithoutLength>("no_length", "$L$ left out"),
                  without_temperature<kSides>(),
                  on_rows(mutant<kLargestWeight>("largest", "$a_(1)$ in place of $L$")),
                  on_rows(
                      mutant<kOverLength>("over_length", "divided by $L$ in place of multiplied"))},
  };
}

}  // namespace attn::claims::corollary3_cold_repaired
