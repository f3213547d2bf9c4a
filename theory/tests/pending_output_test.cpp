#include "theory/base/pending_output.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <thread>

#include "theory/base/atomic_file.hpp"
#include "theory/base/tests/expect_bad_input.hpp"
#include "theory/tests/temporary_folder.hpp"

namespace attn {
namespace {

namespace fs = std::filesystem;

TEST(PendingOutput, AppearsOnCommitOnly) {
  const test::TemporaryFolder folder;
  {
    PendingOutput output(folder / "x");
    std::ofstream(output.path()) << "new";
    EXPECT_FALSE(fs::exists(folder / "x"));
    output.commit();
  }
  EXPECT_EQ(read_file(folder / "x"), "new");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

TEST(PendingOutput, LeavesTheOldFileWithoutCommit) {
  const test::TemporaryFolder folder;
  write_file(folder / "x", "old");
  {
    PendingOutput output(folder / "x");
    std::ofstream(output.path()) << "new";
  }
  EXPECT_EQ(read_file(folder / "x"), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

TEST(PendingOutput, ReplacesAnEmptyFolderAndNoOther) {
  const test::TemporaryFolder folder;
  fs::create_directory(folder / "model");
  {
    PendingOutput output(folder / "model/");
    fs::create_directory(output.path());
    std::ofstream(output.path() / "a") << "a";
    output.commit();
  }
  EXPECT_EQ(read_file(folder / "model" / "a"), "a");
  EXPECT_BAD_INPUT(PendingOutput{folder / "model"},
                   {.kind = BadInputKind::unwritable, .found = "a folder that is not empty"});
}

TEST(PendingOutput, RefusesWhatCannotBeWritten) {
  const test::TemporaryFolder folder;
  const auto unwritable = [&](const char* parent) {
    return BadInputParts{.kind = BadInputKind::unwritable, .found = (folder / parent).string()};
  };
  EXPECT_BAD_INPUT(PendingOutput{""},
                   {.kind = BadInputKind::missing, .expected = "an output path"});
  EXPECT_BAD_INPUT(PendingOutput{folder / "no" / "x"}, unwritable("no"));
  write_file(folder / "file", "");
  EXPECT_BAD_INPUT(PendingOutput{folder / "file" / "x"}, unwritable("file"));
  fs::create_symlink("loop", folder / "loop");
  EXPECT_BAD_INPUT(PendingOutput{folder / "loop"}, {.kind = BadInputKind::unwritable});
}

TEST(Interrupt, LeavesRank0TimeToSpeak) {
  // A child that is only forked would wake what waits for signals here, where a test before has
  // begun to wait.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        ::setenv("PMI_RANK", "1", 1);
        remove_pending_outputs_on_interrupt();
        std::raise(SIGTERM);
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        std::fputs("still there\n", stderr);
        std::this_thread::sleep_for(std::chrono::hours(1));
      },
      testing::ExitedWithCode(128 + SIGTERM), "still there");
}

TEST(Interrupt, LeavesNoFolderHalfWritten) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  constexpr const char* kPlace = "ATTN_TEST_PLACE";  // the child's is its parent's
  std::optional<test::TemporaryFolder> own;
  if (std::getenv(kPlace) == nullptr) ::setenv(kPlace, own.emplace().path().c_str(), 1);
  const fs::path place = std::getenv(kPlace);
  std::map<std::string, std::string> files;
  for (int i = 0; i < 200; ++i) files[fmt::format("numbers/{}", i)] = "x";
  for (int repeat = 0; repeat < 5; ++repeat) {
    EXPECT_EXIT(
        {
          fs::current_path(place);
          remove_pending_outputs_on_interrupt();
          std::thread([] {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            std::raise(SIGTERM);
          }).detach();
          for (int i = 0;; ++i) write_folder(fmt::format("{}.{}", repeat, i), files);
        },
        testing::ExitedWithCode(128 + SIGTERM), "");
  }
  for (const fs::directory_entry& found : fs::directory_iterator(place)) {
    EXPECT_NE(found.path().filename().string().front(), '.') << found.path();
    const fs::directory_iterator written(found.path() / "numbers");
    EXPECT_EQ(std::distance(begin(written), end(written)), std::ssize(files)) << found.path();
  }
  ::unsetenv(kPlace);
}

}  // namespace
}  // namespace attn
