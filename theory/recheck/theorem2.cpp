#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "theory/recheck/check.hpp"
#include "theory/recheck/probability.hpp"
#include "theory/recheck/scores.hpp"
#include "theory/recheck/tokens.hpp"

namespace attn::recheck {
namespace {

/// What Theorem 2 speaks of: tokens x_j that are independent and uniform on a sphere of radius R,
/// and X_i = ||sum_{j in I, j != i} a_j x_j||.
struct Sphere {
  std::vector<Rational> radii;    ///< R a_i of the N largest weights
  std::vector<Rational> outside;  ///< R a_j of the others
  Rational radius, r, delta;
  std::size_t tokens, dimension;

  explicit Sphere(const Input& input)
      : radius(input.positive("M")),
        r(input.positive("r")),
        delta(input.not_negative("delta")),
        dimension(input.count("dimension")) {
    const Scores scores = given_scores(input);
    tokens = scores.size();
    const std::size_t n = input.selected(tokens);
    for (std::size_t k = 0; k < tokens; ++k) {
      (k < n ? radii : outside).emplace_back(radius * scores.factor[scores.order[k]]);
    }
    require(dimension == 1 || dimension == 3 || certain_share(), BadInputKind::unsupported,
            "dimension", "1 or 3, where the expectation is exact", std::to_string(dimension));
  }

  /// q: in d = 3 some pair of the tokens is closer than delta with at most this probability.
  [[nodiscard]] Rational close_pair() const {
    const Rational pairs = Rational(tokens) * Rational(tokens - 1) / 2;
    return pairs * delta * delta / (4 * radius * radius);
  }

  /// E[N_s]/N for independent tokens.
  [[nodiscard]] Rational independent_share() const {
    const auto probability = dimension == 1 ? probability_on_line : probability_in_space;
    return mean_over_radii(
        radii, [&](const Rational&, const auto& others) { return probability(others, r); });
  }

  /// E[N_s]/N where it needs no probability: each X_i is bounded by xi_i, and from below by what
  /// its longest step has over the sum of its other ones. On a line a bound may be met; off it,
  /// where two steps are left, hardly ever.
  [[nodiscard]] std::optional<Rational> certain_share() const {
    if (dimension == 1) return std::nullopt;
    const std::vector<Rational> squared = squared_reaches();
    Rational near = 0;
    for (std::size_t i = 0; i < radii.size(); ++i) {
      std::vector<Rational> steps = radii;
      steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(i));
      std::ranges::sort(steps, std::greater<>());
      Rational shortest = steps.empty() ? Rational(0) : steps.front();
      for (std::size_t j = 1; j < steps.size(); ++j) shortest -= steps[j];
      const bool is_near = squared[i] <= r * r;
      if (!is_near && shortest < r) return std::nullopt;
      if (is_near) near += 1;
    }
    return Rational(near / Rational(radii.size()));
  }

