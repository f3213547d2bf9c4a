#include "gpt2_check/experiments/critical_n.hpp"

#include <algorithm>

#include "gpt2_check/experiments/ks_test.hpp"
#include "gpt2_check/heads/matrix.hpp"

namespace attn::gpt2 {
namespace {

using Eigen::ArrayXd;
using Eigen::Index;

/// Sets for which one matrix product is taken: it leaves out the columns of tokens that all of them
/// hold, and its result stays in the cache.
constexpr Index kBlock = 64;

/// sum_i sqrt(squares_i). Where rounding has put a square below zero, its size is as near to the
/// true square as zero is.
template <class Squares>
double sum_of_roots(const Squares& squares) {
  return squares.abs().sqrt().sum();
}

/// y_i of the tokens in order. [L, d]
Rows outputs_in_order(std::span<const double> weights, std::span<const std::size_t> order,
                      const Eigen::Ref<const Rows>& x) {
  Rows y(static_cast<Index>(order.size()), x.cols());
  for (std::size_t k = 0; k < order.size(); ++k) {
    y.row(static_cast<Index>(k)) = weights[order[k]] * x.row(static_cast<Index>(order[k]));
  }
  return y;
}

/// s of the first N tokens, N = 1..L. [L, d]
Rows running_sums(const Rows& y) {
  Rows sums = y;
  for (Index n = 1; n < y.rows(); ++n) sums.row(n) += sums.row(n - 1);
  return sums;
}

std::vector<double> distances(const Rows& y, const Rows& sums, const ArrayXd& squares) {
  const Index sets = y.rows() - 1;
  std::vector<double> result;
  result.reserve(static_cast<std::size_t>(sets));
  for (Index first = 0; first < sets; first += kBlock) {
    const Index rows = std::min(kBlock, sets - first);
    const Index columns = y.rows() - first - 1;  // token `first` is in every set of the block
    const Rows along =
        times_transposed(sums.middleRows(first, rows), y.bottomRows(columns));  // s . y_i
    for (Index row = 0; row < rows; ++row) {
      const Index others = columns - row;
      const double of_sum = sums.row(first + row).squaredNorm();
      result.push_back(sum_of_roots(squares.tail(others) + of_sum -
                                    2 * along.row(row).tail(others).transpose().array()));
    }
  }
  return result;
}

}  // namespace

RowSweep sweep_row(std::span<const double> weights, std::span<const std::size_t> order,
                   const Eigen::Ref<const Rows>& x) {
  const Rows y = outputs_in_order(weights, order, x);
  const Rows sums = running_sums(y);
  const ArrayXd squares = y.rowwise().squaredNorm().array();
  RowSweep sweep{distances(y, sums, squares), {}, {}};

  // With o = sum_j y_j: y_i - c sum_{j != i} y_j = (1 + c) y_i - c o.
  const Eigen::RowVectorXd output = sums.bottomRows(1);
  const ArrayXd along = (y * output.transpose()).array();
  const double of_output = output.squaredNorm();
  const auto length = static_cast<double>(y.rows());
  const auto sum_of_means = [&](double c) {
    return sum_of_roots((1 + c) * (1 + c) * squares - 2 * c * (1 + c) * along + c * c * of_output);
  };
  const double full = sum_of_means(1);
  for (Index n = 1; n < y.rows(); ++n) {
    const auto count = static_cast<double>(n);
    const double p = (length - count) / length;
    sweep.expected_full.push_back(p * full);
    sweep.expected_factor.push_back(p * sum_of_means(count / (length - 1)));
  }
  return sweep;
}

CriticalN critical_n(const Rows& distance, const Rows& expected, double level) {
  const auto column = [](const Rows& samples, Index n) {
    const Eigen::VectorXd copy = samples.col(n);
    return std::vector<double>(copy.begin(), copy.end());
  };
  const auto heads = static_cast<std::size_t>(distance.rows());
  KsPValues p_values(heads, heads);
  CriticalN best{{}, 1, -1};
  for (Index n = 0; n < distance.cols(); ++n) {
    const KsResult test = ks_test(column(distance, n), column(expected, n), p_values);
    if (test.p >= level) return {static_cast<std::size_t>(n) + 1, test.statistic, test.p};
    if (test.p > best.p) best = {{}, test.statistic, test.p};
  }
  return best;
}

}  // namespace attn::gpt2
