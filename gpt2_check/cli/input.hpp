#pragma once

#include <c10/core/DeviceType.h>
#include <c10/core/ScalarType.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gpt2_check/activations/source.hpp"
#include "gpt2_check/checkpoint/checkpoint.hpp"

namespace attn::gpt2 {

/// As many windows as the input has.
inline constexpr std::uint64_t kAllWindows = 0;

/// What a model is to read, as the command line gives it: exactly one of text and tokens.
struct ModelInput {
  std::string model;                                ///< a folder, a hub name or `tiny`
  std::optional<std::string> text;                  ///< a UTF-8 file
  std::optional<std::vector<std::int64_t>> tokens;  ///< ids, at least one, none negative
  bool plain_text{};  ///< read <|endoftext|> and other added tokens in the text as characters
  /// Consecutive windows of n_positions tokens: so many, or kAllWindows; else one window, of what
  /// there is of it.
  std::optional<std::uint64_t> windows{};
};

/// A model's folder and the ids that it is to read, checked before any weight is loaded.
struct PreparedInput {
  std::filesystem::path folder;
  std::vector<std::int64_t> tokens;  ///< ids in 0..vocab_size - 1 of all windows, as many in each;
                                     ///< of one window 1..n_positions
  std::uint64_t windows{1};          ///< how many windows there are, all of one length
  std::uint64_t tokens_left{};       ///< tokens after the last window
  std::string text_sha256;           ///< empty without a text
  std::string tokens_sha256;         ///< the SHA-256 of the ids in decimal with commas between them
};

/// The token ids of a UTF-8 text in the vocabulary of a checkpoint folder. `name` begins the
/// message where the text is not UTF-8, and the line on stderr where it has characters that are
/// newer than ICU. `plain_text`: as in ModelInput.
std::vector<std::int64_t> tokenize(const std::filesystem::path& folder, const std::string& text,
                                   const std::string& name, bool plain_text);

/// Locates the model and reads its input. Without windows a text longer than n_positions tokens is
/// cut, which stderr says, and more tokens than that are refused; with them an input shorter than
/// one window, or than the windows asked for, is refused. Throws BadInput.
PreparedInput prepare(const ModelInput& input);

/// Refuses lengths L >= 2 that no row of an input of this shape has, and an N >= 1 that does not
/// leave out at least one token of every length (of the longest row, where no length is given).
void check_selection(const std::vector<std::int64_t>& lengths,
                     const std::vector<std::int64_t>& top_n, const ActivationShape& shape);

/// The weights in `precision` (float or double) on `device` (CPU or CUDA), layer by layer. Throws
/// BadInput, also where this LibTorch has no such device, or where lm_head.weight is missing that
/// is needed.
LayerwiseCheckpoint open(const std::filesystem::path& folder, at::ScalarType precision,
                         at::DeviceType device, bool needs_head);

}  // namespace attn::gpt2
