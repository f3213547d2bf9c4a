// The second implementation of the claim of own_claim.cpp, which shares nothing with the first.
#include <algorithm>
#include <attention_limits/recheck.hpp>
#include <functional>

namespace {

using namespace attn::recheck;

/// a_(1) - a_(2) = a_(1) (1 - exp(-g)), and tanh(g/2).
Sides gap(const Input& input) {
  std::vector<Rational> z = input.scaled_logits();
  std::ranges::nth_element(z, z.begin() + 1, std::greater());
  const Arb g(Rational(z[0] - z[1]));
  return {-SoftmaxGradient(input).a[0] * expm1(-g), -expm1(-g) / (1 + exp(-g))};
}

}  // namespace

attn::recheck::Checks own_checks() {
  return {{"mine.gap", gap}};
}
