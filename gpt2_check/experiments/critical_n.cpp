#include "gpt2_check/experiments/critical_n.hpp"

#include <algorithm>
#include <cmath>

#include "gpt2_check/experiments/statistics.hpp"
#include "gpt2_check/heads/arrays.hpp"
#include "gpt2_check/heads/lanes.hpp"
#include "theory/base/processor.hpp"

namespace attn::gpt2 {
namespace {

using Eigen::Index;

/// How many sums are multiplied with the tokens at once.
constexpr Index kSums = 64;

/// What the squares of the distances of tokens from a vector v are made of. Arrays are by token.
struct Offsets {
  const double* squares;  ///< ||y_i||^2
  const double* along;    ///< y_i . v
  Index tokens;
};

/// sum_i ||g y_i - h v||. Where rounding has put a square below zero, its size is as near to the
/// true square as zero is.
ATTN_EACH_VECTOR_WIDTH double sum_of_distances(const Offsets& of, double g, double h,
                                               double v_square) {
  const double own = g * g;
  const double cross = 2 * g * h;
  const double rest = h * h * v_square;
  const double* const squares = of.squares;
  const double* const along = of.along;
  Lanes sum;
  in_lanes(static_cast<std::size_t>(of.tokens), [&](std::size_t i, std::size_t lane) {
    sum.at[lane] += std::sqrt(std::abs(own * squares[i] - cross * along[i] + rest));
  });
  return sum.sum();
}

}  // namespace

double RowSweep::expected_full(std::size_t entry) const {
  const auto length = static_cast<double>(distance.size() + 1);
  return (length - static_cast<double>(entry + 1)) / length * means_full;
}

RowSweep sweep_row(std::span<const double> weights, std::span<const std::size_t> order,
                   const Eigen::Ref<const Rows>& x) {
  const auto tokens = static_cast<Index>(order.size());
  Rows y(tokens, x.cols());  // in the order of selection
  for (Index i = 0; i < tokens; ++i) {
    const std::size_t token = order[static_cast<std::size_t>(i)];
    y.row(i) = weights[token] * x.row(static_cast<Index>(token));
  }
  const Eigen::VectorXd squares = y.rowwise().squaredNorm();
  // Those without weight come last: the products of their y with any sum are 0.
  Index held = tokens;
  while (held > 0 && weights[order[static_cast<std::size_t>(held - 1)]] == 0) --held;
  RowSweep sweep;
  Rows sums(kSums, x.cols());
  Eigen::RowVectorXd s = Eigen::RowVectorXd::Zero(x.cols());
  for (Index first = 0; first < tokens - 1; first += kSums) {
    const Index count = std::min(kSums, tokens - 1 - first);
    for (Index c = 0; c < count; ++c) sums.row(c) = s += y.row(first + c);
    Rows along = Rows::Zero(count, tokens - 1 - first);
    const Index reached = std::max<Index>(held - 1 - first, 0);
    times_transposed(sums.topRows(count), y.middleRows(first + 1, reached),
                     along.leftCols(reached));
    for (Index c = 0; c < count; ++c) {
      const Index n = first + c + 1;
      sweep.distance.push_back(
          sum_of_distances({squares.data() + n, along.row(c).data() + c, tokens - n}, 1, 1,
                           sums.row(c).squaredNorm()));
    }
  }

  // y_i - c sum_{j != i} y_j = (1 + c) y_i - c o.
  const Eigen::RowVectorXd o = s + y.row(tokens - 1);
  const Eigen::VectorXd along = y * o.transpose();
  const auto length = static_cast<double>(tokens);
  const auto sum_of_means = [&](double c) {
    return sum_of_distances({squares.data(), along.data(), tokens}, 1 + c, c, o.squaredNorm());
  };
  sweep.means_full = sum_of_means(1);
  for (Index n = 1; n < tokens; ++n) {
    const auto count = static_cast<double>(n);
    const double p = (length - count) / length;
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
