#pragma once

#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace attn {

/// `word` as a shell reads it: quoted where it has to be, on one line of valid UTF-8.
std::string shell_word(std::string_view word);

/// The program and the subcommands that lead to `app`: "report gate".
std::string command_name(const CLI::App& app);

/// The command line that gives `app`, which has been parsed, the same again: the program, the
/// subcommand, and all that was given to it as it was given, but for the options of
/// kChangesNoResult. A path that was relative is so still.
std::string command_given(const CLI::App& app);

/// The options of `app` with their defaults, as words of a command line: "--seed 1 --effort quick".
std::string default_options(const CLI::App& app);

}  // namespace attn
