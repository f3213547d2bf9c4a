#include "theory/recheck/check.hpp"
#include "theory/recheck/dispersion.hpp"

namespace attn::recheck {
namespace {

Sides corollary1_lower(const Input& input) {
  const Corollary1 c(input);
  return {exp(-c.exponent) / Arb(static_cast<long>(c.a.size())), least(c.a)};
}

Sides corollary1_upper(const Input& input) {
  const Corollary1 c(input);
  return {largest(c.a), exp(c.exponent) / Arb(static_cast<long>(c.a.size()))};
}

Sides corollary1_lower_sharp(const Input& input) {
  const Corollary1 c(input);
  const Arb others(static_cast<long>(c.a.size()) - 1);
  return {Arb(1) / (Arb(1) + others * exp(Arb(c.range))), least(c.a)};
}

Sides corollary1_upper_sharp(const Input& input) {
  const Corollary1 c(input);
  const Arb others(static_cast<long>(c.a.size()) - 1);
  return {largest(c.a), Arb(1) / (Arb(1) + others * exp(Arb(Rational(-c.range))))};
}

/// max_i exp(-2 ||q|| ||k_i||/T)/(L a_i) <= 1.
Sides corollary1_own_key_lower(const Input& input) {
  const Corollary1 c(input);
  const Arb length(static_cast<long>(c.a.size()));
  Arb most;
  for (std::size_t i = 0; i < c.a.size(); ++i) most = max(most, exp(-c.own[i]) / (length * c.a[i]));
  return {most, Arb(1)};
}

/// max_i L a_i exp(-2 ||q|| ||k_i||/T) <= 1.
Sides corollary1_own_key_upper(const Input& input) {
  const Corollary1 c(input);
  const Arb length(static_cast<long>(c.a.size()));
  Arb most;
  for (std::size_t i = 0; i < c.a.size(); ++i) most = max(most, length * c.a[i] * exp(-c.own[i]));
  return {most, Arb(1)};
}

}  // namespace

Checks corollary1_checks() {
  return {
      {"corollary1.lower", {.sides = &corollary1_lower}},
      {"corollary1.upper", {.sides = &corollary1_upper}},
      {"corollary1.lower.sharp", {.sides = &corollary1_lower_sharp}},
      {"corollary1.upper.sharp", {.sides = &corollary1_upper_sharp}},
      {"corollary1.own_key.lower", {.sides = &corollary1_own_key_lower}},
      {"corollary1.own_key.upper", {.sides = &corollary1_own_key_upper}},
  };
}

}  // namespace attn::recheck
