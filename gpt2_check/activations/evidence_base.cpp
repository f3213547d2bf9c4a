#include "gpt2_check/activations/evidence_base.hpp"

#include <ATen/TensorOperators.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "gpt2_check/activations/evidence_rows.hpp"
#include "gpt2_check/activations/rounding.hpp"
#include "theory/number/elementary.hpp"

namespace attn::gpt2 {
namespace {

constexpr double kAlike = 1e-3;  ///< exponents that are nearer are one

/// ln of the sum of e^(c x), which falls as c grows.
double log_sum(const std::vector<double>& scores, double exponent) {
  double sum = 0;
  for (const double score : scores) sum += std::exp(exponent * std::min(score, 0.0));
  return std::log(sum);
}

/// The exponents that fit all rows: between two bounds, which each row brings closer.
class Exponents {
 public:
  explicit Exponents(double rounding) : rounding_(rounding) {}

  [[nodiscard]] bool is_possible() const { return is_possible_; }

  /// The scores of the next row.
  void add(const std::vector<double>& scores) {
    const double largest = std::ranges::max(scores);
    const double off = off_by(scores.size());
    const double at_least = log_sum(scores, least_), at_most = log_sum(scores, most_);
    is_possible_ = at_least >= -off && at_most <= off;
    if (!is_possible_) return;
    if (at_least > off) least_ = meeting(scores, off).first;
    if (at_most < -off) most_ = meeting(scores, -off).second;
    // A row of one weight of nearly 1 fits every large exponent.
    constexpr double kMuch = 16;
    if (scores.size() < 2 || -largest * least_ < kMuch * off) return;
    ++rows_;
    off_ = std::max(off_, off);
    double mean = 0;
    for (const double score : scores) mean += score / static_cast<double>(scores.size());
    least_mean_ = std::min(least_mean_, mean);
    most_mean_ = std::max(most_mean_, mean);
  }

  /// What fits, where `of_softmax` does not. By chance a row has the sum 1 about as often as that
  /// is less than by how much the rows differ otherwise.
  [[nodiscard]] std::optional<double> finding(double of_softmax) const {
    const bool is_softmax = least_ <= of_softmax && of_softmax <= most_;
    if (!is_possible_ || is_softmax || rows_ == 0) return std::nullopt;
    constexpr double kClear = 8, kOdds = 1e6;
    const double exponent = std::sqrt(least_ * most_);
    const double contrast = exponent * (most_mean_ - least_mean_) / off_;
    const bool is_clear = contrast >= kClear && (rows_ - 1) * std::log(contrast) >= std::log(kOdds);
    if (!is_clear) return std::nullopt;
    for (const double usual : {std::numbers::ln2, std::numbers::ln10}) {
      if (least_ <= usual && usual <= most_) return usual;
    }
    return exponent;
  }

 private:
  /// By how much the sum of so many weights may be off from 1: by what was added to them, such as
  /// 1e-9 before the logarithm, and by roundings u. These of the logarithms move it by u times the
  /// entropy of the weights.
  [[nodiscard]] double off_by(std::size_t weights) const {
    constexpr double kAdded = 1e-4;
    return kAdded + rounding_ * (2 + std::log(static_cast<double>(weights)));
  }
  /// Exponents between the bounds, next to each other, before and behind the one where the sum has
  /// that logarithm.
  [[nodiscard]] std::pair<double, double> meeting(const std::vector<double>& scores,
                                                  double logarithm) const {
    double before = least_, behind = most_;
    for (double middle = std::midpoint(before, behind); before < middle && middle < behind;
         middle = std::midpoint(before, behind)) {
      (log_sum(scores, middle) > logarithm ? before : behind) = middle;
    }
    return {before, behind};
  }

  double rounding_;
  double least_{0x1p-7}, most_{0x1p7};
  bool is_possible_{true};
  double rows_{}, off_{};
  double least_mean_{kInfinity};  ///< the least mean of a row's scores
  double most_mean_{-kInfinity};  ///< the largest mean of a row's scores
};

/// The sums of e^(c x) over the scores x of rows, for one c: whether all are one.
class CommonSum {
 public:
  CommonSum(double exponent, double rounding) : exponent_(exponent), rounding_(rounding) {}

