#pragma once

#include <cstddef>
#include <string>

#include "reports/record/report.hpp"
#include "theory/claims/evidence.hpp"

namespace attn::report {

/// A record keeps a case of more numbers by its place alone, unless it is the violation that shows
/// the claim false. A row of some 1,500 tokens with embeddings of 64 coordinates fills megabytes.
inline constexpr std::size_t kMostNumbers = 100'000;

/// A case with its evidence, as reports keep it.
CaseRecord case_record(const Certified& certified);

/// A case with its evidence, by its place alone where it has more than kMostNumbers.
CaseRecord case_record_if_short(const Certified& certified);

}  // namespace attn::report
