#include "gpt2_check/experiments/critical_n.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gpt2_check/experiments/row_measures.hpp"
#include "gpt2_check/experiments/statistics.hpp"
#include "gpt2_check/heads/arrays.hpp"
#include "gpt2_check/heads/lanes.hpp"
#include "theory/base/processor.hpp"

namespace attn::gpt2 {
namespace {

using Eigen::Index;

/// The products of so many tokens with those after them are made at once.
constexpr Index kTokens = 64;

/// One more token, of weight `chosen`, joins s = sum a_j x_j: `along` is brought from x_i . s to
/// that of the new s for the tokens that are left, `products` being x_i . x of the new one. The sum
/// of their ||y_i - s||, given their ||y_i||^2 and ||s||^2. Where rounding has put a square below
/// zero, its size is as near to the true square as zero is. NaN in gives NaN out.
ATTN_EACH_VECTOR_WIDTH double join(double chosen, const double* products, const double* weights,
                                   const double* squares, double s_square, std::size_t count,
                                   double* along) {
  Lanes sum;
  in_lanes(count, [&](std::size_t i, std::size_t lane) {
    along[i] += chosen * products[i];
    sum.at[lane] += std::sqrt(std::abs(squares[i] - 2 * weights[i] * along[i] + s_square));
  });
  return sum.sum();
}

/// A sweep on its way: arrays in the order of selection.
class Sweeping {
 public:
  Sweeping(const std::vector<double>& weights, std::span<const std::size_t> order, const Rows& x)
      : weights_(x.rows()), along_(Eigen::ArrayXd::Zero(x.rows())), s_(x.cols()) {
    for (Index i = 0; i < x.rows(); ++i) weights_[i] = weights[order[static_cast<std::size_t>(i)]];
    squares_ = weights_.square() * x.rowwise().squaredNorm().array();
    s_.setZero();
  }

  /// The next token; `products`: x_i . x of those after it.
  void select(const Eigen::Ref<const Eigen::RowVectorXd>& x, const double* products) {
    const Index n = std::ssize(sweep_.distance) + 1;
    s_ += weights_[n - 1] * x;
    sweep_.distance.push_back(join(weights_[n - 1], products, &weights_[n], &squares_[n],
                                   s_.squaredNorm(), static_cast<std::size_t>(weights_.size() - n),
                                   &along_[n]));
  }

  /// After all tokens but the last.
  RowSweep finish(const Rows& x) {
    const Index tokens = x.rows();
    // y_i - c sum_{j != i} y_j = (1 + c) y_i - c o.
    const Eigen::RowVectorXd o = s_ + weights_[tokens - 1] * x.row(tokens - 1);
    const Eigen::ArrayXd along_o = weights_ * (x * o.transpose()).array();
    const auto count = static_cast<std::size_t>(tokens);
    const auto length = static_cast<double>(tokens);
    const auto sum_of_means = [&](double c) {
      return sum_of_distances({squares_.data(), count}, {along_o.data(), count}, 1 + c, c,
                              o.squaredNorm());
    };
    sweep_.means_full = sum_of_means(1);
    for (double n = 1; n < length; ++n) {
      sweep_.expected_factor.push_back((length - n) / length * sum_of_means(n / (length - 1)));
    }
    return std::move(sweep_);
  }

 private:
  Eigen::ArrayXd weights_, squares_;  ///< a_i, ||y_i||^2
  Eigen::ArrayXd along_;              ///< x_i . s of the tokens that are left
  Eigen::RowVectorXd s_;
  RowSweep sweep_;
};

}  // namespace

double RowSweep::expected_full(std::size_t entry) const {
  const auto length = static_cast<double>(distance.size() + 1);
  return (length - static_cast<double>(entry + 1)) / length * means_full;
}

std::vector<RowSweep> sweep_row(std::span<const std::vector<double>> weights,
                                std::span<const std::size_t> order,
                                const Eigen::Ref<const Rows>& x) {
  const auto tokens = static_cast<Index>(order.size());
  Rows ordered(tokens, x.cols());
  for (Index i = 0; i < tokens; ++i) {
    ordered.row(i) = x.row(static_cast<Index>(order[static_cast<std::size_t>(i)]));
  }
  std::vector<Sweeping> all;
  for (const std::vector<double>& of : weights) all.emplace_back(of, order, ordered);
  for (Index first = 0; first < tokens - 1; first += kTokens) {
    const Index count = std::min(kTokens, tokens - 1 - first);
    const Rows products =
        times_transposed(ordered.middleRows(first, count), ordered.bottomRows(tokens - 1 - first));
    for (Index c = 0; c < count; ++c) {
      for (Sweeping& one : all) one.select(ordered.row(first + c), products.row(c).data() + c);
    }
  }
  std::vector<RowSweep> sweeps;
  for (Sweeping& one : all) sweeps.push_back(one.finish(ordered));
  return sweeps;
}

CriticalN critical_n(const Rows& distance, const Rows& expected, double level) {
  const auto column = [](const Rows& samples, Index n) {
    const Eigen::VectorXd copy = samples.col(n);
    return std::vector<double>(copy.begin(), copy.end());
  };
  const auto heads = static_cast<std::size_t>(distance.rows());
  const auto pairs = static_cast<double>(heads * heads);
  CriticalN best{{}, 1, -1};
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (Index n = 0; n < distance.cols(); ++n) {
    const std::int64_t deviation = ks_deviation(column(distance, n), column(expected, n));
    if (deviation >= least) continue;  // p falls as the deviation grows
    least = deviation;
    const double p = ks_exact_p(heads, heads, deviation);
    best = {{}, static_cast<double>(deviation) / pairs, p};
    if (p >= level) {
      best.n = static_cast<double>(n + 1);
      break;
    }
  }
  return best;
}

}  // namespace attn::gpt2
