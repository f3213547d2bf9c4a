#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>

#include "gpt2_check/activations/evidence.hpp"

namespace attn::gpt2 {
namespace {

/// [position], booleans: where all heads have zeros alone.
at::Tensor are_zeros(const at::Tensor& rows) {
  return rows.eq(0).all(2).all(1);
}

/// The positions of zeros that are looked at, if others are not zeros.
std::optional<Evidence::Blank> blank_in(const at::Tensor& rows, Evidence::Blank::Of of,
                                        const at::Tensor& positions) {
  const at::Tensor all = are_zeros(rows), blank = all.logical_and(positions);
  const auto count = blank.sum().item<std::int64_t>();
  if (count == 0 || all.all().item<bool>()) return std::nullopt;
  return Evidence::Blank{.of = of,
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

/// How many numbers of d_head are 0 in all queries and keys, if others are not.
std::int64_t zero_columns(const at::Tensor& q, const at::Tensor& k) {
  const auto is_zero = [](const at::Tensor& rows) { return rows.eq(0).all(1).all(0); };
  const at::Tensor of_q = is_zero(q), of_k = is_zero(k);
  if (of_q.all().item<bool>() || of_k.all().item<bool>()) return 0;
  return of_q.logical_and(of_k).sum().item<std::int64_t>();
}

/// See Evidence::Latent.
Evidence::Latent latent(const at::Tensor& k, const at::Tensor& v) {
  const std::int64_t keys = k.size(2), values = v.size(2);
  const bool may_be = v.size(0) == k.size(0) && v.size(1) == k.size(1) && 1 < values &&
                      values < keys && v.ne(0).any().item<bool>();
  if (!may_be) return {};
  const bool is_part = k.slice(2, 0, values).equal(v) || k.slice(2, keys - values).equal(v);
  return is_part ? Evidence::Latent{values, keys} : Evidence::Latent{};
}

}  // namespace

Evidence evidence_of_rows(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
  Evidence found;
  const auto blank = [](const at::Tensor& rows, Evidence::Blank::Of of) {
    return blank_in(rows, of, at::ones({rows.size(0)}, at::kBool));
  };
  found.blank = blank(k, Evidence::Blank::Of::keys);
  if (!found.blank) found.blank = blank(q, Evidence::Blank::Of::queries);
  found.are_of_length_one = q.size(2) > 1 && (are_of_length_one(q) || are_of_length_one(k));
  found.zero_columns = zero_columns(q, k);
  if (v.defined()) found.latent = latent(k, v);
  return found;
}

Evidence evidence_of_values(const at::Tensor& v, const at::Tensor& seen) {
  return {.blank = blank_in(v, Evidence::Blank::Of::values, seen)};
}

}  // namespace attn::gpt2
