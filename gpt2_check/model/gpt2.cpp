#include "gpt2_check/model/gpt2.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/erf.h>
#include <ATen/ops/full.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/hardsigmoid.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mish.h>
#include <ATen/ops/norm.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/relu6.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/square.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "gpt2_check/model/kept_tokens.hpp"
#include "gpt2_check/parallel/parallel.hpp"

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

namespace {

/// x W + b for rows [row, in].
at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  return at::addmm(bias, x, weight);
}

at::Tensor layer_norm(const Config& config, const at::Tensor& x, const at::Tensor& weight,
                      const at::Tensor& bias) {
  return at::layer_norm(x, {config.width}, weight, bias, config.layer_norm_epsilon,
                        /*cudnn_enable=*/false);
}

/// [query, key] for the queries start..end-1 and the keys up to end-1: 0 where key <= query, minus
/// infinity elsewhere.
at::Tensor causal_mask(std::int64_t start, std::int64_t end, const at::TensorOptions& options) {
  return at::full({end - start, end}, -std::numeric_limits<double>::infinity(), options)
      .triu_(start + 1);
}

/// Rows and queries are taken in blocks of this many. A block of queries reads no key after its
/// last one, which halves the work, and its scores stay in cache.
constexpr std::int64_t kBlockRows = 128;

/// Whether parts of an operation may run side by side: a gradient is recorded by one thread, and
/// CUDA has threads of its own.
bool in_parts(const at::Tensor& x) {
  return x.is_cpu() && !at::GradMode::is_enabled();
}

/// f of x [batch, position, width], whose rows it treats one by one; blocks of rows side by side.
at::Tensor in_blocks(const at::Tensor& x, const std::function<at::Tensor(const at::Tensor&)>& f) {
  const at::Tensor rows = x.reshape({-1, x.size(-1)});
  if (!in_parts(x)) return f(rows).view({x.size(0), x.size(1), -1});
  std::vector<at::Tensor> blocks(
      static_cast<std::size_t>((rows.size(0) + kBlockRows - 1) / kBlockRows));
  parallel(static_cast<std::int64_t>(blocks.size()), [&](std::int64_t b) {
    const at::NoGradGuard no_gradients;  // a thread starts with gradients
    const std::int64_t end = std::min((b + 1) * kBlockRows, rows.size(0));
    blocks[static_cast<std::size_t>(b)] = f(rows.slice(0, b * kBlockRows, end));
  });
  return at::cat(blocks).view({x.size(0), x.size(1), -1});
}

struct Attended {
  at::Tensor q, k, v;  ///< [batch, head, position, d_head]
  at::Tensor pattern;  ///< [batch, head, query, key] where asked for
  at::Tensor mixed;    ///< [batch, position, width], before c_proj
};

/// Which tokens the queries keep; null: all.
struct Kept {
  const KeptTokens* tokens;
  at::Tensor importance;  ///< [.., key], as `keep` reads it

  /// Of one head of [batch, head, key].
  [[nodiscard]] Kept of(std::int64_t sequence, std::int64_t head) const {
    return {tokens, importance.defined() ? importance[sequence][head] : importance};
  }

  [[nodiscard]] at::Tensor applied(const at::Tensor& weights, std::int64_t start) const {
    if (tokens == nullptr) return weights;
    return keep(*tokens, weights, start,
                importance.defined() ? importance.slice(-1, 0, weights.size(-1)) : importance);
  }
};

/// Heads with any leading dimensions in common: q, k, v [.., position, d_head], `pattern` [..,
/// query, key] or undefined. Returns what the queries read, [.., position, d_head].
at::Tensor mix(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, double temperature,
               const at::Tensor& pattern, const Kept& kept) {
  const at::TensorOptions plain = q.options().requires_grad(false);
  const std::int64_t length = q.size(-2);
  std::vector<at::Tensor> mixed;
  for (std::int64_t start = 0; start < length; start += kBlockRows) {
    const std::int64_t end = std::min(start + kBlockRows, length);
    const at::Tensor scores =
        at::matmul(q.slice(-2, start, end), k.slice(-2, 0, end).transpose(-1, -2))
            .div_(temperature)
            .add_(causal_mask(start, end, plain));
    const at::Tensor weights = kept.applied(at::softmax(scores, -1), start);
    mixed.push_back(at::matmul(weights, v.slice(-2, 0, end)));
    if (pattern.defined()) pattern.slice(-2, start, end).slice(-1, 0, end).copy_(weights);
  }
  return at::cat(mixed, -2);
}

/// The same for q, k, v [batch, head, position, d_head], head by head side by side.
at::Tensor mix_by_head(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                       double temperature, const at::Tensor& pattern, const Kept& kept) {
  if (!in_parts(q)) return mix(q, k, v, temperature, pattern, kept);
  const std::int64_t heads = q.size(1);
  std::vector<at::Tensor> mixed(static_cast<std::size_t>(q.size(0) * heads));
  parallel(q.size(0) * heads, [&](std::int64_t i) {
    const at::NoGradGuard no_gradients;  // a thread starts with gradients
    const auto one = [&](const at::Tensor& all) { return all[i / heads][i % heads]; };
    mixed[static_cast<std::size_t>(i)] =
        mix(one(q), one(k), one(v), temperature, pattern.defined() ? one(pattern) : pattern,
            kept.of(i / heads, i % heads));
  });
  return at::stack(mixed).view(q.sizes());
}

