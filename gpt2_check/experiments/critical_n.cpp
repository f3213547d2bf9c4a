#include "gpt2_check/experiments/critical_n.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gpt2_check/experiments/statistics.hpp"
#include "gpt2_check/heads/arrays.hpp"
#include "theory/base/lanes.hpp"
#include "theory/base/processor.hpp"
#include "theory/base/random.hpp"

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
  in_lanes(count, [&](std::size_t i, std::size_t lane) ATTN_INLINED {
    along[i] += chosen * products[i];
    sum.at[lane] += std::sqrt(std::abs(squares[i] - 2 * weights[i] * along[i] + s_square));
  });
  return sum.sum();
}

/// The lower bound of E and the sum in full, as y_i - c sum_{j != i} y_j = (1 + c) y_i - c o, o =
/// sum_i y_i. `squares`:
/// ||y_i||^2; `along`: y_i . o.
void add_expected(RowSweep& sweep, std::span<const double> squares, std::span<const double> along,
                  double o_square) {
  const auto length = static_cast<double>(squares.size());
  const auto sum_of_means = [&](double c) {
    return sum_of_distances(squares, along, 1 + c, c, o_square);
  };
  sweep.means_full = sum_of_means(1);
  for (double n = 1; n < length; ++n) {
    sweep.expected_factor.push_back((length - n) / length * sum_of_means(n / (length - 1)));
  }
}

}  // namespace

ATTN_EACH_VECTOR_WIDTH double sum_of_distances(std::span<const double> squares,
                                               std::span<const double> along, double g, double h,
                                               double v_square) {
  const double own = g * g;
  const double cross = 2 * g * h;
  const double rest = h * h * v_square;
  const double* const square = squares.data();
  const double* const product = along.data();
  Lanes sum;
  in_lanes(squares.size(), [&](std::size_t i, std::size_t lane) {
    sum.at[lane] += std::sqrt(std::abs(own * square[i] - cross * product[i] + rest));
  });
  return sum.sum();
}

double RowSweep::expected(report::Reading reading, std::size_t entry) const {
  switch (reading) {
    case report::Reading::mean:
      return expected_mean.at(entry);
    case report::Reading::factor:
      return expected_factor[entry];
    case report::Reading::full:
      return expected_full(entry);
  }
  return {};
}

double RowSweep::expected_full(std::size_t entry) const {
  const auto length = static_cast<double>(distance.size() + 1);
  return (length - static_cast<double>(entry + 1)) / length * means_full;
}

std::vector<RowSweep> sweep_row(std::span<const std::vector<double>> weights,
                                std::span<const std::size_t> order,
                                const Eigen::Ref<const Rows>& x) {
  const auto tokens = static_cast<Index>(order.size());
  Rows ordered(tokens, x.cols()), products;
  for (Index i = 0; i < tokens; ++i) {
    ordered.row(i) = x.row(static_cast<Index>(order[static_cast<std::size_t>(i)]));
  }
  // Of each of the weights, by row:
  Rows a(std::ssize(weights), tokens), s = Rows::Zero(a.rows(), x.cols());
  for (Index k = 0; k < a.rows(); ++k) {
    for (Index i = 0; i < tokens; ++i) {
      a(k, i) = weights[static_cast<std::size_t>(k)][order[static_cast<std::size_t>(i)]];
    }
  }
  const Rows squares = a.array().square().matrix() * ordered.rowwise().squaredNorm().asDiagonal();
  Rows along = Rows::Zero(a.rows(), tokens);
  std::vector<RowSweep> sweeps(weights.size());
  for (Index n = 1; n < tokens; ++n) {
    const Index c = (n - 1) % kTokens;
    if (c == 0) {
      const Index count = std::min(kTokens, tokens - n);
      products = times_transposed(ordered.middleRows(n - 1, count), ordered.bottomRows(tokens - n));
    }
    for (Index k = 0; k < a.rows(); ++k) {
      s.row(k) += a(k, n - 1) * ordered.row(n - 1);
      sweeps[static_cast<std::size_t>(k)].distance.push_back(
          join(a(k, n - 1), products.row(c).data() + c, &a(k, n), &squares(k, n),
               s.row(k).squaredNorm(), static_cast<std::size_t>(tokens - n), &along(k, n)));
    }
  }
  s += a.rightCols(1) * ordered.bottomRows(1);  // the head's output
  along = a.array() * times_transposed(s, ordered).array();
  for (Index k = 0; k < a.rows(); ++k) {
    add_expected(sweeps[static_cast<std::size_t>(k)], {squares.row(k).data(), order.size()},
                 {along.row(k).data(), order.size()}, s.row(k).squaredNorm());
  }
  return sweeps;
}

