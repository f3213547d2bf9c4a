#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "gpt2_check/hub/settings.hpp"

namespace attn::hub {

/// What is told of a fetch on its way.
struct Listener {
  std::function<void(const std::string& line)> notice;
  /// `done` of `total` bytes of a file are in the cache.
  std::function<void(const std::string& file, std::uint64_t done, std::uint64_t total)> progress;
};

/// Brings config.json, vocab.json, merges.txt and model.safetensors of a model into the Hugging
/// Face cache and returns the folder of the snapshot.
///
/// `name` is a hub name such as openai-community/gpt2, or gpt2 for short. Without a revision (a
/// commit, a branch or a tag) it is the pinned commit of a model that is pinned, else main.
/// refs/main is written for main, and for a pinned commit where there is none.
///
/// Every file is checked against the hash that the server gives, a pinned one against its own
/// SHA-256 too. What is there already is checked and not downloaded again; a download that was cut
/// goes on where it ended. Two runs at once do not write the same file. Throws BadInput where the
/// network, the server, its answer or the disk is not as needed.
std::filesystem::path fetch(const std::string& name, const std::optional<std::string>& revision,
                            const Settings& settings, const Listener& listener);

}  // namespace attn::hub
