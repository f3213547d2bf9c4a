// `gpt2_check`: checks the claims on the attention of a GPT-2 checkpoint or of recorded
// activations.
#include "gpt2_check/checkpoint/pending_output.hpp"
#include "gpt2_check/cli/program.hpp"

int main(int argc, char** argv) {
  attn::remove_pending_outputs_on_interrupt();
  return attn::gpt2::run_program(argc, argv);
}
