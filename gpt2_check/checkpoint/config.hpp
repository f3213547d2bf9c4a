#pragma once

#include <filesystem>
#include <string>

#include "gpt2_check/model/gpt2.hpp"

namespace attn::gpt2 {

/// The text of a config.json, read with Hugging Face's defaults for the fields that may be missing;
/// model_type (or architectures), n_layer, n_head, n_embd, n_positions (or n_ctx, its older name)
/// and vocab_size must be there. `where` begins the messages. Throws BadInput, naming the field,
/// for anything that GPT-2 as forward() computes it does not have: another model_type, architecture
/// or activation_function, cross-attention, n_embd not a multiple of n_head, sizes out of range.
/// reorder_and_upcast_attn is accepted: it changes the rounding, not the function.
Config parse_config(const std::string& text, const std::string& where);

/// Reads config.json. Throws BadInput as `parse_config`, and where the file cannot be read.
Config load_config(const std::filesystem::path& file);

/// The text of a config.json that `parse_config` and Hugging Face read.
std::string to_json_text(const Config& config);

/// GPT-2 124M.
Config gpt2_124m();

}  // namespace attn::gpt2
