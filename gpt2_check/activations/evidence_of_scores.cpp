#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "gpt2_check/activations/evidence.hpp"
#include "gpt2_check/activations/evidence_base.hpp"
#include "gpt2_check/activations/evidence_common.hpp"
#include "gpt2_check/activations/evidence_fill.hpp"
#include "gpt2_check/activations/evidence_rows.hpp"
#include "gpt2_check/activations/source.hpp"

namespace attn::gpt2 {
namespace {

/// The numbers after a query's own key.
class LaterKeys {
 public:
  void add(double value, std::int64_t head, std::int64_t query, std::int64_t key) {
    if (!first_) first_ = {value, {head, query, key}};
    is_one_value_ = is_one_value_ && value == first_->value;
    ++count_;
  }
  /// Zeros, or another value that stands there more than once and alone, stand for no score.
  [[nodiscard]] bool is_fill() const {
    return is_one_value_ && first_ && (first_->value == 0 || count_ > 1);
  }
  [[nodiscard]] std::optional<Sighting> finding() const {
    return is_fill() ? std::nullopt : first_;
  }
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  std::optional<Sighting> first_;
  std::uint64_t count_{};
  bool is_one_value_{true};
};

/// Whether the numbers of a layer are weights: see Evidence::AsWeights.
class AsWeights {
 public:
  void add(const Row& row, std::int64_t head, std::int64_t query, std::int64_t zeros) {
    if (row.seen == 0) return;
    is_negative_ = is_negative_ || row.least < 0;
    highest_ = std::max(highest_, row.largest);
    if (row.seen < 2) return;
    ++rows_;
    total_ += row.sum;
    least_sum_ = std::min(least_sum_, row.sum);
    are_one_ = are_one_ && (row.sum == 0 || row.sum >= 1 - kOffSum);
    is_any_level_ = is_any_level_ || row.least == row.largest;
    is_any_uneven_ = is_any_uneven_ || row.least < row.largest;
    are_largest_one_ = are_largest_one_ && (row.largest == 1 || row.sum == 0);
    if (zeros > 0 && zeros < row.seen) ++rows_with_zeros_;
    if (row.seen - zeros > 1) ++rows_of_two_;
    if (!largest_ || row.sum > largest_->sum) {
      largest_ = {.sum = row.sum, .head = head, .query = query};
    }
  }

  [[nodiscard]] std::optional<Evidence::AsWeights> finding() const {
    constexpr double kSome = 0.1;
    if (is_negative_ || !largest_ || largest_->sum < kSome) return std::nullopt;
    const bool are_at_most_one = largest_->sum <= 1 + kOffSum && highest_ <= 1 + kOffSum;
    if (are_at_most_one) return are_one_ || has_many_rows() ? largest_ : std::nullopt;
    if (is_by_largest()) {
      Evidence::AsWeights found = *largest_;
      found.is_by_largest = true;
      return found;
    }
    if (!has_many_rows()) return std::nullopt;
    const bool are_of_one_sum = largest_->sum - least_sum_ <= kOffSum * largest_->sum &&
                                !is_any_level_ && 2 * rows_of_two_ > rows_;
    if (are_of_one_sum) return largest_;
    if (!is_dropout()) return std::nullopt;
    Evidence::AsWeights found = *largest_;
    found.is_dropout = true;
    return found;
  }

 private:
  [[nodiscard]] bool has_many_rows() const {
    constexpr std::uint64_t kManyRows = 8;
    return rows_ >= kManyRows;
  }
  /// Whether these are e^(l - max): no logits have 1 for the largest of so many rows.
  [[nodiscard]] bool is_by_largest() const {
    constexpr std::uint64_t kFew = 3;
    return rows_ >= kFew && are_largest_one_ && is_any_uneven_;
  }
  /// Dropout of at most a half at most doubles a weight.
  [[nodiscard]] bool is_dropout() const {
    constexpr double kNear = 0.1;
    const double mean = total_ / static_cast<double>(rows_);
    return 2 * rows_with_zeros_ > rows_ && highest_ <= 2 + kOffSum && std::abs(mean - 1) <= kNear;
  }

  bool is_negative_{}, are_one_{true}, is_any_level_{}, is_any_uneven_{}, are_largest_one_{true};
  std::uint64_t rows_{}, rows_with_zeros_{}, rows_of_two_{};
  double total_{}, least_sum_{kInfinity}, highest_{-kInfinity};
  std::optional<Evidence::AsWeights> largest_;
};

}  // namespace

Evidence evidence_of_scores(const LayerNumbers& layer) {
  Evidence found;
  Octaves octaves;
  AsWeights as_weights;
  LevelRows level(layer);
  bool sees_before = false;
  double highest = -kInfinity;
  for_each_row(layer, [&](const RowNumbers& numbers) {
    Row row;
    std::int64_t zeros = 0;
    for (std::int64_t key = 0; key < layer.keys; ++key) {
      const bool is_later = key > layer.own(numbers.query);
      if (numbers.hides(key)) {
        if (is_later && !numbers.said[key]) found.hides_later_keys = true;
        continue;
      }
      const double score = numbers.numbers[key];
      if (!std::isfinite(score)) {
        if (!found.not_finite) found.not_finite = {score, {numbers.head, numbers.query, key}};
        continue;
      }
      sees_before = sees_before || key < layer.own(numbers.query);
      if (score == 0) ++zeros;
      row.add(score, is_later);
      octaves.add(score);
    }
    highest = std::max(highest, row.largest);
    as_weights.add(row, numbers.head, numbers.query, zeros);
    level.add(numbers.query, row);
  });
  if (found.not_finite) return found;
  level.end();
  found.level_row = level.finding();
  found.as_weights = as_weights.finding();
  LaterKeys later;
  for_each_row(layer, [&](const RowNumbers& row) {
    if (level.is_padding(row.query)) return;
    for (auto key = std::max<std::int64_t>(layer.own(row.query) + 1, 0); key < layer.keys; ++key) {
      if (!row.hides(key)) later.add(row.numbers[key], row.head, row.query, key);
    }
  });
  found.later = later.finding();
  if (found.later && !sees_before) found.upside_down = found.later;
  if (highest <= kMostLogarithm) {
    const bool is_causal = !layer.is_mask_said && later.is_fill();
    found.exponent = exponent_of_weights(layer, is_causal);
  }
  found.common_score = common_score(layer, level);
  constexpr double kFar = 100;  // times the spread: no logits of a model lie so
  const double vanishing = layer.vanishes_above * layer.temperature;
  const double least = std::min(vanishing, -std::log(kUnseenWeight) * layer.temperature);
  for (const Octaves::Gap& gap : octaves.gaps(least)) {
    found.fill = fill_below(layer, gap, kFar);
    // One value after all queries' own keys is no score, whatever it is.
    const bool is_of_later = later.is_fill() && found.fill && found.fill->places == later.count();
    if (is_of_later && gap.above - gap.below <= vanishing) found.fill.reset();
    if (found.fill) break;
  }
  return found;
}

}  // namespace attn::gpt2
