#pragma once

#include <string_view>
#include <type_traits>

#include "theory/attention/case_context.hpp"
#include "theory/claims/claim.hpp"
#include "theory/claims/evaluation.hpp"
#include "theory/number/scalar.hpp"

namespace attn {

/// A formula, `[]<class S>(const CaseContext&) -> Sides<S>`, for one scalar.
template <auto formula, class S>
Sides<S> evaluate(const CaseContext& context) {
  return formula.template operator()<S>(context);
}

/// What `terms`, `[]<class S>(const CaseContext&)`, finds, for all claims that ask for it on a
/// case.
template <class S, class Terms>
decltype(auto) found(const Terms& terms, const CaseContext& context) {
  static_assert(std::is_empty_v<Terms>, "two of one type would find the same");
  return context.once<S>([&] { return terms.template operator()<S>(context); });
}

/// A formula by way of what its statement speaks of: `terms` finds that, and `sides` makes both
/// sides of it.
template <class Terms, class MakeSides>
struct OfTerms {
  Terms terms;
  MakeSides sides;

  template <class S>
  Sides<S> operator()(const CaseContext& context) const {
    return sides(found<S>(terms, context));
  }
};

template <class Terms, class MakeSides>
constexpr OfTerms<Terms, MakeSides> of(Terms terms, MakeSides sides) {
  return {terms, sides};
}

namespace detail {

template <auto formula>
inline constexpr Evaluators kEvaluators{.filter = &evaluate<formula, ErrorDouble>,
                                        .enclose = &evaluate<formula, Interval>,
                                        .exact = &evaluate<formula, Exact>};

/// The sides of a formula, changed by `change`, `[]<class S>(const Sides<S>&, const CaseContext&)`.
template <auto formula, auto change>
inline constexpr auto kChanged = []<class S>(const CaseContext& context) -> Sides<S> {
  return change(evaluate<formula, S>(context), context);
};

}  // namespace detail

/// A formula at every level of the ladder.
template <auto formula>
inline constexpr const Evaluators* sides = &detail::kEvaluators<formula>;

// Mutants. `word`: on the change, behind the claim's id and a slash in the mutant's own.

/// A mutant whose sides are those of a formula.
template <auto formula>
Mutant mutant(std::string_view word, std::string_view change) {
  return {.id = word, .change = change, .evaluators = sides<formula>};
}

/// The sides of a formula with the larger one multiplied by numerator/denominator < 1.
template <auto formula, int numerator, int denominator>
Mutant scaled(std::string_view word, std::string_view change) {
  constexpr auto smaller = []<class S>(const Sides<S>& s, const CaseContext&) -> Sides<S> {
    return {s.lhs, s.rhs * S(static_cast<double>(numerator)) / S(static_cast<double>(denominator))};
  };
  return mutant<detail::kChanged<formula, smaller>>(word, change);
}

/// The sides of a formula with the factor 1/T of the larger one left out.
template <auto formula>
Mutant without_temperature() {
  constexpr auto at_one = []<class S>(const Sides<S>& s, const CaseContext& context) -> Sides<S> {
    return {s.lhs, s.rhs * from<S>(context.temperature())};
  };
  return mutant<detail::kChanged<formula, at_one>>("no_t", "1/T left out");
}

/// The sides of a formula in each other's place.
template <auto formula>
Mutant exchanged() {
  constexpr auto other_way = []<class S>(const Sides<S>& s, const CaseContext&) -> Sides<S> {
    return {s.rhs, s.lhs};
  };
  return mutant<detail::kChanged<formula, other_way>>("exchanged", "the sides exchanged");
}

/// The sides of a formula with a thousandth of the larger one: what any real row shows to be wrong.
template <auto formula>
Mutant thousandth() {
  return scaled<formula, 1, 1000>("thousandth", "a thousandth of the bound");
}

/// The sides of a formula with the larger one divided by the number of tokens.
template <auto formula>
Mutant per_token() {
  constexpr auto divided = []<class S>(const Sides<S>& s, const CaseContext& context) -> Sides<S> {
    return {s.lhs, s.rhs / from_count<S>(context.tokens())};
  };
  return mutant<detail::kChanged<formula, divided>>("per_token", "divided by $L$");
}

/// The claim's own sides with `<` in place of `<=`.
inline Mutant strict() {
  return {.id = "strict", .change = "`<` in place of `<=`", .strict = true};
}

/// The mutant, to be caught on real rows too.
inline Mutant on_rows(Mutant mutant) {
  mutant.on_rows = true;
  return mutant;
}

}  // namespace attn
