#include "gpt2_check/cli/program.hpp"

#include <torch/version.h>

#include <CLI/CLI.hpp>
#include <utility>

#include "gpt2_check/cli/commands.hpp"
#include "gpt2_check/cli/fetch_command.hpp"
#include "gpt2_check/cli/flags.hpp"
#include "gpt2_check/cli/parity_command.hpp"
#include "gpt2_check/parallel/parallel.hpp"
#include "theory/base/command_line.hpp"
#include "theory/base/run_main.hpp"

namespace attn::gpt2 {

int run_program(int argc, char** argv) {
  CLI::App app("Checks the limits of softmax attention on GPT-2", "gpt2_check");
  app.require_subcommand(1);

  RunFlags run_flags;
  run_flags.options.threads = default_threads();
  ActivationsFlags activations_flags;
  TokenizeFlags tokenize_flags;
  FetchFlags fetch_flags;
  ParityFlags parity_flags;
  InitFlags init_flags;

  const CLI::App* run = add_run(app, run_flags);
  const CLI::App* activations = add_activations(app, activations_flags);
  const CLI::App* tokenize = add_tokenize(app, tokenize_flags);
  const CLI::App* fetch = add_fetch(app, fetch_flags);
  const CLI::App* parity = add_parity(app, parity_flags);
  add_init(app, init_flags);

  const auto body = [&] {
    if (run->parsed()) return run_command(std::move(run_flags), command_given(*run));
    if (activations->parsed()) return activations_command(activations_flags);
    if (tokenize->parsed()) return tokenize_command(tokenize_flags);
    if (fetch->parsed()) return fetch_command(fetch_flags.name, fetch_flags.revision);
    if (parity->parsed()) return parity_command(parity_flags.model);
    return init_command(init_flags);
  };
  return run_main(app, argc, argv, body, {{"libtorch", TORCH_VERSION}});
}

}  // namespace attn::gpt2
