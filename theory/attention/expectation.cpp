#include "theory/attention/expectation.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

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

/// How many of each group carry the sign -1.
using Negatives = std::vector<unsigned>;

/// Calls visit(sum of sigma_j b_j, number of patterns, negatives) for every class of patterns.
void for_each_sum(
    const std::vector<Group>& groups,
    const std::function<void(const Integer&, const Integer&, const Negatives&)>& visit) {
  Negatives negatives(groups.size());
  const std::function<void(std::size_t, const Integer&, const Integer&)> descend =
      [&](std::size_t g, const Integer& sum, const Integer& ways) {
        if (g == groups.size()) {
          visit(sum, ways, negatives);
          return;
        }
        const auto& [radius, m] = groups[g];
        Integer binomial = 1;
        for (unsigned k = 0; k <= m; ++k) {
          negatives[g] = k;
          const Integer shift = radius * (static_cast<int>(m) - 2 * static_cast<int>(k));
          descend(g + 1, Integer(sum + shift), Integer(ways * binomial));
          binomial = binomial * (m - k) / (k + 1);
        }
      };
  descend(0, 0, 1);
}

/// The product of the signs.
int sign_of(const Negatives& negatives) {
  return std::accumulate(negatives.begin(), negatives.end(), 0U) % 2 == 0 ? 1 : -1;
}

Rational on_the_line(const std::vector<Group>& groups, const Integer& r, unsigned n) {
  Integer inside = 0;
  for_each_sum(groups, [&](const Integer& sum, const Integer& ways, const Negatives&) {
    if (abs(sum) <= r) inside += ways;
  });
  return {inside, pow(Integer(2), n)};
}

/// With G = sum over signs of (prod sigma) ((r + s)_+^n - (s)_+^n) and
/// F = sum of (prod sigma) (r + s)_+^(n-1): P = 2 (G - n r F) / (2^n n! prod b).
Rational in_space(const std::vector<Group>& groups, const Integer& r, unsigned n) {
  if (n == 1) return groups.front().radius <= r ? 1 : 0;
  Integer numerator = 0;
  for_each_sum(groups, [&](const Integer& sum, const Integer& ways, const Negatives& negatives) {
    Integer term = 0;
    const Integer shifted = r + sum;
    if (shifted > 0) {
      const Integer power = pow(shifted, n - 1);
      term += power * shifted - n * r * power;
    }
    if (sum > 0) term -= pow(sum, n);
    numerator += sign_of(negatives) * ways * term;
  });
  Integer denominator = pow(Integer(2), n);
  for (unsigned k = 2; k <= n; ++k) denominator *= k;
  for (const auto& [radius, m] : groups) denominator *= pow(radius, m);
  return {Integer(2 * numerator), denominator};
}

/// A number that all lengths can be multiplied with to be integers: no probability changes.
Integer common_scale(const std::vector<Rational>& radii, const Rational& r) {
  Integer scale = denominator(r);
  for (const Rational& b : radii) scale = lcm(scale, Integer(denominator(b)));
  return scale;
}

Integer scaled(const Rational& length, const Integer& scale) {
  return numerator(Rational(length * scale));
}

/// The radii but those of zero, which move nothing.
std::vector<Group> grouped(const std::vector<Rational>& radii, const Integer& scale) {
  std::vector<Group> groups;
  for (const auto& [b, m] : multiplicities(radii)) groups.push_back({scaled(b, scale), m});
  return groups;
}

/// How many of the radii are not zero.
unsigned signs_of(const std::vector<Group>& groups) {
  unsigned n = 0;
  for (const auto& [radius, m] : groups) n += m;
  return n;
}

}  // namespace

Rational probability_within(const std::vector<Rational>& radii, const Rational& r, std::size_t d) {
  const Integer scale = common_scale(radii, r);
  const std::vector<Group> groups = grouped(radii, scale);
  Integer total = 0;
  for (const auto& [radius, m] : groups) total += radius * m;
  const unsigned n = signs_of(groups);
  const Integer scaled_r = scaled(r, scale);
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

Rational expected_exclusive_share(const std::vector<Rational>& radii,
                                  const std::vector<Rational>& outside, const Rational& r) {
  std::vector<Rational> all = radii;
  all.insert(all.end(), outside.begin(), outside.end());
  const Integer scale = common_scale(all, r);
  const std::vector<Group> groups = grouped(radii, scale);
  const unsigned n = signs_of(groups);
  const std::size_t zeros = radii.size() - n;
  const Integer reach = scaled(r, scale);
  std::vector<Integer> others;
  for (const Rational& b : outside) others.push_back(scaled(b, scale));
  std::sort(others.begin(), others.end());
  // A token outside that can come within r of s does so with one of its signs: number of such
  // tokens -> patterns times N_s.
  std::map<std::size_t, Integer> kept;
  for_each_sum(groups, [&](const Integer& s, const Integer& ways, const Negatives& negatives) {
    const Integer length = abs(s);
    if (others.front() + length <= reach) return;  // near with either sign
    const auto near = std::upper_bound(others.begin(), others.end(), Integer(length + reach)) -
                      std::lower_bound(others.begin(), others.end(), Integer(length - reach));
    std::size_t within = length <= reach ? zeros : 0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const auto& [radius, m] = groups[g];
      if (abs(Integer(s - radius)) <= reach) within += m - negatives[g];
      if (abs(Integer(s + radius)) <= reach) within += negatives[g];
    }
    kept[static_cast<std::size_t>(near)] += ways * within;
  });
  Rational sum = 0;
  for (const auto& [near, ways] : kept) {
    sum += Rational(ways, pow(Integer(2), static_cast<unsigned>(n + near)));
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
