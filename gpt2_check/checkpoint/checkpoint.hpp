#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "gpt2_check/model/gpt2.hpp"

namespace attn::gpt2 {

/// The root of the Hugging Face cache: HF_HUB_CACHE, else $HF_HOME/hub, else
/// $XDG_CACHE_HOME/huggingface/hub, else ~/.cache/huggingface/hub. An empty variable is none.
std::filesystem::path hub_cache();

/// The folder of a model, without network: `tiny` is the checkpoint that the project trained; a
/// path of a folder is that folder; else a hub name such as `openai-community/gpt2`, or `gpt2` for
/// short, is looked up in the Hugging Face cache (refs/main, then snapshots). Throws BadInput that
/// says where it looked and what to do.
std::filesystem::path locate_model(const std::string& model);

/// What a report calls a model: as the user names it, but for `tiny`, of which it says what that
/// is.
std::string display_name(const std::string& model);

/// The text of a config.json, read with Hugging Face's defaults for the fields that may be missing;
/// model_type (or architectures), n_layer, n_head, n_embd, n_positions (or n_ctx, its older name)
/// and vocab_size must be there. `where` begins the messages. Throws BadInput, naming the field,
/// for anything that GPT-2 as forward() computes it does not have: another model_type, architecture
/// or activation_function, cross-attention, n_embd not a multiple of n_head, sizes out of range.
/// reorder_and_upcast_attn is accepted: it changes the rounding, not the function.
Config parse_config(const std::string& text, const std::string& where);

/// Reads config.json. Throws BadInput as `parse_config`, and where the file has more than 1 MiB or
/// cannot be read.
Config load_config(const std::filesystem::path& file);

/// The text of a config.json that `parse_config` and Hugging Face read.
std::string to_json_text(const Config& config);

/// GPT-2 124M.
Config gpt2_124m();

/// A checkpoint in memory, and where it came from.
struct Checkpoint {
  /// The SHA-256 of model.safetensors, in hexadecimal; of several files, that of what sha256sum
  /// prints of them in the order of their names.
  std::string sha256;
  Config config;  ///< tied_head is false where the file holds lm_head.weight
  Weights weights;
};

/// A checkpoint whose weights come layer by layer.
struct LayerwiseCheckpoint {
  std::string sha256;  ///< the SHA-256 of the files of the weights, as in Checkpoint
  Config config;
  LayerwiseWeights weights;
};

/// Visits every tensor of a model of that shape, with its name in a Hugging Face checkpoint (no
/// prefix), the member of `weights` that holds it and its shape. `weights.blocks` is resized.
void for_each_tensor(const Config& config, Weights& weights,
                     const std::function<void(const std::string& name, at::Tensor& tensor,
                                              const std::vector<std::int64_t>& shape)>& visit);

/// Loads config.json and model.safetensors of a folder, or the files that its
/// model.safetensors.index.json names; every weight is converted to `dtype` (kFloat or kDouble,
/// which F16, BF16 and F32 widen to exactly). Names may carry the prefixes `transformer.`,
/// `_orig_mod.` and `module.`; the mask buffers attn.bias and attn.masked_bias and the heads of
/// other tasks are skipped; lm_head.weight is used where it is there and wte where not. Of
/// embeddings with more rows than vocab_size the first are read. All names, shapes and dtypes are
/// checked before the first weight is read. Throws BadInput, naming the tensor, for one that is
/// missing, unknown, of another shape, not floating point or not finite.
Checkpoint load_checkpoint(const std::filesystem::path& folder, at::ScalarType dtype);

/// Checks a folder as load_checkpoint does, but that lm_head.weight, which attention does not read,
/// may be missing where `needs_head` is false, and leaves the weights of the layers in their file:
/// each is read anew when it is asked for, onto `device`, which throws BadInput where the file has
/// become shorter. Only the embeddings are held.
LayerwiseCheckpoint open_checkpoint(const std::filesystem::path& folder, at::ScalarType dtype,
                                    at::DeviceType device, bool needs_head = false);

/// Writes config.json and model.safetensors into a folder that is there. Throws BadInput where it
/// cannot.
void save_checkpoint(const std::filesystem::path& folder, const Config& config, Weights weights);

/// Weights of that shape, float32, as GPT-2 initialises them: N(0, 0.02), but N(0, 0.02 / sqrt(2
/// layers)) for the two projections that add to the residual stream, biases 0, LayerNorm 1 and 0.
Weights random_weights(const Config& config, std::uint64_t seed);

}  // namespace attn::gpt2