  /// Whether the rows so far have one sum.
  [[nodiscard]] bool is_possible() const { return most_ - least_ <= 2 * off_ || rows_ < 2; }

  /// The scores of the next row.
  void add(const std::vector<double>& scores) {
    constexpr double kAdded = 1e-4;  // to what the logarithm was taken of
    const double largest = std::ranges::max(scores);
    double sum = 0, other = 0;
    for (const double score : scores) {
      const double weight = std::exp(exponent_ * (score - largest));
      sum += weight;
      other += weight * weight;
    }
    const double size = exponent_ * largest, count = static_cast<double>(scores.size());
    off_ = std::max(off_, kAdded + rounding_ * (2 + std::log(count) + std::abs(size)));
    least_ = std::min(least_, size + std::log(sum));
    most_ = std::max(most_, size + std::log(sum));
    least_other_ = std::min(least_other_, 2 * size + std::log(other));
    most_other_ = std::max(most_other_, 2 * size + std::log(other));
    ++rows_;
  }

  /// The common sum, where those of another exponent show that chance does not make it, nor rows of
  /// the same numbers in another order.
  [[nodiscard]] std::optional<BaseOfWeights> finding() const {
    constexpr double kClear = 8, kOdds = 1e6;
    const double contrast = (most_other_ - least_other_) / off_;
    const bool is_clear = contrast >= kClear && (rows_ - 1) * std::log(contrast) >= std::log(kOdds);
    if (!is_possible() || !is_clear) return std::nullopt;
    return BaseOfWeights{exponent_, std::exp(std::midpoint(least_, most_))};
  }

 private:
  double exponent_, rounding_;
  double rows_{}, off_{};
  double least_{kInfinity}, most_{-kInfinity};  ///< the logarithms of the sums
  double least_other_{kInfinity},
      most_other_{-kInfinity};  ///< logarithms of sums by twice the exponent
};

/// Visits the scores that each row sees of a layer, which are finite.
template <class Visit>
void for_each_seen(const LayerNumbers& layer, bool is_causal, const Visit& visit) {
  std::vector<double> scores;
  for_each_row(layer, [&](const RowNumbers& row) {
    scores.clear();
    for (std::int64_t key = 0; key < layer.keys; ++key) {
      const bool is_seen = !row.hides(key) && !(is_causal && key > layer.own(row.query));
      if (is_seen) scores.push_back(row.numbers[key]);
    }
    if (!scores.empty()) visit(scores);
  });
}

}  // namespace

double rounding_of_seen(const LayerNumbers& layer) {
  const HeadSquares visible(layer.heads, [&](std::int64_t head) {
    const at::Tensor hidden = layer.said_of(head).logical_or(layer.marked(head));
    return layer.square(head).masked_fill(hidden, 0);
  });
  return rounding_in(visible).relative;
}

std::optional<BaseOfWeights> common_base(const LayerNumbers& layer, bool is_causal) {
  const double rounding = rounding_of_seen(layer);
  // Sums of numbers of 16 bits are alike by chance.
  if (rounding > rounding_of(at::kFloat).relative) return std::nullopt;
  std::vector<CommonSum> bases;
  for (const double exponent : {std::numbers::ln10 / 10, std::numbers::ln10, std::numbers::ln2}) {
    if (std::abs(exponent * layer.temperature - 1) > kAlike) bases.emplace_back(exponent, rounding);
  }
  for_each_seen(layer, is_causal, [&](const std::vector<double>& scores) {
    std::erase_if(bases, [](const CommonSum& base) { return !base.is_possible(); });
    for (CommonSum& base : bases) base.add(scores);
  });
  for (const CommonSum& base : bases) {
    if (const auto found = base.finding()) return found;
  }
  return std::nullopt;
}

std::optional<double> exponent_of_weights(const LayerNumbers& layer, bool is_causal) {
  Exponents exponents(rounding_of_seen(layer));
  for_each_seen(layer, is_causal, [&](const std::vector<double>& scores) {
    if (exponents.is_possible()) exponents.add(scores);
  });
  return exponents.finding(1 / layer.temperature);
}

}  // namespace attn::gpt2
