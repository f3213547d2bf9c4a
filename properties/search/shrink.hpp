#pragma once

#include <rapidcheck/Shrinkable.h>

#include <cstddef>
#include <functional>

#include "properties/search/effort.hpp"
#include "theory/attention/case.hpp"

namespace attn::properties {

/// What shrinking came to.
struct Minimum {
  Case input;
  std::size_t steps{};     ///< times the case became smaller
  std::size_t attempts{};  ///< candidates tried
  bool stopped_early{};    ///< the budget ran out before no candidate was left
};

/// Follows the shrinks of `start`, which fails, to a case none of whose shrinks fails, or until the
/// budget runs out. Deterministic unless the time runs out.
Minimum shrink(const rc::Shrinkable<Case>& start, const std::function<bool(const Case&)>& fails,
               const ShrinkBudget& budget);

}  // namespace attn::properties
