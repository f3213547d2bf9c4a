#include "properties/search/shrink.hpp"

namespace attn::properties {

Minimum shrink(const rc::Shrinkable<Case>& start, const std::function<bool(const Case&)>& fails,
               const ShrinkBudget& budget) {
  const auto deadline = std::chrono::steady_clock::now() + budget.time;
  Minimum result{.input = start.value()};
  auto candidates = start.shrinks();
  while (const auto candidate = candidates.next()) {
    if (result.attempts == budget.attempts || std::chrono::steady_clock::now() > deadline) {
      result.stopped_early = true;
      return result;
    }
    ++result.attempts;
    const Case input = candidate->value();
    if (!fails(input)) continue;
    ++result.steps;
    result.input = input;
    candidates = candidate->shrinks();
  }
  return result;
}

}  // namespace attn::properties
