#pragma once

#include <cstdint>
#include <limits>

namespace attn::gpt2 {

/// Which tokens a query sees, of a sequence of L: a contiguous range, which moves on with the
/// query. By default those up to its own (causal).
struct Mask {
  static constexpr std::int64_t kNoWindow = std::numeric_limits<std::int64_t>::max();

  bool full{false};                ///< every query sees all tokens
  std::int64_t window{kNoWindow};  ///< else at most so many, the last of them its own; at least 1

  [[nodiscard]] bool is_causal() const { return !full && window == kNoWindow; }

  /// The first token that the query at position `row` sees.
  [[nodiscard]] std::int64_t first(std::int64_t row) const {
    return full || row < window ? 0 : row - window + 1;
  }
  /// One beyond the last.
  [[nodiscard]] std::int64_t end(std::int64_t row, std::int64_t positions) const {
    return full ? positions : row + 1;
  }
  /// How many it sees.
  [[nodiscard]] std::int64_t tokens(std::int64_t row, std::int64_t positions) const {
    return end(row, positions) - first(row);
  }
};

}  // namespace attn::gpt2
