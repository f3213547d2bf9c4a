#include "properties/search/effort.hpp"

#include <array>
#include <stdexcept>

namespace attn::properties {

namespace {

using namespace std::chrono_literals;

struct Row {
  std::size_t times;  ///< as many cases as a quick search
  std::size_t comparison, climb;
  ShrinkBudget shrink;
};

constexpr std::array<Row, std::size(kEfforts)> kTable{{
    {1, 1'000, 300, {2'000, 30s}},
    {6, 4'000, 3'000, {20'000, 60s}},
    {60, 20'000, 20'000, {100'000, 300s}},
}};

const Row& row(Effort effort) {
  return kTable[static_cast<std::size_t>(effort)];
}

/// Cases of a quick search, so that each claim takes about as long as the others: about a second,
/// less where a case is decided in microseconds.
std::size_t quick_cases(const Claim& claim) {
  switch (claim.shape) {
    case Shape::logits:
      return 4'000;
    case Shape::logits_softmax:
    case Shape::bounded_logits:
      return 16'000;
    case Shape::logits_of:
      return claim.normalizer == Normalizer::pooling ? 2'000 : 4'000;
    case Shape::direction_softmax:
    case Shape::step_of:
    case Shape::flat_family:
      return 8'000;
    case Shape::top_n_embeddings:
    case Shape::set_embeddings:
      return 1'500;
    case Shape::query_keys:
    case Shape::random_set_embeddings:
    case Shape::random_embeddings:
    case Shape::plan:
      return 2'000;
  }
  throw std::logic_error("a shape without a count");
}

}  // namespace

std::string_view to_string(Effort effort) {
  return to_word(kEfforts, effort);
}

std::size_t cases_per_claim(Effort effort, const Claim& claim) {
  return row(effort).times * quick_cases(claim);
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
