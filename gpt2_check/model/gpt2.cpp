#include "gpt2_check/model/gpt2.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "theory/bad_input.hpp"

namespace attn::gpt2 {
namespace {

at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  const at::Tensor rows = x.reshape({-1, x.size(-1)});
  std::vector<std::int64_t> shape = x.sizes().vec();
  shape.back() = weight.size(1);
  return at::addmm(bias, rows, weight).view(shape);
}

at::Tensor layer_norm(const Config& config, const at::Tensor& x, const at::Tensor& weight,
                      const at::Tensor& bias) {
  return at::layer_norm(x, {config.width}, weight, bias, config.layer_norm_epsilon,
                        /*cudnn_enable=*/false);
}

/// [query, key]: 0 where key <= query, minus infinity elsewhere.
at::Tensor causal_mask(std::int64_t length, const at::TensorOptions& options) {
  return at::full({length, length}, -std::numeric_limits<double>::infinity(), options).triu_(1);
}

struct Attended {
  at::Tensor q, k, v;  ///< [batch, head, position, d_head]
  at::Tensor pattern;  ///< [batch, head, query, key] where asked for
  at::Tensor mixed;    ///< [batch, position, width], before c_proj
};

/// Queries are taken in blocks of this many: a block reads no key after its last query, which
/// halves the work, and its scores stay in cache.
constexpr std::int64_t kQueryBlock = 128;

Attended attend(const Config& config, const Block& block, std::int64_t layer, const at::Tensor& x,
                const at::Tensor& mask, bool keep_pattern) {
  const std::int64_t batch = x.size(0);
  const std::int64_t length = x.size(1);
  const auto thirds = linear(x, block.c_attn_weight, block.c_attn_bias).split(config.width, -1);
  const auto by_head = [&](const at::Tensor& third) {
    return third.reshape({batch, length, config.heads, config.head_width()})
        .transpose(1, 2)
        .contiguous();
  };
  Attended out{by_head(thirds[0]), by_head(thirds[1]), by_head(thirds[2]), {}, {}};
  if (keep_pattern) out.pattern = at::zeros({batch, config.heads, length, length}, x.options());

  std::vector<at::Tensor> mixed;
  for (std::int64_t start = 0; start < length; start += kQueryBlock) {
    const std::int64_t end = std::min(start + kQueryBlock, length);
    const at::Tensor keys = out.k.slice(2, 0, end).transpose(-1, -2);
    const at::Tensor scores = at::matmul(out.q.slice(2, start, end), keys)
                                  .div_(temperature(config, layer))
                                  .add_(mask.slice(0, start, end).slice(1, 0, end));
    const at::Tensor pattern = at::softmax(scores, -1);
    mixed.push_back(at::matmul(pattern, out.v.slice(2, 0, end)));
    if (keep_pattern) out.pattern.slice(2, start, end).slice(3, 0, end).copy_(pattern);
  }
  out.mixed = at::cat(mixed, 2).transpose(1, 2).reshape({batch, length, config.width});
  return out;
}

at::Tensor mlp(const Config& config, const Block& block, const at::Tensor& x) {
  const at::Tensor hidden =
      at::gelu(linear(x, block.c_fc_weight, block.c_fc_bias), config.gelu_tanh ? "tanh" : "none");
  return linear(hidden, block.mlp_proj_weight, block.mlp_proj_bias);
}

void report(LayerObserver& observer, std::int64_t layer, const Attended& attended,
            const at::Tensor& resid_pre, const at::Tensor& resid_post) {
  const auto by_position = [](const at::Tensor& heads) { return heads[0].transpose(0, 1); };
  observer.on_layer(layer,
                    {by_position(attended.q), by_position(attended.k), by_position(attended.v),
                     attended.pattern.defined() ? attended.pattern[0] : at::Tensor(), resid_pre[0],
                     resid_post[0]});
}

/// All blocks on [batch, position]; an observer sees the first sequence of the batch. Returns the
/// residual stream after the last block.
at::Tensor blocks(const Config& config, const Weights& weights, const at::Tensor& tokens,
                  const at::Tensor& positions, LayerObserver* observer) {
  const at::Tensor mask = causal_mask(tokens.size(1), weights.wte.options().requires_grad(false));
  at::Tensor x = at::embedding(weights.wte, tokens) + at::embedding(weights.wpe, positions);
  for (std::int64_t layer = 0; layer < config.layers; ++layer) {
    const Block& block = weights.blocks[static_cast<std::size_t>(layer)];
    const Attended attended =
        attend(config, block, layer, layer_norm(config, x, block.ln_1_weight, block.ln_1_bias),
               mask, observer != nullptr && observer->wants_pattern());
    const at::Tensor before = x;
    x = x + linear(attended.mixed, block.c_proj_weight, block.c_proj_bias);
    x = x + mlp(config, block, layer_norm(config, x, block.ln_2_weight, block.ln_2_bias));
    if (observer != nullptr) report(*observer, layer, attended, before, x);
  }
  return x;
}

at::Tensor head_logits(const Config& config, const Weights& weights, const at::Tensor& x) {
  const at::Tensor& head = config.tied_head ? weights.wte : weights.lm_head;
  return at::matmul(layer_norm(config, x, weights.ln_f_weight, weights.ln_f_bias), head.t());
}

void check_tokens(const Config& config, const at::Tensor& tokens) {
  if (tokens.dim() != 1 || tokens.numel() == 0)
    throw BadInput("tokens: expected at least one token id, found none; give a text or ids");
  if (tokens.numel() > config.positions)
    throw BadInput("tokens: the model has " + std::to_string(config.positions) +
                   " positions, found " + std::to_string(tokens.numel()) +
                   " tokens; give a shorter text");
  const auto lowest = tokens.min().item<std::int64_t>();
  const auto highest = tokens.max().item<std::int64_t>();
  if (lowest < 0 || highest >= config.vocabulary)
    throw BadInput("tokens: expected ids in 0.." + std::to_string(config.vocabulary - 1) +
                   ", found " + std::to_string(lowest < 0 ? lowest : highest));
}

at::Tensor one_sequence(const Config& config, const Weights& weights, const at::Tensor& tokens,
                        LayerObserver* observer) {
  check_tokens(config, tokens);
  const at::Tensor ids = tokens.to(at::kLong).unsqueeze(0);
  const at::Tensor positions = at::arange(ids.size(1), ids.options()).unsqueeze(0);
  return blocks(config, weights, ids, positions, observer);
}

}  // namespace

double temperature(const Config& config, std::int64_t layer) {
  const double width =
      config.scale_weights ? std::sqrt(static_cast<double>(config.head_width())) : 1;
  return config.scale_by_layer ? width * static_cast<double>(layer + 1) : width;
}

at::Tensor logits(const Config& config, const Weights& weights, const at::Tensor& tokens,
                  const at::Tensor& positions) {
  return head_logits(config, weights, blocks(config, weights, tokens, positions, nullptr));
}

at::Tensor forward(const Config& config, const Weights& weights, const at::Tensor& tokens,
                   LayerObserver* observer) {
  const at::NoGradGuard no_gradients;
  return head_logits(config, weights, one_sequence(config, weights, tokens, observer))[0];
}

void observe_layers(const Config& config, const Weights& weights, const at::Tensor& tokens,
                    LayerObserver& observer) {
  const at::NoGradGuard no_gradients;
  one_sequence(config, weights, tokens, &observer);
}

}  // namespace attn::gpt2
