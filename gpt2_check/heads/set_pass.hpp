#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace attn::gpt2 {

/// What a pass over the tokens of a row reads of one set I of them and its complement O. Arrays are
/// by token.
struct SetPass {
  std::size_t tokens;
  const double *weight, *weight_error;  ///< a_i
  const double *square, *length;        ///< ||x_i||^2, ||x_i||
  const double* along;                  ///< x_i . s
  const double* outside;                ///< 1 for the tokens of O, else 0
  double* above;                        ///< written: ||a_i x_i - s||^2 - ||s||^2
  double s_square, s_length, s_error;   ///< ||s||^2, ||s||, and what the computed s errs by
  double mass, inverse_mass;            ///< A, 1/A as computed
  double centre;                        ///< ||c||, c = s/A
  double c_error;                       ///< ||computed c - c||
  double relative, root;                ///< relative and root of ExpandedDistance
};

/// What only the pass with bounds writes.
struct BoundedTokens {
  double *least_above, *most_above;  ///< bounds of `above`
  double *gap, *gap_error;           ///< ||a_i x_i - s||, and what it errs by
};

/// Sums and minima over O, as computed.
struct SetTotals {
  double distance;  ///< sum ||a_i x_i - s||
  double weight;    ///< sum a_i
  double mismatch;  ///< sum |A - a_i|
  double around;    ///< sum a_i ||x_i - c||
  double nearest;   ///< min of `above`
};

/// What the terms of those sums err by in all, and the minima of the bounds of `above`.
struct SetTotalErrors {
  double distance, weight, around;
  double least_nearest, most_nearest;
};

struct BoundedTotals {
  SetTotals value;
  SetTotalErrors error;
};

/// More sums and maxima over O, and what their terms err by, each of the maxima by no more.
struct OutsideTotals {
  double off_line, off_line_size, off_line_error;
  double contributions, contributions_error;
  double detour, detour_error;
  double gap_squares, gap_squares_error;
  double longest;                       ///< max ||x_i||, as computed
  double largest, largest_error;        ///< max a_i ||x_i||
  double off_sphere, off_sphere_error;  ///< max | ||a_i x_i - s|| - ||s|| |
};

/// The totals alone: the same numbers as those of the pass with bounds, without the work of these.
SetTotals pass_of_values(const SetPass& pass);

BoundedTotals pass_with_bounds(const SetPass& pass, const BoundedTokens& written);

/// More sums and maxima over O, of what pass_with_bounds has written.
OutsideTotals pass_over_outside(const SetPass& pass, const BoundedTokens& written);

/// Adds a_i x_i of some tokens to `sum` [width], one after another. `x`: [tokens, width].
void add_tokens(const double* weights, const double* x, std::span<const std::size_t> tokens,
                std::size_t width, double* sum);

/// Numbers that are compared with all tokens in one pass.
using Levels = std::array<double, 8>;

/// How many tokens outside have values up to each of `most`.
Levels count_up_to(const double* values, const double* outside, std::size_t count,
                   const Levels& most);

/// How many tokens outside have values up to `most`.
double count_up_to(const double* values, const double* outside, std::size_t count, double most);

}  // namespace attn::gpt2
