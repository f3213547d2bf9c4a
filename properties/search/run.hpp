#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "properties/search/effort.hpp"
#include "properties/search/regressions.hpp"
#include "reports/record/report.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/units/result_journal.hpp"
#include "theory/units/team.hpp"

namespace attn::properties {

/// The commands that lead back to a finding.
struct Program {
  std::string name{"properties"};   ///< searches, with --claim
  std::string eval{"claims eval"};  ///< decides cases, before the name of their file
};

/// One run over several claims.
struct Run {
  std::uint64_t seed;  ///< the seed of the run
  Effort effort;
  unsigned threads;                       ///< >= 1; results do not depend on it
  std::vector<Regression> regressions{};  ///< the regressions of all claims
  /// Where a claim that another sharpens is looked up; never null.
  const Catalogue* catalogue{&attn::catalogue()};
  Program program{};
  /// Drawn for each claim in place of the effort's; at least 1.
  std::optional<std::size_t> cases{};
};

/// The seed of what is drawn under a name (cases_of a claim, a mutant's id, "A beside B"): the
/// first 8 bytes, most significant first, of the SHA-256 of "<run seed in decimal>:<name>". It
/// depends on nothing else, so neither a filter nor the number of threads nor another claim changes
/// the cases of this one.
std::uint64_t property_seed(std::uint64_t run_seed, std::string_view name);

/// What the search of one claim came to.
struct SearchResult {
  report::ClaimRecord record;  ///< the record of the claim with its mutants, judged
  /// How its bound compares with that of a printed claim, where it sharpens one.
  std::optional<report::ComparisonRecord> comparison;
  std::string failure;  ///< why there is no verdict (an error of ours); empty as a rule
};

class Schedule;
/// Is told how far a search is, after each unit.
using Progress = std::function<void(const Schedule&)>;

/// Searches each claim with its declared property: regressions, drawn cases, the hill climb, its
/// mutants, and the comparison with the printed claim that it sharpens. Results are in the order of
/// `claims`. What goes wrong with one claim is its result's `failure`, and while its cases are
/// drawn that of all claims that are decided on them, with its id; only BrokenAssumption is thrown,
/// which no other claim could do without, and what Team::lead throws besides. On rank 0 of the
/// team; the other ranks follow it with unit_computer.
std::vector<SearchResult> search_all(std::span<const Claim> claims, const Run& run,
                                     units::Team& team, units::ResultJournal& parts,
                                     const Progress& progress);

/// The part of a report that the run fills: records, comparisons and the table of normalisers. Its
/// provenance is left to the caller.
report::Report report_of(const std::vector<SearchResult>& results);

/// The exit code of a run: kInternal where a search failed, else what its report says; kAsExpected
/// where nothing was to be searched.
int exit_code(const std::vector<SearchResult>& results);

/// The command that does this search again with the same cases.
std::string replay_command(std::string_view claim_id, const Run& run);

/// The command that decides a case again, from its JSON alone; `eval` is that which reads a file.
std::string recheck_line(std::string_view claim_id, const nlohmann::json& input,
                         std::string_view eval);

}  // namespace attn::properties
