#include "theory/units/result_journal.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "theory/base/atomic_file.hpp"
#include "theory/base/sha256.hpp"
#include "theory/base/tests/expect_bad_input.hpp"
#include "theory/tests/temporary_folder.hpp"

namespace attn::units {

namespace {

namespace fs = std::filesystem;

const Identity kRun = {{"command", "sum --units 3"}, {"commit", "abc"}};

class PartsTest : public testing::Test {
 protected:
  /// A run that was cut off behind the results of a and b.
  void leave_two() {
    ResultJournal parts(out, kRun, false);
    parts.keep("a", R"({"x":1})");
    parts.keep("b", R"([2])");
  }

  test::TemporaryFolder folder;
  fs::path out = folder / "report.json", file = folder / "report.json.parts";
};

TEST_F(PartsTest, LieBesideWhatTheRunWrites) {
  EXPECT_EQ(parts_of("x/report.json"), "x/report.json.parts");
  EXPECT_EQ(parts_of("x/report"), "x/report.parts");
  EXPECT_EQ(parts_of("x/report/"), "x/report.parts");
}

TEST_F(PartsTest, AreThereAgain) {
  leave_two();
  ResultJournal parts(out, kRun, true);
  EXPECT_EQ(parts.units(), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(parts.has("a"));
  EXPECT_FALSE(parts.has("c"));
  parts.keep("c", "3");
  EXPECT_EQ(parts.result("a"), R"({"x":1})");
  EXPECT_EQ(parts.result("b"), "[2]");
  EXPECT_EQ(parts.result("c"), "3");
}

TEST_F(PartsTest, WhatIsNotOneLineIsALogicError) {
  ResultJournal parts(out, kRun, false);
  for (const auto& [unit, text] : std::vector<std::pair<std::string, std::string>>{
           {"a", "1\n2"}, {"a\nb", "1"}, {"a\tb", "1"}}) {
    EXPECT_THROW(parts.keep(unit, text), std::logic_error) << unit << ' ' << text;
  }
  EXPECT_TRUE(parts.units().empty());
}

TEST_F(PartsTest, AreWhatARunGoesOnWithThatCannotBeWritten) {
  const auto refused = []() -> int {
    throw BadInput({.kind = BadInputKind::unwritable, .where = "out", .advice = "name another"});
  };
  EXPECT_BAD_INPUT(ResultJournal(out, kRun, false).written(refused),
                   {.kind = BadInputKind::unwritable, .advice = "name another"});
  leave_two();
  const ResultJournal parts(out, kRun, true);
  EXPECT_BAD_INPUT(parts.written(refused),
                   {.kind = BadInputKind::unwritable, .where = "out", .advice = "--resume"});
  EXPECT_EQ(parts.written([] { return 3; }), 3);
}

TEST_F(PartsTest, GoWhenTheyAreNeededNoLonger) {
  leave_two();
  ResultJournal parts(out, kRun, true);
  parts.remove();
  EXPECT_FALSE(fs::exists(file));
}

TEST_F(PartsTest, WithoutAResultNothingIsLeft) {
  { ResultJournal parts(out, kRun, false); }
  EXPECT_FALSE(fs::exists(file));
  { ResultJournal parts(out, kRun, true); }
  EXPECT_FALSE(fs::exists(file));
  write_file(file, to_text({{"command", "another"}}) + "\n");  // killed before its first result
  { ResultJournal parts(out, kRun, false); }
  EXPECT_FALSE(fs::exists(file));
}

TEST_F(PartsTest, TheTimeOfARunGoesOn) {
  { ResultJournal(out, kRun, false).keep("a", "1"); }
  EXPECT_LT(ResultJournal(out, kRun, true).seconds(), 60);
  const std::string after_a_minute = "60.000\tb\t2";
  write_file(file, read_file(file) + sha256(after_a_minute) + "\t" + after_a_minute + "\n");
  EXPECT_GE(ResultJournal(out, kRun, true).seconds(), 60);
}

constexpr std::size_t kStep = 7;  // of the bytes, every so many-th: each takes a write to the disk

/// Cut anywhere and altered anywhere, the file never gives a wrong result.
TEST_F(PartsTest, ALineThatWasCutOrAlteredIsNoResult) {
  leave_two();
  const std::string whole = read_file(file);
  const std::size_t header = whole.find('\n') + 1;
  const std::size_t second = whole.find('\n', header) + 1;
  for (std::size_t size = header; size < whole.size(); size += kStep) {
    write_file(file, whole.substr(0, size));
    ResultJournal parts(out, kRun, true);
    EXPECT_EQ(parts.has("a"), size >= second) << size;
    EXPECT_FALSE(parts.has("b")) << size;
    parts.keep("b", "[2]");
    EXPECT_EQ(parts.result("b"), "[2]");
  }
  for (std::size_t at = header; at < whole.size(); at += kStep) {
    std::string altered = whole;
    altered[at] = static_cast<char>(altered[at] ^ 1);
    write_file(file, altered);
    ResultJournal parts(out, kRun, true);
    EXPECT_EQ(parts.has("a") && parts.has("b"), false) << at;
    for (const std::string& unit : parts.units()) {
      EXPECT_EQ(parts.result(unit), unit == "a" ? R"({"x":1})" : "[2]") << at;
    }
  }
}

TEST_F(PartsTest, AreNeverUsedUnasked) {
  leave_two();
  const std::string before = read_file(file);
  EXPECT_BAD_INPUT(ResultJournal(out, kRun, false), {.kind = BadInputKind::inconsistent,
                                                     .where = file.string(),
                                                     .found = "2 results",
                                                     .advice = "by --resume"});
  EXPECT_EQ(read_file(file), before);
}

TEST_F(PartsTest, OfAnotherRunAreRefused) {
  leave_two();
  const std::string before = read_file(file);
  Identity other = kRun;
  other["commit"] = "def";
  EXPECT_BAD_INPUT(ResultJournal(out, other, true), {.kind = BadInputKind::inconsistent,
                                                     .where = "commit",
                                                     .expected = "'def'",
                                                     .found = "'abc'"});
  other = kRun;
  other["text"] = "123";
  EXPECT_BAD_INPUT(ResultJournal(out, other, true),
                   {.kind = BadInputKind::inconsistent, .where = "text", .expected = "'123'"});
  EXPECT_EQ(read_file(file), before);
  write_file(file, "a letter\n");
  EXPECT_BAD_INPUT(ResultJournal(out, kRun, true), {.kind = BadInputKind::malformed});
  EXPECT_BAD_INPUT(ResultJournal(out, kRun, false), {.kind = BadInputKind::malformed});
  EXPECT_EQ(read_file(file), "a letter\n");
}

TEST_F(PartsTest, AFinishedRunIsNotResumed) {
  write_file(out, "{}");
  EXPECT_BAD_INPUT(
      ResultJournal(out, kRun, true),
      {.kind = BadInputKind::inconsistent, .where = out.string(), .found = "finished"});
  EXPECT_FALSE(fs::exists(file));
  const fs::path folder_out = folder / "report";
  fs::create_directory(folder_out);
  { ResultJournal parts(folder_out, kRun, true); }  // an empty folder is none
  write_file(folder_out / "report.json", "{}");
  EXPECT_BAD_INPUT(ResultJournal(folder_out, kRun, true), {.kind = BadInputKind::inconsistent});
}

TEST_F(PartsTest, BelongToOneProcess) {
  ResultJournal first(out, kRun, false);
  first.keep("a", "1");
  EXPECT_BAD_INPUT(ResultJournal(out, kRun, true),
                   {.kind = BadInputKind::inconsistent, .found = "still going on"});
  EXPECT_TRUE(first.has("a"));
}

TEST_F(PartsTest, AFullDiskLosesNothing) {
  leave_two();
  const std::string before = read_file(file);
  const auto usual = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  const rlimit small = {before.size() + 200, limit.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  {
    ResultJournal parts(out, kRun, true);
    EXPECT_BAD_INPUT(parts.keep("c", std::string(1000, '1')),
                     {.kind = BadInputKind::unwritable, .where = file.string()});
    EXPECT_FALSE(parts.has("c"));
    EXPECT_EQ(read_file(file), before);
  }
  setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, usual);
  ResultJournal parts(out, kRun, true);
  parts.keep("c", std::string(1000, '1'));
  EXPECT_EQ(parts.result("c").size(), 1000U);
}

TEST_F(PartsTest, AFolderThatIsNotThereIsRefused) {
  EXPECT_BAD_INPUT(ResultJournal(folder / "none/report.json", kRun, false),
                   {.kind = BadInputKind::unwritable});
}

}  // namespace

}  // namespace attn::units
