// Command lines made from what was given, held against what a parser and a shell read.

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <vector>

#include "theory/base/bad_input.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/base/flags.hpp"
#include "theory/base/run_main.hpp"

namespace attn {
namespace {

/// A program with one flag of every sort.
struct Program {
  Program() {
    CLI::App* const run = app.add_subcommand("run", "");
    run->add_option("file", file);
    run->add_flag("--all", all);
    run->add_option("--claim", claims);
    run->add_option("--text", text);
    add_seed(*run, seed, "");
    add_threads(*run, threads, "");
  }
  /// The command line that gives what `words` give.
  std::string given(std::vector<std::string> words) {
    words = {words.rbegin(), words.rend()};
    app.parse(words);
    return command_given(*app.get_subcommands().front());
  }

  CLI::App app{"", "program"};
  std::string file, text;
  std::vector<std::string> claims;
  bool all = false;
  std::uint64_t seed = 7;
  int threads = 1;
};

TEST(CommandGiven, HasWhatWasGivenAsItWas) {
  EXPECT_EQ(Program().given({"run"}), "program run");
  EXPECT_EQ(Program().given({"run", "--claim", "a", "b", "--all", "--claim", "c", "--seed", "07"}),
            "program run --all --claim a --claim b --claim c --seed 07");
  EXPECT_EQ(Program().given({"run", "--text", "../a b.txt", "-"}),
            "program run - --text '../a b.txt'");
  EXPECT_EQ(Program().given({"run", "--text=--seed", "x"}), "program run x --text=--seed");
  EXPECT_EQ(Program().given({"run", "--all", "--", "--text"}), "program run --all -- --text");
}

TEST(CommandGiven, LeavesOutWhatChangesNoResult) {
  EXPECT_EQ(Program().given({"run", "--threads", "3", "--seed", "1"}), "program run --seed 1");
}

/// What bash makes of a word.
std::string read_by_a_shell(const std::string& word) {
  std::FILE* const pipe =
      ::popen(("bash -c \"$(cat <<'END'\nprintf %s " + word + "\nEND\n)\"").c_str(), "r");
  std::array<char, 256> buffer{};
  const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe);
  EXPECT_EQ(::pclose(pipe), 0) << word;
  return {buffer.data(), size};
}

TEST(ShellWord, IsReadAsItWasWritten) {
  EXPECT_EQ(shell_word("a-b_c.txt,1=2/3:4@5%6"), "a-b_c.txt,1=2/3:4@5%6");
  EXPECT_EQ(shell_word(""), "''");
  for (const std::string word :
       {"a b", "it's", "$HOME", "~", "`ls`", "\"", "\\", "*", "a;b", "#a", "{a,b}", "!", "café",
        "line\nend", "it's\ta \\ tab", "\x1b[1A", "\x7f\0017"}) {
    EXPECT_EQ(read_by_a_shell(shell_word(word)), word);
    EXPECT_EQ(shell_word(word).find_first_of("\n\t\x1b\x7f"), std::string::npos);
  }
}

// The name of a file may be any bytes; the command line that gives it again goes into a report.
TEST(ShellWord, IsTextWhereTheWordIsNone) {
  for (const std::string word : {"\xff.txt", "caf\xe9", "caf\xc3\xa9 \xff'\n", "\xc3"}) {
    EXPECT_EQ(read_by_a_shell(shell_word(word)), word);
    EXPECT_EQ(valid_utf8(shell_word(word)), shell_word(word));
  }
}

TEST(Flags, RefuseWhatTheyDoNotMean) {
  const auto refusal = [](const std::vector<std::string>& words) -> std::string {
    try {
      Program().given(words);
    } catch (const CLI::ParseError& error) {
      return error.what();
    }
    return "accepted";
  };
  for (const char* const seed : {"-1", "+1", "1.0", "1e3", "0x1", " 1", "18446744073709551616"}) {
    EXPECT_EQ(refusal({"run", std::string("--seed=") + seed}),
              "--seed: expected an integer in 0..18446744073709551615, found '" +
                  std::string(seed) + "'");
  }
  EXPECT_EQ(refusal({"run", "--seed", "18446744073709551615"}), "accepted");
  EXPECT_EQ(refusal({"run", "--threads", "1025"}),
            "--threads: expected an integer in 1..1024, found '1025'");
}

/// What run_main returns and says on stderr of a command line, or of a body that throws.
std::pair<int, std::string> run_of(
    CLI::App& app, std::vector<std::string> words,
    const std::function<int()>& body = [] { return 0; }) {
  words.insert(words.begin(), "program");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  testing::internal::CaptureStderr();
  const int code = run_main(app, static_cast<int>(argv.size()), argv.data(), body);
  return {code, testing::internal::GetCapturedStderr()};
}

TEST(RunMain, NamesAnUnknownFlagBeforeWhatIsMissing) {
  const auto refusal = [](const std::vector<std::string>& words) {
    Program program;
    program.app.get_subcommand("run")->get_option("file")->required();
    const auto [code, line] = run_of(program.app, words);
    EXPECT_EQ(code, kBadInput);
    return line;
  };
  EXPECT_EQ(refusal({"run", "--nope"}),
            "program: The following argument was not expected: --nope (see program run --help)\n");
  EXPECT_EQ(refusal({"run"}), "program: file is required (see program run --help)\n");
}

TEST(RunMain, MakesOneLineOfWhatIsThrown) {
  using Result = std::pair<int, std::string>;
  CLI::App app{"", "program"};
  const BadInput bad({.kind = BadInputKind::missing, .where = "a\n\xff", .expected = "a file"});
  EXPECT_EQ(run_of(app, {}, [&]() -> int { throw bad; }),
            Result(kBadInput, "program: a \uFFFD: expected a file\n"));
  EXPECT_EQ(run_of(app, {}, [] { return std::filesystem::is_empty("/nowhere/\n\xff") ? 0 : 1; }),
            Result(kBadInput,
                   "program: /nowhere/ \uFFFD: expected a path that can be used, found "
                   "'No such file or directory'; check the path and who may use it\n"));
  EXPECT_EQ(run_of(app, {}, []() -> int { throw std::logic_error("two\nlines"); }),
            Result(kInternal, "program: internal error: two lines\n"));
}

}  // namespace
}  // namespace attn
