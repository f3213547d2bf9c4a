#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "gpt2_check/activations/evidence.hpp"
#include "gpt2_check/activations/evidence_rows.hpp"
#include "gpt2_check/activations/source.hpp"

namespace attn::gpt2 {
namespace {

/// Places where the weights of every head are 0.
class CommonZeros {
 public:
  explicit CommonZeros(const LayerNumbers& layer)
      : layer_(layer),
        heads_(static_cast<std::size_t>(layer.queries * layer.keys)),
        others_(static_cast<std::size_t>(layer.queries)) {}

  void add_zero(std::int64_t query, std::int64_t key) { ++heads_[index(query, key)]; }
  void add_row(std::int64_t query, const Row& row) {
    auto& others = others_[static_cast<std::size_t>(query)];
    others = std::max(others, row.seen);
  }

  [[nodiscard]] std::optional<Evidence::CommonZeros> finding(const LevelRows& level) const {
    std::optional<Evidence::CommonZeros> found;
    std::uint64_t scattered = 0;
    bool has_two = false;
    for (std::int64_t query = 0; query < layer_.queries; ++query) {
      const std::int64_t others = others_[static_cast<std::size_t>(query)];
      if (others == 0 || level.is_padding(query)) continue;
      has_two = has_two || others > 1;
      for (std::int64_t key = 0; key < layer_.keys; ++key) {
        const std::int64_t heads = heads_[index(query, key)];
        if (heads < layer_.heads) {
          scattered += static_cast<std::uint64_t>(heads);
          continue;
        }
        if (!found) found = {query, key, 0};
        ++found->places;
      }
    }
    if (!found || !has_two) return std::nullopt;
    constexpr std::uint64_t kMostly = 10;
    const auto of_all = found->places * static_cast<std::uint64_t>(layer_.heads);
    const bool are_mostly_common = layer_.heads > 1 && kMostly * scattered <= of_all;
    return are_mostly_common || is_mask(level) ? found : std::nullopt;
  }

 private:
  [[nodiscard]] std::size_t index(std::int64_t query, std::int64_t key) const {
    return static_cast<std::size_t>(query * layer_.keys + key);
  }

  /// Whether the zeros of all heads are whole columns and what a window leaves out.
  [[nodiscard]] bool is_mask(const LevelRows& level) const {
    const auto is_row = [&](std::int64_t query) {
      return others_[static_cast<std::size_t>(query)] > 0 && !level.is_padding(query);
    };
    std::int64_t window = 0;
    std::vector<bool> is_column(static_cast<std::size_t>(layer_.keys), true);
    for (std::int64_t query = 0; query < layer_.queries; ++query) {
      if (!is_row(query)) continue;
      for (std::int64_t key = 0; key <= layer_.own(query); ++key) {
        if (heads_[index(query, key)] == layer_.heads) continue;
        is_column[static_cast<std::size_t>(key)] = false;
        window = std::max(window, layer_.own(query) - key + 1);
      }
    }
    for (std::int64_t query = 0; query < layer_.queries; ++query) {
      if (!is_row(query)) continue;
      for (std::int64_t key = 0; key < layer_.keys; ++key) {
        const bool is_hidden =
            is_column[static_cast<std::size_t>(key)] || layer_.own(query) - key >= window;
        if (heads_[index(query, key)] == layer_.heads && !is_hidden) return false;
      }
    }
    return true;
  }

  const LayerNumbers& layer_;
  std::vector<std::int32_t> heads_;   ///< by place: in how many heads the weight there is 0
  std::vector<std::int64_t> others_;  ///< by query: the most weights above 0 of a head
};

/// Whether the columns of a layer are what its rows should be: see Evidence::Transposed.
class Columns {
 public:
  explicit Columns(const LayerNumbers& layer)
      : sums_(static_cast<std::size_t>(layer.heads * layer.keys)), keys_(layer.keys) {}

  void add(std::int64_t head, std::int64_t key, double weight) {
    sums_[static_cast<std::size_t>(head * keys_ + key)] += weight;
  }
  void add_row(std::int64_t head, std::int64_t query, const Row& row) {
    if (row.seen == 0) return;
    const double distance = std::abs(row.sum - 1);
    if (!farthest_ || distance > std::abs(farthest_->sum - 1)) farthest_ = {row.sum, head, query};
  }

  [[nodiscard]] std::optional<Evidence::Transposed> finding() const {
    const bool are_one =
        std::ranges::all_of(sums_, [](double sum) { return std::abs(sum - 1) <= kOffSum; });
    const bool are_rows_one = !farthest_ || std::abs(farthest_->sum - 1) <= kOffSum;
    return are_one && !are_rows_one ? farthest_ : std::nullopt;
  }

 private:
  std::vector<double> sums_;
  std::int64_t keys_;
  std::optional<Evidence::Transposed> farthest_;
};

}  // namespace

Evidence evidence_of_weights(const LayerNumbers& layer) {
  Evidence found;
  LevelRows level(layer);
  CommonZeros zeros(layer);
  Columns columns(layer);
  std::vector<std::optional<Sighting>> later(static_cast<std::size_t>(layer.queries));
  for_each_row(layer, [&](const RowNumbers& numbers) {
    const std::int64_t head = numbers.head, query = numbers.query;
    const bool is_padding = layer.padding.defined() && layer.padding.data_ptr<bool>()[query];
    Row row;
    bool sees_any = false;
    for (std::int64_t key = 0; key < layer.keys; ++key) {
      const bool is_later = key > layer.own(query);
      const double weight = numbers.numbers[key];
      const Sighting here{weight, {head, query, key}};
      if (numbers.hides(key)) {
        if (is_later && !numbers.said[key]) found.hides_later_keys = true;
        const bool has_weight = !numbers.marked[key] && weight != 0 && !is_padding;
        if (has_weight && !found.hidden_weight) found.hidden_weight = here;
        continue;
      }
      sees_any = true;
      if (!std::isfinite(weight)) {
        if (!found.not_finite) found.not_finite = here;
      } else if (weight < 0) {
        if (!found.negative) found.negative = here;
      } else if (weight == 0) {
        if (layer.is_mask_said || !is_later) zeros.add_zero(query, key);
      } else {
        row.add(weight, is_later);
        columns.add(head, key, weight);
        auto& first = later[static_cast<std::size_t>(query)];
        if (is_later && !first) first = here;
      }
    }
    if (sees_any && row.seen == 0 && !found.zero_row) found.zero_row = {0, {head, query, 0}};
    level.add(query, row);
    zeros.add_row(query, row);
    columns.add_row(head, query, row);
  });
  level.end();
  for (std::int64_t query = 0; query < layer.queries; ++query) {
    const auto& first = later[static_cast<std::size_t>(query)];
    if (first && !found.later && !level.is_padding(query)) found.later = first;
  }
  found.level_row = level.finding();
  found.common_zeros = zeros.finding(level);
  found.transposed = columns.finding();
  return found;
}

}  // namespace attn::gpt2
