#include "gpt2_check/activations/read_rows.hpp"

#include <ATen/TensorOperators.h>
#include <fmt/format.h>

#include <utility>

#include "gpt2_check/activations/layer_tensors.hpp"
#include "theory/base/bad_input.hpp"

namespace attn::gpt2 {

at::Tensor read_rows(const safetensors::File& file, const std::string& name,
                     const at::Tensor& left_out) {
  at::Tensor rows = file.read(name);
  if (left_out.defined()) rows = rows.masked_fill(left_out.view({-1, 1, 1}), 0);
  file.expect_finite(name, rows,
                     "is it padding? metadata 'padding' or a tensor attention_mask leaves it out");
  return rows.to(at::kDouble).reshape(sizes_of(file, name));
}

at::Tensor with_squares(const safetensors::File& file, const std::string& name, at::Tensor x) {
  constexpr double kLeast = 1e-100, kMost = 1e100;
  const at::Tensor largest = x.abs().amax(Sizes{0, 2});
  const at::Tensor beyond =
      largest.gt(0).logical_and(largest.lt(kLeast)).logical_or(largest.gt(kMost));
  if (!beyond.any().item<bool>()) return x;
  file.complaint().refuse(BadInput(
      {.kind = BadInputKind::out_of_range,
       .where = safetensors::place(name),
       .expected = fmt::format("in every head a largest absolute value from {} to {}, whose "
                               "square a double holds, or zeros alone",
                               kLeast, kMost),
       .found = fmt::format("at most {:.3g}", largest.masked_select(beyond).max().item<double>()),
       .advice = "multiply all embeddings by one number, which changes no verdict"}));
}

}  // namespace attn::gpt2
