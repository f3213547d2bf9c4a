#include "theory/attention/sampled_distance.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <utility>

#include "theory/attention/token_sets.hpp"
#include "theory/base/processor.hpp"
#include "theory/base/random.hpp"
#include "theory/number/sums.hpp"

namespace attn {
namespace {

/// The number of a token.
using Token = std::uint32_t;

/// s += sum_j y_j of the rows j of y [L][d], four at once, so that s is read and written less
/// often.
ATTN_EACH_VECTOR_WIDTH void add_rows(const Distances::Points& y, std::span<const Token> rows,
                                     double* s) {
  const Eigen::Index width = y.cols();
  const auto row = [&](std::size_t j) { return y.data() + rows[j] * width; };
  std::size_t j = 0;
  for (; j + 4 <= rows.size(); j += 4) {
    const double *a = row(j), *b = row(j + 1), *c = row(j + 2), *d = row(j + 3);
#pragma omp simd
    for (Eigen::Index k = 0; k < width; ++k) s[k] += (a[k] + b[k]) + (c[k] + d[k]);
  }
  for (; j < rows.size(); ++j) {
    const double* const last = row(j);
#pragma omp simd
    for (Eigen::Index k = 0; k < width; ++k) s[k] += last[k];
  }
}

/// The random sets of N of L tokens.
struct DrawnSets {
  std::mt19937_64 random;
  std::vector<Token> tokens;  ///< all, in the order in which the draws so far have left them
  std::vector<Token> drawn;   ///< the tokens of one set after another
};

/// The first `draws` sets of `count` tokens, one after another, until the next call: drawn when
/// they are first asked for, and kept for all that a thread draws, up to so many numbers.
std::span<const Token> random_sets(std::size_t tokens, std::size_t count, std::size_t draws) {
  constexpr std::size_t kMostKept = std::size_t{1} << 22;
  thread_local std::map<std::pair<std::size_t, std::size_t>, DrawnSets> all;
  const std::pair key(tokens, count);
  std::size_t kept = tokens + draws * count;
  for (const auto& [of, sets] : all) {
    if (of != key) kept += sets.tokens.size() + sets.drawn.size();
  }
  if (kept > kMostKept) all.clear();
  auto& [random, order, drawn] = all[key];
  if (order.empty()) {
    random = random_stream({tokens, count});
    for (Token i = 0; i < tokens; ++i) order.push_back(i);
  }
  while (drawn.size() < draws * count) {
    const std::size_t i = drawn.size() % count;
    std::swap(order[i], order[i + below(random, tokens - i)]);
    drawn.push_back(order[i]);
  }
  return std::span(drawn).first(draws * count);
}

/// For C = sum_{i not in I} v_i + (L-N) sum_{j in I} v_j, v_i >= 0 with the sum v, and I uniform
/// over the sets of N of L tokens: E[C] = (L-N)(N+1)/L v.
ErrorDouble mean_of_most(std::size_t tokens, std::size_t count, const ErrorDouble& v) {
  return ErrorDouble(static_cast<double>(tokens - count)) *
         ErrorDouble(static_cast<double>(count + 1)) * v / ErrorDouble(static_cast<double>(tokens));
}

}  // namespace

Contributions::Contributions(const std::vector<std::vector<ErrorDouble>>& rows)
    : y(rows.size(), rows.front().size()) {
  double* middle = y.data();
  for (const auto& row : rows) {
    middle = std::ranges::transform(row, middle, &ErrorDouble::value).out;
    lengths.push_back(sqrt_nonnegative(squared_norm(row)));
    length += lengths.back();
    error += sum_of<ErrorDouble>(row.size(), [&](std::size_t k) { return row[k].error(); });
  }
}

/// The y_i move D by at most what C is of the sizes that they move by. Each s, of N rounded
/// numbers, is right to (N-1) u of the sum of their lengths, and moves D by at most that part of C.
/// A distance goes through at most d + L + sets + 8 further roundings to the mean, none of which
/// cancels. The last term is for underflow.
ErrorDouble enumerated_distance(const Contributions& of, std::size_t count) {
  const std::size_t tokens = of.lengths.size();
  std::size_t sets = 0;
  double sum = 0;
  for_each_set(tokens, count, [&](const std::vector<bool>& selected) {
    std::vector<Token> set;
    for (Token j = 0; j < tokens; ++j) {
      if (selected[j]) set.push_back(j);
    }
    Eigen::RowVectorXd s = Eigen::RowVectorXd::Zero(of.y.cols());
    add_rows(of.y, set, s.data());
    Eigen::ArrayXd distances = (of.y.rowwise() - s).rowwise().norm();
    for (const Token j : set) distances(j) = 0;
    sum += distances.sum();
    ++sets;
  });
  const double mean = sum / static_cast<double>(sets);
  constexpr double kUnit = ErrorDouble::kUnit * (1 + 0x1p-20);  // with room for its powers
  const auto roundings = static_cast<double>(tokens + sets + 8) + static_cast<double>(of.y.cols());
  const ErrorDouble of_sums(static_cast<double>(count - 1) * kUnit);
  const ErrorDouble off = mean_of_most(tokens, count, of.error + of_sums * (of.length + of.error)) +
                          ErrorDouble(roundings * kUnit) * ErrorDouble(mean) +
                          ErrorDouble(roundings * 0x1p-500);
  return {mean, off.upper()};
}

namespace {

/// Added to lengths where 0/0 could arise; an m_i that is no longer has no direction.
constexpr double kTiny = 0x1p-500;

/// With what probability each of three bounds on E[D] may ever be wrong.
constexpr double kMissABound = (1 - kConfidence) / 3;

}  // namespace

SampledDistance::SampledDistance(std::shared_ptr<const Contributions> of, std::size_t count)
    : of_(std::move(of)),
      count_(count),
      distances_from_(of_->y),
      lengths_(of_->y.rows()),
      k_(std::sqrt(
          4 * ErrorDouble::kUnit *
          (static_cast<double>(of_->y.rows() + of_->y.cols() + 16) + static_cast<double>(count)))),
      most_by_lengths_(
          mean_of_most(of_->lengths.size(), count, ErrorDouble(of_->length.value())).value()),
      above_least_(kMissABound),
      below_most_(kMissABound),
      below_lengths_(kMissABound) {
  std::ranges::transform(of_->lengths, lengths_.begin(), &ErrorDouble::value);
  choose_guides();
  draw_more();
}

/// m_i and r_i of the middles of the y_i, as theorem1.random.sharp has them. u_i is 0 where m_i is
/// too short to divide by; b_i is at least k R_i, R_i = ||y_i|| + S, S the sum of the N largest
/// lengths, so that k^2 R_i^2/b_i is k R_i at most.
///
/// Rounding, with u = 2^-53: m_i is right to 2 (L+9) u R_i, and r_i^2, of numbers up to 4 R_i^2, to
/// 26 (L+d+16) u R_i^2, which over 2 b_i is 3.3 k^2 R_i^2/b_i. The d_i^2 are right to k^2/2 R_i^2,
/// which over 2 b_i is less; and W adds up L terms of up to R_i^2/(2 b_i) + b_i/2. The other sums,
/// of L, N or d numbers that are R_i at most, add 3 k^2 R_i for all i, with what u_i may be longer
/// than 1. The last term is for underflow, and for what has no u_i.
void SampledDistance::choose_guides() {
  const Distances::Points& y = of_->y;
  const auto tokens = static_cast<double>(y.rows());
  const auto count = static_cast<double>(count_);
  const double share = (tokens - count) / tokens;

  const Eigen::RowVectorXd sum = y.colwise().sum();
  const double drawn = count / (tokens - 1);
  directions_ = (1 + drawn) * y;
  directions_.rowwise() -= drawn * sum;
  const Eigen::ArrayXd means = directions_.rowwise().norm();
  least_ = share * means.sum();
  directions_.array().colwise() *= (means > kTiny).select(1 / means, 0);
  all_directions_ = directions_.colwise().sum();
  along_ = (y.array() * directions_.array()).rowwise().sum();

  Eigen::ArrayXd largest = lengths_;
  // Else all is unknown, and what is not a number has no order.
  if (std::isfinite(largest.sum())) std::ranges::sort(largest, std::greater<>());
  const Eigen::ArrayXd reach = lengths_ + largest.head(static_cast<Eigen::Index>(count_)).sum();
  const Eigen::ArrayXd scatter = (y.rowwise() - sum / tokens).rowwise().squaredNorm();
  const Eigen::ArrayXd of_others = scatter.sum() - tokens / (tokens - 1) * scatter;
  const double per_scatter =
      count * (tokens - 1 - count) / std::max((tokens - 1) * (tokens - 2), 1.0);
  // NaN stays NaN.
  usual_ = (means.square() + per_scatter * (of_others < 0).select(0, of_others)).sqrt();
  usual_ = (usual_ < k_ * reach + kTiny).select(k_ * reach + kTiny, usual_);
  scale_ = 0.5 / usual_;
  most_ = share * usual_.sum();

  rounding_ = 4 * k_ * k_ * ((reach.square() / usual_).sum() + reach.sum()) +
              tokens * (tokens + static_cast<double>(y.cols())) * kTiny;
}

/// V, W and C - D of the sets up to the first `draws`. The computed d_i^2 are right to k^2/2 R_i^2,
/// R_i here being ||y_i|| and the sum of the lengths in I; so the computed d_i is right to that
/// over itself, and to k R_i. Of selected tokens it is b_i or 0: V and W are sums over all.
void SampledDistance::draw(std::size_t draws) {
  static_assert(kFirstDraws % Distances::kPoints == 0);
  const std::span<const Token> sets = random_sets(of_->lengths.size(), count_, draws);
  const auto outside = static_cast<double>(of_->lengths.size() - count_);
  const double all_along = along_.sum(), all_lengths = lengths_.sum();
  Distances::Points sums(Distances::kPoints, of_->y.cols());
  for (; drawn_ < draws; drawn_ += Distances::kPoints) {
    const auto set = [&](Eigen::Index p) {
      return sets.subspan((drawn_ + static_cast<std::size_t>(p)) * count_, count_);
    };
    sums.setZero();
    for (Eigen::Index p = 0; p < sums.rows(); ++p) add_rows(of_->y, set(p), sums.row(p).data());
    distances_from_.measure(sums);
    for (Eigen::Index p = 0; p < sums.rows(); ++p) {
      Eigen::Ref<Eigen::ArrayXd> distances = distances_from_.from(p);
      double selected = kTiny, along = all_along;
      Eigen::RowVectorXd directions = all_directions_;
      for (const Token j : set(p)) {
        distances(j) = usual_(j);
        selected += lengths_(j);
        along -= along_(j);
        directions -= directions_.row(j);
      }
      const auto reach = k_ * (lengths_ + selected);
      const double error = rounding_ + (reach.square() / (2 * distances)).min(reach).sum();
      below_most_.add(((distances - usual_).square() * scale_).sum() - error);
      for (const Token j : set(p)) distances(j) = 0;
      const double distance = distances.sum();
      above_least_.add(distance - along + directions.dot(sums.row(p)) - error);
      below_lengths_.add(all_lengths + (outside - 1) * selected - distance - error);
    }
  }
}

bool SampledDistance::draw_more() {
  if (drawn_ == kMostDraws) return false;
  draw(std::max(2 * drawn_, kFirstDraws));
  // The y_i move D by at most L-N times what they move by.
  const auto outside = static_cast<double>(of_->lengths.size() - count_);
  const ErrorDouble error = ErrorDouble(outside) * of_->error + ErrorDouble(rounding_);
  const auto between = [&](double known, double left) {
    return ErrorDouble(known, error.upper()) + ErrorDouble(left);
  };
  interval_ = {.lower = std::max(between(least_, above_least_.least_mean()).lower(), 0.0),
               .upper = std::min(between(most_, -below_most_.least_mean()).upper(),
                                 between(most_by_lengths_, -below_lengths_.least_mean()).upper())};
  if (!(interval_.lower <= interval_.upper) || !std::isfinite(interval_.upper)) {
    interval_ = {0, kInfinity};
  }
  return true;
}

}  // namespace attn
