#ifndef ATTN_RECHECK

#include "theory/claims/corollary3/step.hpp"

namespace attn::claims::corollary3_step {
namespace {

constexpr auto kSides = []<class S>(const Problem& problem) -> Sides<S> {
  const auto step = softmax_step<S>(problem);
  return {step.quotient, min(corollary3_sharp_bound(step.temperature),
                             S(sqrt_nonnegative(S(2.0)) / step.epsilon))};
};

constexpr auto kStepQuarter = []<class S>(const Problem& problem) -> Sides<S> {
  const auto step = softmax_step<S>(problem);
  const S slope = corollary3_sharp_bound(step.temperature) / S(2.0);
  return {step.quotient, min(slope, S(sqrt_nonnegative(S(2.0)) / step.epsilon))};
};

constexpr auto kStepDiameterOne = []<class S>(const Problem& problem) -> Sides<S> {
  const auto step = softmax_step<S>(problem);
  return {step.quotient, min(corollary3_sharp_bound(step.temperature), S(S(1.0) / step.epsilon))};
};

constexpr auto kStepSecondWeight = []<class S>(const Problem& problem) -> Sides<S> {
  return step_below(problem, SoftmaxGradient<S>(problem).second());
};

constexpr auto kStepOffDiagonal = []<class S>(const Problem& problem) -> Sides<S> {
  return step_below(problem, SoftmaxGradient<S>(problem).off_diagonal());
};

}  // namespace

Claim claim() {
  return {
      .id = "corollary3.step",
      .title = "The bound on a finite step of softmax that holds",
      .statement = "$g(T, epsilon) <= min{1/(2T), sqrt(2)/epsilon}$",
      .paper = "Corollary 3, the finite difference of its experiment",
      .provenance = Provenance::derived,
      .status = Status::proved,
      .argument =
          "The mean value theorem with corollary3.sharp; and two points of the simplex are at "
          "most $sqrt 2$ apart. Both are approached: $epsilon -> 0$ at $L = 2$ with equal "
          "logits, and a long step that moves nearly all the weight from one token to another.",
      .kind = SoftmaxDirection{},
      .evaluators = sides<kSides>,
      .steps = &softmax_step_steps,
      .mutants = {mutant<kStepQuarter>("corollary3.step/quarter", "$1/(4T)$ in place of $1/(2T)$"),
                  mutant<kStepDiameterOne>("corollary3.step/diameter",
                                           "1 in place of $sqrt(2)$, the diameter"),
                  on_rows(mutant<kStepSecondWeight>("corollary3.step/second",
                                                    "$a_(2)/T$ in place of $1/(2T)$")),
                  on_rows(mutant<kStepOffDiagonal>("corollary3.step/off_diagonal",
                                                   "$a_(1) a_(2)/T$ in place of $1/(2T)$"))},
  };
}

}  // namespace attn::claims::corollary3_step

#else

#include "theory/recheck/check.hpp"
#include "theory/recheck/gradient.hpp"

namespace attn::recheck::corollary3_step {
namespace {

/// g <= min{1/(2T), sqrt(2)/epsilon}.
Sides sides(const Input& input) {
  const Arb t(input.temperature());
  return {finite_difference(input),
          min(Arb(1) / (Arb(2) * t), sqrt(Arb(2)) / Arb(input.positive("epsilon")))};
}

}  // namespace

Check check() {
  return {.sides = &sides};
}

}  // namespace attn::recheck::corollary3_step

#endif
