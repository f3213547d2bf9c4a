#include "gpt2_check/activations/evidence_common.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "gpt2_check/activations/evidence_places.hpp"
#include "theory/number/elementary.hpp"

namespace attn::gpt2 {
namespace {

/// Places of a head that chance does not make.
constexpr std::uint64_t kMany = 8;

/// The value that stands in the same places of every head most often; nothing where none does
/// twice.
std::optional<double> common_value(const LayerNumbers& layer) {
  std::vector<double> of_all(static_cast<std::size_t>(layer.queries * layer.keys));
  for_each_row(layer, [&](const RowNumbers& row) {
    for (std::int64_t key = 0; key < layer.keys; ++key) {
      double& value = of_all[static_cast<std::size_t>(row.query * layer.keys + key)];
      const bool is_any = is_seen(layer, row, key);
      if (row.head == 0 && is_any) value = row.numbers[key];
      if (!is_any || value != row.numbers[key]) value = std::nan("");
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
      if (!is_seen(layer, row, key)) continue;
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

/// The places of the least scores of rows: see Evidence::CommonPlaces.
class LeastScores {
 public:
  LeastScores(const LayerNumbers& layer, const LevelRows& level)
      : layer_(layer),
        level_(level),
        places_(layer),
        repeating_(static_cast<std::size_t>(layer.queries)),
        is_level_(repeating_.size()),
        is_column_(static_cast<std::size_t>(layer.keys), true) {}

  void add(const RowNumbers& row) {
    double least = kInfinity;
    std::int64_t times = 0, others = 0;
    for (std::int64_t key = 0; key < layer_.keys; ++key) {
      if (!is_seen(layer_, row, key)) continue;
      const double score = row.numbers[key];
      if (score < least) {
        others += std::exchange(times, 1);
        least = score;
      } else {
        ++(score == least ? times : others);
      }
    }
    const auto query = static_cast<std::size_t>(row.query);
    if (others == 0) is_level_[query] = true;
    if (times < 2 || others == 0) return;
    ++repeating_[query];
    has_two_ = has_two_ || others > 1;
    places_.add_row(row.query, others);
    for (std::int64_t key = 0; key < layer_.keys; ++key) {
      const bool is_least = is_seen(layer_, row, key) && row.numbers[key] == least;
      if (is_least) places_.add(row.query, key);
      if (!is_least) is_column_[static_cast<std::size_t>(key)] = false;
    }
  }

  /// From some query on the least score stands more than once in every row of every head, beside
  /// others, in whole columns or as a mask has them.
  [[nodiscard]] std::optional<Evidence::CommonPlaces> finding() const {
    constexpr std::int64_t kFewRows = 3;
    const auto [first, rows] = last_rows();
    if (rows < kFewRows || !has_two_) return std::nullopt;
    std::optional<Evidence::CommonPlaces> found;
    if (const auto columns = std::ranges::count(is_column_, true); columns > 1) {
      const auto key = std::ranges::find(is_column_, true) - is_column_.begin();
      found = {.query = first, .key = key, .places = static_cast<std::uint64_t>(rows * columns)};
    } else {
      found = places_.finding(level_);
    }
    if (!found || found->places < kMany) return std::nullopt;
    found->value = layer_.square(0)[found->query][found->key].item<double>();
    found->is_least_of_rows = true;
    return found;
  }

 private:
  /// The first of the last queries whose rows repeat their least score in every head, and how many
  /// these are, level rows aside.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> last_rows() const {
    std::int64_t first = layer_.queries, rows = 0;
    for (std::int64_t query = layer_.queries - 1; query >= 0; --query) {
      const auto index = static_cast<std::size_t>(query);
      if (is_level_[index] || level_.is_padding(query)) continue;
      if (repeating_[index] < layer_.heads) break;
      first = query;
      ++rows;
    }
    return {first, rows};
  }

  const LayerNumbers& layer_;
  const LevelRows& level_;
  CommonPlaces places_;
  std::vector<std::int64_t> repeating_;  ///< by query: heads whose row repeats its least score
  std::vector<bool> is_level_;           ///< by query: whether the row of some head is
  bool has_two_{};                       ///< whether one of these rows has two other scores
  std::vector<bool> is_column_;          ///< by key: whether it is the least of all these rows
};

}  // namespace

std::optional<Evidence::CommonPlaces> common_score(const LayerNumbers& layer,
                                                   const LevelRows& level) {
  if (const auto value = common_value(layer)) {
    const auto found = places_of(*value, layer, level);
    if (found && found->places > 1) return found;
  }
  for (std::int64_t head = 0; head < layer.heads; ++head) {
    const LayerNumbers one = head_of(layer, head);
    const double farthest = one.square(0)[layer.queries - 1][0].item<double>();
    auto found = places_of(farthest, one, level);
    if (!found || found->places < kMany) continue;
    found->head = head;
    found->is_of_one_head = true;
    return found;
  }
  LeastScores least(layer, level);
  for_each_row(layer, [&](const RowNumbers& row) { least.add(row); });
  return least.finding();
}

std::optional<Evidence::CommonPlaces> common_weight(double least, const LayerNumbers& layer,
                                                    const LevelRows& level) {
  const auto found = places_of(least, layer, level);
  return found && found->places >= kMany ? found : std::nullopt;
}

Evidence::CausalAs causal_as(const LayerNumbers& layer) {
  using enum Evidence::CausalAs;
  constexpr std::int64_t kFew = 3;
  if (layer.heads < kFew) return none;
  std::vector<Evidence::CausalAs> possible;
  if (layer.heads == layer.queries) possible = {query_head_key, query_key_head, key_query_head};
  if (layer.heads == layer.keys) possible.push_back(key_head_query);
  const at::Tensor query = at::arange(layer.queries).unsqueeze(1), key = at::arange(layer.keys);
  for (std::int64_t head = 0; head < layer.heads && !possible.empty(); ++head) {
    const at::Tensor is_blank = layer.marked(head).logical_or(layer.square(head).eq(0));
    std::erase_if(possible, [&](Evidence::CausalAs order) {
      const at::Tensor is_later = order == query_head_key   ? key.gt(head)
                                  : order == query_key_head ? query.gt(head)
                                  : order == key_query_head ? query.lt(head)
                                                            : key.lt(head);
      return !is_blank.equal(is_later.expand_as(is_blank));
    });
  }
  return possible.empty() ? none : possible.front();
}

}  // namespace attn::gpt2
