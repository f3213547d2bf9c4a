#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "gpt2_check/checkpoint/locate.hpp"

namespace attn::hub {

/// How the Hugging Face Hub is reached, and where what it gives is kept.
struct Settings {
  std::string endpoint;  ///< https://host, without a slash at the end; http of this machine alone
  std::string token;     ///< sent to the endpoint's own host only; empty: none
  std::filesystem::path cache;                  ///< the root of the Hugging Face cache
  std::chrono::milliseconds retry_pause{1000};  ///< before the second try; doubles with each
};

/// Reads HF_ENDPOINT (https://huggingface.co where it is not set), HF_TOKEN and the variables of
/// `gpt2::hub_cache`. Throws BadInput for an endpoint or a token that cannot be one, and where
/// HF_HUB_OFFLINE (1, ON, YES or TRUE in any case) forbids the network.
Settings read_settings(const gpt2::Environment& environment = gpt2::process_environment);

}  // namespace attn::hub
