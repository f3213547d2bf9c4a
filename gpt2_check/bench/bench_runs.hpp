#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "gpt2_check/bench/program_run.hpp"
#include "theory/base/pending_output.hpp"

namespace attn::gpt2 {

/// A random model of one layer, and how much it reads.
struct RandomInput {
  std::int64_t tokens{}, head_width{}, heads{};
  std::int64_t windows{1};
};

/// Runs of `gpt2_check run` with one thread, in a folder of its own that goes with it.
class BenchRuns {
 public:
  BenchRuns();

  using Words = std::vector<std::string>;

  /// `launcher`: what stands before the program; `more`: options.
  [[nodiscard]] ProgramRun of_random(const RandomInput& input, const Words& launcher = {},
                                     const Words& more = {}) const;

  /// Of the embedded model, which is trained, on the beginning of a page of prose.
  [[nodiscard]] ProgramRun of_prose(std::int64_t tokens) const;

 private:
  [[nodiscard]] std::filesystem::path random_model(const RandomInput& input) const;
  [[nodiscard]] ProgramRun run(const std::string& model, const std::vector<std::int64_t>& tokens,
                               const Words& launcher, const Words& more) const;

  PendingOutput folder_;
};

}  // namespace attn::gpt2
