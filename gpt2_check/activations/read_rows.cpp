#include "gpt2_check/activations/read_rows.hpp"

#include <ATen/TensorOperators.h>

#include "gpt2_check/activations/layer_tensors.hpp"

namespace attn::gpt2 {

at::Tensor read_rows(const safetensors::File& file, const std::string& name,
                     const at::Tensor& left_out) {
  at::Tensor rows = file.read(name);
  if (left_out.defined()) rows = rows.masked_fill(left_out.view({-1, 1, 1}), 0);
  file.expect_finite(name, rows,
                     "is it padding? metadata 'padding' or a tensor attention_mask leaves it out");
  return rows.to(at::kDouble).reshape(sizes_of(file, name));
}

}  // namespace attn::gpt2
