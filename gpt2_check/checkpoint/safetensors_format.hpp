#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "gpt2_check/checkpoint/safetensors.hpp"

// What reading a header and reading and writing tensors have in common.
namespace attn::safetensors {

inline constexpr std::size_t kLengthBytes = 8;

struct Dtype {
  std::string_view name;
  at::ScalarType type;
  std::uint64_t bytes;
};

inline constexpr Dtype kDtypes[] = {
    {"F64", at::kDouble, 8},    {"F32", at::kFloat, 4}, {"F16", at::kHalf, 2},
    {"BF16", at::kBFloat16, 2}, {"I64", at::kLong, 8},  {"I32", at::kInt, 4},
    {"I16", at::kShort, 2},     {"I8", at::kChar, 1},   {"U8", at::kByte, 1},
    {"BOOL", at::kBool, 1},
};

/// Bytes of a tensor, or nothing where they, or the strides of an empty tensor, overflow.
inline std::optional<std::uint64_t> byte_size(const std::vector<std::int64_t>& shape,
                                              std::uint64_t item_bytes) {
  std::uint64_t extent = item_bytes;
  bool empty = false;
  for (const std::int64_t size : shape) {
    empty = empty || size == 0;
    const auto count = static_cast<std::uint64_t>(std::max<std::int64_t>(size, 1));
    const bool overflows = __builtin_mul_overflow(extent, count, &extent);
    if (overflows || extent > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  }
  return empty ? 0 : extent;
}

}  // namespace attn::safetensors
