#include "gpt2_check/experiments/critical_n.hpp"

#include <algorithm>

#include "gpt2_check/experiments/ks_test.hpp"

namespace attn::gpt2 {
namespace {

using Eigen::ArrayXd;
using Eigen::Index;

/// sum_i sqrt(squares_i). Where rounding has put a square below zero, its size is as near to the
/// true square as zero is.
template <class Squares>
double sum_of_roots(const Squares& squares) {
  return squares.abs().sqrt().sum();
}

/// y_k . y_i of one token k with all, tokens in order. [L]
ArrayXd products_in_order(std::span<const double> weights, std::span<const std::size_t> order,
                          const Eigen::Ref<const Rows>& gram, std::size_t k) {
  const double* const row = gram.data() + static_cast<Index>(order[k]) * gram.outerStride();
  ArrayXd products(static_cast<Index>(order.size()));
  for (std::size_t i = 0; i < order.size(); ++i) {
    products[static_cast<Index>(i)] = weights[order[i]] * row[order[i]];
  }
  return weights[order[k]] * products;
}

}  // namespace

RowSweep sweep_row(std::span<const double> weights, std::span<const std::size_t> order,
                   const Eigen::Ref<const Rows>& gram) {
  const auto tokens = static_cast<Index>(order.size());
  ArrayXd squares(tokens);  // ||y_i||^2
  for (Index i = 0; i < tokens; ++i) {
    const std::size_t token = order[static_cast<std::size_t>(i)];
    const auto at = static_cast<Index>(token);
    squares[i] = weights[token] * weights[token] * gram(at, at);
  }
  RowSweep sweep;
  ArrayXd along = ArrayXd::Zero(tokens);  // y_i . s; in the end y_i . o, o = sum_j y_j
  double of_sum = 0;                      // ||s||^2
  for (Index n = 1; n <= tokens; ++n) {
    of_sum += 2 * along[n - 1] + squares[n - 1];
    along += products_in_order(weights, order, gram, static_cast<std::size_t>(n - 1));
    if (n == tokens) break;
    const Index others = tokens - n;
    sweep.distance.push_back(sum_of_roots(squares.tail(others) + of_sum - 2 * along.tail(others)));
  }

  // y_i - c sum_{j != i} y_j = (1 + c) y_i - c o.
  const auto length = static_cast<double>(tokens);
  const auto sum_of_means = [&](double c) {
    return sum_of_roots((1 + c) * (1 + c) * squares - 2 * c * (1 + c) * along + c * c * of_sum);
  };
  const double full = sum_of_means(1);
  for (Index n = 1; n < tokens; ++n) {
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
