#pragma once

#include <chrono>
#include <cstddef>

#include "reports/record/words.hpp"
#include "theory/base/words.hpp"
#include "theory/claims/claim.hpp"

namespace attn::properties {

using report::Effort;

/// What a command line calls those of a search.
inline constexpr Word<Effort> kEfforts[] = {
    {report::to_string(Effort::quick), Effort::quick},
    {report::to_string(Effort::standard), Effort::standard},
    {report::to_string(Effort::thorough), Effort::thorough}};

/// How many times the cases of a quick search are drawn.
std::size_t times_quick(Effort effort);

/// Cases drawn for one claim, over all its families.
std::size_t cases_per_claim(Effort effort, const Claim& claim);

/// Cases on which a sharp claim is compared with the printed one.
std::size_t cases_per_comparison(Effort effort);

/// Cases that a hill climb decides.
std::size_t climb_budget(Effort effort);

/// When shrinking stops even if it could go on.
struct ShrinkBudget {
  std::size_t attempts;            ///< candidates decided
  std::chrono::milliseconds time;  ///< a safety net: reached only by cases that are slow to decide
};

ShrinkBudget shrink_budget(Effort effort);

/// For the witness against a mutant, which only has to be short enough to read.
ShrinkBudget mutant_shrink_budget();

}  // namespace attn::properties
