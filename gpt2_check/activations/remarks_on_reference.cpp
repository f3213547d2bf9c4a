#include <ATen/TensorOperators.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "gpt2_check/activations/remark_words.hpp"
#include "gpt2_check/activations/remarks.hpp"
#include "theory/number/elementary.hpp"

namespace attn::gpt2 {
namespace {

/// Which of its scores the one of 0 is, in rows that have one each, while all agree.
struct ZeroOfRows {
  std::int64_t rows{};
  bool is_own{true}, is_largest{true}, is_least{true}, is_middle{true};
  std::optional<std::int64_t> key{};  ///< the one that all have it of, or -1

  /// `of_head` [query, key], and what is seen of it; `own`: the key of query 0, at which the rows
  /// of a square of as many keys or more begin. False where a row has no score of 0, or several.
  bool add(const at::Tensor& of_head, const at::Tensor& is_seen, std::int64_t own) {
    constexpr std::int64_t kFewKeys = 3;
    const at::Tensor keys = is_seen.sum(-1), is_zero = of_head.eq(0).logical_and(is_seen);
    const at::Tensor counted = keys.ge(kFewKeys).nonzero().flatten();
    if (counted.numel() == 0) return true;
    if (is_zero.sum(-1).index_select(0, counted).ne(1).any().item<bool>()) return false;
    rows += counted.numel();
    const auto count_of = [&](const at::Tensor& is_there) {
      return is_there.logical_and(is_seen).sum(-1).index_select(0, counted);
    };
    const at::Tensor below = count_of(of_head.lt(0)), above = count_of(of_head.gt(0));
    const at::Tensor at = is_zero.to(at::kByte).argmax(-1).index_select(0, counted);
    is_own = is_own && own >= 0 && at.eq(counted + own).all().item<bool>();
    is_largest = is_largest && above.eq(0).all().item<bool>();
    is_least = is_least && below.eq(0).all().item<bool>();
    is_middle = is_middle && (above - below).abs().le(1).all().item<bool>();
    const auto first = at[0].item<std::int64_t>();
    key = at.eq(key.value_or(first)).all().item<bool>() ? key.value_or(first) : -1;
    return true;
  }
  /// Which one, in words; none where it is no one in particular, or each query's own, as the
  /// distance of a token to itself is, of which no other is on the other side.
  [[nodiscard]] std::optional<std::string> words() const {
    if (is_own) {
      if (is_largest || is_least) return std::nullopt;
      return "that of its own key";
    }
    if (key && *key >= 0) return fmt::format("that of key {}", *key);
    if (is_least) return "its least one";
    if (is_middle) return "the one in the middle of its row";
    return std::nullopt;
  }
};

/// What the scores of a layer have on both sides of 0.
struct Sides {
  std::int64_t below{}, above{}, zeros{};
  double largest{}, nearest{kInfinity};  ///< sizes of the scores other than 0
  bool are_alone{true};                  ///< whether no head has several of 0

  void add(const at::Tensor& of_head, const at::Tensor& is_seen) {
    const auto count_of = [&](const at::Tensor& is_there) {
      return is_there.logical_and(is_seen).sum().item<std::int64_t>();
    };
    below += count_of(of_head.lt(0));
    above += count_of(of_head.gt(0));
    const at::Tensor sizes = of_head.abs().to(at::kDouble).masked_select(is_seen);
    const at::Tensor others = sizes.masked_select(sizes.gt(0));
    if (others.numel() > 0) {
      largest = std::max(largest, others.max().item<double>());
      nearest = std::min(nearest, others.min().item<double>());
    }
    const std::int64_t here = count_of(of_head.eq(0));
    zeros += here;
    are_alone = are_alone && here <= 1;
  }
  [[nodiscard]] std::optional<std::string> remark() const {
    constexpr std::int64_t kMany = 64;
    constexpr double kFar = 0x1p-14;  // nearer ones may be 0 in rounding, as weights of a sigmoid
    if (zeros == 0 || !are_alone || below + above < kMany) return std::nullopt;
    if (nearest < kFar * largest) return std::nullopt;
    if (above == 0) return fmt::format(kEndIsZero, "above", "largest");
    if (below == 0) return fmt::format(kEndIsZero, "below", "least");
    return std::nullopt;
  }
};

}  // namespace

std::optional<std::string> remark_on_reference(const HeadSquares& scores, const at::Tensor& seen) {
  constexpr std::int64_t kFewRows = 8;
  ZeroOfRows of_rows;
  Sides sides;
  bool has_one = true;
  for (std::int64_t head = 0; head < scores.heads(); ++head) {
    const at::Tensor of_head = scores[head], is_seen = square_of(seen, head);
    has_one = has_one && of_rows.add(of_head, is_seen, seen.size(2) - seen.size(1));
    sides.add(of_head, is_seen);
  }
  if (auto remark = sides.remark()) return remark;
  if (!has_one || of_rows.rows < kFewRows) return std::nullopt;
  const auto words = of_rows.words();
  return words ? std::optional(fmt::format(kOneIsZero, *words)) : std::nullopt;
}

}  // namespace attn::gpt2
