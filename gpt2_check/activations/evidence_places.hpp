#pragma once

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "gpt2_check/activations/evidence.hpp"
#include "gpt2_check/activations/evidence_rows.hpp"

namespace attn::gpt2 {

/// Places where every head has the same value, which may be no number of the row: a weight of 0, or
/// what stands for a score.
class CommonPlaces {
 public:
  explicit CommonPlaces(const LayerNumbers& layer)
      : layer_(layer),
        heads_(static_cast<std::size_t>(layer.queries * layer.keys)),
        others_(static_cast<std::size_t>(layer.queries)) {}

  /// A place with the value.
  void add(std::int64_t query, std::int64_t key) { ++heads_[index(query, key)]; }
  /// How many other numbers a row of some head has.
  void add_row(std::int64_t query, std::int64_t others) {
    auto& most = others_[static_cast<std::size_t>(query)];
    most = std::max(most, others);
  }

  [[nodiscard]] std::optional<Evidence::CommonPlaces> finding(const LevelRows& level) const {
    std::optional<Evidence::CommonPlaces> found;
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
        if (!found) found = {.query = query, .key = key};
        ++found->places;
      }
    }
    if (!found || !has_two) return std::nullopt;
    constexpr std::uint64_t kMostly = 10;
    const auto of_all = found->places * static_cast<std::uint64_t>(layer_.heads);
    const bool are_mostly_common = layer_.heads > 1 && kMostly * scattered <= of_all;
    const std::optional<std::int64_t> window = columns_and_window(level);
    found->window = window.value_or(0);
    if (are_mostly_common || window || are_documents(level)) return found;
    found->has_scattered_beside = true;
    return layer_.heads > 1 && are_beyond_a_mask(level) ? found : std::nullopt;
  }

 private:
  [[nodiscard]] std::size_t index(std::int64_t query, std::int64_t key) const {
    return static_cast<std::size_t>(query * layer_.keys + key);
  }
  [[nodiscard]] bool is_common(std::int64_t query, std::int64_t key) const {
    return heads_[index(query, key)] == layer_.heads;
  }
  [[nodiscard]] bool is_row(std::int64_t query, const LevelRows& level) const {
    return others_[static_cast<std::size_t>(query)] > 0 && !level.is_padding(query);
  }

  /// Where the places are whole columns and what a window leaves out: the window, or 0 of columns.
  [[nodiscard]] std::optional<std::int64_t> columns_and_window(const LevelRows& level) const {
    std::int64_t window = 0;
    std::vector<bool> is_column(static_cast<std::size_t>(layer_.keys), true);
    for (std::int64_t query = 0; query < layer_.queries; ++query) {
      if (!is_row(query, level)) continue;
      for (std::int64_t key = 0; key <= layer_.own(query); ++key) {
        if (is_common(query, key)) continue;
        is_column[static_cast<std::size_t>(key)] = false;
        window = std::max(window, layer_.own(query) - key + 1);
      }
    }
    for (std::int64_t query = 0; query < layer_.queries; ++query) {
      if (!is_row(query, level)) continue;
      for (std::int64_t key = 0; key < layer_.keys; ++key) {
        const bool is_hidden =
            is_column[static_cast<std::size_t>(key)] || layer_.own(query) - key >= window;
        if (is_common(query, key) && !is_hidden) return std::nullopt;
      }
    }
    return std::ranges::find(is_column, true) == is_column.end() ? window : 0;
  }

  /// Whether the places are what documents hide that were packed into one sequence: a query has
  /// the first and last key of the query before it, or its own is the first.
  [[nodiscard]] bool are_documents(const LevelRows& level) const {
    std::int64_t first = -1, last = -1;  // of the query before
    for (std::int64_t query = 0; query < layer_.queries; ++query) {
      if (!is_row(query, level)) continue;
      std::int64_t begin = 0, end = layer_.keys - 1;
      while (begin < end && is_common(query, begin)) ++begin;
      while (begin < end && is_common(query, end)) --end;
      for (std::int64_t key = begin; key <= end; ++key) {
        if (is_common(query, key)) return false;
      }
      const bool is_of_the_same = begin == first && end == last;
      if (!is_of_the_same && begin != layer_.own(query) && first >= 0) return false;
      first = begin;
      last = end;
    }
    return true;
  }

  /// Whether the places are all that a mask hides, and others lie scattered beside them: whole last
  /// columns, or all keys after the query's number or after its own.
  [[nodiscard]] bool are_beyond_a_mask(const LevelRows& level) const {
    const at::Tensor hidden = layer_.said.all(0).contiguous();
    std::int64_t last = 0;  // the last key that some head of a row has another number for
    for (std::int64_t query = 0; query < layer_.queries; ++query) {
      if (!is_row(query, level)) continue;
      for (std::int64_t key = layer_.keys - 1; key > last; --key) {
        if (is_open(hidden, query, key) && !is_common(query, key)) last = key;
      }
    }
    return are_all_after(hidden, level, [&](std::int64_t) { return last; }) ||
           are_all_after(hidden, level, [](std::int64_t query) { return query; }) ||
           are_all_after(hidden, level, [&](std::int64_t query) { return layer_.own(query); });
  }
  /// Whether a query may see a key. `hidden` [query, key]: the keys that words hide in all heads.
  [[nodiscard]] bool is_open(const at::Tensor& hidden, std::int64_t query, std::int64_t key) const {
    return !hidden.data_ptr<bool>()[query * layer_.keys + key] &&
           (layer_.is_mask_said || key <= layer_.own(query));
  }
  /// Whether all open places after a key of each query have the value in every head, more than
  /// chance makes so, while this key itself mostly has another number in some head.
  template <class LastOf>
  [[nodiscard]] bool are_all_after(const at::Tensor& hidden, const LevelRows& level,
                                   const LastOf& last_of) const {
    constexpr std::int64_t kMany = 8, kFewRows = 3;
    std::int64_t places = 0, rows = 0, edges = 0;
    for (std::int64_t query = 0; query < layer_.queries; ++query) {
      if (!is_row(query, level)) continue;
      const std::int64_t before = places, last = last_of(query);
      for (std::int64_t key = last + 1; key < layer_.keys; ++key) {
        if (!is_open(hidden, query, key)) continue;
        if (!is_common(query, key)) return false;
        ++places;
      }
      if (places == before) continue;
      ++rows;
      if (!is_common(query, last)) ++edges;
    }
    return places >= kMany && rows >= kFewRows && 2 * edges >= rows;
  }

  const LayerNumbers& layer_;
  std::vector<std::int32_t> heads_;   ///< by place: how many heads have the value there
  std::vector<std::int64_t> others_;  ///< by query: the most other numbers of a head
};

}  // namespace attn::gpt2
