#pragma once

#include <CLI/CLI.hpp>
#include <set>
#include <string>

namespace attn::test {

/// The names of the options of a command, but for --help: "--seed", ...
inline std::set<std::string> flag_names(const CLI::App& app) {
  std::set<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    if (option != app.get_help_ptr()) names.insert(option->get_name());
  }
  return names;
}

}  // namespace attn::test
