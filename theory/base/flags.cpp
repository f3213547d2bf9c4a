#include "theory/base/flags.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "theory/base/bad_input.hpp"

namespace attn {
namespace {

void take_word(const std::string& flag, const Take& take, const std::string& word) {
  try {
    take(word);
  } catch (const BadInput& error) {
    throw CLI::ValidationError(flag, error.what());
  }
}

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

Flag Flag::required() {
  return Flag(option_->required());
}
Flag Flag::excludes(const std::string& other_flag) {
  return Flag(option_->excludes(other_flag));
}
Flag Flag::needs(const std::string& other_flag) {
  return Flag(option_->needs(other_flag));
}
Flag Flag::one_word_each() {
  return Flag(option_->allow_extra_args(false));
}
Flag Flag::default_str(const std::string& value) {
  return Flag(option_->default_str(value));
}
Flag Flag::type_name(const std::string& name) {
  return Flag(option_->type_name(name));
}
Flag Flag::option_text(const std::string& text) {
  return Flag(option_->option_text(text));
}
Flag Flag::group(const std::string& heading) {
  return Flag(option_->group(heading));
}

std::shared_ptr<CLI::App> command_line(const std::string& description, const std::string& name) {
  return std::make_shared<CLI::App>(description, name);
}

CLI::App& add_command(CLI::App& app, const std::string& name, const std::string& help) {
  return *app.add_subcommand(name, help);
}

void require_command(CLI::App& app) {
  app.require_subcommand(1);
}

void add_footer(CLI::App& command, const std::string& text) {
  command.footer(text);
}

bool is_given(const CLI::App& command) {
  return command.parsed();
}

Flag add_taken(CLI::App& app, const std::string& name, Take take, const std::string& help) {
  return Flag(app.add_option_function<std::string>(
      name,
      [name, take = std::move(take)](const std::string& word) { take_word(name, take, word); },
      help));
}

Flag add_each_taken(CLI::App& app, const std::string& name, Take take, const std::string& help) {
  return Flag(app.add_option_function<std::vector<std::string>>(
      name,
      [name, take = std::move(take)](const std::vector<std::string>& words) {
        for (const std::string& word : words) take_word(name, take, word);
      },
      help));
}

Flag add_switch(CLI::App& app, const std::string& name, bool& value, const std::string& help) {
  return Flag(app.add_flag(name, value, help)->multi_option_policy(CLI::MultiOptionPolicy::Throw));
}

Flag add_seed(CLI::App& app, std::uint64_t& seed, const std::string& help) {
  return add_value(
             app, "--seed", seed,
             [](const std::string& word) { return whole_number<std::uint64_t>(word); }, help)
      .default_str(std::to_string(seed))
      .type_name("UINT");
}

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

}  // namespace attn
