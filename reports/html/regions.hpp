#pragma once

#include <string>
#include <string_view>

namespace attn::report {

/// A part of a page with a name of its own for each of its regions: what reads a page aloud lists
/// them. The region "Verdicts" of the part `of` becomes "Verdicts, OF", a second one "Verdicts 2,
/// OF". `of` is HTML.
std::string with_named_regions(std::string_view html, std::string_view of);

}  // namespace attn::report
