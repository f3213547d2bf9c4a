// A program that is started by mpirun: the same results, and one line for every refusal.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "theory/base/atomic_file.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/base/launched.hpp"
#include "theory/tests/run_program.hpp"

namespace attn::units {

namespace {

namespace fs = std::filesystem;
using Outcome = test::ProgramRun;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class RanksTest : public testing::Test {
 protected:
  /// Runs the program in the folder; `launcher`: what stands before it in the command line.
  Outcome run(const std::string& launcher, const std::string& arguments) {
    return test::run_in(folder, fmt::format("{} '" ATTN_RANKS_PROGRAM "' {}", launcher, arguments));
  }

  void expect_one_line(const Outcome& refused, const std::string& message) {
    EXPECT_EQ(refused.status, kBadInput) << refused.err;
    EXPECT_EQ(std::ranges::count(refused.err, '\n'), 1) << refused.err;
    EXPECT_THAT(refused.err, HasSubstr(message));
    EXPECT_THAT(refused.err, HasSubstr("ranks_program: "));
  }

  test::TemporaryFolder folder;
};

/// What rank 0 of several says first.
std::string how_to_resume(const std::string& out) {
  return "should the run be cut off: " + out +
         ".parts keeps what is done, and the same command with --resume goes on\n";
}

/// Runs the program with mpirun.
class Mpirun : public RanksTest {
 protected:
  void SetUp() override {
#ifndef ATTN_MPIRUN
    GTEST_SKIP() << "built without MPI (-DATTN_MPI=ON)";
#else
    if (!fs::exists(ATTN_MPIRUN)) GTEST_SKIP() << "no " ATTN_MPIRUN;
    // Root may, and there may be more ranks than processors.
    ::setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    ::setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    ::setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
    const Outcome mpi = run(launcher(1), "--out probe");
    if (mpi.status != 0) GTEST_SKIP() << "mpirun starts nothing here: " << mpi.err;
#endif
  }

#ifdef ATTN_MPIRUN
  static std::string launcher(unsigned ranks) {
    return fmt::format(ATTN_MPIRUN " --quiet -n {}", ranks);
  }
#else
  static std::string launcher(unsigned) { return ""; }
#endif
};

TEST_F(RanksTest, WhoIsStartedAloneNeedsNoLauncher) {
  EXPECT_EQ(run("", "--out squares --units 4").status, kAsExpected);
  EXPECT_EQ(read_file(folder / "squares"), "0\n1\n4\n9\n");
  EXPECT_FALSE(fs::exists(folder / "squares.parts"));
}

#ifndef ATTN_MPIRUN
TEST_F(RanksTest, WithoutMpiSeveralAreRefused) {
  for (const char* const variables :
       {"OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=3", "PMI_RANK=0 PMI_SIZE=3",
        "SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=3"}) {
    expect_one_line(run(variables, "--out squares"), "ATTN_MPI=ON");
  }
  const Outcome another = run("OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=3", "--out squares");
  EXPECT_EQ(another.status, kBadInput);
  EXPECT_EQ(another.err + another.out, "") << "rank 0 says it";
  EXPECT_FALSE(fs::exists(folder / "squares"));
}
#endif

TEST_F(Mpirun, RanksGiveWhatOneProcessGives) {
  ASSERT_EQ(run("", "--out one --units 50").status, kAsExpected);
  for (const unsigned ranks : {1U, 3U}) {
    const Outcome many = run(launcher(ranks), "--out many --units 50");
    EXPECT_EQ(many.status, kAsExpected) << many.err;
    EXPECT_EQ(many.out, fmt::format("{} ranks\n{}", ranks, ranks > 1 ? how_to_resume("many") : ""))
        << "of rank 0 alone";
    EXPECT_EQ(many.err, "");
    EXPECT_EQ(read_file(folder / "many"), read_file(folder / "one"));
    EXPECT_FALSE(fs::exists(folder / "many.parts"));
  }
}

/// What somebody at a terminal sees, in its order.
std::string seen_at_terminal(const test::TemporaryFolder& folder, const std::string& command) {
  const std::string seen = (folder / "seen").string();
  const std::string all = fmt::format("cd '{}' && script -qec \"{}\" /dev/null >'{}' </dev/null",
                                      folder.path().string(), command, seen);
  EXPECT_EQ(std::system(all.c_str()), 0) << command;
  return read_file(seen);
}

TEST_F(RanksTest, ProgressIsShownAtATerminalAlone) {
  const std::string squares = "'" ATTN_RANKS_PROGRAM "' --out x --units 60";
  EXPECT_THAT(seen_at_terminal(folder, squares),
              AllOf(HasSubstr("1 ranks at a terminal"), HasSubstr("squares of rank 0: "),
                    HasSubstr(" of 60")));
  EXPECT_EQ(seen_at_terminal(folder, squares + " >out 2>err"), "");
  EXPECT_EQ(read_file(folder / "out"), "1 ranks\n");
  EXPECT_EQ(read_file(folder / "err"), "");
}

// mpirun gives every rank a pipe for stderr and a terminal of its own for stdout.
TEST_F(Mpirun, Rank0ShowsProgressWhereMpirunIsAtATerminal) {
  const std::string squares = launcher(3) + " '" ATTN_RANKS_PROGRAM "' --out x --units 200";
  const std::string seen = seen_at_terminal(folder, squares);
  EXPECT_THAT(seen,
              AllOf(HasSubstr("3 ranks at a terminal"), HasSubstr("squares of rank 0: "),
                    HasSubstr(" of 200"), HasSubstr(" left"), Not(HasSubstr("squares of rank 1")),
                    Not(HasSubstr("squares of rank 2"))));
  EXPECT_EQ(seen_at_terminal(folder, squares + " >out 2>err"), "");
  EXPECT_EQ(read_file(folder / "out"), "3 ranks\n" + how_to_resume("x"));
  EXPECT_EQ(read_file(folder / "err"), "");
}

TEST_F(Mpirun, WhoeverDiesThereIsALineOnHowToGoOn) {
  ASSERT_EQ(run("", "--out one --units 20").status, kAsExpected);
  for (const int rank : {0, 1}) {
    const Outcome cut = run(launcher(3), fmt::format("--out x --units 20 --dies {}", rank));
    EXPECT_NE(cut.status, kAsExpected);
    EXPECT_EQ(cut.out, "3 ranks\n" + how_to_resume("x")) << "after the death of rank " << rank;
    ASSERT_EQ(run(launcher(3), "--out x --units 20 --resume").status, kAsExpected);
    EXPECT_EQ(read_file(folder / "x"), read_file(folder / "one"));
    fs::remove(folder / "x");
  }
}

TEST_F(Mpirun, RefusalsAreOneLine) {
  const std::string three = launcher(3);
  expect_one_line(run(three, "--out x --units many"), "an integer");
  expect_one_line(run(three, "--out x --other-input 2"), "rank 2: input: expected that of rank 0");
  expect_one_line(run(three, "--out x --refuses 1"), "rank 1: a file");
  expect_one_line(run(three, "--out x --refuses 0"), "a file");
  expect_one_line(run(three, "--out /nowhere/at/all"), "/nowhere/at/all");
  EXPECT_FALSE(fs::exists(folder / "x"));
  EXPECT_FALSE(fs::exists(folder / "x.parts"));
  const Outcome help = run(three, "--help");
  EXPECT_EQ(help.status, kAsExpected);
  EXPECT_EQ(help.out.find("Usage"), help.out.rfind("Usage"));
}

TEST_F(Mpirun, ProgramsOfOtherCommandLinesAreRefused) {
  expect_one_line(
      run(launcher(2) + " '" ATTN_RANKS_PROGRAM "' --out x --units 5 : -n 1", "--out x --units 6"),
      "rank 2: command: expected that of rank 0");
}

TEST_F(Mpirun, AnErrorEndsTheRunAndWhatWasDoneIsKept) {
  const Outcome failed = run(launcher(3), "--out x --units 60 --fails 30");
  EXPECT_EQ(failed.status, kInternal);
  EXPECT_THAT(failed.err, HasSubstr("unit 30 failed"));
  EXPECT_EQ(std::ranges::count(failed.err, '\n'), 1) << failed.err;
  EXPECT_FALSE(fs::exists(folder / "x"));
  expect_one_line(run(launcher(3), "--out x --units 60"), "go on with it by --resume");
  expect_one_line(run(launcher(3), "--out x --units 61 --resume"), "x.parts: command");
  ASSERT_EQ(run(launcher(2), "--out x --units 60 --resume").status, kAsExpected);
  ASSERT_EQ(run("", "--out one --units 60").status, kAsExpected);
  EXPECT_EQ(read_file(folder / "x"), read_file(folder / "one"));
  expect_one_line(run(launcher(3), "--out x --units 60 --resume"), "finished");
}

TEST(Launched, IsReadFromTheEnvironment) {
  const auto with = [](const char* rank, const char* count) {
    ::setenv("PMI_RANK", rank, 1);
    ::setenv("PMI_SIZE", count, 1);
    const Launched self = launched();
    ::unsetenv("PMI_RANK");
    ::unsetenv("PMI_SIZE");
    return self;
  };
  EXPECT_FALSE(launched().is_launched);
  EXPECT_EQ(launched().count, 1U);
  EXPECT_TRUE(with("2", "5").is_launched);
  EXPECT_EQ(with("2", "5").rank, 2U);
  EXPECT_EQ(with("2", "5").count, 5U);
  EXPECT_EQ(with("2", "").count, 3U) << "at least so many";
  EXPECT_FALSE(with("", "").is_launched);
}

}  // namespace

}  // namespace attn::units
