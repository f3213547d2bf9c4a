#pragma once

#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "theory/base/atomic_file.hpp"
#include "theory/tests/temporary_folder.hpp"

namespace attn::test {

/// What a program came to.
struct ProgramRun {
  int status{};  ///< -1 where it did not exit
  std::string out, err;
};

/// Runs a command line in a folder, as a shell reads it. What it prints goes by way of the files
/// stdout and stderr there.
inline ProgramRun run_in(const TemporaryFolder& folder, const std::string& command) {
  const std::string line =
      fmt::format("cd '{}' && ( {} ) >stdout 2>stderr", folder.path().string(), command);
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(folder / "stdout"),
          read_file(folder / "stderr")};
}

}  // namespace attn::test
