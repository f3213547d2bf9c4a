#pragma once

#include <optional>
#include <string>

#include "gpt2_check/cli/input.hpp"

namespace attn::gpt2 {

/// The flags of `gpt2_check run`, as given.
struct RunFlags {
  std::optional<std::string> model, text, tokens, activations;
  std::string out;
  std::optional<std::string> lengths, top_n, temperatures;
  std::string rows{"all"};
  std::string embedding{"value"}, rank{"weight"};
  std::optional<std::string> precision, device;  ///< f32 and cpu where not given
  int threads{};
  std::string seed{"0"};
};

/// The flags of `gpt2_check init`, as given.
struct InitFlags {
  std::string config;  ///< `gpt2`, or a config.json
  std::string seed;
  std::string out;
};

/// Each command returns the exit code and throws BadInput before anything is written.

/// Checks the flags against the input and runs the checks on its rows.
int run_command(const RunFlags& flags);

/// Records the activations of a model, float32.
int activations_command(const ModelInput& input, const std::string& out);

/// Prints the token ids of a text as one JSON array.
int tokenize_command(const std::string& model, const std::string& file);

/// Writes a random checkpoint.
int init_command(const InitFlags& flags);

}  // namespace attn::gpt2
