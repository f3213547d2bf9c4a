#pragma once

#include <string>

#include "gpt2_check/cli/flags.hpp"

namespace attn::gpt2 {

/// Each command returns the exit code and throws BadInput before anything is written.

/// Checks the flags against the input and runs the checks on its rows, on all ranks that run
/// together. `command`: the command line that gives these flags, but for those that change no
/// result.
int run_command(RunFlags flags, const std::string& command, units::Messages& messages);

/// Records the activations of a model, float32.
int activations_command(const ActivationsFlags& flags);

/// Prints the token ids of a text as one JSON array.
int tokenize_command(const TokenizeFlags& flags);

/// Writes a random checkpoint.
int init_command(const InitFlags& flags);

}  // namespace attn::gpt2
