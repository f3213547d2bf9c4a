#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "gpt2_check/activations/evidence.hpp"
#include "gpt2_check/activations/evidence_base.hpp"
#include "gpt2_check/activations/evidence_common.hpp"
#include "gpt2_check/activations/evidence_fill.hpp"
#include "gpt2_check/activations/evidence_normal.hpp"
#include "gpt2_check/activations/evidence_rows.hpp"
#include "gpt2_check/activations/evidence_sight.hpp"
#include "gpt2_check/activations/evidence_sink.hpp"
#include "gpt2_check/activations/source.hpp"

namespace attn::gpt2 {
namespace {

/// The numbers after a query's own key, or of other keys that may be hidden.
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
    are_one_ = are_one_ && (row.sum == 0 || row.sum >= 1 - kOffSum);
    is_any_uneven_ = is_any_uneven_ || row.least < row.largest;
    are_largest_one_ = are_largest_one_ && (row.largest == 1 || row.sum == 0);
    ones_ += static_cast<std::uint64_t>(row.ones);
    // Zeros are hidden keys, or small weights that were rounded to 0.
    const auto is_mean_one = [&](auto keys) {
      const auto count = static_cast<double>(keys);
      return std::abs(row.sum - count) <= kOffSum * count;
    };
    are_means_one_ = are_means_one_ && (is_mean_one(row.seen) || is_mean_one(row.seen - zeros));
    are_squares_one_ =
        are_squares_one_ && (row.sum == 0 || std::abs(row.squares - 1) <= 2 * kOffSum);
    if (zeros > 0 && zeros < row.seen) ++rows_with_zeros_;
    if (!largest_ || row.sum > largest_->sum) {
      largest_ = {.sum = row.sum, .head = head, .query = query};
    }
  }

  [[nodiscard]] std::optional<Evidence::AsWeights> finding() const {
    using enum Evidence::AsWeights::By;
    constexpr double kSome = 0.5;
    if (is_negative_ || !largest_ || largest_->sum < kSome) return std::nullopt;
    const bool are_at_most_one = largest_->sum <= 1 + kOffSum && highest_ <= 1 + kOffSum;
    if (are_at_most_one) return are_one_ || has_many_rows() ? largest_ : std::nullopt;
    if (is_by_largest()) return found_by(largest);
    if (!has_many_rows()) return std::nullopt;
    if (are_means_one_ && is_any_uneven_) return found_by(means);
    if (are_squares_one_ && is_any_uneven_) return found_by(squares);
    return is_dropout() ? found_by(dropout) : std::nullopt;
  }

  [[nodiscard]] bool are_shares() const {
    return !is_negative_ && highest_ <= 1 && has_many_rows() && is_any_uneven_;
  }

 private:
  [[nodiscard]] std::optional<Evidence::AsWeights> found_by(Evidence::AsWeights::By by) const {
    auto found = largest_;
    found->by = by;
    return found;
  }
  [[nodiscard]] bool has_many_rows() const {
    constexpr std::uint64_t kManyRows = 8;
    return rows_ >= kManyRows;
  }
  /// Whether these are e^(l - max): no logits have 1 for the largest of so many rows. Weights of a
  /// sigmoid that are rounded to 1 stand in a row several times.
  [[nodiscard]] bool is_by_largest() const {
    constexpr std::uint64_t kFew = 3;
    return rows_ >= kFew && are_largest_one_ && is_any_uneven_ && 4 * ones_ <= 5 * rows_;
  }
  /// Dropout of at most a half at most doubles a weight.
  [[nodiscard]] bool is_dropout() const {
    constexpr double kNear = 0.1;
    const double mean = total_ / static_cast<double>(rows_);
    return 2 * rows_with_zeros_ > rows_ && highest_ <= 2 + kOffSum && std::abs(mean - 1) <= kNear;
  }

  bool is_negative_{}, are_one_{true}, is_any_uneven_{};
  bool are_largest_one_{true}, are_means_one_{true}, are_squares_one_{true};
  std::uint64_t rows_{}, rows_with_zeros_{}, ones_{};
  double total_{}, highest_{-kInfinity};
  std::optional<Evidence::AsWeights> largest_;
};

/// Whether a number is the greatest of a type, as an infinity is made one.
bool is_greatest(double number) {
  constexpr double kGreatest[] = {65504, 0x1.fep127, std::numeric_limits<float>::max(),
                                  std::numeric_limits<double>::max()};
  return std::ranges::find(kGreatest, number) != std::end(kGreatest);
}

