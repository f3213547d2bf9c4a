#include "theory/claims/normalizers/shared.hpp"

namespace attn::claims::lipschitz_sigmoid_attention {

constexpr auto kSides = []<class S>(const CaseContext& problem) -> Sides<S> {
  return {sigmoid_attention_norm<S>(problem), S(1.0) / (S(4.0) * from<S>(problem.temperature()))};
};

Claim claim() {
  return {
      .id = "lipschitz.sigmoid_attention",
      .title = "The gradient of sigmoid attention",
      .statement =
          "$||J|| <= 1/(4T)$, $J = da/dl$, $||J||$ its spectral norm, for sigmoid attention, $a_i "
          "= 1/(1 + exp(-(z_i - ln L)))$ of $z = l/T$, $l$ any $L$ logits, $T > 0$",
      .paper = kOtherNormalizers,
      .argument =
          "$J$ is diagonal with entries $a_i (1 - a_i)/T <= 1/(4T)$. Approached as some "
          "$z_i$ nears $ln L$.",
      .kind = {InputKind::fixed_normalizer_logits, Normalizer::sigmoid_attention},
      .evaluators = sides<kSides>,
      .mutants = {scaled<kSides, 1, 2>("half", kHalf), without_temperature<kSides>(),
                  on_rows(exchanged<kSides>()), on_rows(thousandth<kSides>())},
  };
}

}  // namespace attn::claims::lipschitz_sigmoid_attention
