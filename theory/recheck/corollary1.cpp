#include <fmt/format.h>

#include <algorithm>

#include "theory/recheck/check.hpp"
#include "theory/recheck/scores.hpp"

namespace attn::recheck {
namespace {

/// The softmax weights of the logits q.k_j / T, and how far apart these can be.
struct Corollary1 {
  std::vector<Arb> a;
  Arb length;
  std::vector<Arb> reach;  ///< ||q|| ||k_j|| / T of each token, at least |q.k_j| / T
  Rational range;          ///< (max_j q.k_j - min_j q.k_j) / T

  explicit Corollary1(const Input& input) {
    const std::vector<Rational> q = input.numbers("query");
    const auto keys = input.rows("keys");
    require(keys.size() >= 2, BadInputKind::out_of_range, "keys", "at least 2 tokens",
            fmt::format("{}", keys.size()));
    require(keys.front().size() == q.size(), BadInputKind::inconsistent, "keys",
            fmt::format("rows of {} entries", q.size()), fmt::format("{}", keys.front().size()));
    const Rational t = input.temperature();
    std::vector<Rational> z;
    for (const auto& k : keys) {
      z.emplace_back(dot(q, k) / t);
      reach.push_back(sqrt(Rational(squared_norm(q) * squared_norm(k) / (t * t))));
    }
    a = softmax_scores(z).a;
    length = Arb(static_cast<long>(a.size()));
    range = *std::ranges::max_element(z) - *std::ranges::min_element(z);
  }

  /// By Lemma 1: exp(z) lies between 1/M and M, and so 1/M^2 is m/M.
  [[nodiscard]] Arb largest_square() const { return square(exp(largest(reach))); }
};

Sides corollary1_lower(const Input& input) {
  const Corollary1 c(input);
  return {Arb(1) / (c.length * c.largest_square()), least(c.a)};
}

Sides corollary1_upper(const Input& input) {
  const Corollary1 c(input);
  return {largest(c.a), c.largest_square() / c.length};
}

Sides corollary1_lower_sharp(const Input& input) {
  const Corollary1 c(input);
  return {Arb(1) / (Arb(1) + (c.length - Arb(1)) * exp(Arb(c.range))), least(c.a)};
}

Sides corollary1_upper_sharp(const Input& input) {
  const Corollary1 c(input);
  return {largest(c.a), Arb(1) / (Arb(1) + (c.length - Arb(1)) * exp(Arb(Rational(-c.range))))};
}

/// max_i exp(-2 ||q|| ||k_i||/T)/(L a_i) <= 1.
Sides corollary1_own_key_lower(const Input& input) {
  const Corollary1 c(input);
  Arb most;
  for (std::size_t i = 0; i < c.a.size(); ++i) {
    most = max(most, Arb(1) / (square(exp(c.reach[i])) * c.length * c.a[i]));
  }
  return {most, Arb(1)};
}

/// max_i L a_i exp(-2 ||q|| ||k_i||/T) <= 1.
Sides corollary1_own_key_upper(const Input& input) {
  const Corollary1 c(input);
  Arb most;
  for (std::size_t i = 0; i < c.a.size(); ++i) {
    most = max(most, c.length * c.a[i] / square(exp(c.reach[i])));
  }
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
