#include "gpt2_check/activations/rounding.hpp"

#include <ATen/ops/equal.h>

#include <algorithm>
#include <iterator>

namespace attn::gpt2 {
namespace {

/// From the coarsest on.
constexpr Rounding kRoundings[] = {{at::kBFloat16, 0x1p-8, 0x1p-133},
                                   {at::kHalf, 0x1p-11, 0x1p-24},
                                   {at::kFloat, 0x1p-24, 0x1p-149},
                                   {at::kDouble, 0x1p-53, 0x1p-1074}};

/// Whether all numbers of a tensor are of that type.
bool holds(const at::Tensor& tensor, at::ScalarType type) {
  return tensor.scalar_type() == type ||
         at::equal(tensor, tensor.to(type).to(tensor.scalar_type()));
}

}  // namespace

const Rounding& rounding_of(at::ScalarType type) {
  return *std::ranges::find(kRoundings, type, &Rounding::type);
}

const Rounding& rounding_in(const at::Tensor& tensor) {
  return *std::ranges::find_if(
      kRoundings, [&](const Rounding& rounding) { return holds(tensor, rounding.type); });
}

const Rounding& rounding_in(const HeadSquares& squares) {
  const auto is_of = [&](const Rounding& rounding) {
    for (std::int64_t head = 0; head < squares.heads(); ++head) {
      if (!holds(squares[head], rounding.type)) return false;
    }
    return true;
  };
  return *std::ranges::find_if(kRoundings, is_of);
}

}  // namespace attn::gpt2
