#pragma once

#include <string>

#include "reports/compare/diff.hpp"

namespace attn::report {

/// A diff as plain text of at most 100 columns, words longer than a line apart: first in what the
/// runs and builds differ, then each group that has a change, a line or two for each thing, then
/// one line on what is unchanged.
std::string diff_text(const Diff& diff);

}  // namespace attn::report
