#include "theory/claims/corollary3/shared.hpp"

namespace attn::claims::corollary3_step {

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  return step_below(context, corollary3_sharp_bound(from<S>(context.temperature())));
};

constexpr auto kStepQuarter = []<class S>(const CaseContext& context) -> Sides<S> {
  return step_below(context, S(corollary3_sharp_bound(from<S>(context.temperature())) / S(2.0)));
};

/// (1/epsilon) tanh(epsilon/(2T)), whose slope at epsilon -> 0 is right.
constexpr auto kStepDiameterOne = []<class S>(const CaseContext& context) -> Sides<S> {
  const auto step = softmax_step<S>(context);
  const S root = sqrt_nonnegative(S(2.0));
  const S slope = corollary3_sharp_bound(step.temperature);
  return {step.quotient, step_bound(slope, S(root * step.epsilon))};
};

constexpr auto kStepSecondWeight = []<class S>(const CaseContext& context) -> Sides<S> {
  return step_below(context, SoftmaxGradient<S>(context).second());
};

constexpr auto kStepOffDiagonal = []<class S>(const CaseContext& context) -> Sides<S> {
  return step_below(context, SoftmaxGradient<S>(context).off_diagonal());
};

Claim claim() {
  return {
      .id = "corollary3.step",
      .title = "The bound on a finite step of softmax that holds",
      .statement =
          "$g(T, epsilon) <= (sqrt(2)/epsilon) tanh(epsilon/(2 sqrt(2) T))$, $g(T, epsilon) = ||b "
          "- a||/epsilon$, $a = softmax(l/T)$, $b = softmax((l + epsilon v)/T)$, $l$ any $L$ "
          "logits, $||v|| = 1$, $T > 0$, $epsilon > 0$",
      .paper = "Corollary 3, the finite difference of its experiment",
      .argument =
          "Let $h = epsilon v$, $b_i = a_i exp(h_i/T)/S$ with $S = sum_j a_j exp(h_j/T)$, and $osc "
          "= max h - min h$. Each ratio $b_i/a_i$ lies between $m = exp(min h/T)/S$ and $M = "
          "exp(max h/T)/S$, $M/m = exp(osc/T) = w^2$; their mean under $a$ is 1, so that $m <= 1 "
          "<= M$. The distance $V = (1/2) sum_i |b_i - a_i| = sum_i a_i max(b_i/a_i - 1, 0)$, and "
          "on $[m, M]$ the convex $max(x - 1, 0)$ is at most its chord $(M - 1) (x - m)/(M - m)$ "
          "(if $m = M$, $b = a$): $V <= (M - 1) (1 - m)/(M - m)$. At $M = w^2 m$ that is $(w^2 + 1 "
          "- w^2 m - 1/m)/(w^2 - 1) <= (w - 1)^2/(w^2 - 1) = (w - 1)/(w + 1) = tanh(osc/(4T))$, "
          "since $w^2 m + 1/m >= 2 w$. Next, $osc <= sqrt(2) ||h|| = sqrt(2) epsilon$, since $u - "
          "v <= sqrt(2) sqrt(u^2 + v^2)$. Last, the positive parts of $b - a$ have sum $V$ and the "
          "negative ones too, so that $||b - a||^2 <= 2 V^2$. Together $||b - a|| <= sqrt(2) "
          "tanh(sqrt(2) epsilon/(4T))$. Attained over the reals for every $epsilon$ and $T$: at $L "
          "= 2$, logits $(-1, 1) epsilon/(2 sqrt(2))$, direction $(1, -1)$. As $tanh x <= min(x, "
          "1)$, the bound is below both $1/(2T)$ and $sqrt(2)/epsilon$.",
      .kind = InputKind::softmax_direction,
      .evaluators = sides<kSides>,
      .mutants = {mutant<kStepQuarter>("quarter", "$1/(4T)$ in place of $1/(2T)$"),
                  mutant<kStepDiameterOne>("diameter", "1 in place of $sqrt(2)$, the diameter"),
                  on_rows(mutant<kStepSecondWeight>("second", "$a_(2)/T$ in place of $1/(2T)$")),
                  on_rows(mutant<kStepOffDiagonal>("off_diagonal",
                                                   "$a_(1) a_(2)/T$ in place of $1/(2T)$"))},
  };
}

}  // namespace attn::claims::corollary3_step
