#include "theory/attention/softmax_row.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims::corollary3_cold {

/// ||J|| of softmax at a temperature.
template <class S>
S norm(const SoftmaxAt<S>& softmax, const Rational& temperature) {
  return softmax_jacobian_norm(softmax.weights) / from<S>(temperature);
}

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  return {norm<S>(own_softmax<S>(context), context.temperature()),
          norm<S>(colder_softmax<S>(context), context.colder())};
};

Claim claim() {
  return {
      .id = "corollary3.cold",
      .title = "A smaller temperature is said to inflate the gradient",
      .statement =
          "$||J(T)|| <= ||J(T')||$ for $0 < T' < T$, $J(T) = da/dl$ of $a = softmax(l/T)$, "
          "$||J||$ its spectral norm, $l$ any $L$ logits",
      .paper = "Corollary 3, the text beside it",
      .provenance = FormulaOrigin::quoted,
      .status = Status::refuted,
      .argument =
          "For two tokens $||J(T)|| = 2 a_1 a_2/T$, $a_2 = 1/(1 + exp((l_1 - l_2)/T))$. As $T$ "
          "falls, $a_2$ falls exponentially in $1/T$ unless the logits are tied, and the factor "
          "$1/T$ can't make up for it.",
      .kind = InputKind::colder_row,
      .evaluators = sides<kSides>,
      .unmet = &breaks_order_of_temperatures,
      .example = R"({"logits":["1","0"],"temperature":"1","colder":"1/10"})",
      .witness = {.lhs = "0.3932...", .rhs = "0.0009079..."},
      .sentence =
          "\"A smaller temperature $T$ sharpens the softmax but simultaneously inflates the "
          "Jacobian norm\", \"a sharply peaked normalisation - softmax with a small temperature, "
          "for instance - induces large Jacobian norms\" (Section 2.3), \"lowering $T$ below 0.1 "
          "increases Jacobian norms\" (Section 4).",
      .instead =
          "So it is where the largest logits tie. Where one leads, the gradient vanishes as $T$ "
          "falls: $||J|| <= L exp(-(l_(1) - l_(2))/T)/T$ (corollary3.cold.repaired).",
  };
}

}  // namespace attn::claims::corollary3_cold
