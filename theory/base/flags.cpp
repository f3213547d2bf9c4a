#include "theory/base/flags.hpp"

#include <CLI/CLI.hpp>
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

std::vector<std::string> words_given(const CLI::App& command, const std::string& flag) {
  return command.get_option(flag)->results();
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

}  // namespace attn
