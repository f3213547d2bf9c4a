#pragma once

#include <algorithm>
#include <vector>

#include "theory/claims/normalizers/shared.hpp"

/// The Jacobian of Self-Adjusted Softmax, where there is one.
namespace attn::claims::self_adjusted {

/// Where z reaches furthest from 0 on either side: low = min(0, z_min), high = max(0, z_max).
struct Reach {
  Rational low, high;

  explicit Reach(const std::vector<Rational>& z)
      : low(std::min(Rational(0), *std::ranges::min_element(z))),
        high(std::max(Rational(0), *std::ranges::max_element(z))) {}

  [[nodiscard]] Rational rho() const { return high - low; }
};

/// What a case lacks to be where the weights are differentiable; empty where nothing.
inline std::string_view kink(const CaseContext& context) {
  const std::vector<Rational> z = context.scaled_logits();
  const auto [low, high] = std::ranges::minmax(z);
  const bool off_zero = low != 0 && high != 0;
  const bool one_least = low > 0 || std::ranges::count(z, low) == 1;
  const bool one_largest = high < 0 || std::ranges::count(z, high) == 1;
  return off_zero && one_least && one_largest
             ? std::string_view{}
             : "z_min and z_max not 0, each unique or on the inner side of 0";
}

/// dv_i/dz_j of v_i = (z_i - low)/rho, exactly: low follows a negative least logit, and high a
/// positive largest one. Most are 0.
inline Rational slope(const std::vector<Rational>& z, const Reach& reach, std::size_t i,
                      std::size_t j) {
  const bool at_low = z[j] == reach.low;
  const bool at_high = z[j] == reach.high;
  if (i != j && !at_low && !at_high) return 0;
  const Rational rho = reach.rho();
  const Rational v = (z[i] - reach.low) / rho;
  Rational slope = i == j ? 1 : 0;
  if (at_low) slope -= 1 - v;
  if (at_high) slope -= v;
  return slope / rho;
}

/// J T, a_i = p_i v_i with p = softmax(z): da_i/dz_j = p_i (v_i (delta_ij - p_j) + dv_i/dz_j).
template <class S>
Matrix<S> jacobian_at_one(const std::vector<Rational>& z, const Reach& reach) {
  const std::vector<S> p = softmax_of<S>(z);
  const auto n = static_cast<Eigen::Index>(z.size());
  Matrix<S> jacobian(n, n);
  for (std::size_t i = 0; i < z.size(); ++i) {
    const S v = from<S>(Rational((z[i] - reach.low) / reach.rho()));
    S others(0.0);
    const auto entry = [&](std::size_t j, const S& softmax_part) {
      const S self_part = from<S>(slope(z, reach, i, j));
      jacobian(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          p[i] * S(softmax_part + self_part);
    };
    for (std::size_t j = 0; j < z.size(); ++j) {
      if (j == i) continue;
      entry(j, -(v * p[j]));
      others += p[j];
    }
    entry(i, v * others);
  }
  return jacobian;
}

/// ||J||.
template <class S>
S norm(const CaseContext& context, const std::vector<Rational>& z, const Reach& reach) {
  return context.once<S>([&]() -> S {
    return spectral_norm(jacobian_at_one<S>(z, reach)) / from<S>(context.temperature());
  });
}

}  // namespace attn::claims::self_adjusted
