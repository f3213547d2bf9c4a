#include "theory/claims/normalizers/shared.hpp"

namespace attn::claims::lipschitz_sigmoid_attention {

/// J is diagonal, with entries u/(T (1 + u)^2) for u = L exp(-z_i), which is the same for 1/u.
constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  using std::exp;
  const S count = from_count<S>(context.tokens());
  const S temperature = from<S>(context.temperature());
  S steepest(0.0);
  for (const Rational& z : context.scaled_logits()) {
    const S u = z < 0 ? S(exp(from<S>(z)) / count) : S(count * exp(from<S>(Rational(-z))));
    steepest = max(steepest, S(u / square(S(S(1.0) + u))));
  }
  return {steepest / temperature, S(1.0) / (S(4.0) * temperature)};
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
      .kind = {InputKind::row_of, Normalizer::sigmoid_attention},
      .evaluators = sides<kSides>,
      .mutants = gradient_mutants<kSides>(),
  };
}

}  // namespace attn::claims::lipschitz_sigmoid_attention
