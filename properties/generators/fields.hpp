#pragma once

#include <vector>

#include "theory/attention/field.hpp"
#include "theory/base/overloaded.hpp"

/// The numbers of a case that can be changed one at a time: all but weights and plans, whose
/// entries must keep their sums.
namespace attn::properties {

/// Calls visit(list) for the lists of numbers: logits, query, direction, step, and the rows of
/// embeddings and keys. `AnyCase` is Case or const Case.
template <class AnyCase, class Visit>
void for_each_list(AnyCase& input, Visit visit) {
  const Overloaded of_role{
      [&](const Logits& role) { visit(input.*role.at); },
      [&](const Displacement& role) { visit(input.*role.at); },
      [&](const Coordinates& role) { visit(input.*role.at); },
      [&](const TokenVectors& role) {
        for (auto& row : input.*role.at) visit(row);
      },
      [](const auto&) {},
  };
  for (const Field* field : kFields) std::visit(of_role, field->role);
}

/// Calls visit(number, positive) for every such number, lists first, always in the same order.
/// `positive`: it must stay above 0.
template <class AnyCase, class Visit>
void for_each_number(AnyCase& input, Visit visit) {
  for_each_list(input, [&](auto& list) {
    for (auto& value : list) visit(value, false);
  });
  if (input.has_temperature()) visit(input.temperature, true);
  for_each_field<Number>([&](const Number& role) {
    auto& number = input.*role.at;
    if (number && !(role.zero == Zero::stays && *number == 0)) visit(*number, true);
  });
}

struct FreeNumber {
  Rational* value;
  bool positive;
};

/// The numbers of `for_each_number`.
inline std::vector<FreeNumber> numbers_of(Case& input) {
  std::vector<FreeNumber> numbers;
  for_each_number(input, [&](Rational& value, bool positive) {
    numbers.push_back({&value, positive});
  });
  return numbers;
}

}  // namespace attn::properties
