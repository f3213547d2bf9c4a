#include "gpt2_check/activations/first_rows.hpp"

#include <ATen/TensorOperators.h>

#include <algorithm>

namespace attn::gpt2 {
namespace {

/// From the first that is true to the last, of booleans [n].
struct Range {
  std::int64_t first{}, count{};
};

Range range_of(const at::Tensor& is_in) {
  const at::Tensor places = is_in.nonzero().flatten();
  if (places.numel() == 0) return {0, is_in.numel()};
  const auto first = places[0].item<std::int64_t>();
  return {first, places[-1].item<std::int64_t>() + 1 - first};
}

}  // namespace

SeenSquares first_rows(const HeadSquares& numbers, const at::Tensor& seen) {
  if (seen.size(1) <= kShowingQueries) return {numbers, seen};
  const std::int64_t first = range_of(seen.any(0).any(-1)).first;
  const std::int64_t count = std::min(kShowingQueries, seen.size(1) - first);
  const at::Tensor of_rows = seen.narrow(1, first, count);
  const Range keys = range_of(of_rows.any(0).any(0));
  const auto part = [=](const at::Tensor& square) {
    return square.narrow(-2, first, count).narrow(-1, keys.first, keys.count);
  };
  return {{numbers.heads(), [=](std::int64_t head) { return part(numbers[head]).contiguous(); }},
          part(seen)};
}

}  // namespace attn::gpt2
