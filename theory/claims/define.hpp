#pragma once

#include <string_view>

#include "theory/attention/case_context.hpp"
#include "theory/claims/claim.hpp"
#include "theory/claims/evaluation.hpp"
#include "theory/number/scalar.hpp"

namespace attn {

/// A formula, `[]<class S>(const CaseContext&) -> Sides<S>`, for one scalar.
template <auto formula, class S>
Sides<S> evaluate(const CaseContext& problem) {
  return formula.template operator()<S>(problem);
}

namespace detail {

template <auto formula>
inline constexpr Evaluators kEvaluators{.filter = &evaluate<formula, ErrorDouble>,
                                        .enclose = &evaluate<formula, Interval>};

}  // namespace detail

/// A formula at every level of the ladder.
template <auto formula>
inline constexpr const Evaluators* sides = &detail::kEvaluators<formula>;

/// A mutant whose sides are those of a formula.
template <auto formula>
Mutant mutant(std::string_view id, std::string_view change) {
  return {.id = id, .change = change, .evaluators = sides<formula>};
}

/// The sides of a formula with the larger one multiplied by numerator/denominator < 1.
template <auto formula, int numerator, int denominator>
Mutant scaled(std::string_view id, std::string_view change) {
  constexpr auto smaller = []<class S>(const CaseContext& problem) -> Sides<S> {
    const auto s = evaluate<formula, S>(problem);
    return {s.lhs, s.rhs * S(static_cast<double>(numerator)) / S(static_cast<double>(denominator))};
  };
  return mutant<smaller>(id, change);
}

/// The sides of a formula with the factor 1/T of the larger one left out.
template <auto formula>
Mutant without_temperature(std::string_view id) {
  constexpr auto at_one = []<class S>(const CaseContext& problem) -> Sides<S> {
    const auto s = evaluate<formula, S>(problem);
    return {s.lhs, s.rhs * from<S>(problem.temperature())};
  };
  return mutant<at_one>(id, "1/T left out");
}

/// The sides of a formula in each other's place.
template <auto formula>
Mutant exchanged(std::string_view id) {
  constexpr auto other_way = []<class S>(const CaseContext& problem) -> Sides<S> {
    const auto s = evaluate<formula, S>(problem);
    return {s.rhs, s.lhs};
  };
  return mutant<other_way>(id, "the sides exchanged");
}

/// The sides of a formula with a thousandth of the larger one: what any real row shows to be wrong.
template <auto formula>
Mutant thousandth(std::string_view id) {
  return scaled<formula, 1, 1000>(id, "a thousandth of the bound");
}

/// The sides of a formula with the larger one divided by the number of tokens.
template <auto formula>
Mutant per_token(std::string_view id) {
  constexpr auto divided = []<class S>(const CaseContext& problem) -> Sides<S> {
    const auto s = evaluate<formula, S>(problem);
    return {s.lhs, s.rhs / from_count<S>(problem.tokens())};
  };
  return mutant<divided>(id, "divided by $L$");
}

/// The claim's own sides with `<` in place of `<=`.
inline Mutant strict(std::string_view id) {
  return {.id = id, .change = "`<` in place of `<=`", .strict = true};
}

/// The mutant, to be caught on real rows too.
inline Mutant on_rows(Mutant mutant) {
  mutant.on_rows = true;
  return mutant;
}

}  // namespace attn
