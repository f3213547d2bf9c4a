#pragma once

#include <gtest/gtest.h>
#include <wordexp.h>

#include <filesystem>
#include <string>

#include "gpt2_check/cli/program.hpp"
#include "theory/tests/run_program.hpp"

namespace attn::test {

/// `line`, "gpt2_check ...", read as a shell reads it, run in `folder` within this process:
/// LibTorch takes half a second to start.
inline ProgramRun run_here(const std::filesystem::path& folder, const std::string& line) {
  wordexp_t words{};
  EXPECT_EQ(wordexp(line.c_str(), &words, WRDE_NOCMD), 0) << line;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder);
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  ProgramRun run;
  run.status = gpt2::run_program(static_cast<int>(words.we_wordc), words.we_wordv);
  run.out = ::testing::internal::GetCapturedStdout();
  run.err = ::testing::internal::GetCapturedStderr();
  std::filesystem::current_path(before);
  wordfree(&words);
  return run;
}

}  // namespace attn::test
