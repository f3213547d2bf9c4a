#include "theory/base/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <vector>

#include "theory/base/flags.hpp"
#include "theory/base/valid_utf8.hpp"

namespace attn {
namespace {

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}

/// $'...', which names the bytes that would end the line, could not be seen or are no text.
std::string escaped(std::string_view word) {
  const bool is_text = valid_utf8(word) == word;
  std::string text = "$'";
  for (const char c : word) {
    if (is_control(c) || !(is_text || is_ascii(c))) {
      text += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    } else {
      if (c == '\'' || c == '\\') text += '\\';
      text += c;
    }
  }
  return text + "'";
}

/// The words that give `option` the value.
std::string words_of(const CLI::Option& option, const std::string& value) {
  if (option.get_positional()) return shell_word(value);
  const std::string& name = option.get_lnames().front();
  if (option.get_expected_max() == 0) return fmt::format("--{}", name);  // a flag without a value
  if (value.starts_with('-')) return shell_word(fmt::format("--{}={}", name, value));
  return fmt::format("--{} {}", name, shell_word(value));
}

}  // namespace

std::string shell_word(std::string_view word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,=+@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) {
    return std::string(word);
  }
  if (std::ranges::any_of(word, is_control) || valid_utf8(word) != word) return escaped(word);
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string command_name(const CLI::App& app) {
  const CLI::App* const parent = app.get_parent();
  return parent == nullptr ? app.get_name()
                           : fmt::format("{} {}", command_name(*parent), app.get_name());
}

std::string command_given(const CLI::App& app) {
  std::string arguments, options;
  bool has_dash = false;  // an argument that would be read as an option
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group() == kChangesNoResult) continue;
    const bool is_argument = option->get_positional();
    for (const std::string& value : option->results()) {
      (is_argument ? arguments : options) += fmt::format(" {}", words_of(*option, value));
      has_dash = has_dash || (is_argument && value.starts_with('-') && value != "-");
    }
  }
  return command_name(app) + (has_dash ? options + " --" + arguments : arguments + options);
}

std::string default_options(const CLI::App& app) {
  std::vector<std::string> words;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_default_str().empty()) continue;
    words.push_back(words_of(*option, option->get_default_str()));
  }
  return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace attn
