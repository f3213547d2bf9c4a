#include "gpt2_check/heads/set_pass.hpp"

#include <cmath>
#include <type_traits>

#include "theory/base/lanes.hpp"
#include "theory/base/processor.hpp"
#include "theory/number/sums.hpp"

namespace attn::gpt2 {
namespace {

using std::abs;

/// In double a number alone; else with what it errs by.
template <class S>
S as(const ErrorDouble& x) {
  if constexpr (std::is_same_v<S, double>) {
    return x.value();
  } else {
    return x;
  }
}

/// 2x, which is not rounded.
double twice(double x) {
  return 2 * x;
}
ErrorDouble twice(const ErrorDouble& x) {
  return {2 * x.value(), 2 * x.error()};
}

/// A term of a token outside the set, of which `out` is 1; 0 of one inside.
double counted(double out, double x) {
  return out * x;
}
ErrorDouble counted(double out, const ErrorDouble& x) {
  return {out * x.value(), out * x.error()};
}

/// See ExpandedDistance.
template <class S>
S distance_of(const ExpandedDistance& expanded, double square, double w) {
  if constexpr (std::is_same_v<S, double>) {
    return root_of(square);
  } else {
    return expanded.distance(square, w);
  }
}

/// No minimum yet.
constexpr Lanes kNone = Lanes::all(kInfinity);

/// Takes the least value of the tokens outside the set: those with `out` above 0.
[[gnu::always_inline]] inline void lower(double& least, double out, double value) {
  const double candidate = out > 0 ? value : kInfinity;
  least = candidate < least ? candidate : least;
}

/// The totals in double; or with what they err by, and the bounds of tokens as well. What is read
/// is copied, so that no write can be taken to change where the arrays are.
template <class S>
[[gnu::always_inline]] inline SetTotals<S> pass_over(const SetPass p, const BoundedTokens b) {
  constexpr bool kWithBounds = std::is_same_v<S, ErrorDouble>;
  LaneSum<S> distance(p.tokens), weight(p.tokens), mismatch(p.tokens), around(p.tokens);
  Lanes nearest = kNone, least_nearest = kNone, most_nearest = kNone;
  const ExpandedDistance expanded(p.width);
  const double inverse_mass = 1 / p.mass.value(), centre = p.s_length / p.mass.value();
  const double c_square = centre * centre;
  in_lanes(p.tokens, [&](std::size_t i, std::size_t lane) ATTN_INLINED {
    const double out = p.outside[i];
    const double square = p.square[i], length = p.length[i], twice_along = 2 * p.along[i];
    const S a = as<S>(p.weight_at(i));

    // ||a_i x_i - s||^2 = a_i (a_i ||x_i||^2 - 2 x_i . s) + ||s||^2, of the computed a_i and s. The
    // exact ones move a_i x_i - s by no more than ||x_i|| times what a_i errs by, and what s does.
    const double computed_a = p.weight[i];
    const double offset = computed_a * (computed_a * square - twice_along) + p.s_square;
    S gap = distance_of<S>(expanded, offset, computed_a * length + p.s_length);
    if constexpr (kWithBounds) {
      gap += p.length_at(i) * up_to(p.weight_error[i]) + up_to(p.s_error);
      b.gap[i] = gap.value();
      b.gap_error[i] = gap.error();
    }
    distance.add(lane, counted(out, gap));
    weight.add(lane, counted(out, a));
    mismatch.add(lane, counted(out, abs(as<S>(p.mass) - a)));

    // ||a_i x_i - s||^2 - ||s||^2
    const S above = a * (a * as<S>(p.square_at(i)) - twice(as<S>(p.along_exact_s(i))));
    if constexpr (kWithBounds) {
      const double least_known = above.lower(), most_known = above.upper();
      const double least = least_known > -kInfinity ? least_known : -kInfinity;  // not of NaN
      const double most = most_known < kInfinity ? most_known : kInfinity;
      b.least_above[i] = least;
      b.most_above[i] = most;
      lower(least_nearest.at[lane], out, least);
      lower(most_nearest.at[lane], out, most);
      p.above[i] = above.value();
      lower(nearest.at[lane], out, above.value());
    } else {
      p.above[i] = above;
      lower(nearest.at[lane], out, above);
    }

    // ||x_i - c||^2 = ||x_i||^2 - 2 x_i . s / A + ||c||^2, of the computed s and A.
    const double about = square - twice_along * inverse_mass + c_square;
    S apart = distance_of<S>(expanded, about, length + centre);
    if constexpr (kWithBounds) apart += up_to(p.c_error);
    around.add(lane, counted(out, a * apart));
  });
  return {.distance = distance.total(),
          .weight = weight.total(),
          .mismatch = mismatch.total(),
          .around = around.total(),
          .nearest = nearest.least(),
          .least_nearest = least_nearest.least(),
          .most_nearest = most_nearest.least()};
}

}  // namespace

[[gnu::flatten]] ATTN_EACH_VECTOR_WIDTH SetTotals<double> pass_of_values(const SetPass& pass) {
  return pass_over<double>(pass, {});
}

[[gnu::flatten]] ATTN_EACH_VECTOR_WIDTH SetTotals<ErrorDouble> pass_with_bounds(
    const SetPass& pass, const BoundedTokens& written) {
  return pass_over<ErrorDouble>(pass, written);
}

[[gnu::flatten]] ATTN_EACH_VECTOR_WIDTH OutsideTotals
pass_over_outside(const SetPass& pass, const BoundedTokens& written) {
  const SetPass p = pass;
  const BoundedTokens b = written;
  LaneSum<ErrorDouble> off_line(p.tokens), contributions(p.tokens), detour(p.tokens),
      gap_squares(p.tokens);
  LaneMost longest, largest, off_sphere;
  const ErrorDouble s_length = p.exact_s_length();
  in_lanes(p.tokens, [&](std::size_t i, std::size_t lane) ATTN_INLINED {
    const double out = p.outside[i];
    const ErrorDouble a = p.weight_at(i), length = p.length_at(i), gap = b.gap_at(i);
    const ErrorDouble along = p.along_exact_s(i);

    // ||a_i x_i - s|| - ||s|| = a_i (a_i ||x_i||^2 - 2 x_i . s) / (||a_i x_i - s|| + ||s||). Of a
    // selected token any divisor but 0, which would make NaN of what does not count.
    const ErrorDouble reach = gap + s_length + ErrorDouble(1 - out);
    const ErrorDouble off = a * ((a * p.square_at(i) - twice(along)) / reach);
    off_line.add(lane, counted(out, off));
    off_sphere.add(lane, counted(out, abs(off)));

    const ErrorDouble contribution = a * length;
    contributions.add(lane, counted(out, contribution));
    largest.add(lane, counted(out, contribution));
    longest.add(lane, counted(out, length));
    gap_squares.add(lane, counted(out, square(gap)));

    // ||a_i x_i|| + ||s|| - ||a_i x_i - s|| = 2 a_i (||x_i|| ||s|| + x_i . s) / perimeter.
    const ErrorDouble share = (length * s_length + along) / (reach + contribution);
    detour.add(lane, counted(out, twice(a) * share));
  });
  return {.off_line = off_line.total(),
          .contributions = contributions.total(),
          .detour = detour.total(),
          .gap_squares = gap_squares.total(),
          .longest = longest.total(),
          .largest = largest.total(),
          .off_sphere = off_sphere.total()};
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
