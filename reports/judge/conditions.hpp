#pragma once

#include <string_view>

#include "reports/compare/gate.hpp"

namespace attn::report {

// The conditions of a gate as a command line spells them. `id` is a claim of the report's
// catalogue, `id@stage` the same in one stage. The functions that read a condition throw BadInput,
// quoting it, for anything else and for a stage or an outcome that is not known.

/// "synthetic", "gpt2" or "activations".
Stage stage_from(std::string_view word);

/// "id=outcome", where the outcome is one of report.json, with hyphens or spaces: "as-expected".
RequiredOutcome required_outcome_from(std::string_view text);

/// "id<=x", where x is a finite decimal number.
TightnessLimit tightness_limit_from(std::string_view text);

/// Throws BadInput, naming the catalogue and the nearest ids, where a condition is about a claim
/// that the report's catalogue does not have.
void check_claims(const Conditions& conditions, const Report& report);

}  // namespace attn::report
