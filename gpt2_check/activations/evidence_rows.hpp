#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "gpt2_check/activations/evidence.hpp"
#include "theory/number/elementary.hpp"

namespace attn::gpt2 {

/// A row of a layer: its place, its numbers, and which of its keys are hidden.
struct RowNumbers {
  std::int64_t head{}, query{};
  const double* numbers{};
  const bool* marked{};  ///< the keys that the numbers hide
  const bool* said{};    ///< the keys that words hide

  [[nodiscard]] bool hides(std::int64_t key) const { return said[key] || marked[key]; }
};

/// Whether a query sees a key, where no key after a query's own is seen unless the file says so.
inline bool is_seen(const LayerNumbers& layer, const RowNumbers& row, std::int64_t key) {
  return !row.hides(key) && (layer.is_mask_said || key <= layer.own(row.query));
}

/// Visits the rows of a head.
template <class Visit>
void for_each_row_of(const LayerNumbers& layer, std::int64_t head, const Visit& visit) {
  // First what takes a copy of the square.
  const at::Tensor marked = layer.marked(head), square = layer.square(head);
  const at::Tensor said = layer.said_of(head);
  for (std::int64_t query = 0; query < layer.queries; ++query) {
    const std::int64_t start = query * layer.keys;
    visit(RowNumbers{head, query, square.data_ptr<double>() + start,
                     marked.data_ptr<bool>() + start, said.data_ptr<bool>() + start});
  }
}

/// Visits the rows of a layer, head by head.
template <class Visit>
void for_each_row(const LayerNumbers& layer, const Visit& visit) {
  for (std::int64_t head = 0; head < layer.heads; ++head) for_each_row_of(layer, head, visit);
}

/// The order of the keys of a layer: see Evidence::Sorted. `is_read`: whether a key of a row is.
template <class IsRead>
Evidence::Sorted order_of_keys(const LayerNumbers& layer, const IsRead& is_read) {
  constexpr std::int64_t kFewKeys = 4, kManyRows = 8;
  bool falls = true, rises = true;
  std::int64_t rows = 0;
  const auto add = [&](const RowNumbers& row) {
    std::int64_t read = 0, steps = 0;
    double previous{};
    for (std::int64_t key = 0; key < layer.keys; ++key) {
      if (!is_read(row, key)) continue;
      const double number = row.numbers[key];
      if (read > 0) {
        falls = falls && number <= previous;
        rises = rises && number >= previous;
        if (number != previous) ++steps;
      }
      previous = number;
      ++read;
    }
    if (steps > 0 && read >= kFewKeys) ++rows;
  };
  for (std::int64_t head = 0; head < layer.heads && (falls || rises); ++head) {
    for_each_row_of(layer, head, add);
  }
  using enum Evidence::Sorted;
  return rows < kManyRows ? no : falls ? falling : rises ? rising : no;
}

/// What one row shows.
struct Row {
  std::int64_t seen{};  ///< how many keys the row sees: of weights those that are not 0
  std::int64_t ones{};  ///< how many of them are 1
  double least{kInfinity}, largest{-kInfinity}, sum{}, squares{};
  bool sees_later{};

  void add(double number, bool is_later) {
    ++seen;
    if (number == 1) ++ones;
    least = std::min(least, number);
    largest = std::max(largest, number);
    sum += number;
    squares += number * number;
    sees_later = sees_later || is_later;
  }
};

/// Which rows are level in every head.
class LevelRows {
 public:
  explicit LevelRows(const LayerNumbers& layer)
      : layer_(layer), rows_(static_cast<std::size_t>(layer.queries)) {}

  void add(std::int64_t query, const Row& row) {
    if (row.seen < 2) return;
    Facts& facts = rows_[static_cast<std::size_t>(query)];
    facts.most = std::max(facts.most, row.seen);
    facts.sees_later = facts.sees_later || row.sees_later;
    if (row.least == row.largest) ++facts.level_heads;
  }

  /// Ends the adding: from here on the rows of padding are known. Where other rows see keys after
  /// their own, a level one is padding that sees all keys while they do not; else one that does so,
  /// or the last of as many queries as keys, which has no such key, over all keys.
  void end() {
    std::int64_t most = 0;
    bool sees_later = false;
    for (const Facts& facts : rows_) {
      if (facts.most == 0 || facts.level_heads == layer_.heads) continue;
      most = std::max(most, facts.most);
      sees_later = sees_later || facts.sees_later;
    }
    if (most == 0) return;
    for (Facts& facts : rows_) {
      const bool is_level = facts.most > 0 && facts.level_heads == layer_.heads;
      const bool sees_all = facts.most == layer_.keys;
      const bool is_last = &facts == &rows_.back() && layer_.queries == layer_.keys;
      const bool sees_more = sees_later ? sees_all && most < layer_.keys
                                        : facts.sees_later || (is_last && sees_all && most >= kFew);
      facts.is_padding = is_level && sees_more;
    }
  }

  [[nodiscard]] bool is_padding(std::int64_t query) const {
    return rows_[static_cast<std::size_t>(query)].is_padding;
  }

  [[nodiscard]] std::optional<Evidence::LevelRow> finding() const {
    std::optional<Evidence::LevelRow> found;
    for (std::size_t query = 0; query < rows_.size(); ++query) {
      if (!rows_[query].is_padding) continue;
      if (!found) found = {static_cast<std::int64_t>(query), rows_[query].most, 0};
      ++found->rows;
    }
    return found;
  }

 private:
  struct Facts {
    std::int64_t most{};  ///< keys that are seen, in any head; 0 where none sees two
    std::int64_t level_heads{};
    bool sees_later{}, is_padding{};
  };
  /// Fewer numbers than these are level by chance.
  static constexpr std::int64_t kFew = 3;

  const LayerNumbers& layer_;
  std::vector<Facts> rows_;
};

}  // namespace attn::gpt2
