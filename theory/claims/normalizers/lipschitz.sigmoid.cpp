#include "theory/claims/normalizers/shared.hpp"

namespace attn::claims::lipschitz_sigmoid {

Claim claim() {
  return {
      .id = "lipschitz.sigmoid",
      .title = "The gradient of the normalised sigmoid",
      .statement =
          "$||J|| <= 1/(2T)$, $J = da/dl$, $||J||$ its spectral norm, for normalised sigmoid, "
          "$a_i = F(z_i)/sum_j F(z_j)$ with $F(z) = 1/(1 + exp(-z))$, of $z = l/T$, $l$ any $L$ "
          "logits, $T > 0$",
      .paper = kOtherNormalizers,
      .argument =
          "lemma2.sharp with $F' = dF/dl = F (1 - F)/T$, $F'/F = (1 - F)/T < 1/T$. Approached at "
          "$L = 2$ with equal logits far below zero.",
      .kind = {InputKind::row_of, Normalizer::sigmoid},
      .evaluators = sides<kRatioLipschitz>,
      .mutants = gradient_mutants<kRatioLipschitz>(),
  };
}

}  // namespace attn::claims::lipschitz_sigmoid
