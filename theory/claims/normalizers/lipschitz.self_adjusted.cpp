#ifndef ATTN_RECHECK

#include "theory/attention/logit_step.hpp"
#include "theory/claims/normalizers/shared.hpp"

namespace attn::claims::lipschitz_self_adjusted {
namespace {

std::string_view off_the_origin(const Problem& problem) {
  const auto is_zero = [](const Rational& value) { return value == 0; };
  const bool undefined =
      std::ranges::all_of(problem.logits(), is_zero) ||
      std::ranges::equal(problem.logits(), problem.step(), {}, {}, std::negate<>());
  return undefined ? "not all logits zero" : std::string_view{};
}

constexpr auto kSides = []<class S>(const Problem& problem) -> Sides<S> {
  const auto before = self_adjusted_weights<S>(problem.scaled_logits());
  const auto after = self_adjusted_weights<S>(moved_logits(problem));
  S squares(0.0);
  for (std::size_t i = 0; i < before.size(); ++i) squares += square(S(after[i] - before[i]));
  const Rational& constant = problem.constant();
  const Rational allowed = constant * constant * squared_step(problem);
  return {sqrt_nonnegative(squares), sqrt_nonnegative(from<S>(allowed))};
};

}  // namespace

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
      .provenance = Provenance::derived,
      .status = Status::refuted,
      .argument =
          "$L = 2$, $T = 1$, $l = (t, 0)$, $l + h = (-t, 0)$: with $c = 1/(1 + exp(-t)) > 1/2$ the "
          "weights go from $(c, 0)$ to $(0, c)$. They move by more than $1/sqrt 2$, while $||h|| = "
          "2t$ is as small as one likes.",
      .kind = StepWithin{Normalizer::self_adjusted},
      .evaluators = sides<kSides>,
      .unmet = &off_the_origin,
      .example =
          R"({"logits":["1/4000","0"],"temperature":"1","normalizer":"self_adjusted","step":["-1/2000","0"],"K":"1000"})",
      .witness = {.lhs = "0.7071...", .rhs = "1/2"},
      .hypotheses = "not all logits zero, before or after the step",
  };
}

}  // namespace attn::claims::lipschitz_self_adjusted

#else

#include <algorithm>

#include "theory/recheck/check.hpp"
#include "theory/recheck/own_normalizer.hpp"
#include "theory/recheck/scores.hpp"
#include "theory/recheck/step.hpp"

namespace attn::recheck::lipschitz_self_adjusted {
namespace {

/// lo = min(min z, 0) and hi - lo, hi = max(max z, 0).
struct Range {
  Rational low, width;
  explicit Range(const std::vector<Rational>& z)
      : low(std::min(*std::ranges::min_element(z), Rational(0))),
        width(std::max(*std::ranges::max_element(z), Rational(0)) - low) {}
};

/// softmax(z)_i (z_i - lo)/(hi - lo).
std::vector<Arb> self_adjusted(const std::vector<Rational>& z) {
  const Range range(z);
  std::vector<Arb> f = softmax_scores(z).a;
  for (std::size_t i = 0; i < z.size(); ++i)
    f[i] *= Arb(Rational((z[i] - range.low) / range.width));
  return f;
}

std::string self_adjusted_unmet(const Input& input) {
  const bool spread = Range(input.scaled_logits()).width > 0 && Range(moved(input)).width > 0;
  return spread ? "" : "logits that are not all zero, before the step and after it";
}

/// ||f(l + h) - f(l)|| <= K ||h||/T.
Sides sides(const Input& input) {
  require_normalizer(input, "self_adjusted");
  std::vector<Arb> difference = self_adjusted(moved(input));
  const std::vector<Arb> from = self_adjusted(input.scaled_logits());
  for (std::size_t i = 0; i < from.size(); ++i) difference[i] -= from[i];
  return {norm(difference),
          step_length(input, Rational(input.positive("K") / input.temperature()))};
}

}  // namespace

Check check() {
  return {.sides = &sides, .unmet = &self_adjusted_unmet};
}

}  // namespace attn::recheck::lipschitz_self_adjusted

#endif
