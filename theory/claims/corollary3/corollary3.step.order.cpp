#include "theory/attention/softmax_row.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims::corollary3_step_order {

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  return {softmax_step<S>(context, context.larger_epsilon()).quotient,
          softmax_step<S>(context).quotient};
};

Claim claim() {
  return {
      .id = "corollary3.step.order",
      .title = "A smaller step is said to show a larger gradient",
      .statement =
          "$g(T, epsilon') <= g(T, epsilon)$ for $epsilon < epsilon'$, $g(T, epsilon) = ||b - "
          "a||/epsilon$, $a = softmax(l/T)$, $b = softmax((l + epsilon v)/T)$, $l$ any $L$ "
          "logits, $||v|| = 1$, $T > 0$, $epsilon > 0$",
      .paper = "Corollary 3, the finite difference of its experiment",
      .provenance = FormulaOrigin::quoted,
      .status = Status::refuted,
      .argument =
          "Where nearly all the weight is on one token the gradient is small, and a step towards "
          "a tie leads to where it is larger. Of two tokens at the logit gap $10$, a step of "
          "length $epsilon$ closes the gap by $sqrt(2) epsilon$, and the weight of the second "
          "grows about exponentially with that.",
      .kind = InputKind::softmax_steps,
      .evaluators = sides<kSides>,
      .unmet =
          [](const CaseContext& context) {
            return context.epsilon() < context.larger_epsilon() ? std::string_view{}
                                                                : "epsilon < epsilon'";
          },
      .example =
          R"({"logits":["10","0"],"temperature":"1","epsilon":"1/1000","larger_epsilon":"1/10","direction":["-1","1"]})",
      .witness = {.lhs = "0.00009752...", .rhs = "0.00009085..."},
      .sentence = "\"Smaller $epsilon$ values yield larger gradients\" (Section 3.3).",
      .instead =
          "The bound falls as $epsilon$ grows (corollary3.step), the quotient itself need not: "
          "from a saturated point a longer step reaches steeper ground.",
  };
}

}  // namespace attn::claims::corollary3_step_order
