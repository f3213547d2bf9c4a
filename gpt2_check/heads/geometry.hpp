#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "gpt2_check/heads/arrays.hpp"
#include "gpt2_check/heads/head.hpp"
#include "theory/base/lanes.hpp"
#include "theory/number/error_double.hpp"

namespace attn::gpt2 {

/// gamma_n = n u / (1 - n u), rounded up, for n u far below 1: n rounded products summed in any
/// order err by at most gamma_n times the sum of their absolute values (Higham, section 3.1).
constexpr double gamma(Eigen::Index n) {
  return static_cast<double>(n) * ErrorDouble::kUnit * (1 + 0x1p-20);
}

/// What a Euclidean norm can lose where squares underflow: sqrt(n 2^-1074) for n entries.
inline constexpr double kNormTiny = 0x1p-520;

/// Covers the rounding of an error bound that was itself computed in double, from non-negative
/// terms.
inline constexpr double kBoundSlack = 1 + 0x1p-20;

/// A computed Euclidean norm of `width` entries or differences: each square errs by at most 3 u
/// relative, their sum by gamma_width, the root halves that and adds u.
inline ErrorDouble euclidean(double value, Eigen::Index width) {
  return {value, gamma(width + 5) * value + kNormTiny};
}

/// A computed sum of `count` terms, whose absolute values add up to `size` and their own errors to
/// `error`.
inline ErrorDouble summed(double value, double size, double error, std::size_t count) {
  const double rounding = gamma(static_cast<Eigen::Index>(count) + 8) * size;
  return {value, (error + rounding) * kBoundSlack + static_cast<double>(count + 1) * kNormTiny};
}

/// A distance of which the square was computed by ||u||^2 - 2 u.v + ||v||^2 from dot products of
/// `width` terms, so that it errs by at most gamma_{width+6} w^2, w = ||u|| + ||v||: the root errs
/// by `relative` w^2 over itself, and never by more than `root` w.
struct ExpandedDistance {
  explicit ExpandedDistance(Eigen::Index width)
      : relative(gamma(width + 8)), root(std::sqrt(relative) * kBoundSlack) {}
  double relative, root;
};

/// What bounds the rounding of a computed sum of a_i x_i, added up in any order.
class WeightedSumError {
 public:
  /// Adds one more term a_i x_i, for ||x_i|| as computed.
  void add(const ErrorDouble& a, double length) {
    rounding_ += a.value() * length;
    inherited_ += a.error() * length;
  }
  /// Adds the terms of a(0), ..., a(count - 1), with ||x_i|| as computed in `lengths`.
  void add_all(std::size_t count, const auto& a, const double* lengths) {
    Lanes rounding, inherited;
    in_lanes(count, [&](std::size_t i, std::size_t lane) ATTN_INLINED {
      const ErrorDouble weight = a(i);
      rounding.at[lane] += weight.value() * lengths[i];
      inherited.at[lane] += weight.error() * lengths[i];
    });
    rounding_ += rounding.sum();
    inherited_ += inherited.sum();
  }
  /// A bound on ||computed - exact||, after `terms` terms.
  [[nodiscard]] double bound(std::size_t terms) const {
    const double rounding = gamma(static_cast<Eigen::Index>(terms) + 2) * rounding_;
    return (inherited_ + rounding) * kBoundSlack + kNormTiny;
  }

 private:
  double rounding_{0};   ///< sum of a_i ||x_i||, which every addition may round
  double inherited_{0};  ///< sum of |computed a_i - a_i| ||x_i||
};

/// The embeddings of a head, with what every row needs of them.
struct Geometry {
  explicit Geometry(const Head& head)
      : x(head.x),
        squares(x.rowwise().squaredNorm()),
        lengths(squares.cwiseSqrt()),
        longest(lengths.size() == 0 ? 0 : lengths.maxCoeff()),
        alike(first_alike(x)) {}

  /// The largest of some distances ||x_i - x_j||, given the largest computed square. Each computed
  /// distance d errs by at most min(root, relative w / d) w, w = 2 longest, and d + relative w^2 /
  /// d grows with d from d = root w on: what holds for the largest covers the rest.
  [[nodiscard]] ErrorDouble spread(double largest_square) const {
    const ExpandedDistance expanded(x.cols());
    const double w = 2 * longest;
    const double distance = std::sqrt(largest_square);
    const double least = expanded.root * w;
    const double error = distance > least ? expanded.relative * w * w / distance : 2 * least;
    return {distance, (error + 2 * ErrorDouble::kUnit * distance) * kBoundSlack + kNormTiny};
  }

  Rows x;                          ///< [L, d]
  Eigen::VectorXd squares;         ///< ||x_i||^2
  Eigen::VectorXd lengths;         ///< ||x_i||
  double longest{};                ///< max ||x_i||
  std::vector<std::size_t> alike;  ///< for each token i the first one with x_i
};

}  // namespace attn::gpt2
