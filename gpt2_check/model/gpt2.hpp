#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace attn::gpt2 {

using Activation = at::Tensor (*)(const at::Tensor& x);

/// Activation functions by their names in Hugging Face's transformers.
const std::map<std::string, Activation>& activations();

/// The shape and the options of a GPT-2 checkpoint (the fields of config.json that matter).
struct Config {
  std::int64_t layers{};      ///< n_layer
  std::int64_t heads{};       ///< n_head
  std::int64_t width{};       ///< n_embd, a multiple of heads
  std::int64_t positions{};   ///< n_positions
  std::int64_t vocabulary{};  ///< vocab_size
  std::int64_t inner{};       ///< n_inner; 4 width where config.json has null
  double layer_norm_epsilon{1e-5};
  std::string activation{"gelu_new"};  ///< activation_function, a name of activations()
  bool scale_weights{true};            ///< scale_attn_weights: divide q.k by sqrt(d_head)
  bool scale_by_layer{false};          ///< scale_attn_by_inverse_layer_idx: divide by layer + 1 too
  bool tied_head{true};                ///< tie_word_embeddings: logits = x wte^T

  [[nodiscard]] std::int64_t head_width() const { return width / heads; }
};

/// The paper's temperature T of layer `layer` (0-based) for raw logits q.k: sqrt(d_head) where
/// scale_weights, times layer + 1 where scale_by_layer.
double temperature(const Config& config, std::int64_t layer);

struct KeptTokens;

/// One block. Conv1D weights are [in, out]: y = x W + b.
struct Block {
  at::Tensor ln_1_weight, ln_1_bias;          ///< [width]
  at::Tensor c_attn_weight, c_attn_bias;      ///< [width, 3 width], [3 width]
  at::Tensor c_proj_weight, c_proj_bias;      ///< [width, width], [width]
  at::Tensor ln_2_weight, ln_2_bias;          ///< [width]
  at::Tensor c_fc_weight, c_fc_bias;          ///< [width, inner], [inner]
  at::Tensor mlp_proj_weight, mlp_proj_bias;  ///< [inner, width], [width]
};

struct Weights {
  at::Tensor wte;  ///< [vocabulary, width]
  at::Tensor wpe;  ///< [positions, width]
  std::vector<Block> blocks;
  at::Tensor ln_f_weight, ln_f_bias;  ///< [width]
  at::Tensor lm_head;                 ///< [vocabulary, width]; undefined where tied
};

/// Weights of a model of which a layer's are made when they are asked for, and dropped when it is
/// done.
struct LayerwiseWeights {
  at::Tensor wte, wpe;  ///< [vocabulary, width] and [positions, width]
  /// The weights of a layer, 0-based. Threads may ask at the same time.
  std::function<Block(std::int64_t layer)> block;
};

/// Weights that are in memory.
LayerwiseWeights layerwise(const Weights& weights);

/// What the heads of one layer read: rows of q, k, v for every position.
struct LayerActivations {
  at::Tensor q, k, v;     ///< [position, head, d_head]
  at::Tensor pattern;     ///< [head, query, key]; undefined of observe_layers
  at::Tensor resid_post;  ///< [position, width], what the block leaves
};

/// Called after each block of a forward pass, so that no more than one layer is ever held.
using LayerObserver = std::function<void(std::int64_t layer, const LayerActivations& activations)>;

/// The forward pass on one sequence of ids [position] that the model can read: 1 to
/// config.positions of them, each below config.vocabulary. All arithmetic in the dtype of the
/// weights. Returns logits [position, vocabulary].
at::Tensor forward(const Config& config, const Weights& weights, const at::Tensor& tokens,
                   const LayerObserver& observer = {});

/// Keys and values of one layer: [position, head, d_head].
struct KeysValues {
  at::Tensor k, v;
};

/// The keys and values of every layer of the forward pass on `tokens`, and its logits.
struct WholePass {
  std::vector<KeysValues> layers;
  at::Tensor logits;  ///< [position, vocabulary]
};
WholePass whole_pass(const Config& config, const Weights& weights, const at::Tensor& tokens);

/// The forward pass where every query keeps the tokens that `kept` says, on the CPU: the logits of
/// the last rows, [row, vocabulary], as many as `rows` or fewer. The first N positions see N tokens
/// or fewer, keep all and have no rows: of these it reads keys and values of the pass that keeps
/// all, `whole`, one for each layer. Where that is empty, all rows are computed.
at::Tensor forward_kept(const Config& config, const Weights& weights, const at::Tensor& tokens,
                        const KeptTokens& kept, const std::vector<KeysValues>& whole,
                        std::int64_t rows);

/// The forward pass of `forward` for the observer alone, without the logits and the patterns; no
/// more than one layer's weights are held.
void observe_layers(const Config& config, const LayerwiseWeights& weights, const at::Tensor& tokens,
                    const LayerObserver& observer);

}  // namespace attn::gpt2
