#include "gpt2_check/model/gpt2.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/norm.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gpt2_check/model/kept_tokens.hpp"
#include "gpt2_check/parallel/parallel.hpp"

namespace attn::gpt2 {
namespace {

at::Tensor gelu_tanh(const at::Tensor& x) {
  return at::gelu(x, "tanh");
}

/// gelu_tanh with sqrt(2/pi) to ten digits.
at::Tensor gelu_fast(const at::Tensor& x) {
  return 0.5 * x * (1 + at::tanh(0.7978845608 * x * (1 + 0.044715 * x * x)));
}

}  // namespace

const std::map<std::string, Activation>& activations() {
  static const std::map<std::string, Activation> functions = {
      {"gelu", [](const at::Tensor& x) { return at::gelu(x); }},
      {"gelu_fast", gelu_fast},
      {"gelu_new", gelu_tanh},
      {"gelu_pytorch_tanh", gelu_tanh},
      {"relu", at::relu},
      {"silu", at::silu},
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

/// Rows and queries are taken in blocks of this many. A block of queries reads no key after its
/// last one, which halves the work, and its scores stay in cache.
constexpr std::int64_t kBlockRows = 128;

/// Tasks 0..count-1, side by side; on CUDA, which has threads of its own, one after the other.
void each(const at::Tensor& x, std::int64_t count, const std::function<void(std::int64_t)>& task) {
  if (x.is_cpu()) return parallel(count, task);
  for (std::int64_t i = 0; i < count; ++i) task(i);
}

/// f of x [position, in], whose rows it treats one by one: [position, out].
at::Tensor in_blocks(const at::Tensor& x, std::int64_t out,
                     const std::function<at::Tensor(const at::Tensor& rows)>& f) {
  const std::int64_t length = x.size(0);
  const at::Tensor result = at::empty({length, out}, x.options());
  each(x, (length + kBlockRows - 1) / kBlockRows, [&](std::int64_t block) {
    const std::int64_t start = block * kBlockRows;
    const std::int64_t end = std::min(start + kBlockRows, length);
    result.slice(0, start, end).copy_(f(x.slice(0, start, end)));
  });
  return result;
}

/// [head, key], as `keep` reads it; `v`: [position, head, d_head].
at::Tensor importance_of(const KeptTokens& kept, std::int64_t layer, const at::Tensor& v) {
  switch (kept.ranking) {
    case Ranking::weight:
      break;
    case Ranking::contribution:
      return v.norm(2, -1).t().contiguous();
    case Ranking::random:
      return random_orders(kept.seed, layer, v.size(1), v.size(0), v.options());
  }
  return {};
}

/// What the queries of one head, those of the last keys, read, into `mixed` [query, d_head], and
/// its weights into the pattern where there is one. `kept`: which tokens they keep; null: all.
void mix(const LayerActivations& heads, std::int64_t head, double temperature,
         const KeptTokens* kept, const at::Tensor& importance, const at::Tensor& mixed) {
  const at::Tensor q = heads.q.select(1, head), k = heads.k.select(1, head),
                   v = heads.v.select(1, head);
  const std::int64_t before = k.size(0) - q.size(0);
  for (std::int64_t start = 0; start < q.size(0); start += kBlockRows) {
    const std::int64_t end = std::min(start + kBlockRows, q.size(0)), count = end - start;
    const std::int64_t keys = before + end;
    at::Tensor scores = at::mm(q.slice(0, start, end), k.slice(0, 0, keys).t()).div_(temperature);
    scores.slice(1, before + start)
        .add_(at::full({count, count}, -std::numeric_limits<double>::infinity(), q.options())
                  .triu_(1));
    const at::Tensor weights = at::softmax(scores, -1);
    if (kept != nullptr) {
      keep(*kept, weights, before + start, importance.defined() ? importance[head] : importance);
    }
    mixed.slice(0, start, end).copy_(at::mm(weights, v.slice(0, 0, keys)));
    if (!heads.pattern.defined()) continue;
    heads.pattern[head].slice(0, start, end).slice(1, 0, keys).copy_(weights);
  }
}

/// A change to a pass: what each query keeps, and the keys and values of each layer that the first
/// positions have where all tokens are kept; none: no position is left out.
struct Change {
  const KeptTokens& kept;
  const std::vector<KeysValues>& whole;

  /// How many of the first positions are as they were: they see N tokens or fewer, as do those
  /// before them.
  [[nodiscard]] std::int64_t unchanged() const { return whole.empty() ? 0 : kept.count; }
};

/// What all heads of a layer read of x [query, width], the last positions of a pass: [query,
/// width], before c_proj. `heads`: all but resid_post, the pattern where it is asked for.
at::Tensor attend(const Config& config, const Block& block, std::int64_t layer, const at::Tensor& x,
                  const Change* change, bool keep_pattern, LayerActivations& heads) {
  const std::int64_t queries = x.size(0);
  const at::Tensor qkv = in_blocks(x, 3 * config.width, [&](const at::Tensor& rows) {
    return linear(layer_norm(config, rows, block.ln_1_weight, block.ln_1_bias), block.c_attn_weight,
                  block.c_attn_bias);
  });
  const at::Tensor by_head = qkv.view({queries, 3, config.heads, config.head_width()});
  heads = {by_head.select(1, 0), by_head.select(1, 1), by_head.select(1, 2), {}, {}};
  at::Tensor importance;
  if (change != nullptr) {
    if (const std::int64_t before = change->unchanged(); before > 0) {
      const auto& [k, v] = change->whole[static_cast<std::size_t>(layer)];
      heads.k = at::cat({k.slice(0, 0, before), heads.k});
      heads.v = at::cat({v.slice(0, 0, before), heads.v});
    }
    importance = importance_of(change->kept, layer, heads.v);
  }
  if (keep_pattern) heads.pattern = at::zeros({config.heads, queries, queries}, x.options());
  const at::Tensor mixed = at::empty({queries, config.heads, config.head_width()}, x.options());
  each(x, config.heads, [&](std::int64_t head) {
    mix(heads, head, temperature(config, layer), change == nullptr ? nullptr : &change->kept,
        importance, mixed.select(1, head));
  });
  return mixed.view({queries, config.width});
}

at::Tensor mlp(const Config& config, const Block& block, const at::Tensor& x) {
  const Activation activation = activations().at(config.activation);
  const at::Tensor hidden = activation(linear(x, block.c_fc_weight, block.c_fc_bias));
  return linear(hidden, block.mlp_proj_weight, block.mlp_proj_bias);
}

/// All blocks on ids [position]. Returns the residual stream after the last block, of the positions
/// that are not unchanged.
at::Tensor blocks(const Config& config, const LayerwiseWeights& weights, const at::Tensor& tokens,
                  const Change* change, bool keep_pattern, const LayerObserver& observer) {
  const std::int64_t before = change == nullptr ? 0 : change->unchanged();
  at::Tensor x = at::embedding(weights.wte, tokens.slice(0, before).to(at::kLong)) +
                 weights.wpe.slice(0, before, tokens.size(0));
  for (std::int64_t layer = 0; layer < config.layers; ++layer) {
    const Block block = weights.block(layer);
    LayerActivations heads;
    const at::Tensor mixed = attend(config, block, layer, x, change, keep_pattern, heads);
    x = x + in_blocks(mixed, config.width, [&](const at::Tensor& rows) {
          return linear(rows, block.c_proj_weight, block.c_proj_bias);
        });
    x = x + in_blocks(x, config.width, [&](const at::Tensor& rows) {
          return mlp(config, block, layer_norm(config, rows, block.ln_2_weight, block.ln_2_bias));
        });
    heads.resid_post = x;
    if (observer) observer(layer, heads);
  }
  return x;
}

/// [row, vocabulary] of x [row, width], what the last block leaves.
at::Tensor logits_of(const Config& config, const Weights& weights, const at::Tensor& x) {
  const at::Tensor& head = config.tied_head ? weights.wte : weights.lm_head;
  return in_blocks(x, config.vocabulary, [&](const at::Tensor& rows) {
    return at::mm(layer_norm(config, rows, weights.ln_f_weight, weights.ln_f_bias), head.t());
  });
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

at::Tensor forward(const Config& config, const Weights& weights, const at::Tensor& tokens,
                   const LayerObserver& observer) {
  const bool keep_pattern = static_cast<bool>(observer);
  return logits_of(config, weights,
                   blocks(config, layerwise(weights), tokens, nullptr, keep_pattern, observer));
}

WholePass whole_pass(const Config& config, const Weights& weights, const at::Tensor& tokens) {
  WholePass pass;
  const at::Tensor x = blocks(config, layerwise(weights), tokens, nullptr, /*keep_pattern=*/false,
                              [&](std::int64_t, const LayerActivations& heads) {
                                pass.layers.push_back({heads.k.clone(), heads.v.clone()});
                              });
  pass.logits = logits_of(config, weights, x);
  return pass;
}

at::Tensor forward_kept(const Config& config, const Weights& weights, const at::Tensor& tokens,
                        const KeptTokens& kept, const std::vector<KeysValues>& whole,
                        std::int64_t rows) {
  const Change change{kept, whole};
  const at::Tensor x =
      blocks(config, layerwise(weights), tokens, &change, /*keep_pattern=*/false, {});
  return logits_of(config, weights, x.slice(0, std::max<std::int64_t>(x.size(0) - rows, 0)));
}

void observe_layers(const Config& config, const LayerwiseWeights& weights, const at::Tensor& tokens,
                    const LayerObserver& observer) {
  blocks(config, weights, tokens, nullptr, /*keep_pattern=*/false, observer);
}

}  // namespace attn::gpt2
