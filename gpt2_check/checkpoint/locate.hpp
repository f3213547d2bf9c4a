#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace attn::gpt2 {

/// Reads an environment variable; nothing where it is unset or empty.
using Environment = std::function<std::optional<std::string>(const char* name)>;

/// The environment of this process.
std::optional<std::string> process_environment(const char* name);

/// The root of the Hugging Face cache: HF_HUB_CACHE, else $HF_HOME/hub, else
/// $XDG_CACHE_HOME/huggingface/hub, else ~/.cache/huggingface/hub.
std::filesystem::path hub_cache(const Environment& environment = process_environment);

/// The owner/name of a hub name such as `openai-community/gpt2`, or `gpt2` for short. Throws
/// BadInput for what cannot be one.
std::string hub_name(const std::string& model);

/// The folder of a model in the cache: "owner/name" -> "models--owner--name".
std::string cache_folder(const std::string& hub_name);

/// The folder of a model, without network: `tiny` is the checkpoint that the project trained; a
/// path of a folder is that folder; else a hub name such as `openai-community/gpt2`, or `gpt2` for
/// short, is looked up in the Hugging Face cache (refs/main, then snapshots). Throws BadInput that
/// says where it looked and what to do.
std::filesystem::path locate_model(const std::string& model,
                                   const Environment& environment = process_environment);

/// What a report calls a model: as the user names it, but for `tiny`, of which it says what that
/// is.
std::string display_name(const std::string& model);

}  // namespace attn::gpt2
