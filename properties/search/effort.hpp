#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>

#include "theory/base/words.hpp"
#include "theory/claims/claim.hpp"

namespace attn::properties {

/// How much a search does.
enum class Effort { quick, standard, thorough };

inline constexpr Word<Effort> kEfforts[] = {
    {"quick", Effort::quick}, {"standard", Effort::standard}, {"thorough", Effort::thorough}};

std::string_view to_string(Effort effort);

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
