#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "theory/base/words.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

// The flags of the project's command lines: each is declared by one call, which parses it to the
// value that the program uses. A file that declares flags reads no header of CLI11: every file that
// sees its objects compiles them all.

namespace attn {

/// Under this heading --help lists the flags that change no result; a replay leaves them out.
inline constexpr const char* kChangesNoResult = "Options that change no result";

/// A flag or an argument of a command, as long as that lives.
class Flag {
 public:
  explicit Flag(CLI::Option* option) : option_(option) {}
  Flag required();
  Flag excludes(const std::string& other_flag);
  Flag needs(const std::string& other_flag);
  /// Each word of a flag that may be given many times has the flag before it.
  Flag one_word_each();

  // What --help shows of it.
  Flag default_str(const std::string& value);
  Flag type_name(const std::string& name);
  Flag option_text(const std::string& text);  ///< in place of type and default
  Flag group(const std::string& heading);

 private:
  CLI::Option* option_;
};

/// A command line without a flag; without a name it is called as the program was.
std::shared_ptr<CLI::App> command_line(const std::string& description,
                                       const std::string& name = "");

/// Adds a command, one of which must be given where `app` is said to require it. What is made of it
/// lives as long as `app`.
CLI::App& add_command(CLI::App& app, const std::string& name, const std::string& help);
void require_command(CLI::App& app);

/// What --help says last.
void add_footer(CLI::App& command, const std::string& text);

/// Whether the command line, once parsed, gives the command.
bool is_given(const CLI::App& command);

/// What is done with a word given to a flag. What it throws as BadInput, which says what was
/// expected and found, becomes a usage error that begins with the flag.
using Take = std::function<void(const std::string&)>;

/// Adds a flag that takes a word, or one that takes many and may be given many times.
Flag add_taken(CLI::App& app, const std::string& name, Take take, const std::string& help);
Flag add_each_taken(CLI::App& app, const std::string& name, Take take, const std::string& help);

/// Adds a flag that takes no word and makes `value` true.
Flag add_switch(CLI::App& app, const std::string& name, bool& value, const std::string& help);

/// Adds a flag whose value `parse` makes of the word given.
template <class Value, class Parse>
Flag add_value(CLI::App& app, const std::string& name, Value& value, Parse parse,
               const std::string& help) {
  return add_taken(
      app, name, [&value, parse](const std::string& word) { value = parse(word); }, help);
}

/// Adds a flag that may be given many times; its values are those that `parse` makes of the words.
template <class Values, class Parse>
Flag add_values(CLI::App& app, const std::string& name, Values& values, Parse parse,
                const std::string& help) {
  return add_each_taken(
      app, name, [&values, parse](const std::string& word) { values.push_back(parse(word)); },
      help);
}

/// Adds a flag whose value is the word given: a text or a path.
template <class Text>
Flag add_option(CLI::App& app, const std::string& name, Text& text, const std::string& help) {
  return add_taken(
      app, name, [&text](const std::string& word) { text = word; }, help);
}

/// Adds a flag that may be given many times, whose values are the words.
template <class Text>
Flag add_option(CLI::App& app, const std::string& name, std::vector<Text>& texts,
                const std::string& help) {
  return add_each_taken(
      app, name, [&texts](const std::string& word) { texts.push_back(word); }, help);
}

/// Adds a flag that takes one of the words of a table, which must outlive `app`. `value` is its
/// default.
template <class Value, std::size_t N>
Flag add_word(CLI::App& app, const std::string& name, Value& value, const Word<Value> (&words)[N],
              const std::string& help) {
  return add_value(
             app, name, value, [&words](const std::string& word) { return from_word(words, word); },
             help)
      .default_str(std::string(to_word(words, value)))
      .type_name(listed(words));
}

/// The same where a value that is not given is known as such.
template <class Value, std::size_t N>
Flag add_word(CLI::App& app, const std::string& name, std::optional<Value>& value,
              const Word<Value> (&words)[N], const std::string& help) {
  return add_value(
             app, name, value, [&words](const std::string& word) { return from_word(words, word); },
             help)
      .type_name(listed(words));
}

/// Adds --seed, an integer in 0..2^64 - 1. `seed` is its default.
Flag add_seed(CLI::App& app, std::uint64_t& seed, const std::string& help);

/// Adds --threads, 1..1024. `threads` is its default.
template <class Count>
Flag add_threads(CLI::App& app, Count& threads, const std::string& help) {
  return add_value(
             app, "--threads", threads,
             [](const std::string& word) { return whole_number<Count>(word, 1, 1024); }, help)
      .default_str(std::to_string(threads))
      .type_name("UINT")
      .group(kChangesNoResult);
}

// Command lines made from what was given.

/// `word` as a shell reads it: quoted where it has to be, on one line of valid UTF-8.
std::string shell_word(std::string_view word);

/// The program and the subcommands that lead to `app`: "report gate".
std::string command_name(const CLI::App& app);

/// The command line that gives `app`, which has been parsed, the same again: the program, the
/// subcommand, and all that was given to it as it was given, but for the options of
/// kChangesNoResult. A path that was relative is so still.
std::string command_given(const CLI::App& app);

}  // namespace attn
