#include "gpt2_check/cli/program.hpp"

#include <torch/version.h>

#include <utility>

#include "gpt2_check/cli/commands.hpp"
#include "gpt2_check/cli/flags.hpp"
#include "gpt2_check/parallel/parallel.hpp"
#include "theory/base/command_line.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/base/flags.hpp"
#include "theory/units/ranks.hpp"

namespace attn::gpt2 {

int run_program(int argc, char** argv) {
  const auto line = command_line("Checks the limits of softmax attention on GPT-2", "gpt2_check");
  CLI::App& app = *line;
  require_command(app);

  RunFlags run_flags;
  run_flags.options.threads = default_threads();
  ActivationsFlags activations_flags;
  TokenizeFlags tokenize_flags;
  InitFlags init_flags;

  const CLI::App& run = add_run(app, run_flags);
  const CLI::App& activations = add_activations(app, activations_flags);
  const CLI::App& tokenize = add_tokenize(app, tokenize_flags);
  add_init(app, init_flags);

  const auto body = [&](units::Messages& messages) -> int {
    if (is_given(run)) return run_command(std::move(run_flags), command_given(run), messages);
    if (messages.rank() > 0) return kAsExpected;  // the others are for one process
    if (is_given(activations)) return activations_command(activations_flags);
    if (is_given(tokenize)) return tokenize_command(tokenize_flags);
    return init_command(init_flags);
  };
  return units::run_ranks_main(app, argc, argv, body, {{"libtorch", TORCH_VERSION}});
}

}  // namespace attn::gpt2
