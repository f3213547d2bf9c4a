#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "properties/search/run.hpp"
#include "theory/base/parallel.hpp"
#include "theory/claims/mutant.hpp"

namespace CLI {
class App;
}

namespace attn::properties {

/// What `properties` was asked for.
struct Options {
  Run run{.seed = 1, .effort = Effort::standard, .threads = hardware_threads()};
  std::vector<std::string_view> claims;  ///< ids of the catalogue; empty: all
  std::vector<Mutant> mutants;           ///< to be tried in place of a search
  std::optional<report::Shard> shard;
  std::optional<std::filesystem::path> out;   ///< the report.json to write
  std::optional<std::filesystem::path> save;  ///< the folder for the witnesses
  bool list{false};
};

/// Adds every flag of the program. What `options` holds is their default.
void add_options(CLI::App& app, Options& options);

}  // namespace attn::properties
