#pragma once

#include "theory/attention/separability.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims {

inline constexpr std::string_view kBothAssumptions =
    "Assumptions 1 and 2 together (tokens at least delta apart have probability zero here, or no "
    "useful bound on it)";

/// Conditioning on Assumption 2 has positive probability, with a bound of use, in d = 3 only.
inline std::string_view separated(const CaseContext& context) {
  if (context.delta() == 0) return {};
  if (context.dimension() != 3) return kBothAssumptions;
  const std::size_t pairs = context.tokens() * (context.tokens() - 1) / 2;
  const Rational closer = context.delta() / context.sphere_radius();
  return closer * closer * pairs < 4 ? std::string_view{} : kBothAssumptions;
}

inline std::string_view independent(const CaseContext& context) {
  return context.delta() == 0 ? std::string_view{}
                              : "Assumption 1 alone (independent tokens: delta = 0)";
}

/// Whether the sides of a formula are equal: decided in rationals where the expectation is known
/// exactly and no token depends on another, and false elsewhere.
template <auto formula>
bool is_met_in_rationals(const CaseContext& context) {
  if (context.delta() != 0 || !context.share_is_exact()) return false;
  const auto [lhs, rhs] = evaluate<formula, Rational>(context);
  return lhs == rhs;
}

}  // namespace attn::claims
