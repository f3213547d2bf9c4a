#include "gpt2_check/experiments/critical_n.hpp"

#include <algorithm>
#include <limits>

#include "gpt2_check/experiments/row_measures.hpp"
#include "gpt2_check/experiments/statistics.hpp"
#include "gpt2_check/heads/arrays.hpp"

namespace attn::gpt2 {
namespace {

using Eigen::Index;

/// How many sums are multiplied with the tokens at once.
constexpr Index kSums = 64;

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
      const auto others = static_cast<std::size_t>(tokens - n);
      sweep.distance.push_back(sum_of_distances({squares.data() + n, others},
                                                {along.row(c).data() + c, others}, 1, 1,
                                                sums.row(c).squaredNorm()));
    }
  }

  // y_i - c sum_{j != i} y_j = (1 + c) y_i - c o.
  const Eigen::RowVectorXd o = s + y.row(tokens - 1);
  const Eigen::VectorXd along_o = y * o.transpose();
  const auto length = static_cast<double>(tokens);
  const auto sum_of_means = [&](double c) {
    return sum_of_distances({squares.data(), order.size()}, {along_o.data(), order.size()}, 1 + c,
                            c, o.squaredNorm());
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
  const auto pairs = static_cast<double>(heads * heads);
  // p falls as the deviation grows: only one below all before can be the first p of the level, or
  // the largest.
  CriticalN best{{}, 1, -1};
  auto least = std::numeric_limits<std::int64_t>::max();
  for (Index n = 0; n < distance.cols(); ++n) {
    const std::int64_t deviation = ks_deviation(column(distance, n), column(expected, n));
    if (deviation >= least) continue;
    least = deviation;
    best = {{}, static_cast<double>(deviation) / pairs, ks_exact_p(heads, heads, deviation)};
    if (best.p >= level) return {static_cast<double>(n + 1), best.statistic, best.p};
  }
  return best;
}

}  // namespace attn::gpt2
