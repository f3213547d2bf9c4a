#include "theory/base/overwrite.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "theory/base/atomic_file.hpp"
#include "theory/base/pending_output.hpp"
#include "theory/base/tests/expect_bad_input.hpp"
#include "theory/tests/temporary_folder.hpp"

namespace attn {
namespace {

namespace fs = std::filesystem;

bool is_note(std::string_view beginning) {
  return beginning.starts_with("note:");
}

TEST(Overwrite, ReplacesItsOwnKindAndNothingElse) {
  const test::TemporaryFolder folder;
  const fs::path file = folder / "a";
  EXPECT_NO_THROW(expect_replaceable(file, "a note", is_note)) << "nothing is there";
  write_file(file, "");
  EXPECT_NO_THROW(expect_replaceable(file, "a note", is_note)) << "as mktemp leaves it";
  write_file(file, "note: one");
  EXPECT_NO_THROW(expect_replaceable(file, "a note", is_note));
  fs::create_symlink("a", folder / "link");
  EXPECT_NO_THROW(expect_replaceable(folder / "link", "a note", is_note));
  write_file(file, "a note: one");
  for (const fs::path& path : {file, folder / "link"}) {
    EXPECT_BAD_INPUT(expect_replaceable(path, "a note", is_note),
                     {.kind = BadInputKind::unwritable,
                      .where = path.string(),
                      .expected = "nothing there, or a note to be replaced",
                      .found = "another file",
                      .advice = "move it away, or name another"});
  }
}

TEST(Overwrite, AsksWithTheFirstBytes) {
  const test::TemporaryFolder folder;
  write_file(folder / "a", std::string(5000, 'x') + "y");
  EXPECT_EQ(beginning_of(folder / "a"), std::string(4096, 'x'));
  EXPECT_EQ(beginning_of(folder / "absent"), "");
}

TEST(Overwrite, KnowsAnInputByEveryName) {
  const test::TemporaryFolder folder;
  write_file(folder / "a", "x");
  fs::create_symlink("a", folder / "link");
  EXPECT_NO_THROW(expect_not_read(folder / "b", {folder / "a", "-"}));
  for (const std::string name : {"a", "link", "./a"}) {
    EXPECT_BAD_INPUT(expect_not_read(folder / name, {"-", folder / "none", folder / "a"}),
                     {.kind = BadInputKind::inconsistent,
                      .where = (folder / name).string(),
                      .found = (folder / "a").string()});
  }
}

TEST(Overwrite, ReadsTheBeginningOfAnObject) {
  EXPECT_TRUE(begins_as("{\n \"a\": 1,\n\t\"b\": 2}", R"({"a":1,"b":)"));
  EXPECT_FALSE(begins_as(R"({"a": 11, "b": 2})", R"({"a":1,"b":)"));
  EXPECT_FALSE(begins_as(R"([{"a": 1, "b": 2}])", R"({"a":1,"b":)"));
  EXPECT_FALSE(begins_as("", "{"));
}

/// Missing, in the way and forbidden are three messages.
TEST(Overwrite, SaysWhyAFolderDoesNotServe) {
  const test::TemporaryFolder folder;
  write_file(folder / "file", "x");
  const auto refused = [&](const std::string& name, const std::string& found) {
    EXPECT_BAD_INPUT(PendingOutput(folder / name),
                     {.kind = BadInputKind::unwritable, .where = name, .found = found});
  };
  refused("absent/a", "absent, which does not exist");
  refused("file/a", "file, which is no folder");
}

/// Ends with 0 where both refuse as they should: of a user who may do nothing here.
void check_as_nobody(const fs::path& closed) {
  if (::setuid(65534) != 0) std::exit(2);
  const auto refusal_of = [](const auto& act) -> BadInputParts {
    try {
      act();
    } catch (const BadInput& error) {
      return error.parts();
    }
    return {};
  };
  const BadInputParts written = refusal_of([&] { PendingOutput(closed / "a"); });
  const BadInputParts read = refusal_of([&] { read_file(closed / "in" / "a"); });
  const bool said = written.found.ends_with("which this user may not write to") &&
                    read.kind == BadInputKind::unreadable && read.found == "one that cannot";
  std::exit(said ? 0 : 1);
}

TEST(OverwriteAsNobody, SaysWhatIsForbidden) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  const test::TemporaryFolder folder;
  fs::create_directory(folder / "closed");
  fs::create_directory(folder / "closed" / "in");
  write_file(folder / "closed" / "in" / "a", "x");
  fs::permissions(folder.path(), fs::perms::all);
  fs::permissions(folder / "closed" / "in", fs::perms::none);
  EXPECT_EXIT(check_as_nobody(folder / "closed"), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace attn
