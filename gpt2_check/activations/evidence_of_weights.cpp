#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "gpt2_check/activations/evidence.hpp"
#include "gpt2_check/activations/evidence_common.hpp"
#include "gpt2_check/activations/evidence_fill.hpp"
#include "gpt2_check/activations/evidence_places.hpp"
#include "gpt2_check/activations/evidence_rows.hpp"
#include "gpt2_check/activations/evidence_sight.hpp"
#include "gpt2_check/activations/evidence_sink.hpp"
#include "gpt2_check/activations/source.hpp"

namespace attn::gpt2 {
namespace {

/// Whether the columns of a layer are what its rows should be: see Evidence::Transposed.
class Columns {
 public:
  explicit Columns(const LayerNumbers& layer)
      : sums_(static_cast<std::size_t>(layer.heads * layer.keys)), keys_(layer.keys) {}

  void add(std::int64_t head, std::int64_t query, std::int64_t key, double weight) {
    sums_[static_cast<std::size_t>(head * keys_ + key)] += weight;
    row_.sum = row_.head == head && row_.query == query ? row_.sum + weight : weight;
    row_.head = head;
    row_.query = query;
  }
  /// Ends the row of the weights added last.
  void end_row() {
    if (row_.sum == 0) return;
    if (!farthest_ || std::abs(row_.sum - 1) > std::abs(farthest_->sum - 1)) farthest_ = row_;
  }

  [[nodiscard]] std::optional<Evidence::Transposed> finding() const {
    const auto is_one = [](double sum) { return std::abs(sum - 1) <= kOffSum; };
    const bool are_one =  // but for those of padding
        std::ranges::any_of(sums_, is_one) &&
        std::ranges::all_of(sums_, [&](double sum) { return sum == 0 || is_one(sum); });
    const bool are_rows_one = !farthest_ || std::abs(farthest_->sum - 1) <= kOffSum;
    return are_one && !are_rows_one ? farthest_ : std::nullopt;
  }

 private:
  std::vector<double> sums_;
  std::int64_t keys_;
  Evidence::Transposed row_;  ///< the row that weights were added to last
  std::optional<Evidence::Transposed> farthest_;
};

/// Whether weights sum to 1 over the heads: see Evidence::OverHeads.
class Heads {
 public:
  explicit Heads(const LayerNumbers& layer)
      : layer_(layer),
        sums_(static_cast<std::size_t>(layer.queries * layer.keys)),
        has_weight_(static_cast<std::size_t>(layer.heads)) {}

  void add(std::int64_t head, std::int64_t query, std::int64_t key, double weight) {
    sums_[static_cast<std::size_t>(query * layer_.keys + key)] += weight;
    has_weight_[static_cast<std::size_t>(head)] = true;
  }
  void add_row(const Row& row) {
    are_rows_one_ = are_rows_one_ && (row.seen == 0 || std::abs(row.sum - 1) <= kOffSum);
  }

  [[nodiscard]] Evidence::OverHeads finding() const {
    using enum Evidence::OverHeads;
    if (layer_.heads == 1 || are_rows_one_) return none;
    const auto is_one_or_none = [](double sum) { return sum == 0 || std::abs(sum - 1) <= kOffSum; };
    if (std::ranges::all_of(sums_, is_one_or_none)) return each_key;
    for (auto row = sums_.begin(); row != sums_.end(); row += layer_.keys) {
      if (!is_one_or_none(std::accumulate(row, row + layer_.keys, 0.0))) return none;
    }
    return all_keys;
  }
  [[nodiscard]] bool has_weight(std::int64_t head) const {
    return has_weight_[static_cast<std::size_t>(head)];
  }