  /// E[N_s]/N. Given that no pair is closer than delta, which fails with probability q at most, it
  /// lies in [p - q, p/(1 - q)], p the share of independent tokens; and it is p where p is 0 or 1.
  [[nodiscard]] Arb share() const {
    if (const auto certain = certain_share()) return Arb(*certain);
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

  /// E[X_i^2] and E[X_i^4] for every i, of independent tokens.
  struct Moments {
    Rational second, fourth;

    /// The chance that X_i^2 lies beyond r^2, seen from its mean, at most: its variance over
    /// E[(X_i^2 - r^2)^2] (Cantelli).
    [[nodiscard]] Rational beyond(const Rational& squared) const {
      return (fourth - second * second) / (fourth - 2 * squared * second + squared * squared);
    }
  };
  // By a walk of the others' steps: ||s + b u||^2 = ||s||^2 + b^2 + 2 b s . u, where s . u has mean
  // 0 and, given s, second moment ||s||^2/d.
  [[nodiscard]] std::vector<Moments> moments() const {
    std::vector<Moments> all(radii.size());
    for (std::size_t i = 0; i < radii.size(); ++i) {
      Moments& m = all[i];
      for (std::size_t j = 0; j < radii.size(); ++j) {
        if (j == i) continue;
        const Rational b = radii[j] * radii[j];
        m.fourth += b * b + 2 * b * m.second + 4 * b * m.second / Rational(dimension);
        m.second += b;
      }
    }
    return all;
  }

  [[nodiscard]] Arb mean(const Arb& sum) const { return sum / Arb(radii.size()); }
};

/// Tokens at least delta apart have a law with a bound of use in d = 3 only, while q < 1.
std::string separated(const Sphere& sphere) {
  const bool known = sphere.delta == 0 || (sphere.dimension == 3 && sphere.close_pair() < 1);
  return known ? "" : "Assumptions 1 and 2 together";
}

/// Assumption 1 alone: delta = 0.
std::string independent(const Sphere& sphere) {
  return sphere.delta == 0 ? "" : "Assumption 1 alone: delta = 0";
}

/// 1 - (1/(r N)) sum xi_i <= E[N_s]/N.
Sides theorem2_lower(const Sphere& sphere) {
  Arb sum;
  for (const Rational& reach : sphere.squared_reaches()) {
    sum += sqrt(Rational(reach / (sphere.r * sphere.r)));
  }
  return {Arb(1) - sphere.mean(sum), sphere.share()};
}

std::string on_the_line(const Sphere& sphere) {
  return sphere.dimension == 1 && sphere.delta == 0 ? "" : "dimension 1 and delta = 0";
}

/// xi_i is the sum of the others' radii: together (N - 1) times the sum of all.
Sides theorem2_lower_exclusive(const Sphere& sphere) {
  Rational all = 0;
  for (const Rational& b : sphere.radii) all += b;
  const Rational n(sphere.radii.size());
  return {Arb(1 - (n - 1) * all / (n * sphere.r)),
          Arb(exclusive_share_on_line(sphere.radii, sphere.outside, sphere.r))};
}

/// E[N_s]/N <= (1/N) sum exp(-(xi_i - r)^2/(2 R^2)).
Sides theorem2_upper(const Sphere& sphere) {
  Arb sum;
  for (const Rational& reach : sphere.squared_reaches()) {
    const Arb gap = (sqrt(reach) - Arb(sphere.r)) / Arb(sphere.radius);
    sum += exp(-square(gap) / Arb(2));
  }
  return {sphere.share(), sphere.mean(sum)};
}

/// 1 - (1/N) sum m_i <= E[N_s]/N.
Sides theorem2_lower_sharp(const Sphere& sphere) {
  const Rational squared = sphere.r * sphere.r;
  Rational sum = 0;
  for (const auto& m : sphere.moments()) {
    const Rational markov = m.second / squared;
    sum += markov < 1 ? std::min(markov, m.beyond(squared)) : Rational(1);
  }
  return {Arb(1 - sum / Rational(sphere.radii.size())), sphere.share()};
}

/// E[N_s]/N <= (1/N) sum v_i/(v_i + (s2_i - r^2)^2), 1 where s2_i <= r^2.
Sides theorem2_upper_repaired(const Sphere& sphere) {
  const Rational squared = sphere.r * sphere.r;
  Rational sum = 0;
  for (const auto& m : sphere.moments()) {
    sum += m.second > squared ? m.beyond(squared) : Rational(1);
  }
  return {sphere.share(), Arb(sum / Rational(sphere.radii.size()))};
}

/// N_s/N of the case's set: the share of the selected y_i = a_i x_i that are no further from s than
/// every y_j outside.
Arb share_within_nearest(const FixedSet& t) {
  const Nearness nearness(t);
  long least = 0;
  long most = 0;
  for (const std::size_t i : t.inside) {
    bool further = false;
    bool open = false;
    for (const std::size_t j : t.outside) {
      const int order = nearness(i, j);
      further = further || order == 1;
      open = open || order == 2;
    }
    if (further) continue;
    ++most;
    if (!open) ++least;
  }
  const Arb all(t.inside.size());
  return least == most ? Arb(least) / all : hull(Arb(least) / all, Arb(most) / all);
}

/// What a case lacks to have weights of sum 1 and more than 16 selected tokens; empty where
/// nothing.
std::string many_selected(const Input& input) {
  if (std::string unmet = no_distribution(input); !unmet.empty()) return unmet;
  return FixedSet(input).inside.size() > 16 ? "" : "N > 16";
}

Sides separability_share_upper(const FixedSet& t) {
  return {share_within_nearest(t), Arb(Rational(17, 20))};
}

Sides separability_share_lower(const FixedSet& t) {
  return {Arb(Rational(7, 10)), share_within_nearest(t)};
}

}  // namespace

Checks theorem2_checks() {
  return {
      {"theorem2.lower", of<theorem2_lower>, of<separated>},
      {"theorem2.lower.exclusive", of<theorem2_lower_exclusive>, of<on_the_line>},
      {"theorem2.upper", of<theorem2_upper>, of<separated>},
      {"theorem2.lower.sharp", of<theorem2_lower_sharp>, of<independent>},
      {"theorem2.upper.repaired", of<theorem2_upper_repaired>, of<independent>},
      {"separability.share.upper", of<separability_share_upper>, many_selected},
      {"separability.share.lower", of<separability_share_lower>, many_selected},
  };
}

}  // namespace attn::recheck
