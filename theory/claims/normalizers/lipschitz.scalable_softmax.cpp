#include "theory/claims/normalizers/shared.hpp"

namespace attn::claims::lipschitz_scalable_softmax {

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  const S slope = log_positive(from_count<S>(context.tokens()));
  return {jacobian_norm(context, normalize<S>(context)),
          slope * corollary3_sharp_bound(from<S>(context.temperature()))};
};

Claim claim() {
  return {
      .id = "lipschitz.scalable_softmax",
      .title = "The gradient of Scalable-Softmax",
      .statement =
          "$||J|| <= ln(L)/(2T)$, $J = da/dl$, $||J||$ its spectral norm, for Scalable-Softmax, "
          "$a_i = F(z_i)/sum_j F(z_j)$ with $F(z) = L^z$, of $z = l/T$, $l$ any $L$ logits, $T > "
          "0$",
      .paper = kOtherNormalizers,
      .argument =
          "$L^(l/T) = exp(l ln(L)/T)$: corollary3.sharp at temperature $T/ln L$. Attained at $L = "
          "2$ with equal logits.",
      .kind = {InputKind::row_of, Normalizer::scalable_softmax},
      .evaluators = sides<kSides>,
      .attained = &has_two_equal_logits,
      .example = R"({"logits":["0","0"],"temperature":"1","normalizer":"scalable_softmax"})",
      .mutants = {mutant<kRatioLipschitz>("no_length", "$ln L$ left out"),
                  scaled<kSides, 1, 2>("half", kHalf), strict(), on_rows(exchanged<kSides>()),
                  on_rows(thousandth<kSides>())},
  };
}

}  // namespace attn::claims::lipschitz_scalable_softmax
