#include "theory/tests/support.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "theory/attention/case_json.hpp"

namespace attn::test {
namespace {

Rational power(const Rational& base, std::size_t exponent) {
  Rational result = 1;
  for (std::size_t i = 0; i < exponent; ++i) result *= base;
  return result;
}

Rational positive_part(const Rational& x) {
  return x > 0 ? x : Rational(0);
}

/// Calls visit(sigma . b, product of sigma) for every sigma in {-1, 1}^n.
template <class Visit>
void for_each_sign(const std::vector<Rational>& b, Visit visit) {
  for (std::size_t mask = 0; mask < (std::size_t{1} << b.size()); ++mask) {
    Rational sum = 0;
    int sign = 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const bool negative = ((mask >> j) & 1U) != 0;
      sum += negative ? Rational(-b[j]) : b[j];
      if (negative) sign = -sign;
    }
    visit(sum, sign);
  }
}

}  // namespace

std::vector<Rational> Random::weights(std::size_t count) {
  const int most = one_in(2) ? 4 : 1000;
  std::vector<Rational> parts;
  Rational total = 0;
  for (std::size_t i = 0; i < count; ++i) {
    parts.emplace_back(between(1, most));
    total += parts.back();
  }
  for (Rational& part : parts) part /= total;
  return parts;
}

std::string replay(int trial) {
  return fmt::format("trial {} of seed {}", trial, Random::kSeed);
}

Case case_of(const InputKind& kind, const std::string& json) {
  return case_from_json(nlohmann::json::parse(json), kind, "a test");
}

Rational plain_probability(std::vector<Rational> radii, const Rational& r, std::size_t d) {
  std::erase(radii, Rational(0));
  const std::size_t n = radii.size();
  if (n == 0) return 1;
  if (d == 1) {
    Rational inside = 0;
    for_each_sign(radii, [&](const Rational& sum, int) { inside += abs(sum) <= r ? 1 : 0; });
    return inside / power(2, n);
  }
  if (n == 1) return radii.front() <= r ? 1 : 0;
  // f(t) = [2^n prod b (n-1)!]^-1 sum prod(sigma) (t + sigma.b)_+^(n-1); P = 2 int_0^r f - 2 r
  // f(r).
  Rational scale = power(2, n);
  for (std::size_t j = 0; j < n; ++j) scale *= radii[j];
  for (std::size_t k = 2; k < n; ++k) scale *= k;
  Rational integral = 0;
  Rational at_r = 0;
  for_each_sign(radii, [&](const Rational& sum, int sign) {
    const Rational to = power(positive_part(r + sum), n);
    const Rational from = power(positive_part(sum), n);
    integral += sign * (to - from) / n;
    at_r += sign * power(positive_part(r + sum), n - 1);
  });
  return 2 * (integral - r * at_r) / scale;
}

Rational sum_of(const std::vector<Rational>& values) {
  return std::accumulate(values.begin(), values.end(), Rational(0));
}

std::vector<Rational> rationals(const std::vector<std::string>& texts) {
  std::vector<Rational> values;
  values.reserve(texts.size());
  for (const std::string& text : texts) values.push_back(parse_rational(text));
  return values;
}

}  // namespace attn::test
