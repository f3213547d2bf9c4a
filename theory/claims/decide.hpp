#pragma once

#include <functional>
#include <limits>
#include <string>

#include "theory/claims/claim.hpp"
#include "theory/claims/evaluation.hpp"

namespace attn {

class CaseContext;

/// The precisions of the ladder, in decimal digits; 0 stands for the double filter.
inline constexpr unsigned kFilter = 0;
inline constexpr unsigned kLadder[] = {50, 100, 200};

/// The digits that intervals have at a level of the ladder.
constexpr unsigned working_digits(unsigned level) {
  return level == 200 ? kCapDigits : level;
}

/// Doubles on both sides of an exact value. NaN, which no comparison accepts, where nothing is
/// known.
struct Bounds {
  double lower{std::numeric_limits<double>::quiet_NaN()};
  double upper{std::numeric_limits<double>::quiet_NaN()};
};

/// A verdict and how it was reached.
struct Decision {
  Verdict verdict{Verdict::undecided};
  By by{By::filter};         ///< what decided
  Open open{Open::nothing};  ///< what is known where nothing did
  /// The working digits of what was computed last: 0 (filter), 50, 100 or 200.
  unsigned digits{kFilter};
  double lhs{};  ///< approximate sides, for ratios and tables only
  double rhs{};
  Bounds lhs_bounds{}, rhs_bounds{};  ///< bounds of the exact sides, at the level that decided
  bool sampled{};                     ///< an expectation was enclosed by a confidence interval
  std::string_view unmet{};           ///< the hypothesis that fails, where assumption_not_met
};

/// Bounds of the exact lhs/rhs of a decision: infinite where rhs > 0 is not certain, NaN where
/// nothing is known of a side.
Bounds ratio_bounds(const Decision& decision);

/// What the double filter says of two sides: holds, violated, equal where both are known exactly,
/// or undecided where it cannot tell. Throws BrokenAssumption where this thread's floating point is
/// not what their bounds assume (see check_floating_point).
Decision filter(const Sides<ErrorDouble>& sides);

/// Decides `lhs <= rhs` for one valid case: the double filter first, then what the claim knows of
/// its equality, intervals of 50 digits, exact arithmetic, and intervals of 100 and 200 digits up
/// to `max_digits`, until one of them tells; none but the filter where that is `max_digits`.
///
/// Throws std::logic_error where exact arithmetic contradicts an enclosure.
///
/// An expectation that is sampled has as many draws as it takes, up to kMostDraws; then
/// `undecided` is the verdict.
Decision decide(const Claim& claim, const Case& input, unsigned max_digits = 200);

/// Decides `lhs <= rhs` for one valid case of which a context is at hand, up to `max_digits` as
/// without one: several claims decided on one context share what is computed of the case. Throws
/// std::logic_error where exact arithmetic contradicts an enclosure.
Decision decide(const Claim& claim, const CaseContext& context, unsigned max_digits = 200);

/// What computes the sides of any inequality.
struct AnySides {
  std::function<Sides<ErrorDouble>()> rough;
  std::function<Sides<Interval>()> enclose;  ///< to the working digits
  std::function<Sides<Exact>()> exact;
};

/// Decides `lhs <= rhs` as for a claim, of any inequality.
Decision decide(const AnySides& sides, unsigned max_digits = 200);

/// Decides `lhs <= rhs` of one's own formula, `[=]<class S>() -> Sides<S>`, for every scalar:
///
///     decide([&]<class S>() -> Sides<S> { return {softmax_of<S>(z)[0], S(1.0)}; }).verdict
template <class Formula>
  requires requires(const Formula& formula) { formula.template operator()<Interval>(); }
Decision decide(const Formula& formula, unsigned max_digits = 200) {
  return decide(AnySides{[&] { return formula.template operator()<ErrorDouble>(); },
                         [&] { return formula.template operator()<Interval>(); },
                         [&] { return formula.template operator()<Exact>(); }},
                max_digits);
}

/// Puts what intervals of 50 digits show of the two sides in the place of what the filter left
/// rough; the verdict and its level stay. For a decision that is not sampled.
void enclose_sides(Decision& decision, const Claim& claim, const Case& input);

/// The evidence for a verdict: enclosures of both sides with outward-rounded decimal ends.
struct Certificate {
  Decision decision;     ///< decided without the filter
  std::string lhs, rhs;  ///< midpoints, 50 significant digits; "0" of a side that is known to be 0
  std::string lhs_lower, lhs_upper, rhs_lower, rhs_upper;
};

/// Decides by intervals of at least `min_digits` digits and by exact arithmetic, climbing on until
/// the verdict is decided and both sides are known to 46 significant digits, or `max_digits` is
/// reached. Throws std::logic_error where exact arithmetic contradicts an enclosure.
Certificate certify(const Claim& claim, const Case& input, unsigned min_digits = 50,
                    unsigned max_digits = 200);

/// The evidence for a verdict on a case of which a context is at hand, as `certify` of the case:
/// several claims certified on one context share what is computed of the case.
Certificate certify(const Claim& claim, const CaseContext& context, unsigned min_digits = 50,
                    unsigned max_digits = 200);

}  // namespace attn
