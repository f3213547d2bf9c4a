#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace attn::gpt2 {

/// Which tokens a query sees: a contiguous range, which moves on with the query, by default those
/// up to its own (causal); or any that are listed.
struct Mask {
  static constexpr std::int64_t kNoWindow = std::numeric_limits<std::int64_t>::max();
  /// The positions of the keys that each query sees, by query, ascending.
  using Lists = std::vector<std::vector<std::int64_t>>;

  bool full{false};  ///< every query sees all tokens
  /// Where not `full`: a query sees at most so many tokens, the last of them its own; >= 1.
  std::int64_t window{kNoWindow};
  std::int64_t shift{0};  ///< the query at row t has its own token at t + shift
  /// Which tokens each query sees; null where the members above say it.
  std::shared_ptr<const Lists> lists{};

  [[nodiscard]] bool is_causal() const { return !full && window == kNoWindow && !lists; }

  /// How many tokens, of so many keys, the query at `row` sees.
  [[nodiscard]] std::int64_t tokens(std::int64_t row, std::int64_t keys) const {
    if (lists) return std::ssize(list(row));
    return end(row, keys) - first(row);
  }
  /// The position of the i-th of them, counted from 0.
  [[nodiscard]] std::int64_t position(std::int64_t row, std::int64_t i) const {
    return lists ? list(row)[static_cast<std::size_t>(i)] : first(row) + i;
  }
  [[nodiscard]] bool sees(std::int64_t row, std::int64_t key, std::int64_t keys) const {
    if (lists) return std::ranges::binary_search(list(row), key);
    return first(row) <= key && key < end(row, keys);
  }

  /// The position of the first token that the query sees, where none are listed.
  [[nodiscard]] std::int64_t first(std::int64_t row) const {
    const std::int64_t own = row + shift;
    return full || own < window ? 0 : own - window + 1;
  }
  /// One beyond the position of the last token that the query sees, where none are listed.
  [[nodiscard]] std::int64_t end(std::int64_t row, std::int64_t keys) const {
    return full ? keys : std::clamp<std::int64_t>(row + shift + 1, 0, keys);
  }

 private:
  [[nodiscard]] const std::vector<std::int64_t>& list(std::int64_t row) const {
    return (*lists)[static_cast<std::size_t>(row)];
  }
};

}  // namespace attn::gpt2
