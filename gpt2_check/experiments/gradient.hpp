#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "gpt2_check/heads/arrays.hpp"
#include "gpt2_check/heads/head.hpp"

namespace attn::gpt2 {

/// ||diag(a) - a a^T|| for weights a >= 0 of sum 1, [L], L >= 1, in any order: the largest root of
/// sum_i a_i^2 / (a_i - t) = 1, or a_(1) where the largest weight is tied. Relative error below
/// 1e-13 while the result is above 1e-300. What the sum lacks to 1 is taken off the largest weight.
double softmax_norm(std::span<const double> weights);

/// ||diag(a) - a a^T|| for weights a >= 0 of any sum up to 1, [L], L >= 1, in any order, with the
/// relative error of softmax_norm(weights). `rest`: 1 - a_(1), given so that it has all its digits.
double softmax_norm(std::span<const double> weights, double rest);

/// The step lengths of the figure, claim corollary3.step.
inline constexpr std::array kStepLengths{1e-3, 1e-1, 10.0};

/// g(T, epsilon) = ||softmax((l + epsilon v)/T) - softmax(l/T)|| / epsilon, ||v|| = 1, for each
/// epsilon of kStepLengths.
using StepQuotients = std::array<double, kStepLengths.size()>;

/// The gradient of one row at one temperature.
struct RowGradient {
  double t_norm{};         ///< T ||J||, J = (diag a - a a^T)/T
  StepQuotients random{};  ///< along v_i = s_i/sqrt(L), s_i signs
  StepQuotients top{};     ///< along v = (e_(1) - e_(2))/sqrt(2), of the two largest logits
};

/// The sum of some weights, none below 0, and of their squares; the largest, 0 without any.
struct WeightSums {
  double sum{}, squares{}, largest{};
};

/// The tokens of one row, laid out so that every temperature takes one pass.
class GradientRow {
 public:
  /// logits: [L], L >= 2; plus: [L], whether s_i = +1.
  GradientRow(std::span<const double> logits, std::span<const std::uint8_t> plus);

  /// T > 0, which falls from call to call: a token whose weight is below e^-708 of the largest of
  /// its sign counts as none, then and later. Relative errors are about 1e-13 plus what rounding
  /// makes of l/T.
  RowGradient at(double temperature);

 private:
  /// Tokens of one sign but the one of the largest logit.
  struct Group {
    Range range{};  ///< least of the group, most of the sign; infinity and -infinity of none
    std::vector<double> logits;  ///< the logits of the tokens that count
    WeightSums sums{};           ///< the sums over exp((l_i - top)/T) of the tokens that count
  };
  /// Puts the exponentials of a group, times `factor`, at others_[others], ...: up to where.
  std::size_t scale(Group& group, double temperature, double factor, std::size_t others);

  Group first_, second_;  ///< the group of the largest logit, and the other one
  bool first_is_plus_{};
  double root_of_length_{};
  std::vector<double> others_;  ///< weights but the largest, over that
};

/// The largest quotient over the rows of a head, and the row where it is.
struct LargestStep {
  double quotient{};
  Eigen::Index row{};
};

/// The gradients of some rows of a head at one temperature; all 0 where `rows` is 0.
struct TemperatureGradients {
  double temperature{};
  std::size_t rows{};
  double sum_t_norm{}, largest_t_norm{};   ///< the sum and the largest T ||J|| of the rows
  std::size_t rows_above_printed_bound{};  ///< ||J|| > min(1/(4T), sqrt 2)
  /// Rows whose ||J|| is larger than at T = report::kCold; 0 where that is not warmer, or not
  /// measured.
  std::size_t rows_steeper{};
  std::array<LargestStep, kStepLengths.size()> random{}, top{};  ///< by kStepLengths
};

/// Experiment 5 on the rows of a head, one after another.
class GradientMeasure {
 public:
  /// The signs of the random direction are drawn for every row anew, from the seed, the layer and
  /// the head. `temperatures` ascend.
  GradientMeasure(const Head& head, std::span<const double> temperatures, std::uint64_t seed);

  /// The raw logits of a row, two or more. NaN in gives NaN out.
  void add(std::int64_t row, std::span<const double> logits);

  /// The gradients of the rows that were added, one entry a temperature.
  std::vector<TemperatureGradients> result() && { return std::move(result_); }

 private:
  std::mt19937_64 engine_;
  std::vector<std::uint8_t> plus_;
  std::vector<TemperatureGradients> result_;
};

}  // namespace attn::gpt2
