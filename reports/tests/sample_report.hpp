#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/record/report.hpp"

namespace attn::report {

/// Two mutants of a claim that its search caught.
std::vector<MutantRecord> caught_mutants(const std::string& claim);

/// An input class of a search that has been met in all of its `cases`.
ClassRecord covered_class(std::string name, std::uint64_t cases);

/// A record with the counts of a proved claim that held in `cases` cases, guarded by mutants
/// and an input class in the synthetic stage; not of the catalogue.
ClaimRecord plain_record(std::string id, Stage stage, std::uint64_t cases = 10);

/// The record of a search with every optional field filled: one of its input classes is not
/// covered, one of its mutants survives.
ClaimRecord full_record();

/// A small report that is as it should be: every claim of the catalogue decided by the real ladder
/// on one case it speaks of (for a refuted claim, its witness), as a synthetic stage with input
/// classes, mutants, comparisons and normalisers; those that real input must cover as a gpt2 stage
/// too, with a real-input block of 2 layers and 3 heads.
Report sample_report();

/// The record of a claim in one stage of such a report. Throws std::logic_error where there is
/// none.
ClaimRecord& record_in(Report& report, std::string_view id, Stage stage = Stage::synthetic);

/// The search of the sample, and its stage on real input.
std::pair<Report, Report> two_stages();

/// The search of the sample as `count` shards: every `count`-th record goes to the same one.
std::vector<Report> in_shards(unsigned count);

}  // namespace attn::report
