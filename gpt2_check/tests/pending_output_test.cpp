#include "gpt2_check/checkpoint/pending_output.hpp"

#include "gpt2_check/tests/support.hpp"

namespace attn {
namespace {

namespace fs = std::filesystem;
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
  EXPECT_BAD_INPUT(PendingOutput{folder / "model"},
                   {.kind = BadInputKind::unwritable, .found = "a folder that is not empty"});
}

TEST_F(Pending, RefusesWhatCannotBeWritten) {
  const auto unwritable = [&](const char* parent) {
    return BadInputParts{.kind = BadInputKind::unwritable, .found = (folder / parent).string()};
  };
  EXPECT_BAD_INPUT(PendingOutput{""},
                   {.kind = BadInputKind::missing, .expected = "an output path"});
  EXPECT_BAD_INPUT(PendingOutput{folder / "no" / "x"}, unwritable("no"));
  write("file", "");
  EXPECT_BAD_INPUT(PendingOutput{folder / "file" / "x"}, unwritable("file"));
}

}  // namespace
}  // namespace attn
