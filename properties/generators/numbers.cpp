#include "properties/generators/numbers.hpp"

#include <algorithm>
#include <numeric>

namespace attn::properties {

namespace {

std::size_t bits(const Integer& value) {
  return value == 0 ? 0 : static_cast<std::size_t>(msb(abs(value))) + 1;
}

}  // namespace

std::size_t bits(const Rational& value) {
  const std::size_t sign = value < 0 ? 1 : 0;
  return sign + bits(numerator(value)) + bits(denominator(value)) - 1;
}

Rational truncated(const Rational& value, unsigned fraction_bits) {
  const Integer unit = Integer(1) << fraction_bits;
  const Integer quotient = numerator(value) * unit / denominator(value);  // towards zero
  return Rational(quotient, unit);
}

std::vector<Rational> plainer(const Rational& value, bool positive) {
  std::vector<Rational> result;
  const auto add = [&](const Rational& candidate) {
    if (candidate != value && (!positive || candidate > 0)) result.push_back(candidate);
  };
  add(0);
  add(1);
  add(abs(value));
  for (const unsigned fraction_bits : {0U, 1U, 2U, 4U, 8U, 16U, 32U}) {
    const Rational down = truncated(value, fraction_bits);
    add(down);
    add(down + Rational(value < 0 ? -1 : 1, std::int64_t{1} << fraction_bits));
  }
  add(Rational(value / 2));
  return result;
}

std::vector<Integer> parts_of(const std::vector<Rational>& weights) {
  Integer common = 1;
  for (const Rational& weight : weights) common = lcm(common, denominator(weight));
  std::vector<Integer> parts;
  parts.reserve(weights.size());
  for (const Rational& weight : weights) {
    parts.push_back(numerator(weight) * (common / denominator(weight)));
  }
  return parts;
}

bool set_shares(std::vector<Rational>& weights, const std::vector<Integer>& parts) {
  const Integer sum = std::accumulate(parts.begin(), parts.end(), Integer(0));
  if (sum == 0 || std::ranges::any_of(parts, [](const Integer& part) { return part < 0; })) {
    return false;
  }
  weights.clear();
  for (const Integer& part : parts) weights.emplace_back(part, sum);
  return true;
}

Plan flat_plan(std::size_t n) {
  return {n, std::vector<Rational>(n, Rational(1, n))};
}

Plan without_token(const Plan& plan, std::size_t i) {
  const Rational leaves = 1 - plan[i][i];
  Plan left;
  for (std::size_t a = 0; a < plan.size(); ++a) {
    if (a == i) continue;
    auto& row = left.emplace_back();
    for (std::size_t b = 0; b < plan.size(); ++b) {
      if (b != i) row.emplace_back(plan[a][b] + plan[a][i] * plan[i][b] / leaves);
    }
  }
  return left;
}

}  // namespace attn::properties
