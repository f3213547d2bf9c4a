#pragma once

namespace attn::gpt2 {

/// What the program `gpt2_check` does with its command line; the exit code.
int run_program(int argc, char** argv);

}  // namespace attn::gpt2
