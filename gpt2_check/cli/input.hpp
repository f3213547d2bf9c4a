#pragma once

#include <c10/core/DeviceType.h>
#include <c10/core/ScalarType.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gpt2_check/checkpoint/checkpoint.hpp"

namespace attn::gpt2 {

/// What a model is to read, as the command line gives it: exactly one of text and tokens.
struct ModelInput {
  std::string model;                                ///< a folder, a hub name or `tiny`
  std::optional<std::string> text;                  ///< a UTF-8 file
  std::optional<std::vector<std::int64_t>> tokens;  ///< ids, at least one, none negative
};

/// A model's folder and the ids that it is to read, checked before any weight is loaded.
struct PreparedInput {
  std::filesystem::path folder;
  std::vector<std::int64_t> tokens;  ///< 1..n_positions ids in 0..vocab_size - 1
  std::string text_sha256;           ///< empty without a text
  std::string tokens_sha256;         ///< of the ids in decimal with commas between them
};

/// The token ids of a UTF-8 text in the vocabulary of a checkpoint folder. `name` begins the
/// message where the text is not UTF-8.
std::vector<std::int64_t> tokenize(const std::filesystem::path& folder, const std::string& text,
                                   const std::string& name);

/// Locates the model and reads its input. A text longer than n_positions tokens is cut, which
/// stderr says; more tokens than that are refused. Throws BadInput.
PreparedInput prepare(const ModelInput& input);

/// Loads the weights in `precision` (float or double) onto `device` (CPU or CUDA). Throws BadInput,
/// also where this LibTorch has no such device.
Checkpoint load(const std::filesystem::path& folder, at::ScalarType precision,
                at::DeviceType device);

}  // namespace attn::gpt2
