#include "theory/claims/corollary3/shared.hpp"

namespace attn::claims::corollary3_step_printed {

constexpr auto kSides = of(kStep, [](const auto& t) {
  return Sides{t.quotient, corollary3_printed_bound(t.temperature)};
});

Claim claim() {
  return {
      .id = "corollary3.step.printed",
      .title = "The printed bound on a finite step of softmax",
      .statement =
          "$g(T, epsilon) <= min{1/(4T), sqrt 2}$, $g(T, epsilon) = ||b - a||/epsilon$, $a = "
          "softmax(l/T)$, $b = softmax((l + epsilon v)/T)$, $l$ any $L$ logits, $||v|| = 1$, $T > "
          "0$, $epsilon > 0$",
      .paper = "Corollary 3, the finite difference of its experiment",
      .provenance = FormulaOrigin::quoted,
      .status = Status::refuted,
      .argument =
          "The weights move from $1/2$ to $1/(1 + exp(-sqrt 2)) = 0.8044...$, each by 0.3044... .",
      .kind = InputKind::softmax_direction,
      .evaluators = sides<kSides>,
      .example = R"({"logits":["0","0"],"temperature":"1","epsilon":"1","direction":["1","-1"]})",
      .witness = {.lhs = "0.4305...", .rhs = "1/4"},
      .sentence =
          "The quotient $g(T, epsilon)$ of a finite step follows $min{1/(4 T), sqrt 2}$, for $T < "
          "0.1$ \"the $1/T$ trend of Corollary 3\", \"close to the theoretical limit\" (Sections "
          "3.3, 4).",
      .instead =
          "$g(T, epsilon) <= (sqrt 2/epsilon) tanh(epsilon/(2 sqrt 2 T))$, attained at every "
          "$epsilon$ and $T$ (corollary3.step). The printed bound is $sqrt 2$ at every $T$ below "
          "$1/(4 sqrt 2) = 0.1768$, so that no curve can follow its $1/T$ for $T < 0.1$; at $T = "
          "0.1$ it is 1.414, and the truth reaches 5.",
  };
}

}  // namespace attn::claims::corollary3_step_printed
