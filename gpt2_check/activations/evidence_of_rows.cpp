#include <ATen/TensorOperators.h>

#include "gpt2_check/activations/evidence.hpp"

namespace attn::gpt2 {
namespace {

/// [position], booleans: where all heads have zeros alone.
at::Tensor are_zeros(const at::Tensor& rows) {
  return rows.eq(0).all(2).all(1);
}

/// The positions of zeros, if others are not.
std::optional<Evidence::Blank> blank_in(const at::Tensor& rows, bool are_keys) {
  const at::Tensor blank = are_zeros(rows);
  const auto count = blank.sum().item<std::int64_t>();
  if (count == 0 || count == blank.numel()) return std::nullopt;
  return Evidence::Blank{.are_keys = are_keys,
                         .position = blank.to(at::kByte).argmax().item<std::int64_t>(),
                         .positions = static_cast<std::uint64_t>(count)};
}

/// Whether all rows have length 1, zeros aside.
bool are_of_length_one(const at::Tensor& rows) {
  constexpr double kRounding = 0.01;  // more than bfloat16's
  const at::Tensor lengths = rows.norm(2, 2);
  const at::Tensor are_one = (lengths - 1).abs().le(kRounding);
  return are_one.any().item<bool>() && are_one.logical_or(lengths.eq(0)).all().item<bool>();
}

}  // namespace

Evidence evidence_of_rows(const at::Tensor& q, const at::Tensor& k) {
  Evidence found;
  found.blank = blank_in(k, true);
  if (!found.blank) found.blank = blank_in(q, false);
  found.are_of_length_one = q.size(2) > 1 && are_of_length_one(q) && are_of_length_one(k);
  return found;
}

}  // namespace attn::gpt2
