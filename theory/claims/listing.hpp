#pragma once

#include <string>
#include <string_view>

#include "theory/claims/catalogue.hpp"

namespace attn {

/// The statement that a claim belongs to, by its `paper`: "Corollary 3" of "Corollary 3, the text
/// beside it"; of other works what they are about.
std::string statement_of(std::string_view paper);

/// The claims as Markdown, a table for each statement in the order of the catalogue. Each row has
/// its claim's id as an anchor, and a link to the proof from the folder `theory`.
std::string in_markdown(const Catalogue& claims);

}  // namespace attn
