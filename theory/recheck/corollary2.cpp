#include <fmt/format.h>

#include "theory/recheck/tokens.hpp"

namespace attn::recheck {
namespace {

/// A statement about a limit speaks where L is large: beside N, which is fixed, or by itself.
constexpr long kLong = 1000;

/// L tokens that all stand at x. Where each has the weight 1/L, every y_i - s is (1 - N) x / L, so
/// that D = E = (L-N)(N-1) ||x|| / L.
struct FlatFamily {
  Rational length, n, epsilon;
  Arb x;
  Rational distance;  ///< of equal weights, over ||x||

  explicit FlatFamily(const Input& input)
      : length(input.count("L")), epsilon(input.positive("epsilon")) {
    n = Rational(input.selected(input.count("L")));
    const auto rows = input.rows("embeddings");
    require(rows.size() == 1, BadInputKind::inconsistent, "embeddings", "one row",
            fmt::format("{}", rows.size()));
    const Rational squared = squared_norm(rows.front());
    require(squared > 0, BadInputKind::out_of_range, "embeddings", "a vector other than zero",
            "zero");
    x = sqrt(squared);
    distance = (length - n) * (n - 1) / length;
  }
};

/// E <= (L - N) max ||x_i||.
Sides corollary2_full_set(const Input& input) {
  const RandomSet t(input);
  return {t.expected_distance(), Arb(static_cast<long>(t.size() - t.n)) * longest(t.x)};
}

/// E <= (N + 1) p sum ||y_i||.
Sides corollary2_full_set_sharp(const Input& input) {
  const RandomSet t(input);
  return {t.expected_distance(), Arb(static_cast<long>(t.n) + 1) * t.share() * t.sum_of_lengths()};
}

std::string long_beside_n(const Input& input) {
  const FlatFamily f(input);
  return f.epsilon * f.length >= kLong * f.n ? "" : "L >= 1000 N/epsilon";
}

/// |E - sum_i ||y_i||| <= epsilon ||x||, where sum_i ||y_i|| = ||x||. The token that has all the
/// weight is selected with probability N/L: then the other L - N are ||x|| away, else it alone is.
Sides corollary2_long_context(const Input& input) {
  const FlatFamily f(input);
  const Rational chance = f.n / f.length;
  const Rational expected = chance * (f.length - f.n) + (1 - chance);
  return {Arb(Rational(::abs(expected - 1))) * f.x, Arb(f.epsilon) * f.x};
}

/// |E - p sum ||y_i||| <= p N sum ||y_i||.
Sides corollary2_long_context_repaired(const Input& input) {
  const RandomSet t(input);
  const Arb weighted = t.share() * t.sum_of_lengths();
  return {abs(t.expected_distance() - weighted), Arb(static_cast<long>(t.n)) * weighted};
}

std::string long_by_itself(const Input& input) {
  return FlatFamily(input).length >= kLong ? "" : "L >= 1000";
}

/// D <= epsilon ||x||.
Sides collapse_proportional(const Input& input) {
  const FlatFamily f(input);
  return {Arb(f.distance) * f.x, Arb(f.epsilon) * f.x};
}

}  // namespace

Checks corollary2_checks() {
  return {
      {"corollary2.full_set", {.sides = &corollary2_full_set, .unmet = &sum_beyond_one}},
      {"corollary2.full_set.sharp", {.sides = &corollary2_full_set_sharp, .unmet = &lacks_weights}},
      {"corollary2.long_context", {.sides = &corollary2_long_context, .unmet = &long_beside_n}},
      {"corollary2.long_context.repaired",
       {.sides = &corollary2_long_context_repaired, .unmet = &lacks_weights}},
      {"collapse.proportional", {.sides = &collapse_proportional, .unmet = &long_by_itself}},
  };
}

}  // namespace attn::recheck
