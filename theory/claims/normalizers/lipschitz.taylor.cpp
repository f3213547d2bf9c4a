#include "theory/claims/normalizers/shared.hpp"

namespace attn::claims::lipschitz_taylor {

/// F = F(0) at -2T too, and |F'/F| = 1/T at these two alone.
bool is_steepest_on_both(const CaseContext& context) {
  const std::vector<Rational> z = context.scaled_logits();
  return z.size() == 2 &&
         std::ranges::all_of(z, [](const Rational& value) { return value == 0 || value == -2; });
}

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
          "lemma2.sharp with $|F'/F| = 2|u|/(T (1 + u^2)) <= 1/T$, $u = 1 + z$. Attained just at "
          "$L = 2$ with both logits in ${0, -2T}$: $||diag a - a a^T|| = 1/2$ takes two weights of "
          "$1/2$ and no other, and then $||J||^2 = (g_1^2 + g_2^2)/8$, $g = F'/F$, takes $|g| = "
          "1/T$ on both, that is $u^2 = 1$, where $F = 1$.",
      .kind = {InputKind::row_of, Normalizer::taylor},
      .evaluators = sides<kRatioLipschitz>,
      .attained = &is_steepest_on_both,
      .example = R"({"logits":["0","0"],"temperature":"1","normalizer":"taylor"})",
      .mutants = gradient_mutants<kRatioLipschitz>(),
  };
}

}  // namespace attn::claims::lipschitz_taylor
