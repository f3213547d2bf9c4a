#pragma once

#include <string>
#include <vector>

#include "reports/document/document.hpp"
#include "reports/pages/names.hpp"
#include "reports/record/report.hpp"

namespace attn::report {

// What an input shows head by head.

/// Maps of what was measured of each head, of how often false bounds fail there and of how tight
/// each claim is there, with all numbers as CSV.
Blocks head_maps(std::size_t index, const Report& report, const Names& names);

/// A page for each head on which a proved claim was violated or stayed open.
std::vector<Document> head_pages(std::size_t index, const Report& report, const Names& names);

/// "3 of 12": in how many of the heads that have cases of a claim it fails; "-" where none has.
std::string heads_words(const std::vector<HeadRecord>& heads, const std::string& claim);

}  // namespace attn::report
