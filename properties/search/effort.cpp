#include "properties/search/effort.hpp"

#include <stdexcept>

#include "properties/property.hpp"

namespace attn::properties {

namespace {

using namespace std::chrono_literals;

constexpr SearchBudget kQuick{1, 1, 1'000, 300, {2'000, 30s}};
constexpr SearchBudget kStandard{6, 30, 4'000, 3'000, {20'000, 60s}};
constexpr SearchBudget kThorough{60, 600, 20'000, 20'000, {100'000, 300s}};

/// From so many cases of a quick search on, a case is decided in microseconds.
constexpr std::size_t kCheap = 8'000;

}  // namespace

const SearchBudget& budget_of(Effort effort) {
  if (effort == Effort::quick) return kQuick;
  if (effort == Effort::standard) return kStandard;
  if (effort == Effort::thorough) return kThorough;
  throw std::logic_error("a search without an effort");
}

std::size_t cases_per_claim(Effort effort, const Claim& claim) {
  const SearchBudget& budget = budget_of(effort);
  const std::size_t quick = property_of(claim).quick_cases;
  return quick * (quick >= kCheap ? budget.times_cheap : budget.times);
}

}  // namespace attn::properties