 private:
  const LayerNumbers& layer_;
  std::vector<double> sums_;  ///< by place, over the heads
  std::vector<bool> has_weight_;
  bool are_rows_one_{true};
};

}  // namespace

Evidence evidence_of_weights(const LayerNumbers& layer) {
  Evidence found;
  found.are_sizes_one = true;
  LevelRows level(layer), of_hidden(layer);
  CommonPlaces zeros(layer);
  Columns columns(layer);
  Heads heads(layer);
  // By place: how many heads have a zero or NaN there that hides its key.
  std::vector<std::int32_t> hiding(static_cast<std::size_t>(layer.queries * layer.keys));
  std::vector<std::int64_t> zero_rows(
      static_cast<std::size_t>(layer.queries));  // of how many heads
  double least = 1;                              // above 0
  std::int64_t times_least = 0;                  // how often it is there
  std::vector<std::optional<Sighting>> later(static_cast<std::size_t>(layer.queries));
  for_each_row(layer, [&](const RowNumbers& numbers) {
    const std::int64_t head = numbers.head, query = numbers.query;
    const bool is_padding = layer.padding.defined() && layer.padding.data_ptr<bool>()[query];
    Row row, all;    // `all`: those of hidden keys too
    double below{};  // the sum of the weights below 0
    bool sees_any = false;
    for (std::int64_t key = 0; key < layer.keys; ++key) {
      const bool is_later = key > layer.own(query);
      const double weight = numbers.numbers[key];
      const Sighting here{weight, {head, query, key}};
      if (numbers.hides(key)) {
        if (is_later && !numbers.said[key]) found.hides_later_keys = true;
        const bool has_weight = !numbers.marked[key] && !(weight <= kUnseenWeight) && !is_padding;
        if (has_weight && !found.hidden_weight) found.hidden_weight = here;
        if (has_weight && weight > 0) {
          all.add(weight, is_later);
          columns.add(head, query, key, weight);
        }
        if (numbers.marked[key] && !numbers.said[key]) {
          ++hiding[static_cast<std::size_t>(query * layer.keys + key)];
        }
        continue;
      }
      sees_any = true;
      if (!std::isfinite(weight)) {
        if (!found.not_finite) found.not_finite = here;
      } else if (weight < 0) {
        if (!found.negative) found.negative = here;
        below += weight;
      } else if (weight == 0) {
        if (is_later) found.has_later_zeros = true;
        if (layer.is_mask_said || !is_later) zeros.add(query, key);
      } else {
        row.add(weight, is_later);
        all.add(weight, is_later);
        if (weight < least) times_least = 0;
        least = std::min(least, weight);
        if (weight == least) ++times_least;
        columns.add(head, query, key, weight);
        heads.add(head, query, key, weight);
        auto& first = later[static_cast<std::size_t>(query)];
        if (is_later && !first) first = here;
      }
    }
    if (sees_any && row.seen == 0) {
      if (!found.zero_row) found.zero_row = {0, {head, query, 0}};
      ++zero_rows[static_cast<std::size_t>(query)];
    }
    found.are_sizes_one =
        found.are_sizes_one && (!sees_any || std::abs(row.sum - below - 1) <= kOffSum);
    if (row.seen > 0) found.least_sum = std::min(found.least_sum.value_or(row.sum), row.sum);
    level.add(query, row);
    of_hidden.add(query, all);
    zeros.add_row(query, row.seen);
    columns.end_row();
    heads.add_row(row);
  });
  level.end();
  for (std::int64_t query = 0; query < layer.queries; ++query) {
    const auto& first = later[static_cast<std::size_t>(query)];
    if (first && !found.later && !level.is_padding(query)) found.later = first;
  }
  found.level_row = level.finding();
  if (found.hidden_weight && !layer.padding.defined()) {
    of_hidden.end();
    // What softmax makes of padding has weights of hidden keys, which no other mask takes away.
    if (of_hidden.is_padding(found.hidden_weight->place[1])) {
      found.hidden_weight.reset();
      found.level_row = of_hidden.finding();
    }
  }
  found.common_zeros = zeros.finding(level);
  found.transposed = columns.finding();
  found.over_heads = heads.finding();
  found.is_zero_in_all_heads =
      found.zero_row &&
      zero_rows[static_cast<std::size_t>(found.zero_row->place[1])] == layer.heads;
  found.is_head_zero = found.zero_row && !heads.has_weight(found.zero_row->place[0]);
  found.causal_as = causal_as(layer);
  found.are_last_keys = are_last_keys(layer);
  found.sink_column = sink_weight(layer);
  found.sorted = order_of_keys(layer, [](const RowNumbers& row, std::int64_t key) {
    return !row.hides(key) && row.numbers[key] > 0;
  });
  found.has_scattered_zeros = std::ranges::any_of(
      hiding, [&](std::int32_t heads) { return heads > 0 && heads < layer.heads; });
  if (!found.not_finite && !found.negative && times_least > layer.heads) {
    found.common_weight = common_weight(least, layer, level);
  }
  const bool may_be_left = least <= kUnseenWeight;
  if (may_be_left && !found.not_finite && !found.negative) found.fill = fill_of_weights(layer);
  return found;
}

}  // namespace attn::gpt2
