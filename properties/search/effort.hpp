#pragma once

#include <chrono>
#include <cstddef>

#include "reports/record/words.hpp"
#include "theory/base/words.hpp"
#include "theory/claims/claim.hpp"

namespace attn::properties {

using report::Effort;

/// The efforts of a search, as a command line calls them.
inline constexpr Word<Effort> kEfforts[] = {
    {report::to_string(Effort::quick), Effort::quick},
    {report::to_string(Effort::standard), Effort::standard},
    {report::to_string(Effort::thorough), Effort::thorough}};

/// When shrinking stops even if it could go on.
struct ShrinkBudget {
  std::size_t attempts;            ///< candidates decided
  std::chrono::milliseconds time;  ///< a safety net: reached only by cases that are slow to decide
};

/// How long the witness against a mutant is shrunk, which only has to be short enough to read.
inline constexpr ShrinkBudget kMutantShrink{200, std::chrono::seconds(10)};

/// How much the search of a claim does.
struct SearchBudget {
  std::size_t times;  ///< how many times the cases that a quick search draws
  /// How many times those of a claim whose cases are decided in microseconds.
  std::size_t times_cheap;
  std::size_t comparison;  ///< cases on which a sharp claim is compared with the printed one
  std::size_t climb;       ///< cases that a hill climb decides
  ShrinkBudget shrink;
};

const SearchBudget& budget_of(Effort effort);

/// Cases drawn for one claim, over all its families.
std::size_t cases_per_claim(Effort effort, const Claim& claim);

}  // namespace attn::properties
