#pragma once

#include <type_traits>
#include <vector>

#include "theory/attention/kind.hpp"
#include "theory/base/overloaded.hpp"

/// The numbers of a case that can be changed one at a time: all but weights and plans, whose
/// entries must keep their sums.
namespace attn::properties {

/// Calls visit(role, value) for the fields of the case that play one of the roles, in the order of
/// their kind's table. `AnyCase` is Case or const Case.
template <class... Roles, class AnyCase, class Visit>
void for_each_in(AnyCase& input, const Visit& visit) {
  for_each_field(input, [&]<class Played>(const auto&, const Played& role, auto& value) {
    if constexpr ((std::is_same_v<Played, Roles> || ...)) visit(role, value);
  });
}

/// Calls visit(list) for the lists of numbers in one of the roles; of vectors, for each of them.
template <class... Roles, class AnyCase, class Visit>
void for_each_list_in(AnyCase& input, const Visit& visit) {
  for_each_in<Roles...>(input, [&](const auto&, auto& value) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, Case::Vectors>) {
      for (auto& row : value) visit(row);
    } else {
      visit(value);
    }
  });
}

/// Calls visit(list) for the lists of numbers that can be changed one at a time: logits, query,
/// direction, step, and the rows of embeddings and keys.
template <class AnyCase, class Visit>
void for_each_list(AnyCase& input, const Visit& visit) {
  for_each_list_in<Logits, MoreLogits, Displacement, Coordinates, Axis, TokenVectors, SharedVector>(
      input, visit);
}

/// Calls visit(list) for the lists with one entry a token, but for weights, whose entries must keep
/// their sum: numbers, or the vectors of embeddings and keys.
template <class Visit>
void for_each_list_of_tokens(Case& input, const Visit& visit) {
  for_each_in<Logits, Displacement, TokenVectors>(input,
                                                  [&](const auto&, auto& list) { visit(list); });
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
  for_each_in<Temperature, Number>(input, Overloaded{
                                              [&](const Temperature&, auto& value) {
                                                if (heated) visit(value, true);
                                              },
                                              [&](const Number& role, auto& value) {
                                                if (!(role.zero == Zero::stays && value == 0))
                                                  visit(value, true);
                                              },
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
