#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace attn::gpt2 {

/// A program that has ended, as the operating system counts it, what it started included.
struct ProgramRun {
  double wall_seconds{}, cpu_seconds{};
  std::vector<std::string> results;  ///< that it kept while it ran, the text of each
};

/// Runs a command without a shell; its output is thrown away. `out`: its --out; what it keeps
/// beside that is read even though it is removed at the end. Throws std::runtime_error where it
/// does not start, and where it ends with another exit code than that of a verdict.
ProgramRun run_program(const std::vector<std::string>& command, const std::filesystem::path& out);

}  // namespace attn::gpt2
