#pragma once

#include <cstddef>
#include <string>

#include "reports/record/report.hpp"

namespace attn::report {

/// The longest report.md in bytes: what a comment on a pull request can hold.
inline constexpr std::size_t kMarkdownLimit = std::size_t{64} * 1024;

/// report.md: the answer, the failures with their replay, the claims that are false as written with
/// their witnesses, the verdict tables, what was measured on real attention, sharper bounds,
/// normalisers, and what guards each claim.
/// Shorter than kMarkdownLimit: sections that would not fit are replaced by a line that says so.
std::string markdown(const Report& report);

}  // namespace attn::report