/// A layer with the sign of its scores turned.
LayerNumbers negative(const LayerNumbers& layer) {
  LayerNumbers turned = layer;
  turned.square = [&layer](std::int64_t head) { return layer.square(head).neg(); };
  turned.temperature = -layer.temperature;
  return turned;
}

/// Adds the scores of a row whose keys words or tensors hide, and that are above the least that is
/// seen.
void add_hidden(const LayerNumbers& layer, const RowNumbers& row, double least, LaterKeys& hidden) {
  const bool* const padding =
      layer.padding.defined() ? layer.padding.data_ptr<bool>() : nullptr;  // of as many keys
  for (std::int64_t key = 0; key < layer.keys; ++key) {
    const bool is_hidden =
        row.said[key] && !row.marked[key] && !(padding != nullptr && padding[key]);
    if (is_hidden && row.numbers[key] > least) {
      hidden.add(row.numbers[key], row.head, row.query, key);
    }
  }
}

/// Queries that see no key: see Evidence::blind_query.
class BlindQueries {
 public:
  explicit BlindQueries(const LayerNumbers& layer)
      : sees_(static_cast<std::size_t>(layer.queries)), is_seen_(sees_.size()) {}

  /// A key that a query sees.
  void add(std::int64_t query, std::int64_t key) {
    sees_[static_cast<std::size_t>(query)] = true;
    if (key != query && key < std::ssize(is_seen_)) is_seen_[static_cast<std::size_t>(key)] = true;
  }
  [[nodiscard]] std::optional<std::int64_t> finding() const {
    for (std::size_t query = 0; query < sees_.size(); ++query) {
      if (!sees_[query] && is_seen_[query]) return static_cast<std::int64_t>(query);
    }
    return std::nullopt;
  }

 private:
  std::vector<bool> sees_;     ///< by query
  std::vector<bool> is_seen_;  ///< by query: whether another one sees its key
};

}  // namespace

Evidence evidence_of_scores(const LayerNumbers& layer) {
  Evidence found;
  Octaves octaves;
  AsWeights as_weights;
  LevelRows level(layer);
  bool sees_before = false;
  BlindQueries blind(layer);
  LaterKeys hidden;
  double lowest = kInfinity, highest = -kInfinity;
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
      if (!std::isfinite(score) || is_greatest(score)) {
        if (!found.not_finite) found.not_finite = {score, {numbers.head, numbers.query, key}};
        continue;
      }
      sees_before = sees_before || key < layer.own(numbers.query);
      blind.add(numbers.query, key);
      if (score == 0) ++zeros;
      row.add(score, is_later);
      octaves.add(score);
    }
    add_hidden(layer, numbers, row.least, hidden);
    lowest = std::min(lowest, row.least);
    highest = std::max(highest, row.largest);
    as_weights.add(row, numbers.head, numbers.query, zeros);
    level.add(numbers.query, row);
  });
  if (found.not_finite) return found;
  level.end();
  found.level_row = level.finding();
  if (hidden.count() > 1) found.hidden_score = hidden.finding();
  found.as_weights = as_weights.finding();
  found.are_shares = as_weights.are_shares();
  LaterKeys later;
  for_each_row(layer, [&](const RowNumbers& row) {
    if (level.is_padding(row.query)) return;
    for (auto key = std::max<std::int64_t>(layer.own(row.query) + 1, 0); key < layer.keys; ++key) {
      if (!row.hides(key)) later.add(row.numbers[key], row.head, row.query, key);
    }
  });
  found.later = later.finding();
  if (found.later && !sees_before) found.upside_down = found.later;
  if (layer.queries == layer.keys) found.blind_query = blind.finding();
  if (layer.is_mask_said) found.hidden_in_sight = hidden_in_sight(layer);
  found.causal_as = causal_as(layer);
  found.are_last_keys = are_last_keys(layer);
  found.sink_column = sink_score(layer);
  const bool is_causal = !layer.is_mask_said && later.is_fill();
  const auto add_base = [&](std::optional<double> exponent, double sign) {
    if (exponent) found.base = {sign * *exponent, 1};
  };
  if (highest <= kMostLogarithm) add_base(exponent_of_weights(layer, is_causal), 1);
  if (lowest >= -kMostLogarithm) add_base(exponent_of_weights(negative(layer), is_causal), -1);
  if (!found.base) found.base = common_base(layer, is_causal);
  found.normalised = normalised(layer, is_causal);
  if (is_causal && !found.normalised) found.normalised = normalised(layer, false);
  found.sorted = order_of_keys(layer, [&](const RowNumbers& row, std::int64_t key) {
    return !row.hides(key) && !(is_causal && key > layer.own(row.query));
  });
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
