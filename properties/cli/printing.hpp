#pragma once

#include <vector>

#include "properties/search/run.hpp"

/// What a program that searches says on stdout.
namespace attn::properties {

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
