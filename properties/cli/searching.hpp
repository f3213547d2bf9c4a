#pragma once

#include <optional>
#include <vector>

#include "properties/cli/options.hpp"
#include "properties/search/run.hpp"

namespace attn::properties {

/// The claims that were asked for, in the catalogue's order.
std::vector<Claim> chosen_claims(const SearchOptions& asked);

/// Prints the properties, or tries the mutants that were asked for and prints what came of each.
/// Returns the exit code.
int list_or_try(const SearchOptions& asked);

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

// What a program that searches says on stdout.

/// Each property with its families, classes and mutants.
void print_catalogue(const Catalogue& catalogue);

/// One claim's line, and whatever of it needs a reader's eye: witnesses, classes that were not met,
/// mutants that survived, each with the commands that show it again.
void print_result(const SearchResult& result, const Program& program);

/// Mutants caught of all tried, and the names of the survivors; nothing where none was tried.
void print_mutants(const std::vector<report::MutantRecord>& mutants);

/// How close each proved bound came to being attained, and each sharp claim beside the printed one.
void print_tightness(const std::vector<SearchResult>& results);
void print_comparisons(const std::vector<SearchResult>& results);

}  // namespace attn::properties
