#include "gpt2_check/bench/bench_runs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "gpt2_check/checkpoint/config.hpp"
#include "gpt2_check/cli/input.hpp"
#include "theory/base/atomic_file.hpp"

namespace attn::gpt2 {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kVocabulary = 256;

}  // namespace

// Never committed, so that it goes, in the end and on an interrupt.
BenchRuns::BenchRuns() : folder_(fs::temp_directory_path() / "scaling_bench") {
  fs::create_directory(folder_.path());
}

fs::path BenchRuns::random_model(const RandomInput& input) const {
  const auto& [tokens, head_width, heads, windows] = input;
  const Config config{.layers = 1,
                      .heads = heads,
                      .width = heads * head_width,
                      .positions = tokens,
                      .vocabulary = kVocabulary,
                      .inner = 4 * heads * head_width};
  fs::path model = folder_.path() / fmt::format("{}-{}-{}", tokens, head_width, heads);
  if (fs::create_directory(model)) save_checkpoint(model, config, random_weights(config, 1));
  return model;
}

ProgramRun BenchRuns::of_random(const RandomInput& input, const Words& launcher,
                                const Words& more) const {
  std::vector<std::int64_t> tokens;  // of no text
  for (std::int64_t i = 0; i < input.windows * input.tokens; ++i) {
    tokens.push_back(37 * i * i % (kVocabulary - 5));
  }
  Words options = {"--windows", fmt::format("{}", input.windows)};
  options.insert(options.end(), more.begin(), more.end());
  return run(random_model(input).string(), tokens, launcher, options);
}

ProgramRun BenchRuns::of_prose(std::int64_t tokens) const {
  const std::string page = ATTN_TINY "/sample.txt";
  std::vector<std::int64_t> ids = tokenize(ATTN_TINY "/model", read_file(page), page);
  ids.resize(std::min(ids.size(), static_cast<std::size_t>(tokens)));
  return run(ATTN_TINY "/model", ids, {}, {});
}

ProgramRun BenchRuns::run(const std::string& model, const std::vector<std::int64_t>& tokens,
                          const Words& launcher, const Words& more) const {
  const fs::path out = folder_.path() / "out";
  fs::remove_all(out);
  Words command = launcher;
  const Words always = {
      ATTN_GPT2_CHECK, "run",       "--threads", "1",
      "--model",       model,       "--tokens",  fmt::format("{}", fmt::join(tokens, ",")),
      "--out",         out.string()};
  command.insert(command.end(), always.begin(), always.end());
  command.insert(command.end(), more.begin(), more.end());
  return run_program(command, out);
}

}  // namespace attn::gpt2
