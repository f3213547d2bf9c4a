#include "theory/recheck/sphere.hpp"

#include <algorithm>
#include <map>

#include "theory/recheck/probability.hpp"
#include "theory/recheck/scores.hpp"

namespace attn::recheck {

Sphere::Sphere(const Input& input)
    : radius(input.positive("M")),
      r(input.positive("r")),
      delta(input.not_negative("delta")),
      dimension(input.count("dimension")) {
  require(dimension == 1 || dimension == 3, BadInputKind::unsupported, "dimension",
          "1 or 3, where the expectation is exact", std::to_string(dimension));
  const Scores scores = given_scores(input);
  tokens = scores.size();
  const std::size_t n = input.selected(tokens);
  for (std::size_t k = 0; k < tokens; ++k) {
    (k < n ? radii : outside).emplace_back(radius * scores.factor[scores.order[k]]);
  }
}

Rational Sphere::independent_share() const {
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

Arb Sphere::share() const {
  const Rational p = independent_share();
  if (delta == 0 || p == 0 || p == 1) return Arb(p);
  const Rational q = close_pair();
  const Rational low = std::max(Rational(p - q), Rational(0));
  const Rational high = std::min(Rational(p / (1 - q)), Rational(1));
  return hull(Arb(low), Arb(high));
}

std::vector<Rational> Sphere::squared_reaches() const {
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

std::vector<Sphere::Powers> Sphere::powers() const {
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

std::string separated(const Input& input) {
  const Sphere sphere(input);
  const bool known = sphere.delta == 0 || (sphere.dimension == 3 && sphere.close_pair() < 1);
  return known ? "" : "Assumptions 1 and 2 together";
}

std::string independent(const Input& input) {
  return Sphere(input).delta == 0 ? "" : "Assumption 1 alone: delta = 0";
}

}  // namespace attn::recheck
