#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/record/measurements.hpp"
#include "reports/text/summary.hpp"

namespace attn::report {

/// A measure that a report has of each head.
struct HeadField {
  std::optional<double> HeadNumbers::*member;
  const char* title;
  const char* words;  ///< more on it, a sentence without its full stop
  double full;        ///< the value that gets the full colour; 0: the largest seen
};

std::span<const HeadField> head_fields();

/// The value of a head, with or without its first token, where there is one and it is finite.
std::optional<double> finite_value(const HeadRecord& head, bool without_first,
                                   const HeadField& field);

/// " for N = 100": the N that the measures of a selection belong to, as far as the heads agree on
/// one; the N without the first token too, where it is another. Empty where there is none.
std::string selection_words(std::span<const HeadRecord> heads);

/// The claims that any head has, in the order of the report.
std::vector<ClaimView> claims_of(const std::vector<HeadRecord>& heads, const Report& report);

/// What a head has on a claim; none where it was not decided there.
const HeadClaim* claim_of(const HeadRecord& head, const std::string& id);

/// Where the numbers of a head stand on the page: "head-3-11", after the prefix of its input.
std::string head_anchor(const std::string& prefix, unsigned layer, unsigned head);

/// The numbers of each head, shown where a cell of a map was followed to it.
std::string head_details(const Measurements& measured, const Report& report,
                         const std::string& prefix);

}  // namespace attn::report
