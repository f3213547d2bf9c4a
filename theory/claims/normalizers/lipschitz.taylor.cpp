#include "theory/claims/normalizers/shared.hpp"

namespace attn::claims::lipschitz_taylor {

Claim claim() {
  return {
      .id = "lipschitz.taylor",
      .title = "The gradient of the normalised Taylor polynomial",
      .statement =
          "$||J|| <= 1/(2T)$, $J = da/dl$, $||J||$ its spectral norm, for the normalised Taylor "
          "polynomial, $a_i = F(z_i)/sum_j F(z_j)$ with $F(z) = 1 + z + z^2/2$, of $z = l/T$, $l$ "
          "any $L$ logits, $T > 0$",
      .paper = kOtherNormalizers,
      .argument =
          "lemma2.sharp with $|F'/F| = 2|u|/(T (1 + u^2)) <= 1/T$, $u = 1 + z$. Attained "
          "at $L = 2$ with both logits zero.",
      .kind = {InputKind::fixed_normalizer_logits, Normalizer::taylor},
      .evaluators = sides<kRatioLipschitz>,
      .example = R"({"logits":["0","0"],"temperature":"1","normalizer":"taylor"})",
      .mutants = gradient_mutants<kRatioLipschitz>(),
  };
}

}  // namespace attn::claims::lipschitz_taylor
