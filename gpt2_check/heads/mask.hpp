#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace attn::gpt2 {

/// Which tokens a query sees, of a sequence of L: a contiguous range, which moves on with the
/// query, by default those up to its own (causal); or any that are listed.
struct Mask {
  static constexpr std::int64_t kNoWindow = std::numeric_limits<std::int64_t>::max();
  /// By query, ascending.
  using Lists = std::vector<std::vector<std::int64_t>>;

  bool full{false};                      ///< every query sees all tokens
  std::int64_t window{kNoWindow};        ///< else at most so many, the last of them its own; >= 1
  std::shared_ptr<const Lists> lists{};  ///< where it is there, what counts

  [[nodiscard]] bool is_causal() const { return !full && window == kNoWindow && !lists; }

  /// How many tokens the query at position `row` sees.
  [[nodiscard]] std::int64_t tokens(std::int64_t row, std::int64_t positions) const {
    if (lists) return std::ssize(list(row));
    return end(row, positions) - first(row);
  }
  /// The position of the i-th of them, counted from 0.
  [[nodiscard]] std::int64_t position(std::int64_t row, std::int64_t i) const {
    return lists ? list(row)[static_cast<std::size_t>(i)] : first(row) + i;
  }
  [[nodiscard]] bool sees(std::int64_t row, std::int64_t key, std::int64_t positions) const {
    if (lists) return std::ranges::binary_search(list(row), key);
    return first(row) <= key && key < end(row, positions);
  }

  /// The first token that the query sees, where none are listed; so below.
  [[nodiscard]] std::int64_t first(std::int64_t row) const {
    return full || row < window ? 0 : row - window + 1;
  }
  /// One beyond the last.
  [[nodiscard]] std::int64_t end(std::int64_t row, std::int64_t positions) const {
    return full ? positions : row + 1;
  }

 private:
  [[nodiscard]] const std::vector<std::int64_t>& list(std::int64_t row) const {
    return (*lists)[static_cast<std::size_t>(row)];
  }
};

/// The same where there is no first token, so that positions count from the second on.
Mask without_first_token(const Mask& mask);

}  // namespace attn::gpt2
