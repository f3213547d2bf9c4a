#include "theory/claims/normalizers/shared.hpp"

namespace attn::claims::lipschitz_sparsemax {

constexpr auto kSides = kStepLengths<&squared_lengths<&sparsemax>>;

Claim claim() {
  return {
      .id = "lipschitz.sparsemax",
      .title = "How far sparsemax moves",
      .statement =
          "$||f(l+h) - f(l)|| <= ||h||/T$ for sparsemax, $f(l)$ the point of the simplex nearest "
          "to $z = l/T$, $l$ any $L$ logits, $h$ any step, $T > 0$",
      .paper = kOtherNormalizers,
      .argument =
          "$f$ is the projection of $z = l/T$ on the simplex, and a projection on a closed convex "
          "set moves two points no further apart; $z$ moves by $||h||/T$. Attained by steps inside "
          "the simplex.",
      .kind = {InputKind::step_of, Normalizer::sparsemax},
      .evaluators = sides<kSides>,
      .attained = &attains_step<&squared_lengths<&sparsemax>>,
      .example =
          R"({"logits":["0","0"],"temperature":"1","normalizer":"sparsemax","step":["1/4","-1/4"]})",
      .mutants = gradient_mutants<kSides>(),
  };
}

}  // namespace attn::claims::lipschitz_sparsemax
