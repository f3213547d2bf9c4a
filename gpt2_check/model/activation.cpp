#include <ATen/TensorOperators.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/erf.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/hardsigmoid.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/mish.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/relu6.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/square.h>
#include <ATen/ops/tanh.h>

#include <numbers>

#include "gpt2_check/model/gpt2.hpp"

namespace attn::gpt2 {
namespace {

at::Tensor gelu_erf(const at::Tensor& x) {
  return at::gelu(x);
}

at::Tensor gelu_tanh(const at::Tensor& x) {
  return at::gelu(x, "tanh");
}

/// gelu_tanh with sqrt(2/pi) to ten digits.
at::Tensor gelu_fast(const at::Tensor& x) {
  return 0.5 * x * (1 + at::tanh(0.7978845608 * x * (1 + 0.044715 * x * x)));
}

at::Tensor laplace(const at::Tensor& x) {
  constexpr double kMean = 0.707107;
  constexpr double kDeviation = 0.282095;
  return 0.5 * (1 + at::erf((x - kMean) / (kDeviation * std::numbers::sqrt2)));
}

}  // namespace

const std::map<std::string, Activation>& activations() {
  static const std::map<std::string, Activation> functions = {
      {"gelu", gelu_erf},
      {"gelu_10", [](const at::Tensor& x) { return at::clamp(gelu_erf(x), -10, 10); }},
      {"gelu_accurate", gelu_tanh},
      {"gelu_fast", gelu_fast},
      {"gelu_new", gelu_tanh},
      {"gelu_python", gelu_erf},
      {"gelu_python_tanh", gelu_tanh},
      {"gelu_pytorch_tanh", gelu_tanh},
      {"hardsigmoid", at::hardsigmoid},
      {"laplace", laplace},
      {"leaky_relu", [](const at::Tensor& x) { return at::leaky_relu(x, 0.01); }},
      {"linear", [](const at::Tensor& x) { return x; }},
      {"mish", at::mish},
      {"quick_gelu", [](const at::Tensor& x) { return x * at::sigmoid(1.702 * x); }},
      {"relu", at::relu},
      {"relu2", [](const at::Tensor& x) { return at::square(at::relu(x)); }},
      {"relu6", at::relu6},
      {"sigmoid", at::sigmoid},
      {"silu", at::silu},
      {"swish", at::silu},
      {"tanh", at::tanh},
  };
  return functions;
}

}  // namespace attn::gpt2
