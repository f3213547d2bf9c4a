#include "gpt2_check/checkpoint/pending_output.hpp"

#include "gpt2_check/tests/support.hpp"

namespace attn {
namespace {

namespace fs = std::filesystem;
using test::expect_bad_input;
using ::testing::HasSubstr;

class Pending : public test::WithFolder {};

TEST_F(Pending, AppearsOnCommitOnly) {
  {
    PendingOutput output(folder / "x");
    std::ofstream(output.path()) << "new";
    EXPECT_FALSE(fs::exists(folder / "x"));
    output.commit();
  }
  EXPECT_EQ(test::read_bytes(folder / "x"), "new");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
}

TEST_F(Pending, LeavesTheOldFileWithoutCommit) {
  write("x", "old");
  {
    PendingOutput output(folder / "x");
    std::ofstream(output.path()) << "new";
  }
  EXPECT_EQ(test::read_bytes(folder / "x"), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
}

TEST_F(Pending, ReplacesAnEmptyFolderAndNoOther) {
  fs::create_directory(folder / "model");
  {
    PendingOutput output(folder / "model/");
    fs::create_directory(output.path());
    std::ofstream(output.path() / "a") << "a";
    output.commit();
  }
  EXPECT_EQ(test::read_bytes(folder / "model" / "a"), "a");
  expect_bad_input([&] { PendingOutput{folder / "model"}; }, HasSubstr("is not empty"));
}

TEST_F(Pending, RefusesWhatCannotBeWritten) {
  expect_bad_input([] { PendingOutput{""}; }, HasSubstr("the output path is empty"));
  expect_bad_input([&] { PendingOutput{folder / "no" / "x"}; }, HasSubstr("is not a folder"));
  write("file", "");
  expect_bad_input([&] { PendingOutput{folder / "file" / "x"}; }, HasSubstr("is not a folder"));
}

}  // namespace
}  // namespace attn
