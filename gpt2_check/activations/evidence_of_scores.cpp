#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "gpt2_check/activations/evidence.hpp"
#include "gpt2_check/activations/evidence_fill.hpp"
#include "gpt2_check/activations/evidence_places.hpp"
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
  /// Dropout of at most a half at most doubles a weight.
  [[nodiscard]] bool is_dropout() const {
    constexpr double kNear = 0.1;
    const double mean = total_ / static_cast<double>(rows_);
    return 2 * rows_with_zeros_ > rows_ && highest_ <= 2 + kOffSum && std::abs(mean - 1) <= kNear;
  }

  bool is_negative_{}, are_one_{true}, is_any_level_{};
  std::uint64_t rows_{}, rows_with_zeros_{}, rows_of_two_{};
  double total_{}, least_sum_{kInfinity}, highest_{-kInfinity};
  std::optional<Evidence::AsWeights> largest_;
};

/// The value that stands in the same places of every head most often; nothing where none does
/// twice.
std::optional<double> common_value(const LayerNumbers& layer) {
  std::vector<double> of_all(static_cast<std::size_t>(layer.queries * layer.keys));
  for_each_row(layer, [&](const RowNumbers& row) {
    for (std::int64_t key = 0; key < layer.keys; ++key) {
      double& value = of_all[static_cast<std::size_t>(row.query * layer.keys + key)];
      const bool is_seen = !row.hides(key) && (layer.is_mask_said || key <= layer.own(row.query));
      const bool is_first = row.head == 0 && is_seen;
      if (is_first) value = row.numbers[key];
      if (!is_seen || value != row.numbers[key]) value = std::nan("");
    }
  });
  std::erase_if(of_all, [](double value) { return std::isnan(value); });
  std::ranges::sort(of_all);
  std::optional<double> found;
  std::ptrdiff_t most = 1;
  for (auto first = of_all.begin(); first != of_all.end();) {
    const auto end =
        std::find_if(first, of_all.end(), [&](double value) { return value != *first; });
    if (end - first > most) found = *first;
    most = std::max(most, end - first);
    first = end;
  }
  return found;
}

/// The places where a value stands for scores: see Evidence::CommonPlaces.
std::optional<Evidence::CommonPlaces> places_of(double value, const LayerNumbers& layer,
                                                const LevelRows& level) {
  CommonPlaces places(layer);
  double highest = -kInfinity;  // of the others
  for_each_row(layer, [&](const RowNumbers& row) {
    std::int64_t others = 0;
    for (std::int64_t key = 0; key < layer.keys; ++key) {
      if (row.hides(key) || (!layer.is_mask_said && key > layer.own(row.query))) continue;
      if (row.numbers[key] == value) {
        places.add(row.query, key);
      } else {
        ++others;
        highest = std::max(highest, row.numbers[key]);
      }
    }
    places.add_row(row.query, others);
  });
  if (value > highest) return std::nullopt;  // no mask puts its keys before all others
  std::optional<Evidence::CommonPlaces> found = places.finding(level);
  if (found) found->value = value;
  return found;
}

/// One head of a layer, as a layer of one.
LayerNumbers head_of(const LayerNumbers& layer, std::int64_t head) {
  LayerNumbers one = layer;
  one.heads = 1;
  one.square = [&layer, head](std::int64_t) { return layer.square(head); };
  one.marked = [&layer, head](std::int64_t) { return layer.marked(head); };
  if (layer.said.size(0) > 1) one.said = layer.said.slice(0, head, head + 1);
  return one;
}

/// What stands in the place of scores in every head, or in one: see Evidence::CommonPlaces.
std::optional<Evidence::CommonPlaces> common_score(const LayerNumbers& layer,
                                                   const LevelRows& level) {
  if (const auto value = common_value(layer)) {
    const auto found = places_of(*value, layer, level);
    if (found && found->places > 1) return found;
  }
  constexpr std::uint64_t kMany = 8;  // that one head shows
  for (std::int64_t head = 0; head < layer.heads; ++head) {
    const LayerNumbers one = head_of(layer, head);
    const double farthest = one.square(0)[layer.queries - 1][0].item<double>();
    auto found = places_of(farthest, one, level);
    if (!found || found->places < kMany) continue;
    found->head = head;
    found->is_of_one_head = true;
    return found;
  }
  return std::nullopt;
}

}  // namespace

Evidence evidence_of_scores(const LayerNumbers& layer) {
  Evidence found;
  Octaves octaves;
  AsWeights as_weights;
  LevelRows level(layer);
  bool sees_before = false;
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
