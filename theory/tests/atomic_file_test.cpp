#include "theory/base/atomic_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdio.h>
#include <sys/stat.h>

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

TEST(WriteFile, WritesWhereALinkLeadsAndReplacesNoPipe) {
  const test::TemporaryFolder folder;
  fs::create_symlink("b", folder / "a");
  write_file(folder / "a", "one");
  EXPECT_TRUE(fs::is_symlink(folder / "a"));
  EXPECT_EQ(read_file(folder / "b"), "one");
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_BAD_INPUT(write_file(folder / "pipe", "x"),
                   {.kind = BadInputKind::unwritable, .where = "pipe", .found = "a pipe"});
  EXPECT_TRUE(fs::is_fifo(folder / "pipe"));
  EXPECT_BAD_INPUT(check_place_of_file(folder.path()),
                   {.kind = BadInputKind::unwritable, .where = folder.path().string()});
  EXPECT_BAD_INPUT(check_place_of_file(""), {.kind = BadInputKind::missing});
}

/// The system says of this file that it has a page of bytes, and hands over a line.
TEST(ReadFile, RefusesAFileThatEndsBeforeItsSize) {
  const fs::path file = "/sys/devices/system/cpu/online";
  if (!fs::exists(file)) GTEST_SKIP() << "there is no " << file;
  EXPECT_BAD_INPUT(read_file(file), {.kind = BadInputKind::unreadable, .where = file.string()});
}

/// The system gives no size for what it makes as it is read.
TEST(ReadFile, ReadsAFileWithoutASize) {
  EXPECT_FALSE(read_file("/proc/self/status").empty());
}

TEST(ExpectWhole, RefusesFewerBytesThanTheFileHas) {
  const test::TemporaryFolder folder;
  const fs::path file = folder / "a";
  write_file(file, "one");
  expect_whole(file, 3);
  expect_whole(file, 4);  // it was longer while it was read
  expect_whole("/proc/self/status", 0);
  EXPECT_BAD_INPUT(expect_whole(file, 2), {.kind = BadInputKind::unreadable,
                                           .where = file.string(),
                                           .expected = "3 bytes",
                                           .found = "2"});
}

TEST(WritePieces, AppendsThemInANewFolder) {
  const test::TemporaryFolder folder;
  const fs::path file = folder / "new" / "deep" / "a";
  write_pieces(file, [](const Append& append) {
    append("one, ");
    append("");
    append("two");
  });
  EXPECT_EQ(read_file(file), "one, two");
  EXPECT_THAT(names_in(folder / "new" / "deep"), testing::ElementsAre("a"));
}

TEST(WritePieces, LeavesAllAsItWasWhereAPieceCannotBeMade) {
  const test::TemporaryFolder folder;
  write_file(folder / "a", "old");
  const auto fail = [](const Append& append) {
    append("new");
    throw BadInput({.kind = BadInputKind::unreadable, .where = "the next piece"});
  };
  for (const fs::path& file : {folder / "a", folder / "new" / "deep" / "a"}) {
    EXPECT_BAD_INPUT(write_pieces(file, fail),
                     {.kind = BadInputKind::unreadable, .where = "the next piece"});
  }
  EXPECT_EQ(read_file(folder / "a"), "old");
  EXPECT_THAT(names_in(folder.path()), testing::ElementsAre("a"));
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

TEST(WriteFolder, KeepsWhatElseIsInTheFolderAndItsRights) {
  const test::TemporaryFolder folder;
  write_folder(folder / "out", {{"a", "1"}, {"own/deep/note", "mine"}});
  fs::create_symlink("nowhere", folder / "out" / "own" / "link");
  fs::permissions(folder / "out", fs::perms(0750));
  write_folder(folder / "out", {{"a", "2"}, {"own/b", "2"}});
  EXPECT_EQ(read_file(folder / "out" / "a"), "2");
  EXPECT_EQ(read_file(folder / "out" / "own" / "b"), "2");
  EXPECT_EQ(read_file(folder / "out" / "own" / "deep" / "note"), "mine");
  EXPECT_EQ(fs::read_symlink(folder / "out" / "own" / "link"), "nowhere");
  EXPECT_EQ(fs::status(folder / "out").permissions(), fs::perms(0750));
  EXPECT_THAT(names_in(folder.path()), testing::ElementsAre("out"));
}

TEST(WriteFolder, LetsTheOldAndTheNewChangePlaces) {
  const test::TemporaryFolder folder;
  fs::create_directory(folder / "one");
  fs::create_directory(folder / "other");
  if (::renameat2(AT_FDCWD, (folder / "one").c_str(), AT_FDCWD, (folder / "other").c_str(),
                  RENAME_EXCHANGE) != 0) {
    GTEST_SKIP() << "the file system of " << folder.path() << " cannot exchange folders";
  }
  write_folder(folder / "out", {{"a", "old"}, {"b", "old"}});
  struct stat before {};
  struct stat after {};
  ASSERT_EQ(::stat((folder / "out").c_str(), &before), 0);
  write_folder(folder / "out", {{"a", "new"}, {"b", "new"}});
  ASSERT_EQ(::stat((folder / "out").c_str(), &after), 0);
  EXPECT_NE(before.st_ino, after.st_ino);
}

TEST(WriteFolder, StaysWhereThisProcessStands) {
  const test::TemporaryFolder folder;
  const fs::path before = fs::current_path();
  fs::create_directory(folder / "out");
  fs::current_path(folder / "out");
  write_folder(".", {{"a", "1"}, {"figures/b", "1"}});
  write_folder(folder / "out", {{"a", "2"}});
  EXPECT_EQ(read_file("a"), "2");
  EXPECT_EQ(read_file("figures/b"), "1");
  fs::current_path(before);
}

TEST(WriteFolder, WritesWhereALinkLeads) {
  const test::TemporaryFolder folder;
  write_folder(folder / "out", {{"a", "1"}});
  fs::create_directory_symlink("out", folder / "link");
  write_folder(folder / "link", {{"a", "2"}});
  EXPECT_EQ(read_file(folder / "out" / "a"), "2");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
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
  EXPECT_BAD_INPUT(read_file("/dev/zero"), {.kind = BadInputKind::too_large, .found = "more"});
}

}  // namespace
}  // namespace attn
