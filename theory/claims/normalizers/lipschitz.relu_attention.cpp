#include "theory/claims/normalizers/shared.hpp"

namespace attn::claims::lipschitz_relu_attention {

std::vector<Rational> positive_parts(std::vector<Rational> z) {
  for (Rational& value : z) value = std::max(value, Rational(0));
  return z;
}

/// The squared lengths for ReLU attention, f = max(z, 0)/L: those of max(z, 0), each over L^2.
SquaredLengths squared(const CaseContext& context) {
  const Rational squared_count(context.tokens() * context.tokens());
  const auto [moved, allowed] = squared_lengths<&positive_parts>(context);
  return {.moved = moved / squared_count, .allowed = allowed / squared_count};
}

constexpr auto kSides = kStepLengths<&squared>;

Claim claim() {
  return {
      .id = "lipschitz.relu_attention",
      .title = "How far ReLU attention moves",
      .statement =
          "$||f(l+h) - f(l)|| <= ||h||/(L T)$ for ReLU attention, $f(l) = a$ with $a_i = max(z_i, "
          "0)/L$ of $z = l/T$, $l$ any $L$ logits, $T > 0$, $h$ any step",
      .paper = kOtherNormalizers,
      .argument =
          "$|max(u, 0) - max(v, 0)| <= |u - v|$, entry by entry, and $z = l/T$ moves by $||h||/T$. "
          "Attained where all $z$ stay positive.",
      .kind = {InputKind::step_of, Normalizer::relu_attention},
      .evaluators = sides<kSides>,
      .attained = &attains_step<&squared>,
      .example =
          R"({"logits":["1","1"],"temperature":"1","normalizer":"relu_attention","step":["1","0"]})",
      .mutants = gradient_mutants<kSides>(),
  };
}

}  // namespace attn::claims::lipschitz_relu_attention