/// What ranks the tokens of the heads of one layer.
Kept kept_of(const KeptTokens* tokens, std::int64_t layer, const at::Tensor& v) {
  if (tokens == nullptr || tokens->ranking == Ranking::weight) return {tokens, {}};
  if (tokens->ranking == Ranking::contribution) return {tokens, v.norm(2, -1)};
  return {tokens, random_orders(tokens->seed, layer, v.size(1), v.size(2), v.options())
                      .expand({v.size(0), v.size(1), v.size(2)})};
}

Attended attend(const Config& config, const Block& block, std::int64_t layer, const at::Tensor& x,
                bool keep_pattern, const KeptTokens* kept) {
  const std::int64_t batch = x.size(0);
  const std::int64_t length = x.size(1);
  const auto thirds = in_blocks(x, [&](const at::Tensor& rows) {
                        return linear(rows, block.c_attn_weight, block.c_attn_bias);
                      }).split(config.width, -1);
  const auto by_head = [&](const at::Tensor& third) {
    return third.reshape({batch, length, config.heads, config.head_width()})
        .transpose(1, 2)
        .contiguous();
  };
  Attended out{by_head(thirds[0]), by_head(thirds[1]), by_head(thirds[2]), {}, {}};
  if (keep_pattern) out.pattern = at::zeros({batch, config.heads, length, length}, x.options());

  out.mixed = mix_by_head(out.q, out.k, out.v, temperature(config, layer), out.pattern,
                          kept_of(kept, layer, out.v))
                  .transpose(1, 2)
                  .reshape({batch, length, config.width});
  return out;
}

at::Tensor mlp(const Config& config, const Block& block, const at::Tensor& x) {
  const Activation activation = activations().at(config.activation);
  const at::Tensor hidden = activation(linear(x, block.c_fc_weight, block.c_fc_bias));
  return linear(hidden, block.mlp_proj_weight, block.mlp_proj_bias);
}

LayerActivations first_of_batch(const Attended& attended, const at::Tensor& resid_post) {
  const auto by_position = [](const at::Tensor& heads) { return heads[0].transpose(0, 1); };
  return {by_position(attended.q), by_position(attended.k), by_position(attended.v),
          attended.pattern.defined() ? attended.pattern[0] : at::Tensor(), resid_post[0]};
}

/// All blocks on [batch, position]; an observer sees the first sequence of the batch. Returns the
/// residual stream after the last block.
at::Tensor blocks(const Config& config, const LayerwiseWeights& weights, const at::Tensor& tokens,
                  const at::Tensor& positions, const LayerObserver& observer, bool keep_pattern,
                  const KeptTokens* kept) {
  at::Tensor x = at::embedding(weights.wte, tokens) + at::embedding(weights.wpe, positions);
  for (std::int64_t layer = 0; layer < config.layers; ++layer) {
    const Block block = weights.block(layer);
    const Attended attended =
        attend(config, block, layer, layer_norm(config, x, block.ln_1_weight, block.ln_1_bias),
               keep_pattern, kept);
    x = x + in_blocks(attended.mixed, [&](const at::Tensor& rows) {
          return linear(rows, block.c_proj_weight, block.c_proj_bias);
        });
    x = x + in_blocks(x, [&](const at::Tensor& rows) {
          return mlp(config, block, layer_norm(config, rows, block.ln_2_weight, block.ln_2_bias));
        });
    if (observer) observer(layer, first_of_batch(attended, x));
  }
  return x;
}

at::Tensor head_logits(const Config& config, const Weights& weights, const at::Tensor& x) {
  const at::Tensor& head = config.tied_head ? weights.wte : weights.lm_head;
  return in_blocks(x, [&](const at::Tensor& rows) {
    return at::matmul(layer_norm(config, rows, weights.ln_f_weight, weights.ln_f_bias), head.t());
  });
}

at::Tensor one_sequence(const Config& config, const LayerwiseWeights& weights,
                        const at::Tensor& tokens, const LayerObserver& observer, bool keep_pattern,
                        const KeptTokens* kept) {
  const at::Tensor ids = tokens.to(at::kLong).unsqueeze(0);
  const at::Tensor positions = at::arange(ids.size(1), ids.options()).unsqueeze(0);
  return blocks(config, weights, ids, positions, observer, keep_pattern, kept);
}

}  // namespace

double temperature(const Config& config, std::int64_t layer) {
  const double width =
      config.scale_weights ? std::sqrt(static_cast<double>(config.head_width())) : 1;
  return config.scale_by_layer ? width * static_cast<double>(layer + 1) : width;
}

LayerwiseWeights layerwise(const Weights& weights) {
  return {.wte = weights.wte, .wpe = weights.wpe, .block = [blocks = weights.blocks](auto layer) {
            return blocks[static_cast<std::size_t>(layer)];
          }};
}

at::Tensor logits(const Config& config, const Weights& weights, const at::Tensor& tokens,
                  const at::Tensor& positions) {
  return head_logits(config, weights,
                     blocks(config, layerwise(weights), tokens, positions, {}, false, nullptr));
}

at::Tensor forward(const Config& config, const Weights& weights, const at::Tensor& tokens,
                   const LayerObserver& observer, const KeptTokens* kept) {
  const at::NoGradGuard no_gradients;
  return head_logits(config, weights,
                     one_sequence(config, layerwise(weights), tokens, observer,
                                  static_cast<bool>(observer), kept))[0];
}

void observe_layers(const Config& config, const LayerwiseWeights& weights, const at::Tensor& tokens,
                    const LayerObserver& observer) {
  const at::NoGradGuard no_gradients;
  one_sequence(config, weights, tokens, observer, /*keep_pattern=*/false, nullptr);
}

}  // namespace attn::gpt2
