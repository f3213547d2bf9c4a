#pragma once

#include <vector>

#include "theory/attention/case.hpp"

/// The numbers of a case that can be changed one at a time: all but weights and plans, whose
/// entries must keep their sums.
namespace attn::properties {

/// Whether the temperature plays a part.
inline bool has_temperature(const Case& input) {
  return !input.logits.empty() || !input.keys.empty() || !input.plan.empty();
}

/// Calls visit(list) for the lists of numbers: logits, query, direction, step, and the rows of
/// embeddings and keys. `AnyCase` is Case or const Case.
template <class AnyCase, class Visit>
void for_each_list(AnyCase& input, Visit visit) {
  for (auto* list : {&input.logits, &input.query, &input.direction, &input.step}) visit(*list);
  for (auto& x : input.embeddings) visit(x);
  for (auto& key : input.keys) visit(key);
}

/// Calls visit(number, positive) for every such number, lists first, always in the same order.
/// `positive`: it must stay above 0.
template <class AnyCase, class Visit>
void for_each_number(AnyCase& input, Visit visit) {
  for_each_list(input, [&](auto& list) {
    for (auto& value : list) visit(value, false);
  });
  if (has_temperature(input)) visit(input.temperature, true);
  for (auto* number : {&input.sphere_radius, &input.r, &input.bound, &input.epsilon,
                       &input.constant, &input.gain}) {
    if (*number) visit(**number, true);
  }
  if (input.delta && *input.delta > 0) visit(*input.delta, true);
}

struct Number {
  Rational* value;
  bool positive;
};

/// The numbers of `for_each_number`.
inline std::vector<Number> numbers_of(Case& input) {
  std::vector<Number> numbers;
  for_each_number(input, [&](Rational& value, bool positive) {
    numbers.push_back({&value, positive});
  });
  return numbers;
}

}  // namespace attn::properties
