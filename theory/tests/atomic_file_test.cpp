#include "theory/cli/atomic_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "theory/bad_input.hpp"
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
  EXPECT_THROW(write_file(folder / "taken", "x"), BadInput) << "a folder has that name";
  EXPECT_THROW(write_file(folder / "absent" / "a", "x"), BadInput);
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
  EXPECT_THROW(write_folder(folder.path(), {{"a", "new"}, {"b", "new"}}), BadInput);
  EXPECT_EQ(read_file(folder / "a"), "old");
  EXPECT_THAT(names_in(folder.path()), testing::ElementsAre("a", "b"));
}

TEST(WriteFolder, RemovesAFolderItMadeInVain) {
  const test::TemporaryFolder folder;
  EXPECT_THROW(write_folder(folder / "new", {{std::string(300, 'n'), "too long a name"}}),
               BadInput);
  EXPECT_THAT(names_in(folder.path()), testing::IsEmpty());
}

TEST(ReadFile, RefusesWhatIsNoFile) {
  const test::TemporaryFolder folder;
  EXPECT_THROW(read_file(folder.path()), BadInput);
  EXPECT_THROW(read_file(folder / "none"), BadInput);
}

}  // namespace
}  // namespace attn
