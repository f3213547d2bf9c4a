#include "gpt2_check/heads/set_pass.hpp"

#include <cmath>

#include "gpt2_check/heads/geometry.hpp"
#include "theory/base/lanes.hpp"
#include "theory/base/processor.hpp"

namespace attn::gpt2 {
namespace {

constexpr double kUnit = ErrorDouble::kUnit;

/// What the distance errs by, ||u|| + ||v|| = w: see ExpandedDistance. 0/0 compares false.
inline double expanded_error(double relative, double root, double w, double distance) {
  const double quotient = relative * w / distance;
  return w * (quotient < root ? quotient : root);
}

/// A distance from its square, which rounding may make negative: NaN where a term of that has
/// overflowed.
inline double root_of(double square) {
  return std::sqrt(square > 0 ? square : 0) + (square - square);
}

/// What a computed quotient errs by, given what its dividend and its positive divisor err by. The
/// rounding of the quotient itself is within what `summed` adds.
inline double quotient_error(double quotient, double dividend_error, double divisor,
                             double divisor_error) {
  const double least = divisor - divisor_error;
  return least > 0 ? (dividend_error + std::abs(quotient) * divisor_error) / least : kInfinity;
}

/// What a_i ||x_i||^2 - 2 x_i . s, as computed, errs by. Where the squares of x_i underflow,
/// products with s need not.
inline double turned_error_of(const SetPass& p, std::size_t i) {
  const double length = p.length[i] + kNormTiny;
  return p.weight_error[i] * p.square[i] +
         p.relative * (p.weight[i] * p.square[i] + 2 * length * p.s_length) +
         2 * length * p.s_error;
}

/// No minimum yet.
constexpr Lanes kNone = Lanes::all(kInfinity);

/// Takes the least value of the tokens outside the set: those with `out` above 0.
[[gnu::always_inline]] inline void lower(double& least, double out, double value) {
  least = out > 0 && value < least ? value : least;
}

[[gnu::always_inline]] inline void raise(double& most, double value) {
  most = value > most ? value : most;
}

/// The bounds do not touch the values, which are the same numbers with and without them. What is
/// read is copied, so that no write can be taken to change where the arrays are.
template <bool kWithBounds>
[[gnu::always_inline]] inline BoundedTotals pass_over(const SetPass p, const BoundedTokens b) {
  Lanes distance, distance_error, weight, weight_error, mismatch, around, around_error;
  Lanes nearest = kNone, least_nearest = kNone, most_nearest = kNone;
  const double c_square = p.centre * p.centre;
  in_lanes(p.tokens, [&](std::size_t i, std::size_t lane) ATTN_INLINED {
    const double a = p.weight[i];
    const double out = p.outside[i];

    // ||a_i x_i - s||^2 = a_i (a_i ||x_i||^2 - 2 x_i . s) + ||s||^2.
    const double turned = a * p.square[i] - 2 * p.along[i];
    const double above = a * turned;
    const double offset = above + p.s_square;
    const double gap = root_of(offset);
    p.above[i] = above;
    lower(nearest.at[lane], out, above);
    distance.at[lane] += out * gap;
    weight.at[lane] += out * a;
    mismatch.at[lane] += out * std::abs(p.mass - a);

    // ||x_i - c||^2 = ||x_i||^2 - 2 x_i . s / A + ||c||^2.
    const double about = p.square[i] - 2 * p.along[i] * p.inverse_mass + c_square;
    const double apart = root_of(about);
    around.at[lane] += out * (a * apart);

    if constexpr (kWithBounds) {
      const double a_error = p.weight_error[i];
      const double length = p.length[i];
      const double y_error = (a_error + 2 * kUnit * a) * length;
      const double gap_error =
          expanded_error(p.relative, p.root, a * length + p.s_length, gap) + y_error;
      b.gap[i] = gap;
      b.gap_error[i] = gap_error;
      distance_error.at[lane] += out * gap_error;
      weight_error.at[lane] += out * a_error;

      // The rounding of `above` and of its bounds is within what `relative` is larger than needed.
      const double turned_error = turned_error_of(p, i);
      const double above_error =
          (a_error * std::abs(turned) + (a + a_error) * turned_error) * kBoundSlack +
          ErrorDouble::kTiny;
      const bool known = std::abs(above) + above_error < kInfinity;
      const double least_above = known ? above - above_error : -kInfinity;
      const double most_above = known ? above + above_error : kInfinity;
      b.least_above[i] = least_above;
      b.most_above[i] = most_above;
      lower(least_nearest.at[lane], out, least_above);
      lower(most_nearest.at[lane], out, most_above);

      const double apart_error =
          expanded_error(p.relative, p.root, length + p.centre, apart) + p.c_error;
      around_error.at[lane] += out * (a_error * apart + (a + a_error) * apart_error);
    }
  });
  return {.value = {.distance = distance.sum(),
                    .weight = weight.sum(),
                    .mismatch = mismatch.sum(),
                    .around = around.sum(),
                    .nearest = nearest.least()},
          .error = {.distance = distance_error.sum(),
                    .weight = weight_error.sum(),
                    .around = around_error.sum(),
                    .least_nearest = least_nearest.least(),
                    .most_nearest = most_nearest.least()}};
}

}  // namespace

ATTN_EACH_VECTOR_WIDTH SetTotals pass_of_values(const SetPass& pass) {
  return pass_over<false>(pass, {}).value;
}

ATTN_EACH_VECTOR_WIDTH BoundedTotals pass_with_bounds(const SetPass& pass,
                                                      const BoundedTokens& written) {
  return pass_over<true>(pass, written);
}

ATTN_EACH_VECTOR_WIDTH OutsideTotals pass_over_outside(const SetPass& pass,
                                                       const BoundedTokens& written) {
  const SetPass p = pass;
  const BoundedTokens b = written;
  Lanes off_line, off_line_size, off_line_error;
  Lanes contributions, contributions_error, detour, detour_error;
  Lanes gap_squares, gap_squares_error;
  Lanes longest, largest, largest_error, off_sphere, off_sphere_error;
  in_lanes(p.tokens, [&](std::size_t i, std::size_t lane) ATTN_INLINED {
    const double a = p.weight[i];
    const double a_error = p.weight_error[i];
    const double out = p.outside[i];
    const double length = p.length[i];

    // ||a_i x_i - s|| - ||s|| = a_i turned / (||a_i x_i - s|| + ||s||).
    const double turned = a * p.square[i] - 2 * p.along[i];
    const double turned_error = turned_error_of(p, i);
    // Of a selected token any number but 0, which would make NaN of what does not count.
    const double reach = b.gap[i] + p.s_length + (1 - out);
    const double step = turned / reach;
    const double reach_error = b.gap_error[i] + 2 * p.s_error + p.relative * reach;
    const double step_error = quotient_error(step, turned_error, reach, reach_error);
    const double off = out * (a * std::abs(step));
    const double off_error = out * ((a + a_error) * step_error + a_error * std::abs(step));
    off_line.at[lane] += out * (a * step);
    off_line_size.at[lane] += off;
    off_line_error.at[lane] += off_error;
    raise(off_sphere.at[lane], off);
    raise(off_sphere_error.at[lane], off_error);

    const double contribution = out * (a * length);
    const double contribution_error = out * (a_error * length);
    contributions.at[lane] += contribution;
    contributions_error.at[lane] += contribution_error;
    raise(largest.at[lane], contribution);
    raise(largest_error.at[lane], contribution_error);
    raise(longest.at[lane], out * length);

    const double gap_error = b.gap_error[i] + p.s_error;
    gap_squares.at[lane] += out * (b.gap[i] * b.gap[i]);
    gap_squares_error.at[lane] += out * (gap_error * (2 * b.gap[i] + gap_error));

    // ||a_i x_i|| + ||s|| - ||a_i x_i - s|| = 2 a_i (||x_i|| ||s|| + x_i . s) / perimeter.
    const double aligned = length * p.s_length + p.along[i];
    const double aligned_error = 2 * length * (p.relative * p.s_length + p.s_error);
    const double perimeter = reach + a * length;
    const double perimeter_error = reach_error + (a_error + p.relative * a) * length;
    const double share = aligned / perimeter;
    const double share_error = quotient_error(share, aligned_error, perimeter, perimeter_error);
    detour.at[lane] += out * (2 * a * share);
    detour_error.at[lane] += out * (2 * ((a + a_error) * share_error + a_error * std::abs(share)));
  });
  return {.off_line = off_line.sum(),
          .off_line_size = off_line_size.sum(),
          .off_line_error = off_line_error.sum(),
          .contributions = contributions.sum(),
          .contributions_error = contributions_error.sum(),
          .detour = detour.sum(),
          .detour_error = detour_error.sum(),
          .gap_squares = gap_squares.sum(),
          .gap_squares_error = gap_squares_error.sum(),
          .longest = longest.most(),
          .largest = largest.most(),
          .largest_error = largest_error.most(),
          .off_sphere = off_sphere.most(),
          .off_sphere_error = off_sphere_error.most()};
}

ATTN_EACH_VECTOR_WIDTH void add_tokens(const double* weights, const double* x,
                                       std::span<const std::size_t> tokens, std::size_t width,
                                       double* __restrict sum) {
  for (const std::size_t token : tokens) {
    const double a = weights[token];
    const double* const of_token = x + token * width;
    for (std::size_t k = 0; k < width; ++k) sum[k] += a * of_token[k];
  }
}

namespace {

template <std::size_t kMany>
[[gnu::always_inline]] inline std::array<double, kMany> counted(
    const double* values, const double* outside, std::size_t count,
    const std::array<double, kMany>& most) {
  Lanes found[kMany];
  in_lanes(count, [&](std::size_t i, std::size_t lane) ATTN_INLINED {
    const double value = values[i];
    const double out = outside[i];
#pragma GCC unroll 8
    for (std::size_t k = 0; k < kMany; ++k) found[k].at[lane] += value <= most[k] ? out : 0;
  });
  std::array<double, kMany> sums;
  for (std::size_t k = 0; k < kMany; ++k) sums[k] = found[k].sum();
  return sums;
}

}  // namespace

ATTN_EACH_VECTOR_WIDTH Levels count_up_to(const double* values, const double* outside,
                                          std::size_t count, const Levels& most) {
  return counted(values, outside, count, most);
}

ATTN_EACH_VECTOR_WIDTH double count_up_to(const double* values, const double* outside,
                                          std::size_t count, double most) {
  return counted<1>(values, outside, count, {most}).front();
}

}  // namespace attn::gpt2
