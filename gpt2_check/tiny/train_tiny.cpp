#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include "gpt2_check/checkpoint/checkpoint.hpp"
#include "gpt2_check/tiny/trainer.hpp"
#include "gpt2_check/tokenizer/text.hpp"
#include "gpt2_check/tokenizer/tokenizer.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/base/run_main.hpp"
#include "theory/base/sha256.hpp"

extern "C" void openblas_set_num_threads(int);

namespace attn::tiny {
namespace {

constexpr std::int64_t kEntries = 2048;
constexpr std::int64_t kEvaluations = 6;

gpt2::Config tiny_config() {
  gpt2::Config config;
  config.layers = 6;
  config.heads = 8;
  config.width = 128;  // d_head = 16, so that the temperature sqrt(d_head) is exact
  config.positions = 1024;
  config.vocabulary = kEntries;
  config.inner = 4 * config.width;
  return config;
}

void write_tokenizer(const std::filesystem::path& folder, const Bpe& bpe) {
  nlohmann::ordered_json vocabulary = nlohmann::ordered_json::object();
  for (std::size_t id = 0; id < bpe.vocabulary.size(); ++id) vocabulary[bpe.vocabulary[id]] = id;
  write_file(folder / "vocab.json", vocabulary.dump() + "\n");
  std::string merges = "#version: 0.2\n";
  for (const auto& [left, right] : bpe.merges) merges += left + " " + right + "\n";
  write_file(folder / "merges.txt", merges);
}

/// A text cut into its first 95 % and the rest, by bytes, at the start of a character.
struct Parts {
  std::string_view train, held_out;
};

Parts hold_out(std::string_view text) {
  std::size_t cut = text.size() / 100 * 95;
  while (cut < text.size() && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) ++cut;
  return {text.substr(0, cut), text.substr(cut)};
}

/// -ln p, in nats, of tokens under the frequencies of the training tokens, one added to each.
double unigram_nats(const std::vector<std::int64_t>& train,
                    const std::vector<std::int64_t>& held_out) {
  std::vector<double> counts(kEntries, 1.0);
  for (const std::int64_t id : train) ++counts[static_cast<std::size_t>(id)];
  const double total = static_cast<double>(train.size()) + static_cast<double>(kEntries);
  double nats = 0;
  for (const std::int64_t id : held_out)
    nats -= std::log(counts[static_cast<std::size_t>(id)] / total);
  return nats;
}

nlohmann::ordered_json describe(const Recipe& recipe) {
  return {{"seed", recipe.seed},
          {"threads", recipe.threads},
          {"steps", recipe.steps},
          {"tokens_per_step", recipe.tokens_per_step},
          {"sequence_lengths",
           "128 for the first 60 % of the steps, 256 up to 85 %, then 1024; before that every 16th "
           "step 1024; shorter sequences start at a random position"},
          {"optimiser",
           fmt::format("AdamW, betas {} and {}, weight decay {} on matrices, gradient norm at most "
                       "{}, peak rate {}, 2 % warm-up, cosine to 2 % of the peak",
                       recipe.beta_1, recipe.beta_2, recipe.weight_decay, recipe.clip,
                       recipe.peak_rate)}};
}

constexpr const char* kMeasure =
    "total nats of the held-out tokens / ln 2 / number of Unicode characters of the held-out text; "
    "each held-out token is scored once, with 512 to 1023 tokens before it in a window of 1024; "
    "the "
    "unigram model has the token frequencies of the training part, one added to each; the weights "
    "kept are the best of the evaluations made along the way";

int run(const std::string& text_path, const std::filesystem::path& out, const Recipe& recipe) {
  const std::string text = read_file(text_path);
  count_characters(text, text_path);
  const Parts parts = hold_out(text);
  const auto characters = static_cast<double>(count_characters(parts.held_out, text_path));

  const Bpe bpe = train_bpe(parts.train, kEntries);
  const Tokenizer tokenizer(bpe.vocabulary, bpe.merges);
  const std::vector<std::int64_t> train_tokens = tokenizer.encode(parts.train);
  const std::vector<std::int64_t> held_out_tokens = tokenizer.encode(parts.held_out);
  const gpt2::Config config = tiny_config();
  const auto half = static_cast<std::size_t>(config.positions / 2);
  if (train_tokens.size() <= 2 * half)
    throw BadInput({.kind = BadInputKind::out_of_range,
                    .where = text_path,
                    .expected = fmt::format("more than {} tokens to train on", 2 * half),
                    .found = fmt::format("{}", train_tokens.size())});
  // The first held-out tokens are read after the last training tokens.
  std::vector<std::int64_t> evaluated(train_tokens.end() - static_cast<std::ptrdiff_t>(half),
                                      train_tokens.end());
  evaluated.insert(evaluated.end(), held_out_tokens.begin(), held_out_tokens.end());

  const auto per_character = [&](double nats) { return nats / std::numbers::ln2 / characters; };
  nlohmann::ordered_json record = describe(recipe);
  record["text_sha256"] = sha256(text);
  record["training_tokens"] = train_tokens.size();
  record["held_out_characters"] = static_cast<std::int64_t>(characters);
  record["held_out_tokens"] = held_out_tokens.size();
  record["unigram_bits_per_character"] = per_character(unigram_nats(train_tokens, held_out_tokens));
  record["measure"] = kMeasure;

  std::error_code ignored;  // what cannot be made cannot be written to
  std::filesystem::create_directories(out, ignored);
  write_tokenizer(out, bpe);
  Parameters parameters(config, recipe.seed);
  fmt::print(stderr, "{} parameters; {} training and {} held-out tokens; unigram {:.4f}\n",
             parameters.flat().numel(), train_tokens.size(), held_out_tokens.size(),
             record["unigram_bits_per_character"].get<double>());

  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  double best = std::numeric_limits<double>::infinity();
  const auto evaluate = [&](const StepReport& report) {
    const auto scored = static_cast<std::int64_t>(held_out_tokens.size());
    const double bits =
        per_character(total_nats(config, parameters.weights(), evaluated, scored, recipe.threads));
    fmt::print(stderr, "step {}: held-out {:.4f} bits per character\n", report.step, bits);
    if (!(bits < best)) return;
    best = bits;
    record["steps_done"] = report.step;
    record["tokens_trained_on"] = report.tokens;
    record["seconds"] = std::round(seconds());
    record["held_out_bits_per_character"] = bits;
    gpt2::save_checkpoint(out, config, parameters.weights());
    write_file(out / "training.json", record.dump(2) + "\n");
  };

  const std::int64_t every = std::max<std::int64_t>(1, recipe.steps / kEvaluations);
  double mean_loss = 0;
  train(config, recipe, train_tokens, parameters, [&](const StepReport& report) {
    mean_loss = report.step == 1 ? report.mean_loss : 0.95 * mean_loss + 0.05 * report.mean_loss;
    if (report.step % 50 == 0) {
      const double rate = static_cast<double>(report.tokens) / seconds();
      const auto left = static_cast<double>((recipe.steps - report.step) * recipe.tokens_per_step);
      fmt::print(stderr, "step {}/{}: loss {:.3f} nats, {:.0f} tokens/s, {:.1f} min left\n",
                 report.step, recipe.steps, mean_loss, rate, left / rate / 60);
    }
    if (report.step % every == 0 || report.step == recipe.steps) evaluate(report);
  });
  fmt::print("{}\n", record.dump(2));
  return kAsExpected;
}

}  // namespace
}  // namespace attn::tiny

int main(int argc, char** argv) {
  openblas_set_num_threads(1);  // each training thread does its own products
  CLI::App app("Trains the embedded GPT-2 checkpoint on a text.", "train_tiny");
  std::string text;
  std::string out;
  attn::tiny::Recipe recipe;
  app.add_option("--text", text, "UTF-8 text; its last 5 % is held out")->required();
  app.add_option("--out", out, "folder for the checkpoint")->required();
  app.add_option("--seed", recipe.seed, "seed of all random numbers")->default_val(1);
  app.add_option("--steps", recipe.steps, "optimiser steps")
      ->default_val(3000)
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--threads", recipe.threads, "threads; part of what makes a run reproducible")
      ->default_val(2)
      ->check(CLI::IsMember({1, 2}));
  return attn::run_main(app, argc, argv, [&] { return attn::tiny::run(text, out, recipe); });
}
