// The forward pass of a random GPT-2 124M at 1024 tokens beside its matrix products alone: the rest
// (LayerNorm, softmax, GELU, biases, copies) should cost at most twice what the products cost.
#include <ATen/core/Tensor.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <benchmark/benchmark.h>

#include <chrono>
#include <vector>

#include "gpt2_check/checkpoint/checkpoint.hpp"
#include "gpt2_check/parallel/parallel.hpp"

namespace attn::gpt2 {
namespace {

constexpr std::int64_t kTokens = 1024;
constexpr double kTargetRatio = 3;

struct Product {
  at::Tensor left, right;  ///< [.., m, k] and [.., k, n]
  std::int64_t times{};
};

/// Every matrix product of the forward pass, with operands of the same shapes and strides.
std::vector<Product> products(const Config& config) {
  const std::int64_t width = config.width;
  const auto linear = [&](std::int64_t in, std::int64_t out) {
    return Product{at::randn({kTokens, in}), at::randn({in, out}), config.layers};
  };
  const at::Tensor rows = at::randn({config.heads, kTokens, config.head_width()});
  const at::Tensor pattern = at::randn({config.heads, kTokens, kTokens});
  return {linear(width, 3 * width),
          linear(width, width),
          linear(width, config.inner),
          linear(config.inner, width),
          {rows, rows.transpose(1, 2), config.layers},
          {pattern, rows, config.layers},
          {at::randn({kTokens, width}), at::randn({config.vocabulary, width}).t(), 1}};
}

/// In blocks of rows or by head, side by side, as the forward pass has them.
void multiply(const std::vector<Product>& all) {
  constexpr std::int64_t kRows = 128;
  for (const Product& product : all) {
    const bool by_head = product.left.dim() == 3;
    const std::int64_t parts = by_head ? product.left.size(0) : product.left.size(0) / kRows;
    for (std::int64_t i = 0; i < product.times; ++i) {
      parallel(parts, [&](std::int64_t p) {
        benchmark::DoNotOptimize(
            by_head ? at::matmul(product.left[p], product.right[p])
                    : at::matmul(product.left.slice(0, p * kRows, (p + 1) * kRows), product.right));
      });
    }
  }
}

template <class Body>
double seconds(const Body& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void forward_and_products(benchmark::State& state) {
  set_threads(default_threads());
  const Config config = gpt2_124m();
  const Weights weights = random_weights(config, 1);
  const at::Tensor tokens = at::randint(config.vocabulary, {kTokens}, at::kLong);
  const std::vector<Product> all = products(config);
  forward(config, weights, tokens);  // warms the allocator and the thread pools
  multiply(all);

  double forward_seconds = 0;
  double product_seconds = 0;
  for (auto _ : state) {  // turn by turn, so that both see the same machine
    forward_seconds += seconds([&] { benchmark::DoNotOptimize(forward(config, weights, tokens)); });
    product_seconds += seconds([&] { multiply(all); });
  }
  const double ratio = forward_seconds / product_seconds;
  state.counters["forward_s"] = forward_seconds / static_cast<double>(state.iterations());
  state.counters["products_s"] = product_seconds / static_cast<double>(state.iterations());
  state.counters["ratio"] = ratio;
  state.counters["threads"] = threads();
  if (!(ratio <= kTargetRatio))
    state.SkipWithError("the forward pass takes over 3 times its products");
}

BENCHMARK(forward_and_products)->Unit(benchmark::kSecond)->Iterations(3);

}  // namespace
}  // namespace attn::gpt2

BENCHMARK_MAIN();
