#include "properties/search/effort.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "theory/bad_input.hpp"

namespace attn::properties {

namespace {

using namespace std::chrono_literals;

/// One row an effort: cases per claim by shape, and the budget of shrinking.
struct Row {
  std::string_view name;
  std::size_t logits, softmax, top_n, set, sphere;
  ShrinkBudget shrink;
};

// clang-format off
constexpr std::array<Row, 3> kTable{{
    //  name        logits  softmax    top_n      set   sphere
    {"quick",        1'000,   8'000,   4'000,   4'000,   2'000, {5'000, 30s}},
    {"standard",     8'000,  64'000,  32'000,  32'000,  16'000, {20'000, 60s}},
    {"thorough",    80'000, 640'000, 320'000, 320'000, 160'000, {100'000, 300s}},
}};
// clang-format on

const Row& row(Effort effort) {
  return kTable[static_cast<std::size_t>(effort)];
}

}  // namespace

std::string_view to_string(Effort effort) {
  return row(effort).name;
}

Effort effort_from(std::string_view name) {
  for (const Effort effort : kEfforts) {
    if (to_string(effort) == name) return effort;
  }
  throw BadInput(fmt::format("effort \"{}\" is not known: give quick, standard or thorough", name));
}

std::size_t cases_per_claim(Effort effort, Shape shape) {
  const Row& counts = row(effort);
  switch (shape) {
    case Shape::logits:
      return counts.logits;
    case Shape::logits_softmax:
      return counts.softmax;
    case Shape::top_n_embeddings:
      return counts.top_n;
    case Shape::set_embeddings:
      return counts.set;
    case Shape::random_embeddings:
      return counts.sphere;
  }
  throw std::logic_error("a shape without a count");
}

ShrinkBudget shrink_budget(Effort effort) {
  return row(effort).shrink;
}

}  // namespace attn::properties
