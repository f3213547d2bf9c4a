#include "theory/claims/corollary3/shared.hpp"

namespace attn::claims::corollary3 {

constexpr auto kSides = of(kSoftmax, [](const auto& t) {
  return Sides{t.norm(), corollary3_printed_bound(t.temperature)};
});

/// ||J|| = 1/(4T) of four equal logits, where that is at most sqrt 2. Not known of any others.
bool is_a_quarter(const CaseContext& context) {
  const Rational& temperature = context.temperature();
  return context.tokens() == 4 && all_logits_equal(context) && 32 * temperature * temperature >= 1;
}

Claim claim() {
  return {
      .id = "corollary3",
      .title = "The printed gradient bound of softmax",
      .statement =
          "$||J|| <= min{1/(4T), sqrt 2}$, $J = da/dl$ for $a = softmax(l/T)$, $l$ any $L$ "
          "logits, $T > 0$, $||J||$ its spectral norm",
      .paper = "Corollary 3",
      .provenance = FormulaOrigin::quoted,
      .status = Status::refuted,
      .argument =
          "Two equal logits: $a = (1/2, 1/2)$, $J = (1/(4T)) [[1, -1], [-1, 1]]$, whose norm "
          "is $2/(4T) = 1/(2T)$: twice the printed $1/(4T)$.",
      .kind = InputKind::softmax_row,
      .evaluators = sides<kSides>,
      .attained = &is_a_quarter,
      .example = kTwoEqualLogits,
      .witness = {.lhs = "1/2", .rhs = "1/4"},
      .sentence = "\"Specialised to softmax it recovers the classic $1/(4 T)$\" (introduction).",
      .instead =
          "$1/(4 T)$ bounds single entries of the Jacobian (corollary3.entrywise). Its norm "
          "reaches $1/(2 T)$, with two equal logits, and never more (corollary3.sharp).",
  };
}

}  // namespace attn::claims::corollary3