std::int64_t least_rejected(std::size_t heads, double level) {
  // Of samples of one size, deviations are its multiples; p falls as they grow.
  std::vector<std::int64_t> all(heads + 1);
  std::iota(all.begin(), all.end(), 0);
  const auto is_kept = [&](std::int64_t steps) {
    return ks_exact_p(heads, heads, steps * static_cast<std::int64_t>(heads)) >= level;
  };
  return std::ranges::partition_point(all, is_kept) - all.begin();
}

std::optional<CriticalN> critical_n(std::span<const RowSweep* const> heads, report::Reading reading,
                                    std::int64_t rejected) {
  CriticalN found{.n = {}, .steps = std::ssize(heads)};
  for (std::size_t n = 0; n < heads.front()->distance.size() && !found.n; ++n) {
    std::vector<double> distance, expected;
    for (const RowSweep* const sweep : heads) {
      distance.push_back(sweep->distance[n]);
      expected.push_back(sweep->expected(reading, n));
      if (std::isnan(distance.back() + expected.back())) return std::nullopt;
    }
    const std::int64_t deviation = ks_deviation(std::move(distance), std::move(expected));
    found.steps = std::min(found.steps, deviation / std::ssize(heads));
    if (found.steps < rejected) found.n = static_cast<double>(n + 1);
  }
  return found;
}

namespace {

/// A number of one head at one N: D, or else E.
struct HeadNumber {
  double value;
  std::uint32_t head;
  bool is_distance;
};

/// How often each head is drawn, [resample, head].
std::vector<std::vector<std::int32_t>> resamples_of(std::size_t heads) {
  constexpr std::uint64_t kResampling = 3;  // a stream of its own
  std::mt19937_64 stream = random_stream({kResampling, heads});
  std::vector<std::vector<std::int32_t>> all(kResamples, std::vector<std::int32_t>(heads, 0));
  for (std::vector<std::int32_t>& times : all) {
    for (std::size_t i = 0; i < heads; ++i) ++times[below(stream, heads)];
  }
  return all;
}

/// The deviation of the sample that has each head so many times, in steps of one number. `numbers`
/// ascend.
std::int64_t steps_of(const std::vector<HeadNumber>& numbers,
                      const std::vector<std::int32_t>& times) {
  std::int64_t difference = 0, largest = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const HeadNumber& number = numbers[i];
    difference += number.is_distance ? times[number.head] : -times[number.head];
    const bool is_last_of_equal = i + 1 == numbers.size() || numbers[i + 1].value != number.value;
    if (is_last_of_equal) largest = std::max(largest, std::abs(difference));
  }
  return largest;
}

}  // namespace

std::vector<double> resampled_critical_n(std::span<const RowSweep* const> heads,
                                         report::Reading reading, std::int64_t rejected) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  const std::vector<std::vector<std::int32_t>> resamples = resamples_of(heads.size());
  std::vector<double> found(resamples.size(), kNone);
  std::size_t open = found.size();
  for (std::size_t n = 0; n < heads.front()->distance.size() && open > 0; ++n) {
    std::vector<HeadNumber> numbers;
    for (std::uint32_t h = 0; h < heads.size(); ++h) {
      numbers.push_back({heads[h]->distance[n], h, true});
      numbers.push_back({heads[h]->expected(reading, n), h, false});
    }
    std::ranges::sort(numbers, {}, &HeadNumber::value);
    for (std::size_t k = 0; k < found.size(); ++k) {
      if (found[k] < kNone || steps_of(numbers, resamples[k]) >= rejected) continue;
      found[k] = static_cast<double>(n + 1);
      --open;
    }
  }
  return found;
}

}  // namespace attn::gpt2
