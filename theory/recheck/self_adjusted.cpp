#include "theory/recheck/self_adjusted.hpp"

#include <algorithm>

namespace attn::recheck {

SelfAdjustedEnds::SelfAdjustedEnds(const std::vector<Rational>& z)
    : least(z.size()), largest(z.size()) {
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (z[i] < low) {
      low = z[i];
      least = i;
    }
    if (z[i] > high) {
      high = z[i];
      largest = i;
    }
  }
}

// A kink is where an end is 0, or is followed by two tokens.
std::string self_adjusted_kink(const Input& input) {
  const std::vector<Rational> z = input.scaled_logits();
  const SelfAdjustedEnds ends(z);
  const auto kink = [&](const Rational& end) {
    return std::ranges::count(z, end) > (end == 0 ? 0 : 1);
  };
  return kink(ends.low) || kink(ends.high) ? "weights that are differentiable" : "";
}

// By the quotient rule, for a_i = n_i/(s rho) with n_i = e^(z_i) (z_i - low), s = sum_j e^(z_j).
Rows self_adjusted_jacobian(const std::vector<Rational>& z) {
  const SelfAdjustedEnds ends(z);
  const std::size_t n = z.size();
  const Arb rho(ends.rho());
  std::vector<Arb> e;
  Arb s;
  for (const Rational& x : z) {
    e.push_back(exp(Arb(Rational(x - z[0]))));
    s += e.back();
  }
  Rows j(n, std::vector<Arb>(n));
  for (std::size_t col = 0; col < n; ++col) {
    const Arb low_moves(col == ends.least ? 1 : 0);
    const Arb high_moves(col == ends.largest ? 1 : 0);
    const Arb of_divisor = e[col] * rho + s * (high_moves - low_moves);
    for (std::size_t row = 0; row < n; ++row) {
      const Arb above_low(Rational(z[row] - ends.low));
      const Arb itself(row == col ? 1 : 0);
      const Arb of_numerator = e[row] * (itself * above_low + itself - low_moves);
      j[row][col] = (of_numerator * s * rho - e[row] * above_low * of_divisor) / square(s * rho);
    }
  }
  return j;
}

}  // namespace attn::recheck
