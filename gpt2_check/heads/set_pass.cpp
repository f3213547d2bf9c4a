#include "gpt2_check/heads/set_pass.hpp"

#include <cmath>
#include <limits>

#include "gpt2_check/heads/geometry.hpp"
#include "theory/base/processor.hpp"

namespace attn::gpt2 {
namespace {

constexpr double kUnit = ErrorDouble::kUnit;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

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

/// Of a_i ||x_i||^2 - 2 x_i . s. Where the squares of x_i underflow, products with s need not.
inline double turned_error_of(const SetPass& p, std::size_t i) {
  const double length = p.length[i] + kNormTiny;
  return p.weight_error[i] * p.square[i] +
         p.relative * (p.weight[i] * p.square[i] + 2 * length * p.s_length) +
         2 * length * p.s_error;
}

/// The bounds do not touch the values, which are the same numbers with and without them: the sums
/// are added up in as many lanes. What is read is copied, so that no write can be taken to change
/// where the arrays are.
template <bool kWithBounds>
[[gnu::always_inline]] inline BoundedTotals pass_over(const SetPass p, const BoundedTokens b) {
  double distance = 0, distance_error = 0, weight = 0, weight_error = 0, mismatch = 0;
  double around = 0, around_error = 0;
  double nearest = kInfinity, least_nearest = kInfinity, most_nearest = kInfinity;
  const double c_square = p.centre * p.centre;
#pragma omp simd reduction(+ : distance, distance_error, weight, weight_error, mismatch, around, \
                               around_error) reduction(min : nearest, least_nearest, most_nearest)
  for (std::size_t i = 0; i < p.tokens; ++i) {
    const double a = p.weight[i];
    const double out = p.outside[i];

    // ||a_i x_i - s||^2 = a_i (a_i ||x_i||^2 - 2 x_i . s) + ||s||^2.
    const double turned = a * p.square[i] - 2 * p.along[i];
    const double above = a * turned;
    const double offset = above + p.s_square;
    const double gap = root_of(offset);
    p.above[i] = above;
    nearest = out > 0 && above < nearest ? above : nearest;
    distance += out * gap;
    weight += out * a;
    mismatch += out * std::abs(p.mass - a);

    // ||x_i - c||^2 = ||x_i||^2 - 2 x_i . s / A + ||c||^2.
    const double about = p.square[i] - 2 * p.along[i] * p.inverse_mass + c_square;
    const double apart = root_of(about);
    around += out * (a * apart);

    if constexpr (kWithBounds) {
      const double a_error = p.weight_error[i];
      const double length = p.length[i];
      const double y_error = (a_error + 2 * kUnit * a) * length;
      const double gap_error =
          expanded_error(p.relative, p.root, a * length + p.s_length, gap) + y_error;
      b.gap[i] = gap;
      b.gap_error[i] = gap_error;
      distance_error += out * gap_error;
      weight_error += out * a_error;

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
      least_nearest = out > 0 && least_above < least_nearest ? least_above : least_nearest;
      most_nearest = out > 0 && most_above < most_nearest ? most_above : most_nearest;

      const double apart_error =
          expanded_error(p.relative, p.root, length + p.centre, apart) + p.c_error;
      around_error += out * (a_error * apart + (a + a_error) * apart_error);
    }
  }
  return {.value = {.distance = distance,
                    .weight = weight,
                    .mismatch = mismatch,
                    .around = around,
                    .nearest = nearest},
          .error = {.distance = distance_error,
                    .weight = weight_error,
                    .around = around_error,
                    .least_nearest = least_nearest,
                    .most_nearest = most_nearest}};
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
  double off_line = 0, off_line_size = 0, off_line_error = 0;
  double contributions = 0, contributions_error = 0, detour = 0, detour_error = 0;
#pragma omp simd reduction(+ : off_line, off_line_size, off_line_error, contributions, \
                               contributions_error, detour, detour_error)
  for (std::size_t i = 0; i < p.tokens; ++i) {
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
    off_line += out * (a * step);
    off_line_size += out * (a * std::abs(step));
    off_line_error += out * ((a + a_error) * step_error + a_error * std::abs(step));
    contributions += out * (a * length);
    contributions_error += out * (a_error * length);

    // ||a_i x_i|| + ||s|| - ||a_i x_i - s|| = 2 a_i (||x_i|| ||s|| + x_i . s) / perimeter.
    const double aligned = length * p.s_length + p.along[i];
    const double aligned_error = 2 * length * (p.relative * p.s_length + p.s_error);
    const double perimeter = reach + a * length;
    const double perimeter_error = reach_error + (a_error + p.relative * a) * length;
    const double share = aligned / perimeter;
    const double share_error = quotient_error(share, aligned_error, perimeter, perimeter_error);
    detour += out * (2 * a * share);
    detour_error += out * (2 * ((a + a_error) * share_error + a_error * std::abs(share)));
  }
  return {.off_line = off_line,
          .off_line_size = off_line_size,
          .off_line_error = off_line_error,
          .contributions = contributions,
          .contributions_error = contributions_error,
          .detour = detour,
          .detour_error = detour_error};
}

ATTN_EACH_VECTOR_WIDTH void add_scaled(double* sum, double factor, const double* other,
                                       std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) sum[i] += factor * other[i];
}

ATTN_EACH_VECTOR_WIDTH double count_up_to(const double* values, const double* outside, double most,
                                          std::size_t count) {
  double found = 0;
#pragma omp simd reduction(+ : found)
  for (std::size_t i = 0; i < count; ++i) found += values[i] <= most ? outside[i] : 0;
  return found;
}

}  // namespace attn::gpt2
