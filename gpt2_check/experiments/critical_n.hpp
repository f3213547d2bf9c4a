#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <vector>

#include "gpt2_check/heads/head.hpp"
#include "reports/record/measurements.hpp"

namespace attn::gpt2 {

/// The distances of one row of L tokens for every size N of the selected set; entry N - 1 belongs
/// to N = 1..L-1. y_i = a_i x_i, p = (L - N)/L.
struct RowSweep {
  std::vector<double> distance;         ///< D: sum over the other tokens of ||y_i - s||
  std::vector<double> expected_factor;  ///< p sum_i ||y_i - N/(L-1) sum_{j != i} y_j||
  double means_full{};                  ///< sum_i ||y_i - sum_{j != i} y_j||
  std::vector<double> expected_mean{};  ///< E, sampled; empty where it was not

  /// p sum_i ||y_i - sum_{j != i} y_j|| of one entry.
  [[nodiscard]] double expected_full(std::size_t entry) const;

  /// E of one entry, read as it is said; `mean` where it was sampled.
  [[nodiscard]] double expected(report::Reading reading, std::size_t entry) const;
};

/// sum_i ||g y_i - h v||, from squares: ||y_i||^2, along: y_i . v, both of the same tokens, and
/// v_square: ||v||^2. Where rounding has put a square below zero, its size is as near to the true
/// square as zero is. NaN in gives NaN out.
double sum_of_distances(std::span<const double> squares, std::span<const double> along, double g,
                        double h, double v_square);

/// All N of one row at once, for each of some weights: the selected set is the first N tokens of
/// `order`, a permutation of 0..L-1. Each of the weights: [L], L >= 2; x: the embeddings, [L, d] or
/// longer, of which the first L are read.
///
/// Squares of distances come from ||y||^2 - 2 y.s + ||s||^2: with m = sum_i ||y_i||, a distance v
/// errs by about 2^-53 (L + d) m^2 / v, and never by more than 2^-26 sqrt(L + d) m, so that tokens
/// which all but coincide with s lose digits. NaN in gives NaN out.
std::vector<RowSweep> sweep_row(std::span<const std::vector<double>> weights,
                                std::span<const std::size_t> order,
                                const Eigen::Ref<const Rows>& x);

/// The levels of the Kolmogorov-Smirnov test of experiment 3, of Section 3.1 of the paper and of
/// its Algorithm 3; the first is that of the intervals and of the table of normalisers.
inline constexpr double kCriticalLevels[] = {report::kCriticalLevel, report::kLaterCriticalLevel};

/// What E is compared as.
inline constexpr report::Reading kReadings[] = {report::Reading::mean, report::Reading::factor,
                                                report::Reading::full};

/// The points of a row: one for each of these at each level.
inline constexpr std::size_t kCriticalPoints = std::size(kCriticalLevels) * std::size(kReadings);

/// The first N at which two samples can't be told apart.
struct CriticalN {
  std::optional<double> n;  ///< empty where the test rejects at every N
  std::int64_t steps{};  ///< the statistic there, times the heads; without an n the least of all N
};

/// The least deviation of two samples of so many numbers, in steps of one of them, that the
/// two-sample Kolmogorov-Smirnov test rejects: p < level. `heads` >= 1.
std::int64_t least_rejected(std::size_t heads, double level);

/// The first N at which the deviation of D from E is below `rejected` steps. `heads`: a sweep each,
/// at least one, all of one length. Nothing where a number is NaN up to there.
std::optional<CriticalN> critical_n(std::span<const RowSweep* const> heads, report::Reading reading,
                                    std::int64_t rejected);

/// How many resamples an interval of the critical N is of.
inline constexpr std::size_t kResamples = 200;

/// The critical N of kResamples samples of as many heads, drawn with replacement, each the same
/// heads whenever there are as many; infinity where the test rejects at every N. No number is NaN.
std::vector<double> resampled_critical_n(std::span<const RowSweep* const> heads,
                                         report::Reading reading, std::int64_t rejected);

}  // namespace attn::gpt2
