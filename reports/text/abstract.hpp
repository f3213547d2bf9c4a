#pragma once

#include <string>

#include "reports/record/measurements.hpp"

namespace attn::report {

/// "Agrees.", "Does not agree.", "Cannot tell.", that the input is too short to tell, or that this
/// model gets no verdict.
std::string agreement(const PaperStatement& entry);

/// "Estimate 0.062, 95 % interval 0.05 to 0.071, 48 samples."; empty without an estimate.
std::string interval_words(const PaperStatement& entry);

}  // namespace attn::report
