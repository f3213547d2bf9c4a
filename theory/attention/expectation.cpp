#include "theory/attention/expectation.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>

namespace attn {
namespace {

using boost::multiprecision::pow;

/// Equal radii are drawn together: of m of them, k carry the sign -1 in C(m, k) ways.
template <class Number>
struct Group {
  Number radius;
  unsigned multiplicity;
};

template <class Number>
using Groups = std::vector<Group<Number>>;

std::map<Rational, unsigned> multiplicities(const std::vector<Rational>& radii) {
  std::map<Rational, unsigned> count;
  for (const Rational& b : radii) {
    if (b != 0) ++count[b];
  }
  return count;
}

/// How many of each group carry the sign -1.
using Negatives = std::vector<unsigned>;

/// Goes through the sums of sigma_j b_j, class by class; what it computes with is kept, for there
/// are many.
template <class Number>
class Sums {
 public:
  explicit Sums(const Groups<Number>& groups)
      : groups_(groups), levels_(groups.size() + 1), negatives_(groups.size()) {
    levels_.front().ways = 1;
  }

  /// Calls visit(sum of sigma_j b_j, number of patterns, negatives) for every class of patterns.
  template <class Visit>
  void for_each(Visit&& visit) {
    descend(0, visit);
  }

 private:
  struct Level {
    Number sum{}, ways{}, binomial{}, step{};
  };

  template <class Visit>
  void descend(std::size_t g, Visit& visit) {
    const Level& above = levels_[g];
    if (g == groups_.size()) {
      visit(above.sum, above.ways, negatives_);
      return;
    }
    const auto& [radius, m] = groups_[g];
    Level& level = levels_[g + 1];
    level.step = radius;
    level.step *= m;
    level.sum = above.sum;
    level.sum += level.step;
    level.step = radius;
    level.step *= 2;
    level.binomial = 1;
    for (unsigned k = 0; k <= m; ++k) {
      negatives_[g] = k;
      level.ways = above.ways;
      level.ways *= level.binomial;
      descend(g + 1, visit);
      level.sum -= level.step;
      level.binomial *= m - k;
      level.binomial /= k + 1;
    }
  }

  const Groups<Number>& groups_;
  std::vector<Level> levels_;
  Negatives negatives_;
};

/// base^exponent, into a number that is there.
void set_power(Integer& power, const Integer& base, unsigned exponent) {
  mpz_pow_ui(power.backend().data(), base.backend().data(), exponent);
}

/// The product of the signs.
int sign_of(const Negatives& negatives) {
  return std::accumulate(negatives.begin(), negatives.end(), 0U) % 2 == 0 ? 1 : -1;
}

/// How many patterns of signs leave the sum within r.
template <class Number>
Number patterns_within(const Groups<Number>& groups, const Number& r) {
  Number inside = 0;
  const Number least = -r;
  Sums(groups).for_each([&](const Number& sum, const Number& ways, const Negatives&) {
    if (least <= sum && sum <= r) inside += ways;
  });
  return inside;
}

/// `total`: the sum of all radii, above r.
Rational on_the_line(const Groups<Integer>& groups, const Integer& r, unsigned n,
                     const Integer& total) {
  // Short sums are counted in machine words, with room for the step after the last and for a
  // binomial coefficient before it is divided.
  constexpr unsigned kMostBits = 60;
  Integer inside;
  if (n <= kMostBits && msb(total) < kMostBits) {
    Groups<std::int64_t> words;
    for (const auto& [radius, m] : groups) words.push_back({radius.convert_to<std::int64_t>(), m});
    inside = patterns_within(words, r.convert_to<std::int64_t>());
  } else {
    inside = patterns_within(groups, r);
  }
  return {inside, pow(Integer(2), n)};
}

/// With G = sum over signs of (prod sigma) ((r + s)_+^n - (s)_+^n) and
/// F = sum of (prod sigma) (r + s)_+^(n-1): P = 2 (G - n r F) / (2^n n! prod b).
Rational in_space(const Groups<Integer>& groups, const Integer& r, unsigned n) {
  if (n == 1) return groups.front().radius <= r ? 1 : 0;
  Integer numerator = 0;
  const Integer n_times_r = n * r;
  Integer term;
  Integer shifted;
  Integer power;
  Sums(groups).for_each([&](const Integer& sum, const Integer& ways, const Negatives& negatives) {
    term = 0;
    shifted = sum;
    shifted += r;
    if (shifted > 0) {
      set_power(power, shifted, n - 1);
      shifted -= n_times_r;
      power *= shifted;
      term += power;
    }
    if (sum > 0) {
      set_power(power, sum, n);
      term -= power;
    }
    term *= ways;
    sign_of(negatives) > 0 ? numerator += term : numerator -= term;
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
Groups<Integer> grouped(const std::vector<Rational>& radii, const Integer& scale) {
  Groups<Integer> groups;
  for (const auto& [b, m] : multiplicities(radii)) groups.push_back({scaled(b, scale), m});
  return groups;
}

/// How many of the radii are not zero.
unsigned signs_of(const Groups<Integer>& groups) {
  unsigned n = 0;
  for (const auto& [radius, m] : groups) n += m;
  return n;
}

}  // namespace

Rational probability_within(const std::vector<Rational>& radii, const Rational& r, std::size_t d) {
  const Integer scale = common_scale(radii, r);
  const Groups<Integer> groups = grouped(radii, scale);
  Integer total = 0;
  for (const auto& [radius, m] : groups) total += radius * m;
  const unsigned n = signs_of(groups);
  const Integer scaled_r = scaled(r, scale);
  if (total <= scaled_r) return 1;
  return d == 1 ? on_the_line(groups, scaled_r, n, total) : in_space(groups, scaled_r, n);
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

std::optional<Rational> settled_share(const std::vector<Rational>& radii, const Rational& r,
                                      const Rational& closeness) {
  Rational sum = 0, pairs = 0;  // pairs: of the products of two radii
  for (const Rational& b : radii) {
    pairs += b * sum;
    sum += b;
  }
  const auto largest = std::ranges::max_element(radii);
  Rational second = 0;
  for (auto b = radii.begin(); b != radii.end(); ++b) {
    if (b != largest) second = max(second, *b);
  }
  std::size_t within = 0;
  for (auto b = radii.begin(); b != radii.end(); ++b) {
    const Rational others = sum - *b;
    if (others * others - closeness * (pairs - *b * others) <= r * r) {
      ++within;
      continue;
    }
    // The longest of the other steps exceeds the rest of them together by so much.
    const Rational least = 2 * (b == largest ? second : *largest) - others;
    if (least < r) return std::nullopt;
  }
  return Rational(within) / radii.size();
}

Rational expected_exclusive_share(const std::vector<Rational>& radii,
                                  const std::vector<Rational>& outside, const Rational& r) {
  std::vector<Rational> all = radii;
  all.insert(all.end(), outside.begin(), outside.end());
  const Integer scale = common_scale(all, r);
  const Groups<Integer> groups = grouped(radii, scale);
  const unsigned n = signs_of(groups);
  const std::size_t zeros = radii.size() - n;
  const Integer reach = scaled(r, scale);
  std::vector<Integer> others;
  for (const Rational& b : outside) others.push_back(scaled(b, scale));
  std::sort(others.begin(), others.end());
  // A token outside that can come within r of s does so with one of its signs: number of such
  // tokens -> patterns times N_s.
  std::map<std::size_t, Integer> kept;
  Sums(groups).for_each([&](const Integer& s, const Integer& ways, const Negatives& negatives) {
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
