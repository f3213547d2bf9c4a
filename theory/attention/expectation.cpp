#include "theory/attention/expectation.hpp"

#include <functional>
#include <map>

namespace attn {
namespace {

using Integer =
    boost::multiprecision::number<boost::multiprecision::gmp_int, boost::multiprecision::et_off>;
using boost::multiprecision::pow;

/// Equal radii are drawn together: of m of them, k carry the sign -1 in C(m, k) ways.
struct Group {
  Integer radius;
  unsigned multiplicity;
};

std::map<Rational, unsigned> multiplicities(const std::vector<Rational>& radii) {
  std::map<Rational, unsigned> count;
  for (const Rational& b : radii) {
    if (b != 0) ++count[b];
  }
  return count;
}

/// Calls visit(sum of sigma_j b_j, number of patterns, product of signs) for every class of
/// patterns.
void for_each_sum(const std::vector<Group>& groups,
                  const std::function<void(const Integer&, const Integer&, int)>& visit) {
  const std::function<void(std::size_t, const Integer&, const Integer&, int)> descend =
      [&](std::size_t g, const Integer& sum, const Integer& ways, int sign) {
        if (g == groups.size()) {
          visit(sum, ways, sign);
          return;
        }
        const auto& [radius, m] = groups[g];
        Integer binomial = 1;
        for (unsigned k = 0; k <= m; ++k) {
          const Integer shift = radius * (static_cast<int>(m) - 2 * static_cast<int>(k));
          descend(g + 1, Integer(sum + shift), Integer(ways * binomial), k % 2 == 0 ? sign : -sign);
          binomial = binomial * (m - k) / (k + 1);
        }
      };
  descend(0, 0, 1, 1);
}

Rational on_the_line(const std::vector<Group>& groups, const Integer& r, unsigned n) {
  Integer inside = 0;
  for_each_sum(groups, [&](const Integer& sum, const Integer& ways, int) {
    if (abs(sum) <= r) inside += ways;
  });
  return {inside, pow(Integer(2), n)};
}

/// With G = sum over signs of (prod sigma) ((r + s)_+^n - (s)_+^n) and
/// F = sum of (prod sigma) (r + s)_+^(n-1): P = 2 (G - n r F) / (2^n n! prod b).
Rational in_space(const std::vector<Group>& groups, const Integer& r, unsigned n) {
  if (n == 1) return groups.front().radius <= r ? 1 : 0;
  Integer numerator = 0;
  for_each_sum(groups, [&](const Integer& sum, const Integer& ways, int sign) {
    Integer term = 0;
    const Integer shifted = r + sum;
    if (shifted > 0) {
      const Integer power = pow(shifted, n - 1);
      term += power * shifted - n * r * power;
    }
    if (sum > 0) term -= pow(sum, n);
    numerator += sign * ways * term;
  });
  Integer denominator = pow(Integer(2), n);
  for (unsigned k = 2; k <= n; ++k) denominator *= k;
  for (const auto& [radius, m] : groups) denominator *= pow(radius, m);
  return {Integer(2 * numerator), denominator};
}

}  // namespace

Rational probability_within(const std::vector<Rational>& radii, const Rational& r, std::size_t d) {
  const auto count = multiplicities(radii);
  // The probability does not change when all lengths are multiplied: make them integers.
  Integer scale = denominator(r);
  for (const auto& [b, m] : count) scale = lcm(scale, Integer(denominator(b)));
  std::vector<Group> groups;
  Integer total = 0;
  unsigned n = 0;
  for (const auto& [b, m] : count) {
    groups.push_back({Integer(numerator(Rational(b * scale))), m});
    total += groups.back().radius * m;
    n += m;
  }
  const Integer scaled_r = numerator(Rational(r * scale));
  if (total <= scaled_r) return 1;
  return d == 1 ? on_the_line(groups, scaled_r, n) : in_space(groups, scaled_r, n);
}

Rational expected_distinguishable_share(const std::vector<Rational>& radii, const Rational& r,
                                        std::size_t d) {
  std::map<Rational, Rational> seen;  // tokens of equal weight have equal chances
  Rational sum = 0;
  for (std::size_t i = 0; i < radii.size(); ++i) {
    if (!seen.contains(radii[i])) {
      std::vector<Rational> rest = radii;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      seen.emplace(radii[i], probability_within(rest, r, d));
    }
    sum += seen.at(radii[i]);
  }
  return sum / radii.size();
}

std::size_t sign_patterns(const std::vector<Rational>& radii) {
  constexpr std::size_t kMost = std::size_t{1} << 62;
  std::size_t product = 1;
  for (const auto& [b, m] : multiplicities(radii)) {
    if (product > kMost / (m + 1)) return kMost;
    product *= m + 1;
  }
  return product;
}

}  // namespace attn
