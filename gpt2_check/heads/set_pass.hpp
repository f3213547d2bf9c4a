#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "gpt2_check/heads/geometry.hpp"
#include "theory/number/error_double.hpp"

namespace attn::gpt2 {

/// What a pass over the tokens of a row reads of one set I of them and its complement O. Arrays are
/// by token. The functions give what is read with a bound on what it errs by, about the exact s or
/// about the computed one, which errs by up to `s_error` itself.
struct SetPass {
  std::size_t tokens;
  Eigen::Index width;                   ///< d, that of x_i
  const double *weight, *weight_error;  ///< a_i
  const double *square, *length;        ///< ||x_i||^2, ||x_i||
  const double* along;                  ///< x_i . s
  const double* outside;                ///< 1 for the tokens of O, else 0
  double* above;                        ///< written: ||a_i x_i - s||^2 - ||s||^2
  double s_square, s_length, s_error;   ///< ||s||^2, ||s||, and what the computed s errs by
  ErrorDouble mass;                     ///< A
  double c_error;                       ///< what s/A of the computed s and A errs by

  [[nodiscard]] ErrorDouble weight_at(std::size_t i) const { return {weight[i], weight_error[i]}; }
  [[nodiscard]] ErrorDouble square_at(std::size_t i) const {
    return squared_length(square[i], width);
  }
  [[nodiscard]] ErrorDouble length_at(std::size_t i) const { return euclidean(length[i], width); }
  [[nodiscard]] ErrorDouble computed_s_length() const { return euclidean(s_length, width); }
  [[nodiscard]] ErrorDouble exact_s_length() const { return computed_s_length() + up_to(s_error); }
  [[nodiscard]] ErrorDouble along_computed_s(std::size_t i) const {
    return dot_product(along[i], length_at(i), computed_s_length(), width);
  }
  [[nodiscard]] ErrorDouble along_exact_s(std::size_t i) const {
    return along_computed_s(i) + length_at(i) * up_to(s_error);
  }
};

/// What only the pass with bounds writes.
struct BoundedTokens {
  double *least_above, *most_above;  ///< bounds of `above`
  double *gap, *gap_error;           ///< ||a_i x_i - s||, and what it errs by

  [[nodiscard]] ErrorDouble gap_at(std::size_t i) const { return {gap[i], gap_error[i]}; }
};

/// Sums and minima over O.
template <class S>
struct SetTotals {
  S distance;                          ///< sum ||a_i x_i - s||
  S weight;                            ///< sum a_i
  S mismatch;                          ///< sum |A - a_i|
  S around;                            ///< sum a_i ||x_i - c||
  double nearest;                      ///< min of `above`
  double least_nearest, most_nearest;  ///< min of the bounds of `above`, in the pass with bounds
};

/// More sums and maxima over O.
struct OutsideTotals {
  ErrorDouble off_line;       ///< sum (||a_i x_i - s|| - ||s||)
  ErrorDouble contributions;  ///< sum a_i ||x_i||
  ErrorDouble detour;         ///< contributions - off_line
  ErrorDouble gap_squares;    ///< sum ||a_i x_i - s||^2
  ErrorDouble longest;        ///< max ||x_i||
  ErrorDouble largest;        ///< max a_i ||x_i||
  ErrorDouble off_sphere;     ///< max | ||a_i x_i - s|| - ||s|| |
};

/// The totals alone: the same numbers as those of the pass with bounds, without the work of these.
SetTotals<double> pass_of_values(const SetPass& pass);

SetTotals<ErrorDouble> pass_with_bounds(const SetPass& pass, const BoundedTokens& written);

/// The totals over O, of what pass_with_bounds has written.
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
