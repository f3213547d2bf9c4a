#include "theory/claims/normalizers/shared.hpp"

namespace attn::claims::lipschitz_self_adjusted {

std::string_view off_the_origin(const CaseContext& context) {
  const bool undefined = is_zero(context.logits()) || is_zero(moved_logits(context));
  return undefined ? "not all logits zero" : std::string_view{};
}

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  const auto before = self_adjusted_weights<S>(context.scaled_logits());
  const auto after = self_adjusted_weights<S>(moved_logits(context));
  S squares(0.0);
  for (std::size_t i = 0; i < before.size(); ++i) squares += square(S(after[i] - before[i]));
  const Rational& constant = context.lipschitz_constant();
  const Rational allowed = constant * constant * squared_step(context);
  return {sqrt_nonnegative(squares), sqrt_nonnegative(from<S>(allowed))};
};

Claim claim() {
  return {
      .id = "lipschitz.self_adjusted",
      .title = "How far Self-Adjusted Softmax moves",
      .statement =
          "$||f(l+h) - f(l)|| <= K ||h||/T$ for Self-Adjusted Softmax, for a $K > 0$ given "
          "beforehand and any step $h$, $f(l) = a$ with $a_i = p_i v_i$ of $p = softmax(z)$, $v_i "
          "= (z_i - min(0, z_(L)))/rho$, $rho = max(0, z_(1)) - min(0, z_(L))$, $z_(1)$ the "
          "largest and $z_(L)$ the smallest entry of $z = l/T$, $l$ any $L$ logits, $T > 0$, "
          "where not all of $z$ are 0, before or after the step",
      .paper = kOtherNormalizers,
      .status = Status::refuted,
      .argument =
          "$L = 2$, $T = 1$, $l = (t, 0)$, $l + h = (-t, 0)$: with $c = 1/(1 + exp(-t)) > 1/2$ the "
          "weights go from $(c, 0)$ to $(0, c)$. They move by more than $1/sqrt 2$, while $||h|| = "
          "2t$ is as small as one likes.",
      .kind = {InputKind::step_within, Normalizer::self_adjusted},
      .evaluators = sides<kSides>,
      .unmet = &off_the_origin,
      .example =
          R"({"logits":["1/4000","0"],"temperature":"1","normalizer":"self_adjusted","step":["-1/2000","0"],"K":"1000"})",
      .witness = {.lhs = "0.7071...", .rhs = "1/2"},
      .sentence =
          "Self-Adjusted Softmax is praised for \"keeping the Jacobian spectrum in a healthy "
          "band\" (Section 4).",
      .instead =
          "Near the origin no constant bounds it. Where the logits span at least $rho T$, 0 "
          "included, its gradient is at most $(1/2 + sqrt(2)/rho)/T$ "
          "(lipschitz.self_adjusted.repaired).",
  };
}

}  // namespace attn::claims::lipschitz_self_adjusted
