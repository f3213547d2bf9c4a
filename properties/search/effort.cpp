#include "properties/search/effort.hpp"

#include <stdexcept>

#include "properties/property.hpp"

namespace attn::properties {

namespace {

using namespace std::chrono_literals;

struct Row {
  std::size_t times;        ///< as many cases as a quick search
  std::size_t times_cheap;  ///< the same of a claim whose cases are decided in microseconds
  std::size_t comparison, climb;
  ShrinkBudget shrink;
};

constexpr Row kQuick{1, 1, 1'000, 300, {2'000, 30s}};
constexpr Row kStandard{6, 60, 4'000, 3'000, {20'000, 60s}};
constexpr Row kThorough{60, 600, 20'000, 20'000, {100'000, 300s}};

const Row& row(Effort effort) {
  switch (effort) {
    case Effort::none:
      break;
    case Effort::quick:
      return kQuick;
    case Effort::standard:
      return kStandard;
    case Effort::thorough:
      return kThorough;
  }
  throw std::logic_error("a search without an effort");
}

/// From so many on, a case is decided in microseconds.
constexpr std::size_t kCheap = 8'000;

}  // namespace

std::size_t times_quick(Effort effort) {
  return row(effort).times;
}

std::size_t cases_per_claim(Effort effort, const Claim& claim) {
  const std::size_t quick = property_of(claim).quick_cases;
  return quick * (quick >= kCheap ? row(effort).times_cheap : row(effort).times);
}

std::size_t cases_per_comparison(Effort effort) {
  return row(effort).comparison;
}

std::size_t climb_budget(Effort effort) {
  return row(effort).climb;
}

ShrinkBudget shrink_budget(Effort effort) {
  return row(effort).shrink;
}

ShrinkBudget mutant_shrink_budget() {
  return {200, 10s};
}

}  // namespace attn::properties
