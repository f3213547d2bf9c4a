// `gpt2_check`: checks the claims on the attention of a GPT-2 checkpoint or of recorded
// activations.
#include "gpt2_check/cli/program.hpp"

int main(int argc, char** argv) {
  return attn::gpt2::run_program(argc, argv);
}
