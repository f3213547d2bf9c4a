#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>

#include "theory/claim.hpp"

namespace attn::properties {

/// How much a search does.
enum class Effort { quick, standard, thorough };

inline constexpr Effort kEfforts[] = {Effort::quick, Effort::standard, Effort::thorough};

std::string_view to_string(Effort effort);

/// The effort of that name. Throws BadInput for any other word.
Effort effort_from(std::string_view name);

/// Cases drawn for one claim, over all its families.
std::size_t cases_per_claim(Effort effort, Shape shape);

/// When shrinking stops even if it could go on.
struct ShrinkBudget {
  std::size_t attempts;            ///< candidates decided
  std::chrono::milliseconds time;  ///< a safety net: reached only by cases that are slow to decide
};

ShrinkBudget shrink_budget(Effort effort);

}  // namespace attn::properties
