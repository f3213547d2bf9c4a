#include "theory/claims/normalizers/shared.hpp"

namespace attn::claims::lipschitz_softmax1 {

/// J = (diag a - a a^T)/T.
constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  const auto [a, rest] = softmax1_weights<S>(context.scaled_logits());
  return {spectral_norm(quotient_jacobian(a, a, rest)) / from<S>(context.temperature()),
          corollary3_sharp_bound(from<S>(context.temperature()))};
};

Claim claim() {
  return {
      .id = "lipschitz.softmax1",
      .title = "The gradient of softmax1",
      .statement =
          "$||J|| <= 1/(2T)$, $J = da/dl$, $||J||$ its spectral norm, for softmax1, $a_i = "
          "exp(z_i)/(1 + sum_j exp(z_j))$ of $z = l/T$, $l$ any $L$ logits, $T > 0$",
      .paper = kOtherNormalizers,
      .argument =
          "The weights are those of softmax with one more logit 0, which stays: $J$ is a block of "
          "its Jacobian, and no larger in norm (corollary3.sharp). Approached at $L = 2$ with "
          "equal large logits.",
      .kind = {InputKind::row_of, Normalizer::softmax1},
      .evaluators = sides<kSides>,
      .mutants = gradient_mutants<kSides>(),
  };
}

}  // namespace attn::claims::lipschitz_softmax1
