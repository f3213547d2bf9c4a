#include "theory/base/atomic_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "theory/base/tests/expect_bad_input.hpp"
#include "theory/tests/temporary_folder.hpp"

namespace attn {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

TEST(WriteFile, WritesAndReplaces) {
  const test::TemporaryFolder folder;
  write_file(folder / "a", "one");
  EXPECT_EQ(read_file(folder / "a"), "one");
  const std::string large(3 << 20, 'x');
  write_file(folder / "a", large);
  EXPECT_EQ(read_file(folder / "a"), large);
  EXPECT_THAT(names_in(folder.path()), testing::ElementsAre("a"));
}

TEST(WriteFile, LeavesNothingWhereItCannotWrite) {
  const test::TemporaryFolder folder;
  fs::create_directory(folder / "taken");
  EXPECT_BAD_INPUT(write_file(folder / "taken", "x"),
                   {.kind = BadInputKind::unwritable, .where = "taken"})
      << "a folder has that name";
  EXPECT_BAD_INPUT(write_file(folder / "absent" / "a", "x"),
                   {.kind = BadInputKind::unwritable, .where = "absent/a", .found = "absent"});
  EXPECT_THAT(names_in(folder.path()), testing::ElementsAre("taken"));
}

TEST(WriteFolder, WritesEveryFile) {
  const test::TemporaryFolder folder;
  write_folder(folder / "new" / "deep", {{"a", "1"}, {"b", "2"}});
  EXPECT_EQ(read_file(folder / "new" / "deep" / "a"), "1");
  EXPECT_THAT(names_in(folder / "new" / "deep"), testing::ElementsAre("a", "b"));
}

TEST(WriteFolder, ChangesNothingWhereOneFileCannotBeWritten) {
  const test::TemporaryFolder folder;
  write_folder(folder.path(), {{"a", "old"}});
  fs::create_directory(folder / "b");
  EXPECT_BAD_INPUT(write_folder(folder.path(), {{"a", "new"}, {"b", "new"}}),
                   {.kind = BadInputKind::unwritable, .where = "/b"});
  EXPECT_EQ(read_file(folder / "a"), "old");
  EXPECT_THAT(names_in(folder.path()), testing::ElementsAre("a", "b"));
}

TEST(WriteFolder, MakesTheSubfoldersThatNamesAskFor) {
  const test::TemporaryFolder folder;
  write_folder(folder / "out", {{"a", "1"}, {"figures/b", "2"}, {"figures/deep/c", "3"}});
  EXPECT_EQ(read_file(folder / "out" / "figures" / "b"), "2");
  EXPECT_EQ(read_file(folder / "out" / "figures" / "deep" / "c"), "3");
  EXPECT_THAT(names_in(folder / "out"), testing::ElementsAre("a", "figures"));
  EXPECT_THAT(names_in(folder / "out" / "figures"), testing::ElementsAre("b", "deep"));

  write_folder(folder / "out", {{"figures/b", "new"}});
  EXPECT_EQ(read_file(folder / "out" / "figures" / "b"), "new");
  EXPECT_EQ(read_file(folder / "out" / "figures" / "deep" / "c"), "3");
}

TEST(WriteFolder, ChangesNothingWhereAFileOfASubfolderCannotBeWritten) {
  const test::TemporaryFolder folder;
  write_folder(folder.path(), {{"a", "old"}, {"old/b", "old"}});
  fs::create_directory(folder / "old" / "taken");
  const std::map<std::string, std::string> files[] = {
      {{"a", "new"}, {"new/deep/b", "new"}, {"old/b", "new"}, {"old/taken", "new"}},
      {{"a", "new"}, {"a/b", "a is a file"}, {"new/b", "new"}},
      {{"a", "new"}, {"new/b", "new"}, {"new", "also a folder"}},
  };
  for (const auto& part : files) {
    EXPECT_BAD_INPUT(write_folder(folder.path(), part), {.kind = BadInputKind::unwritable});
    EXPECT_EQ(read_file(folder / "a"), "old");
    EXPECT_EQ(read_file(folder / "old" / "b"), "old");
    EXPECT_THAT(names_in(folder.path()), testing::ElementsAre("a", "old"));
    EXPECT_THAT(names_in(folder / "old"), testing::ElementsAre("b", "taken"));
  }
}

TEST(WriteFolder, RemovesTheFoldersItMadeInVain) {
  const test::TemporaryFolder folder;
  const std::string too_long(300, 'n');
  EXPECT_BAD_INPUT(
      write_folder(folder / "new" / "deep", {{"sub/a", "1"}, {"sub/" + too_long, "2"}}),
      {.kind = BadInputKind::unwritable, .where = too_long});
  EXPECT_THAT(names_in(folder.path()), testing::IsEmpty());
}

TEST(WriteFolder, WritesOnlyBelowItsFolder) {
  const test::TemporaryFolder folder;
  for (const char* const name : {"../a", "sub/../../a", "/a", "sub/", ""}) {
    EXPECT_THROW(write_folder(folder / "new", {{"b", "1"}, {name, "2"}}), std::invalid_argument)
        << name;
  }
  EXPECT_THAT(names_in(folder.path()), testing::IsEmpty());
}

TEST(ReadFile, RefusesWhatIsNoFile) {
  const test::TemporaryFolder folder;
  EXPECT_BAD_INPUT(
      read_file(folder.path()),
      {.kind = BadInputKind::malformed, .where = folder.path().string(), .found = "a folder"});
  EXPECT_BAD_INPUT(read_file(folder / "none"), {.kind = BadInputKind::missing, .where = "none"});
}

}  // namespace
}  // namespace attn
