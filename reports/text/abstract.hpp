#pragma once

#include <string>
#include <string_view>

#include "reports/record/measurements.hpp"

namespace attn::report {

// The abstract's statements in words, for the page and for report.md.

/// Sets what the paper says (`says`) and what was measured (`measured`) of a statement that
/// gpt2_check measures, from its numbers: of the distance the points at the shortest and the
/// longest L, of the gradient the largest of its points. `over`: what means are taken over. Throws
/// std::logic_error for another id.
void put_into_words(PaperStatement& entry, std::string_view over = "the heads");

/// "Agrees.", "Does not agree.", "Cannot tell.", that the input is too short to tell, or that this
/// model gets no verdict.
std::string agreement(const PaperStatement& entry);

/// "Estimate 0.062, 95 % interval 0.05 to 0.071, 48 samples."; empty without an estimate.
std::string interval_words(const PaperStatement& entry);

}  // namespace attn::report
