// `gpt2_check`: checks the claims on the attention of a GPT-2 checkpoint or of recorded
// activations.
#include <CLI/CLI.hpp>

#include "gpt2_check/checkpoint/pending_output.hpp"
#include "gpt2_check/cli/commands.hpp"
#include "gpt2_check/cli/fetch_command.hpp"
#include "gpt2_check/cli/parity_command.hpp"
#include "gpt2_check/parallel/parallel.hpp"
#include "theory/base/run_main.hpp"

namespace attn::gpt2 {
namespace {

constexpr int kMaxThreads = 1024;
constexpr const char* kModelHelp = "A checkpoint folder, a hub name in the cache, or tiny";
constexpr const char* kTextHelp = "A UTF-8 text; its first n_positions tokens are read";
constexpr const char* kTokensHelp = "Token ids, with commas between them";

CLI::App* add_run(CLI::App& app, RunFlags& flags) {
  CLI::App* run = app.add_subcommand("run", "Check the claims on the rows of every head");
  run->add_option("--model", flags.model, kModelHelp);
  run->add_option("--text", flags.text, kTextHelp);
  run->add_option("--tokens", flags.tokens, kTokensHelp);
  run->add_option("--activations", flags.activations,
                  "Recorded activations (safetensors, TransformerLens names) in place of a model");
  run->add_option("--out", flags.out, "The folder of the report")->required();
  run->add_option("--lengths", flags.lengths, "Numbers L of visible tokens, with commas");
  run->add_option("--top-n", flags.top_n, "Numbers N of selected tokens, with commas; N < L");
  run->add_option("--temperatures", flags.temperatures,
                  "Temperatures T > 0 of raw logits q.k, with commas");
  run->add_option("--rows", flags.rows, "all, last or stride:k")->capture_default_str();
  run->add_option("--embedding", flags.embedding,
                  "The x_i: value, or hidden for the residual stream that a layer reads")
      ->check(CLI::IsMember({"value", "hidden"}))
      ->capture_default_str();
  run->add_option("--rank", flags.rank,
                  "What the N tokens of the experiments are chosen by: weight, or contribution for "
                  "a_i ||x_i||")
      ->check(CLI::IsMember({"weight", "contribution"}))
      ->capture_default_str();
  run->add_option("--precision", flags.precision, "The model's arithmetic: f32 (default) or f64")
      ->check(CLI::IsMember({"f32", "f64"}));
  run->add_option("--threads", flags.threads, "Threads")
      ->check(CLI::Range(1, kMaxThreads))
      ->capture_default_str();
  run->add_option("--device", flags.device, "Where the model runs: cpu (default) or cuda")
      ->check(CLI::IsMember({"cpu", "cuda"}));
  run->add_option("--seed", flags.seed, "The seed of sampled choices")->capture_default_str();
  return run;
}

CLI::App* add_activations(CLI::App& app, ModelInput& input, std::string& out) {
  CLI::App* activations = app.add_subcommand("activations", "Record the activations of a model");
  activations->add_option("--model", input.model, kModelHelp)->required();
  activations->add_option("--text", input.text, kTextHelp);
  activations->add_option("--tokens", input.tokens, kTokensHelp);
  activations->add_option("--out", out, "The safetensors file to write")->required();
  return activations;
}

CLI::App* add_tokenize(CLI::App& app, std::string& model, std::string& file) {
  CLI::App* tokenize = app.add_subcommand("tokenize", "Print the token ids of a text");
  tokenize->add_option("--model", model, kModelHelp)->required();
  tokenize->add_option("file", file, "A UTF-8 text, or - for standard input")->required();
  return tokenize;
}

CLI::App* add_init(CLI::App& app, InitFlags& flags) {
  CLI::App* init = app.add_subcommand("init", "Write a random checkpoint of a given shape");
  init->add_option("--config", flags.config, "gpt2 (124M), or a config.json")->required();
  init->add_option("--seed", flags.seed, "The seed of the weights")->required();
  init->add_option("--out", flags.out, "The folder to write")->required();
  return init;
}

CLI::App* add_fetch(CLI::App& app, std::string& name, std::optional<std::string>& revision) {
  CLI::App* fetch =
      app.add_subcommand("fetch", "Download a checkpoint into the Hugging Face cache");
  fetch->add_option("name", name, "A hub name such as openai-community/gpt2")->required();
  fetch->add_option("--revision", revision,
                    "A commit, a branch or a tag (default: the pinned commit of gpt2, else main)");
  return fetch;
}

CLI::App* add_parity(CLI::App& app, std::string& model) {
  CLI::App* parity =
      app.add_subcommand("parity", "Compare GPT-2 124M with what other programs computed");
  parity->add_option("--model", model, kModelHelp)->required();
  return parity;
}

int run_gpt2_check(int argc, char** argv) {
  CLI::App app("Checks the limits of softmax attention on GPT-2", "gpt2_check");
  app.require_subcommand(1);

  RunFlags run_flags;
  run_flags.threads = default_threads();
  ModelInput recorded;
  std::string recording;
  std::string tokenizer_model;
  std::string text_file;
  InitFlags init_flags;
  std::string fetched_name;
  std::optional<std::string> revision;
  std::string parity_model;

  const CLI::App* run = add_run(app, run_flags);
  const CLI::App* activations = add_activations(app, recorded, recording);
  const CLI::App* tokenize = add_tokenize(app, tokenizer_model, text_file);
  const CLI::App* fetch = add_fetch(app, fetched_name, revision);
  const CLI::App* parity = add_parity(app, parity_model);
  add_init(app, init_flags);

  return run_main(app, argc, argv, [&] {
    if (run->parsed()) return run_command(run_flags);
    if (activations->parsed()) return activations_command(recorded, recording);
    if (tokenize->parsed()) return tokenize_command(tokenizer_model, text_file);
    if (fetch->parsed()) return fetch_command(fetched_name, revision);
    if (parity->parsed()) return parity_command(parity_model);
    return init_command(init_flags);
  });
}

}  // namespace
}  // namespace attn::gpt2

int main(int argc, char** argv) {
  attn::remove_pending_outputs_on_interrupt();
  return attn::gpt2::run_gpt2_check(argc, argv);
}
