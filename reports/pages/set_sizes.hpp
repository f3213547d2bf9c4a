#pragma once

#include <string>

#include "reports/document/document.hpp"
#include "reports/record/measurements.hpp"

namespace attn::report {

/// "How many tokens a head needs": experiment 6; of an input without a loss a line that says so.
/// `name`: of the files of its figures.
Blocks set_sizes(const Measurements& measured, const std::string& name);

}  // namespace attn::report
