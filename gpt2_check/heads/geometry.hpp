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

/// More than what a root can lose where its squares underflow: 8 sqrt(n 2^-1074), n = 2^20 of them.
inline constexpr double kNormTiny = 0x1p-524;

/// Covers the rounding of an error bound that was itself computed in double, from non-negative
/// terms.
inline constexpr double kBoundSlack = 1 + 0x1p-20;

/// ||x||^2 of `width` given entries, added up in any order: it errs by gamma_width of itself, and
/// by what so many products lose where they underflow, which is far below kTiny.
inline ErrorDouble squared_length(double value, Eigen::Index width) {
  return {value, gamma(width) * value + ErrorDouble::kTiny};
}

/// ||x|| of `width` given entries: the root halves what their sum of squares errs by, relative, and
/// is rounded itself. gamma_width/2 + u is gamma_{width+2}/2, but for squares of it, which the
/// factor of gamma covers.
inline ErrorDouble euclidean(double value, Eigen::Index width) {
  return {value, gamma(width + 2) / 2 * value + kNormTiny};
}

/// u . v of `width` given entries each, added up in any order: |computed - exact| <= gamma_width
/// sum |u_k v_k| <= gamma_width ||u|| ||v||, and what so many products lose where they underflow.
inline ErrorDouble dot_product(double value, const ErrorDouble& u_length,
                               const ErrorDouble& v_length, Eigen::Index width) {
  const double u = u_length.value() + u_length.error();
  const double v = v_length.value() + v_length.error();
  return {value, gamma(width) * u * v + ErrorDouble::kTiny};
}

/// Any number that is no larger than `error`: what something errs by.
inline ErrorDouble up_to(double error) {
  return {0.0, error};
}

/// A distance from its square, which rounding may make negative: NaN where a term of that has
/// overflowed.
inline double root_of(double square) {
  return std::sqrt(square > 0 ? square : 0) + (square - square);
}

/// A distance ||u - v|| of which the square was computed by ||u||^2 - 2 u.v + ||v||^2 from dot
/// products of `width` terms, where u and v are given vectors times a number each: that errs by at
/// most gamma_{width+6} w^2, w = ||u|| + ||v||, and by what underflows. Its root r errs by no more
/// than that over r, and never by more than the root of that.
struct ExpandedDistance {
  explicit ExpandedDistance(Eigen::Index width)
      : relative(gamma(width + 8)), root(std::sqrt(relative) * kBoundSlack) {}

  /// 0/0 compares false.
  [[nodiscard]] ErrorDouble distance(double square, double w) const {
    const double distance = root_of(square);
    const double by_slope = (relative * w * w + ErrorDouble::kTiny) / distance;
    const double most = root * w + kNormTiny;
    const double inherited = by_slope < most ? by_slope : most;
    return {distance, (inherited + ErrorDouble::kUnit * distance) * ErrorDouble::kSlack};
  }

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

  /// The largest of some distances ||x_i - x_j||, given the largest computed square. What the bound
  /// of each computed distance d reaches up to, d + min(root w, relative w^2 / d) with w = 2
  /// longest, grows with d, but for less than what `relative` is larger than needed: what holds for
  /// the largest covers the rest.
  [[nodiscard]] ErrorDouble spread(double largest_square) const {
    return ExpandedDistance(x.cols()).distance(largest_square, 2 * longest);
  }

  Rows x;                          ///< [L, d]
  Eigen::VectorXd squares;         ///< ||x_i||^2
  Eigen::VectorXd lengths;         ///< ||x_i||
  double longest{};                ///< max ||x_i||
  std::vector<std::size_t> alike;  ///< for each token i the first one with x_i
};

}  // namespace attn::gpt2
