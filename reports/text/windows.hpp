#pragma once

#include <string>

#include "reports/record/measurements.hpp"

namespace attn::report {

/// "The text was read in 40 windows of 1,024 tokens, each by itself; 512 tokens after the last were
/// not read."; empty where it was not read in windows.
std::string windows_words(const Measurements& measured);

/// Which window has the largest lhs/rhs of most claims; empty of fewer than two windows.
std::string worst_window_words(const Measurements& measured);

}  // namespace attn::report
