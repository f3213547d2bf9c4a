#pragma once

#include <cstddef>

#include "reports/document/document.hpp"
#include "reports/pages/names.hpp"
#include "reports/record/report.hpp"

namespace attn::report {

// What the overview and report.md both say, in the same words.

/// "holds" or "false as written".
Text status_text(Status status);

/// The outcome of a record, marked where it is not as expected.
Text outcome_text(Outcome outcome);

/// What a reader can do now: nothing, or what to run, read or send where something is wrong.
Text what_to_do(const Report& report);

/// What did not come out as it should, the first `most` of it, each with the command that runs it
/// again; empty where there is nothing.
Blocks failure_list(const Report& report, const Names& names, std::size_t most);

/// What came out about each statement of the paper.
Blocks answer(const Report& report);

/// The place in `Report::inputs` of the input that reaches the longest L, the first of several;
/// none where no distance was measured.
std::optional<std::size_t> longest_input(const Report& report);

/// The abstract's statements about attention beside what was measured on one input.
Blocks abstract(const Measurements& measured);

}  // namespace attn::report
