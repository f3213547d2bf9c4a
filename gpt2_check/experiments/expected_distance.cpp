#include "gpt2_check/experiments/expected_distance.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gpt2_check/experiments/critical_n.hpp"
#include "gpt2_check/heads/arrays.hpp"
#include "theory/base/lanes.hpp"
#include "theory/base/processor.hpp"
#include "theory/base/random.hpp"

namespace attn::gpt2 {

namespace {

/// sum_i ||y_i - s|| over the tokens outside. `outside`: 1 for these, else 0. Where rounding has
/// put a square below zero, its size is as near to the true square as zero is.
ATTN_EACH_VECTOR_WIDTH double distance_of_outside(std::span<const double> squares,
                                                  const double* along, double s_square,
                                                  const double* outside) {
  const double* const square = squares.data();
  Lanes sum;
  in_lanes(squares.size(), [&](std::size_t i, std::size_t lane) {
    sum.at[lane] += outside[i] * std::sqrt(std::abs(square[i] - 2 * along[i] + s_square));
  });
  return sum.sum();
}

std::span<const double> as_span(const Eigen::VectorXd& numbers) {
  return {numbers.data(), static_cast<std::size_t>(numbers.size())};
}

}  // namespace

RowDistances::RowDistances(std::span<const double> weights, const Eigen::Ref<const Rows>& x) {
  const Eigen::Map<const Eigen::VectorXd> a(weights.data(), std::ssize(weights));
  y_ = a.asDiagonal() * x.topRows(a.size());
  squares_ = y_.rowwise().squaredNorm();
  const Eigen::VectorXd sum = y_.colwise().sum();
  along_ = y_ * sum;
  sum_square_ = sum.squaredNorm();
}

double RowDistances::distance(std::span<const std::size_t> selected) const {
  Eigen::VectorXd s = Eigen::VectorXd::Zero(y_.cols());
  Eigen::VectorXd outside = Eigen::VectorXd::Ones(y_.rows());
  for (const std::size_t j : selected) {
    s += y_.row(static_cast<Eigen::Index>(j));
    outside(static_cast<Eigen::Index>(j)) = 0;
  }
  const Eigen::VectorXd along = y_ * s;
  return distance_of_outside(as_span(squares_), along.data(), s.squaredNorm(), outside.data());
}

double RowDistances::sum_about_others(std::size_t n, double factor) const {
  const auto tokens = static_cast<double>(y_.rows());
  // y_i - c sum_{j != i} y_j = (1 + c) y_i - c o, o = sum_j y_j.
  return (tokens - static_cast<double>(n)) / tokens *
         sum_of_distances(as_span(squares_), as_span(along_), 1 + factor, factor, sum_square_);
}

double RowDistances::residual(std::size_t n) const {
  const auto tokens = static_cast<double>(y_.rows()), chosen = static_cast<double>(n);
  const double others = tokens - 1;
  if (others - chosen == 0) return 0;  // all others are drawn
  // N of the L-1 other y_j are drawn without replacement; ||o - y_i||^2 is of their sum.
  const double factor = chosen * (others - chosen) / (others - 1);
  const double all = squares_.sum();
  double sum = 0;
  for (Eigen::Index i = 0; i < y_.rows(); ++i) {
    const double about_zero = (all - squares_(i)) / others;
    const double of_mean = (sum_square_ - 2 * along_(i) + squares_(i)) / (others * others);
    sum += std::sqrt(factor * std::max(about_zero - of_mean, 0.0));
  }
  return (tokens - chosen) / tokens * sum;
}

/// Adds D of the first n tokens of `order`, for each n of `counts`.
void RowDistances::add_distances(std::span<const std::size_t> order,
                                 std::span<const std::size_t> counts,
                                 std::span<double> into) const {
  Rows sums(std::ssize(counts), y_.cols());
  Eigen::RowVectorXd s = Eigen::RowVectorXd::Zero(y_.cols());
  std::size_t taken = 0;
  for (std::size_t c = 0; c < counts.size(); ++c) {
    for (; taken < counts[c]; ++taken) s += y_.row(static_cast<Eigen::Index>(order[taken]));
    sums.row(static_cast<Eigen::Index>(c)) = s;
  }
  const Rows along = times_transposed(sums, y_);
  Eigen::VectorXd outside = Eigen::VectorXd::Ones(y_.rows());
  taken = 0;
  for (std::size_t c = 0; c < counts.size(); ++c) {
    for (; taken < counts[c]; ++taken) outside(static_cast<Eigen::Index>(order[taken])) = 0;
    const auto at = static_cast<Eigen::Index>(c);
    into[c] += distance_of_outside(as_span(squares_), along.row(at).data(),
                                   sums.row(at).squaredNorm(), outside.data());
  }
}

std::vector<double> RowDistances::expected(std::span<const std::size_t> counts, std::size_t orders,
                                           std::mt19937_64& stream) const {
  std::vector<double> sums(counts.size(), 0.0);
  std::vector<std::size_t> order(static_cast<std::size_t>(y_.rows()));
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t k = 0; k < orders; ++k) {
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
      std::swap(order[i], order[i + below(stream, order.size() - i)]);
    }
    for (std::size_t r = 0; r < kRotations; ++r) {
      std::vector<std::size_t> turned(order);
      const std::size_t start = r * order.size() / kRotations;
      std::ranges::rotate(turned, turned.begin() + static_cast<std::ptrdiff_t>(start));
      add_distances(turned, counts, sums);
    }
  }
  for (double& sum : sums) sum /= static_cast<double>(orders * kRotations);
  return sums;
}

std::vector<double> RowDistances::expected_of_all(std::size_t orders,
                                                  std::mt19937_64& stream) const {
  constexpr std::size_t kEach = 16;
  const auto tokens = static_cast<std::size_t>(y_.rows());
  std::vector<std::size_t> counts;
  for (std::size_t n = 1; n < tokens; n += n < kEach ? 1 : n / 10) counts.push_back(n);
  if (counts.back() != tokens - 1) counts.push_back(tokens - 1);
  const std::vector<double> sampled = expected(counts, orders, stream);
  const auto a_token = [&](std::size_t at) {
    return sampled[at] / static_cast<double>(tokens - counts[at]);
  };
  std::vector<double> all{sampled.front()};
  for (std::size_t at = 1; at < counts.size(); ++at) {
    for (std::size_t n = counts[at - 1] + 1; n <= counts[at]; ++n) {
      const double share = static_cast<double>(n - counts[at - 1]) /
                           static_cast<double>(counts[at] - counts[at - 1]);
      all.push_back(static_cast<double>(tokens - n) *
                    std::lerp(a_token(at - 1), a_token(at), share));
    }
  }
  return all;
}

}  // namespace attn::gpt2
