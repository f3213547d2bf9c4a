// Theorem 2: how many of the selected tokens stay within r of s. X_i = ||sum_{j in I, j != i} a_j
// x_j|| for tokens x_j that are independent and uniform on a sphere of radius R.
#include <algorithm>
#include <functional>
#include <map>

#include "theory/recheck/check.hpp"
#include "theory/recheck/probability.hpp"
#include "theory/recheck/scores.hpp"

namespace attn::recheck {
namespace {

struct Sphere {
  std::vector<Rational> radii;  ///< R a_i of the N largest weights
  Rational radius, r, delta;
  std::size_t tokens, dimension;

  explicit Sphere(const Input& input)
      : radius(input.positive("M")),
        r(input.positive("r")),
        delta(input.not_negative("delta")),
        dimension(input.count("dimension")) {
    require(dimension == 1 || dimension == 3, "dimension", "1 or 3, where the expectation is exact",
            std::to_string(dimension));
    require(input.has("weights"), "weights", "a value", "none");
    const Scores scores = scores_of(input);
    tokens = scores.size();
    const std::size_t n = input.selected(tokens);
    for (std::size_t k = 0; k < n; ++k) {
      radii.emplace_back(radius * scores.factor[scores.order[k]]);
    }
  }

  /// q: in d = 3 some pair of the tokens is closer than delta with at most this probability.
  [[nodiscard]] Rational close_pair() const {
    const Rational pairs = Rational(tokens) * Rational(tokens - 1) / 2;
    return pairs * delta * delta / (4 * radius * radius);
  }

  /// E[N_s]/N for independent tokens.
  [[nodiscard]] Rational independent_share() const {
    std::map<Rational, Rational> of_radius;  // tokens of equal weight have equal chances
    Rational sum = 0;
    for (std::size_t i = 0; i < radii.size(); ++i) {
      const auto [place, missing] = of_radius.emplace(radii[i], 0);
      if (missing) {
        std::vector<Rational> others = radii;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        place->second = dimension == 1 ? probability_on_line(std::move(others), r)
                                       : probability_in_space(std::move(others), r);
      }
      sum += place->second;
    }
    return sum / Rational(radii.size());
  }

  /// E[N_s]/N. Given that no pair is closer than delta, which fails with probability q at most, it
  /// lies in [p - q, p/(1 - q)], p the share of independent tokens; and it is p where p is 0 or 1.
  [[nodiscard]] Arb share() const {
    const Rational p = independent_share();
    if (delta == 0 || p == 0 || p == 1) return Arb(p);
    const Rational q = close_pair();
    const Rational low = std::max(Rational(p - q), Rational(0));
    const Rational high = std::min(Rational(p / (1 - q)), Rational(1));
    return hull(Arb(low), Arb(high));
  }

  /// xi_i^2 for every i: R^2 (sum of the others' weights)^2 - delta^2/2 (their products, both
  /// orders). The products over all pairs less those with i are left.
  [[nodiscard]] std::vector<Rational> squared_reaches() const {
    Rational sum = 0;
    Rational pairs = 0;
    for (const Rational& b : radii) {
      pairs += b * sum;
      sum += b;
    }
    const Rational closeness = delta * delta / (radius * radius);
    std::vector<Rational> reaches;
    for (const Rational& b : radii) {
      const Rational others = sum - b;
      reaches.emplace_back(others * others - closeness * (pairs - b * others));
    }
    return reaches;
  }

  /// s2_i and s4_i for every i: the second and fourth powers of the others' radii.
  struct Powers {
    Rational second, fourth;
  };
  [[nodiscard]] std::vector<Powers> powers() const {
    Powers all{};
    for (const Rational& b : radii) {
      all.second += b * b;
      all.fourth += b * b * b * b;
    }
    std::vector<Powers> powers;
    for (const Rational& b : radii) {
      powers.push_back({all.second - b * b, all.fourth - b * b * b * b});
    }
    return powers;
  }

  [[nodiscard]] Arb mean(const Arb& sum) const {
    return sum / Arb(static_cast<long>(radii.size()));
  }
};

/// 1 - (1/(r N)) sum xi_i <= E[N_s]/N.
Sides lower(const Input& input) {
  const Sphere sphere(input);
  Arb sum;
  for (const Rational& reach : sphere.squared_reaches()) {
    sum += sqrt(Rational(reach / (sphere.r * sphere.r)));
  }
  return {Arb(1) - sphere.mean(sum), sphere.share()};
}

/// E[N_s]/N <= (1/N) sum exp(-(xi_i - r)^2/(2 R^2)).
Sides upper(const Input& input) {
  const Sphere sphere(input);
  Arb sum;
  for (const Rational& reach : sphere.squared_reaches()) {
    const Arb gap = (sqrt(reach) - Arb(sphere.r)) / Arb(sphere.radius);
    sum += exp(-square(gap) / Arb(2));
  }
  return {sphere.share(), sphere.mean(sum)};
}

/// 1 - (1/(N r^2)) sum s2_i <= E[N_s]/N.
Sides lower_sharp(const Input& input) {
  const Sphere sphere(input);
  Rational sum = 0;
  for (const auto& powers : sphere.powers()) sum += powers.second;
  const Rational mean = sum / Rational(sphere.radii.size());
  return {Arb(Rational(1 - mean / (sphere.r * sphere.r))), sphere.share()};
}

/// E[N_s]/N <= (1/N) sum exp(-max(mu_i - r, 0)^2/(2 s2_i)).
Sides upper_repaired(const Input& input) {
  const Sphere sphere(input);
  const Rational twice_over_d = Rational(2) / Rational(sphere.dimension);
  Arb sum;
  for (const auto& [s2, s4] : sphere.powers()) {
    if (s2 == 0) {
      sum += Arb(1);
      continue;
    }
    const Rational mu_squared = s2 * s2 * s2 / (s2 * s2 + twice_over_d * (s2 * s2 - s4));
    if (mu_squared <= sphere.r * sphere.r) {
      sum += Arb(1);
    } else {
      sum += exp(-square(sqrt(mu_squared) - Arb(sphere.r)) / Arb(Rational(2 * s2)));
    }
  }
  return {sphere.share(), sphere.mean(sum)};
}

/// Tokens at least delta apart have a law with a bound of use in d = 3 only, while q < 1.
std::string separated(const Input& input) {
  const Sphere sphere(input);
  const bool known = sphere.delta == 0 || (sphere.dimension == 3 && sphere.close_pair() < 1);
  return known ? "" : "Assumptions 1 and 2 together";
}

std::string r_below_every_reach(const Input& input) {
  if (std::string unmet = separated(input); !unmet.empty()) return unmet;
  const Sphere sphere(input);
  const std::vector<Rational> reaches = sphere.squared_reaches();
  const Rational& least = *std::ranges::min_element(reaches);
  return sphere.r * sphere.r <= least ? "" : "r <= min_i xi_i";
}

std::string independent(const Input& input) {
  return Sphere(input).delta == 0 ? "" : "Assumption 1 alone: delta = 0";
}

constexpr Check kChecks[] = {
    {"theorem2.lower", lower, separated},
    {"theorem2.upper", upper, r_below_every_reach},
    {"theorem2.lower.sharp", lower_sharp, independent},
    {"theorem2.upper.repaired", upper_repaired, independent},
};

}  // namespace

std::span<const Check> separability_checks() {
  return kChecks;
}

}  // namespace attn::recheck
