#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "gpt2_check/activations/source.hpp"
#include "gpt2_check/checkpoint/checkpoint.hpp"

namespace attn::gpt2 {

/// The activations of a GPT-2 checkpoint on one sequence of token ids, computed anew by every
/// `for_each_layer` in the dtype and on the device of its weights. `tokens` are ids that the model
/// can read: 1 to n_positions of them, each below vocab_size.
std::unique_ptr<ActivationSource> model_run(LayerwiseCheckpoint checkpoint, std::string model_name,
                                            std::vector<std::int64_t> tokens);

/// Activations that were recorded from any transformer into a safetensors file, under the names of
/// TransformerLens (names.hpp). gpt2_check/README.md says which tensors and metadata are read, and
/// what a query sees. Where a number hides a key after a query's own and there is no `mask`, all
/// other keys are seen. A position that no other query sees is padding: the source has it not, and
/// its positions count the others.
///
/// Checks names, dtypes and shapes of every layer before any number is read. Throws BadInput,
/// naming the tensor, for one that is missing, of another dtype or of another shape than the rest.
std::unique_ptr<ActivationSource> open_recording(const std::filesystem::path& file);

/// Runs a checkpoint on token ids and records what it computes, in the dtype of its weights: the
/// tensors that `open_recording` reads, `blocks.{i}.hook_resid_post`, `logits` [position,
/// vocabulary], `tokens` [position]; in the metadata the BLAS and LibTorch's kernels, which the
/// last digits depend on. The file appears whole or not at all. Throws BadInput for a file that
/// cannot be written.
void record(const Checkpoint& checkpoint, const std::string& model_name,
            const std::vector<std::int64_t>& tokens, const std::filesystem::path& file);

}  // namespace attn::gpt2
