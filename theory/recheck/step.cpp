#include "theory/recheck/step.hpp"

namespace attn::recheck {

std::vector<Rational> moved(const Input& input) {
  std::vector<Rational> z = input.scaled_logits();
  const std::vector<Rational> h = input.move("step");
  const Rational t = input.temperature();
  for (std::size_t i = 0; i < z.size(); ++i) z[i] += h[i] / t;
  return z;
}

Arb distance(const std::vector<Rational>& u, const std::vector<Rational>& v) {
  std::vector<Rational> gap;
  for (std::size_t i = 0; i < u.size(); ++i) gap.emplace_back(u[i] - v[i]);
  return sqrt(squared_norm(gap));
}

Arb step_length(const Input& input, const Rational& factor) {
  return sqrt(Rational(factor * factor * squared_norm(input.move("step"))));
}

}  // namespace attn::recheck
