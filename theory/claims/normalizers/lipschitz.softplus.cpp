#include "theory/claims/normalizers/shared.hpp"

namespace attn::claims::lipschitz_softplus {

Claim claim() {
  return {
      .id = "lipschitz.softplus",
      .title = "The gradient of the normalised softplus",
      .statement =
          "$||J|| <= 1/(2T)$, $J = da/dl$, $||J||$ its spectral norm, for normalised softplus, "
          "$a_i = F(z_i)/sum_j F(z_j)$ with $F(z) = log(1 + exp(z))$, of $z = l/T$, $l$ any $L$ "
          "logits, $T > 0$",
      .paper = kOtherNormalizers,
      .argument =
          "lemma2.sharp with $F'/F = w/(T (1 + w) log(1 + w)) < 1/T$, $w = exp(z)$, since $log(1 "
          "+ w) > w/(1 + w)$. Approached at $L = 2$ with equal logits far below zero.",
      .kind = {InputKind::row_of, Normalizer::softplus},
      .evaluators = sides<kRatioLipschitz>,
      .mutants = gradient_mutants<kRatioLipschitz>(),
  };
}

}  // namespace attn::claims::lipschitz_softplus
