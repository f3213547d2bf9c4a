#pragma once

#include <optional>
#include <string>

namespace attn::gpt2 {

/// Brings a checkpoint of the Hugging Face Hub into the cache and prints the folder of its
/// snapshot; stderr shows how far it is. Returns the exit code; throws BadInput as `hub::fetch`.
int fetch_command(const std::string& name, const std::optional<std::string>& revision);

}  // namespace attn::gpt2
