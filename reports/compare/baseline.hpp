#pragma once

#include <vector>

#include "reports/judge/judge.hpp"
#include "reports/record/report.hpp"

namespace attn::report {

/// What `baseline` has and `report` has no longer, or has worse. A baseline is the report of an
/// earlier state of the code, kept so that no later state loses what that one had: it may gain
/// claims, input classes and mutants, and it may change every measured value. For each record of
/// the baseline these are losses:
///
/// * no record of the claim in the stage;
/// * another status, whichever: the mathematics is another;
/// * a worse outcome, in the order of exit codes: as expected, then undecided and not covered, then
///   unexpected;
/// * more undecided cases (those that a confidence interval leaves open do not count), or fewer
///   decided ones: the same search says less;
/// * fewer mutants caught, or an input class that was covered and is not, or is gone: the search's
///   silence is worth less;
/// * a proved bound that was attained or approached and is so no longer;
///
/// and for each comparison: it is gone, or a sharp bound that was never looser than the printed one
/// is looser in some case. A `missing` record of `report` is a failure of its own (see `failures`)
/// and not named again.
///
/// The losses are `missing` or `unexpected`, each with the command that shows it, in the order of
/// the baseline. Throws BadInput where the two are runs of different things (see
/// `check_comparable`).
std::vector<Failure> worse_than(const Report& baseline, const Report& report);

}  // namespace attn::report
