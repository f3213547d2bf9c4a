#pragma once

#include <string>

#include "reports/record/measurements.hpp"

namespace attn::report {

// The parts of report.md about real attention; each empty where nothing was measured.

/// The statements of the abstract beside what was measured.
std::string abstract_markdown(const Measurements& measured);

/// A short table of the measurements, and the normalisers at the longest length.
std::string measured_markdown(const Measurements& measured);

}  // namespace attn::report
