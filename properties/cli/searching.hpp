#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "properties/search/run.hpp"
#include "properties/search/shard.hpp"
#include "theory/base/launched.hpp"
#include "theory/claims/catalogue.hpp"

namespace CLI {
class App;
}

namespace attn::properties {

/// What the search of a catalogue was asked for.
struct SearchOptions {
  Run run{.seed = 1, .effort = Effort::standard, .threads = hardware_threads()};
  std::vector<std::string_view> claims{};  ///< ids of the run's catalogue; empty: all
  bool verbose{false};                     ///< print a line for each claim, and mutants
};

/// What `properties` was asked for.
struct Options {
  SearchOptions search{};
  std::optional<report::Shard> shard{};
  std::optional<std::filesystem::path> out{};  ///< the report.json to write
  bool resumes{false};                         ///< goes on with what is kept beside `out`
};

/// Adds the flags of every program that searches a catalogue, that of `options.run`, which must
/// outlive `app`. What `options` holds is their default.
void add_search_options(CLI::App& app, SearchOptions& options);

/// Whether the result of each claim is printed: with --verbose, where claims were chosen, and of a
/// catalogue other than the paper's. Else what came out of each statement of the paper is.
bool prints_each(const SearchOptions& asked);

/// Adds every flag of `properties`.
void add_options(CLI::App& app, Options& options);

/// The claims that were asked for, in the catalogue's order.
std::vector<Claim> chosen_claims(const SearchOptions& asked);

/// What a search came to.
struct Searched {
  int code;
  report::Report report;  ///< empty where a search failed (kInternal)
};

/// Searches the claims, on rank 0 of the team, and says on stdout what came of each
/// (`prints_each`), or of each statement of the paper.
Searched search_and_print(const std::vector<Claim>& claims, const Run& run, bool prints_each,
                          units::Team& team, units::ResultJournal& parts);

/// Computes a shard's units of the search of these claims, on rank 0 of the team. Throws
/// std::runtime_error where one fails.
report::Report search_shard(const report::Shard& shard, const std::vector<Claim>& claims,
                            const Run& run, units::Team& team, units::ResultJournal& parts);

}  // namespace attn::properties
