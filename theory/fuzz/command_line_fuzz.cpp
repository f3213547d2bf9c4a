// Words of a command line, one a line, with a flag of every sort that the programs have. What is
// taken is printed as a command, which a shell reads as words that give the same command again.
#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "theory/base/command_line.hpp"
#include "theory/base/flags.hpp"

namespace attn {
namespace {

enum class Colour { red, green };

constexpr Word<Colour> kColours[] = {{"red", Colour::red}, {"green", Colour::green}};

struct Program {
  Program() {
    require_command(*line);
    CLI::App& run = add_command(*line, "run", "");
    add_option(run, "file", file, "").required();
    add_option(run, "files", files, "");
    add_option(run, "--out", out, "");
    add_option(run, "--claim", claims, "").one_word_each();
    add_switch(run, "--all", all, "").excludes("--claim");
    add_word(run, "--colour", colour, kColours, "");
    add_value(
        run, "--share", share, [](const std::string& word) { return whole_number(word); }, "");
    add_seed(run, seed, "");
    add_threads(run, threads, "");
  }

  static int whole_number(const std::string& word) {
    return attn::whole_number<int>(word, -3, 70000);
  }

  /// The command that gives what `words` give; throws CLI::ParseError.
  std::string given(std::vector<std::string> words) {
    words = {words.rbegin(), words.rend()};
    line->parse(words);
    return command_given(*line->get_subcommands().front());
  }

  std::shared_ptr<CLI::App> line = command_line("", "program");
  std::string file, out;
  std::vector<std::string> files, claims;
  bool all = false;
  Colour colour = Colour::red;
  int share = 0, threads = 1;
  std::uint64_t seed = 7;
};

/// The words that a shell reads: plain ones, '...' and $'...' as `shell_word` writes them.
std::vector<std::string> words_of_shell(std::string_view text) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ') {
      words.emplace_back();
    } else if (text[i] == '\\') {
      words.back() += text.at(++i);
    } else if (text.substr(i).starts_with("$'")) {
      for (i += 2; text.at(i) != '\''; ++i) {
        if (text[i] != '\\') {
          words.back() += text[i];
        } else if (const char c = text.at(++i); c >= '0' && c <= '3') {
          words.back() += static_cast<char>((c - '0') * 64 + (text.at(i + 1) - '0') * 8 +
                                            (text.at(i + 2) - '0'));
          i += 2;
        } else {
          words.back() += c;
        }
      }
    } else if (text[i] == '\'') {
      for (++i; text.at(i) != '\''; ++i) words.back() += text[i];
    } else {
      words.back() += text[i];
    }
  }
  return words;
}

}  // namespace
}  // namespace attn

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream lines(std::string(data, data + size));
  std::vector<std::string> words{"run"};
  for (std::string word; std::getline(lines, word);) {
    if (word.find('\0') == std::string::npos) words.push_back(word);
  }
  std::string given;
  try {
    given = attn::Program().given(words);
  } catch (const CLI::ParseError&) {
    return 0;
  }
  std::vector<std::string> again = attn::words_of_shell(given);
  again.erase(again.begin());  // the program
  // What was taken once is taken again: an exception ends the target.
  if (attn::Program().given(again) != given) std::abort();
  return 0;
}
