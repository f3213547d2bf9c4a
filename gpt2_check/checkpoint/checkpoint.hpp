#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "gpt2_check/model/gpt2.hpp"

namespace attn::gpt2 {

/// A checkpoint in memory, and where it came from.
struct Checkpoint {
  std::filesystem::path folder;
  /// Of model.safetensors, in hexadecimal; of several files, of what sha256sum prints of them in
  /// the order of their names.
  std::string sha256;
  Config config;  ///< tied_head is false where the file holds lm_head.weight
  Weights weights;
};

/// A checkpoint whose weights come layer by layer.
struct LayerwiseCheckpoint {
  std::string sha256;  ///< as in Checkpoint
  Config config;
  LayerwiseWeights weights;
};

/// A checkpoint that is in memory.
LayerwiseCheckpoint layerwise(const Checkpoint& checkpoint);

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

/// Checks a folder as load_checkpoint does, but that lm_head.weight may be missing, which attention
/// does not read, and leaves the weights of the layers in their file: each is read anew when it is
/// asked for, onto `device`, which throws BadInput where the file has become shorter. Only the
/// embeddings are held.
LayerwiseCheckpoint open_checkpoint(const std::filesystem::path& folder, at::ScalarType dtype,
                                    at::DeviceType device);

/// Writes config.json and model.safetensors into a folder that is there. Throws BadInput where it
/// cannot.
void save_checkpoint(const std::filesystem::path& folder, const Config& config, Weights weights);

/// Weights of that shape, float32, as GPT-2 initialises them: N(0, 0.02), but N(0, 0.02 / sqrt(2
/// layers)) for the two projections that add to the residual stream, biases 0, LayerNorm 1 and 0.
Weights random_weights(const Config& config, std::uint64_t seed);

}  // namespace attn::gpt2
