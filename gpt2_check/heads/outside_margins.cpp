#include "gpt2_check/heads/outside_margins.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "gpt2_check/heads/geometry.hpp"

namespace attn::gpt2 {
namespace {

/// a_i ||x_i||
ErrorDouble contribution_of(const SetPass& pass, std::size_t i) {
  return pass.weight_at(i) * pass.length_at(i);
}

std::vector<std::size_t> others_of(const SetPass& pass) {
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < pass.tokens; ++i) {
    if (pass.outside[i] > 0) others.push_back(i);
  }
  return others;
}

}  // namespace

/// A token of O leaves as much as p = a_i ||x_i|| is less than the largest, and with q = ||s|| and
/// D = ||a_i x_i - s|| the lesser of p + q - D = 2 (p q + a_i x_i . s)/(p + q + D) and p - q + D;
/// the least of them all counts.
ErrorDouble radius_margin(const SetPass& pass, const BoundedTokens& bounds) {
  const ErrorDouble q = pass.exact_s_length();
  const auto contribution = [&](std::size_t i) { return contribution_of(pass, i); };
  const auto own_margin = [&](std::size_t i) {
    const ErrorDouble two(2.0);
    const ErrorDouble a = pass.weight_at(i), length = pass.length_at(i), p = a * length;
    const ErrorDouble along = pass.along_exact_s(i), gap = bounds.gap_at(i);
    const ErrorDouble detour = two * a * (length * q + along) / (p + q + gap);
    // D - q by the difference of their squares.
    const ErrorDouble step = a * (a * square(length) - two * along) / (gap + q);
    return min(detour, p + step);
  };
  const std::vector<std::size_t> others = others_of(pass);
  const std::size_t first = *std::ranges::max_element(
      others, {}, [&](std::size_t i) { return pass.weight[i] * pass.length[i]; });
  ErrorDouble margin = own_margin(first);
  for (const std::size_t i : others) {
    if (i == first) continue;
    const ErrorDouble less = contribution(first) - contribution(i);
    if (!(less.lower() > 0)) return {std::numeric_limits<double>::quiet_NaN()};
    margin = min(margin, less + own_margin(i));
  }
  return margin;
}

/// With y_i = a_i x_i, y_i - s and y_k - s are of one line where no area lies between them, s ^
/// (y_i - y_k) + y_i ^ y_k. That is at least ||s ^ y_i|| less ||y_k|| (||s|| + ||y_i||), the most
/// that y_k can take off. Here i has the largest ||y_i|| and k the least.
ErrorDouble turn_outside(const SetPass& pass) {
  const ErrorDouble s_length = pass.exact_s_length();
  const std::vector<std::size_t> others = others_of(pass);
  const auto [least, most] = std::ranges::minmax_element(
      others, {}, [&](std::size_t i) { return pass.weight[i] * pass.length[i]; });
  const ErrorDouble length = pass.length_at(*most), along = pass.along_exact_s(*most);
  const ErrorDouble aside =
      sqrt_nonnegative((length * s_length - along) * (length * s_length + along));
  return pass.weight_at(*most) * aside -
         contribution_of(pass, *least) * (s_length + contribution_of(pass, *most));
}

}  // namespace attn::gpt2
