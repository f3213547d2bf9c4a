#include "theory/recheck/check.hpp"
#include "theory/recheck/fixed_set.hpp"
#include "theory/recheck/random_set.hpp"

namespace attn::recheck {
namespace {

Sides theorem1_fixed_sharp_upper(const Input& input) {
  const FixedSet t(input);
  const Centred c(t);
  return {t.distance(), c.core + c.spread};
}

Sides theorem1_fixed_sharp_lower(const Input& input) {
  const FixedSet t(input);
  return {Centred(t).below, t.distance()};
}

/// D <= (1-A) d1 + X sum_{i in O} |A - a_i|.
Sides theorem1_fixed_any_set_repaired(const Input& input) {
  const FixedSet t(input);
  const Arb mass = t.scores.value(t.mass);
  Arb mismatch;
  for (const std::size_t i : t.outside) mismatch += abs(t.scores.difference(i, 1, t.mass, mass));
  return {t.distance(), t.scores.value(t.rest) * sqrt(t.d1_squared) + sqrt(t.x_squared) * mismatch};
}

/// D <= (||s||/A) sum_{i in O} |A - a_i| + sum_{i in O} a_i ||x_i - s/A||.
Sides theorem1_fixed_any_set_sharp(const Input& input) {
  const FixedSet t(input);
  const Arb mass = t.scores.value(t.mass);
  Arb mismatch;
  for (const std::size_t i : t.outside) mismatch += abs(t.scores.difference(i, 1, t.mass, mass));
  return {t.distance(), norm(t.s_value) / mass * mismatch + Centred(t).spread};
}

/// Tokens of y_i = 0 stand at ||s|| from s exactly, and are left out on both sides.
Sides distance_linear(const Input& input) {
  const FixedSet t(input);
  const Arb slope = norm(t.s_value);
  Arb off_line;
  Arb contributions;
  for (const std::size_t i : t.outside) {
    const Arb length = t.scores.a[i] * sqrt(squared_norm(t.x[i]));
    if (is_zero(length)) continue;
    std::vector<Arb> offset;
    for (std::size_t k = 0; k < t.s.size(); ++k) {
      offset.push_back(t.scores.difference(i, t.x[i][k], t.s[k], t.s_value[k]));
    }
    off_line += norm(offset) - slope;
    contributions += length;
  }
  return {abs(off_line), contributions};
}

/// Of one token outside both sides are its distance.
Sides distance_net(const Input& input) {
  const FixedSet t(input);
  if (t.outside.size() == 1) return {t.distance(), t.distance()};
  std::vector<Arb> net(t.s.size());
  for (const std::size_t i : t.outside) {
    for (std::size_t k = 0; k < t.s.size(); ++k) {
      net[k] += t.scores.difference(i, t.x[i][k], t.s[k], t.s_value[k]);
    }
  }
  return {norm(net), t.distance()};
}

/// p sum ||m_i|| <= E.
Sides theorem1_random_lower(const Input& input) {
  const RandomSet t(input);
  Arb sum;
  for (const Arb& length : mean_lengths(t)) sum += length;
  return {t.share() * sum, expected_distance(t)};
}

/// E <= p sum (||m_i|| + sqrt V_i).
Sides theorem1_random_upper(const Input& input) {
  const RandomSet t(input);
  const std::vector<Arb> m = mean_lengths(t);
  const std::vector<Arb> v = variances(t);
  Arb sum;
  for (std::size_t i = 0; i < t.size(); ++i) sum += m[i] + sqrt(v[i]);
  return {expected_distance(t), t.share() * sum};
}

/// E <= p sum sqrt(||m_i||^2 + V_i).
Sides theorem1_random_sharp(const Input& input) {
  const RandomSet t(input);
  const std::vector<Arb> m = mean_lengths(t);
  const std::vector<Arb> v = variances(t);
  Arb sum;
  for (std::size_t i = 0; i < t.size(); ++i) sum += sqrt(square(m[i]) + v[i]);
  return {expected_distance(t), t.share() * sum};
}

}  // namespace

Checks theorem1_checks() {
  return {
      {"theorem1.fixed", {.sides = &theorem1_sides, .unmet = &no_distribution}},
      {"theorem1.fixed.sharp.upper",
       {.sides = &theorem1_fixed_sharp_upper, .unmet = &positive_mass}},
      {"theorem1.fixed.sharp.lower",
       {.sides = &theorem1_fixed_sharp_lower, .unmet = &positive_mass}},
      {"theorem1.fixed.any_set", {.sides = &theorem1_sides, .unmet = &no_distribution}},
      {"theorem1.fixed.any_set.repaired",
       {.sides = &theorem1_fixed_any_set_repaired, .unmet = &no_distribution}},
      {"theorem1.fixed.any_set.sharp",
       {.sides = &theorem1_fixed_any_set_sharp, .unmet = &positive_mass}},
      {"distance.linear", {.sides = &distance_linear, .unmet = &lacks_weights}},
      {"distance.net", {.sides = &distance_net, .unmet = &lacks_weights}},
      {"theorem1.random.lower", {.sides = &theorem1_random_lower, .unmet = &lacks_weights}},
      {"theorem1.random.upper", {.sides = &theorem1_random_upper, .unmet = &lacks_weights}},
      {"theorem1.random.sharp", {.sides = &theorem1_random_sharp, .unmet = &lacks_weights}},
  };
}

}  // namespace attn::recheck
