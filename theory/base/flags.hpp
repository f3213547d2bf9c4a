#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "theory/base/bad_input.hpp"
#include "theory/base/number_from.hpp"
#include "theory/base/words.hpp"

// The flags of the project's command lines: each is declared by one call, which parses it to the
// value that the program uses.

namespace attn {

/// Under this heading --help lists the flags that change no result; a replay leaves them out.
inline constexpr const char* kChangesNoResult = "Options that change no result";

/// What `parse` makes of a word given to the flag `name`. What it throws as BadInput, which says
/// what was expected and found, becomes a usage error that begins with the flag.
template <class Parse>
auto parsed(const std::string& name, const std::string& word, Parse parse) {
  try {
    return parse(word);
  } catch (const BadInput& error) {
    throw CLI::ValidationError(name, error.what());
  }
}

/// Adds a flag whose value `parse` makes of the word given.
template <class Value, class Parse>
CLI::Option* add_value(CLI::App& app, const std::string& name, Value& value, Parse parse,
                       const std::string& help) {
  return app.add_option_function<std::string>(
      name, [name, &value, parse](const std::string& word) { value = parsed(name, word, parse); },
      help);
}

/// Adds a flag that may be given many times; its values are those that `parse` makes of the words.
template <class Values, class Parse>
CLI::Option* add_values(CLI::App& app, const std::string& name, Values& values, Parse parse,
                        const std::string& help) {
  return app.add_option_function<std::vector<std::string>>(
      name,
      [name, &values, parse](const std::vector<std::string>& words) {
        for (const std::string& word : words) values.push_back(parsed(name, word, parse));
      },
      help);
}

/// Adds a flag that takes one of the words of a table, which must outlive `app`. `value` is its
/// default.
template <class Value, std::size_t N>
CLI::Option* add_word(CLI::App& app, const std::string& name, Value& value,
                      const Word<Value> (&words)[N], const std::string& help) {
  return add_value(
             app, name, value, [&words](const std::string& word) { return from_word(words, word); },
             help)
      ->default_str(std::string(to_word(words, value)))
      ->type_name(listed(words));
}

/// The same where a value that is not given is known as such.
template <class Value, std::size_t N>
CLI::Option* add_word(CLI::App& app, const std::string& name, std::optional<Value>& value,
                      const Word<Value> (&words)[N], const std::string& help) {
  return add_value(
             app, name, value, [&words](const std::string& word) { return from_word(words, word); },
             help)
      ->type_name(listed(words));
}

/// Adds --seed, an integer in 0..2^64 - 1. `seed` is its default.
inline CLI::Option* add_seed(CLI::App& app, std::uint64_t& seed, const std::string& help) {
  return add_value(
             app, "--seed", seed,
             [](const std::string& word) { return whole_number<std::uint64_t>(word); }, help)
      ->default_str(std::to_string(seed))
      ->type_name("UINT");
}

/// Adds --threads, 1..1024. `threads` is its default.
template <class Count>
CLI::Option* add_threads(CLI::App& app, Count& threads, const std::string& help) {
  return add_value(
             app, "--threads", threads,
             [](const std::string& word) { return whole_number<Count>(word, 1, 1024); }, help)
      ->default_str(std::to_string(threads))
      ->type_name("UINT")
      ->group(kChangesNoResult);
}

}  // namespace attn
