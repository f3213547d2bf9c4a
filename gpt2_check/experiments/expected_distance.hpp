#pragma once

#include <cstddef>
#include <random>
#include <span>
#include <vector>

#include "gpt2_check/heads/head.hpp"

namespace attn::gpt2 {

/// Every random order of a row is cut in so many ways: read from each of so many places on, and
/// round its end. All choices of N tokens are equally likely in each of them, and together they
/// hold every token about equally often, as draws of their own would not.
inline constexpr std::size_t kRotations = 4;

/// So many random orders of a row, where a number is a mean over rows, and where it is of one row:
/// 4 and 16 random sets of each N.
inline constexpr std::size_t kOrdersOfManyRows = 1, kOrdersOfOneRow = 4;

/// The contributions y_i = a_i x_i of the tokens of one row, and the sums of distances that are
/// measured of them.
class RowDistances {
 public:
  /// `weights`: a_i, [L], L >= 2. x: the embeddings, [L, d] or longer, of which the first L are
  /// read.
  RowDistances(std::span<const double> weights, const Eigen::Ref<const Rows>& x);

  /// D = sum_{i not in I} ||y_i - s||, s = sum_{j in I} y_j, of the tokens `selected`, I.
  [[nodiscard]] double distance(std::span<const std::size_t> selected) const;

  /// (L-N)/L sum_i ||y_i - factor sum_{j != i} y_j||: the lower bound of E with N/(L-1) for the
  /// factor, the sum in full with 1.
  [[nodiscard]] double sum_about_others(std::size_t n, double factor) const;

  /// (L-N)/L sum_i sqrt(V_i), V_i the variance of s where i is not among N tokens drawn at random:
  /// by so much E may exceed its lower bound (claim theorem1.random.upper).
  [[nodiscard]] double residual(std::size_t n) const;

  /// E[D] of N tokens drawn at random, for each N of `counts`, which ascend and are below L: the
  /// mean over so many random orders of the tokens, each cut in kRotations ways.
  [[nodiscard]] std::vector<double> expected(std::span<const std::size_t> counts,
                                             std::size_t orders, std::mt19937_64& stream) const;

  /// E[D] for every N from 1 to L - 1: sampled at each N up to 16 and at N of ratios of 1.1 beyond,
  /// and E/(L-N) interpolated linearly between these.
  [[nodiscard]] std::vector<double> expected_of_all(std::size_t orders,
                                                    std::mt19937_64& stream) const;

 private:
  void add_distances(std::span<const std::size_t> order, std::span<const std::size_t> counts,
                     std::span<double> into) const;

  Rows y_;
  Eigen::VectorXd squares_;  ///< ||y_i||^2
  Eigen::VectorXd along_;    ///< y_i . sum_j y_j
  double sum_square_;        ///< ||sum_j y_j||^2
};

}  // namespace attn::gpt2
