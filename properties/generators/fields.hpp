#pragma once

#include <type_traits>
#include <vector>

#include "theory/attention/kind.hpp"
#include "theory/base/overloaded.hpp"

/// The numbers of a case that can be changed one at a time: all but weights and plans, whose
/// entries must keep their sums.
namespace attn::properties {

/// Calls visit(list) for the lists of numbers: logits, query, direction, step, and the rows of
/// embeddings and keys. `AnyCase` is Case or const Case.
template <class AnyCase, class Visit>
void for_each_list(AnyCase& input, Visit visit) {
  for_each_field(input, Overloaded{
                            [&](const auto&, const Logits&, auto& list) { visit(list); },
                            [&](const auto&, const Displacement&, auto& list) { visit(list); },
                            [&](const auto&, const Coordinates&, auto& list) { visit(list); },
                            [&](const auto&, const Axis&, auto& list) { visit(list); },
                            [&](const auto&, const TokenVectors&, auto& rows) {
                              for (auto& row : rows) visit(row);
                            },
                            [&](const auto&, const SharedVector&, auto& rows) {
                              for (auto& row : rows) visit(row);
                            },
                            [](const auto&, const auto&, auto&) {},
                        });
}

/// Calls visit(list) for the lists with one entry a token, but for weights, whose entries must keep
/// their sum: numbers, or the vectors of embeddings and keys.
template <class Visit>
void for_each_list_of_tokens(Case& input, Visit visit) {
  for_each_field(input, Overloaded{
                            [&](const auto&, const Logits&, auto& list) { visit(list); },
                            [&](const auto&, const Displacement&, auto& list) { visit(list); },
                            [&](const auto&, const TokenVectors&, auto& rows) { visit(rows); },
                            [](const auto&, const auto&, auto&) {},
                        });
}

/// Whether the tokens are counted, not listed one by one.
inline bool counts_tokens(const Case& input) {
  return input.length > 0;
}

/// Calls visit(number, positive) for every such number, lists first, always in the same order.
/// `positive`: it must stay above 0.
template <class AnyCase, class Visit>
void for_each_number(AnyCase& input, Visit visit) {
  for_each_list(input, [&](auto& list) {
    for (auto& value : list) visit(value, false);
  });
  const bool heated = has_temperature(input);
  for_each_field(input, Overloaded{
                            [&](const auto&, const Temperature&, auto& value) {
                              if (heated) visit(value, true);
                            },
                            [&](const auto&, const Number& role, auto& value) {
                              if (!(role.zero == Zero::stays && value == 0)) visit(value, true);
                            },
                            [](const auto&, const auto&, auto&) {},
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
