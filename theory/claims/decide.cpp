#include "theory/claims/decide.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "theory/attention/case_context.hpp"
#include "theory/claims/decimal.hpp"
#include "theory/claims/exact_order.hpp"
#include "theory/claims/shared_case.hpp"
#include "theory/number/interval.hpp"
#include "theory/number/machine_assumptions.hpp"
#include "theory/number/scalar.hpp"

namespace attn {
namespace {

/// Boost computes the limits of a number type at their first use, into statics that nothing guards
/// against a second thread, which may then read an epsilon of 0 and never get away from it. What
/// Boost itself computes before main() are those of numbers with expression templates, not ours.
[[maybe_unused]] const bool kLimitsAreComputed = [] {
  using Limits = std::numeric_limits<Interval::End>;
  Limits::epsilon();
  Limits::round_error();
  (Limits::min)();
  (Limits::max)();
  Limits::infinity();
  Limits::quiet_NaN();
  return true;
}();

bool is_point(const ErrorDouble& x) {
  return x.error() == 0;
}

bool is_point(const Interval& x) {
  return x.lower() == x.upper();
}

template <class S>
Verdict compare(const Sides<S>& sides) {
  if (certainly_less(sides.lhs, sides.rhs)) return Verdict::holds;
  if (certainly_less(sides.rhs, sides.lhs)) return Verdict::violated;
  using Traits = ScalarTraits<S>;
  if (is_point(sides.lhs) && is_point(sides.rhs) &&
      Traits::lower(sides.lhs) == Traits::lower(sides.rhs)) {
    return Verdict::equal;  // both sides known exactly
  }
  return Verdict::undecided;
}

/// The bounds of an exact value in double: the ends of its enclosure, each rounded to double and
/// moved outwards.
template <class Point>
Bounds rounded_outwards(const Point& lower, const Point& upper) {
  return {.lower = -next_above(-static_cast<double>(lower)),
          .upper = next_above(static_cast<double>(upper))};
}

/// The bounds of a computed side. One that has overflowed may be any number.
template <class S>
Bounds bounds_of(const S& side) {
  using Traits = ScalarTraits<S>;
  Bounds bounds;
  if constexpr (std::is_same_v<S, ErrorDouble>) {
    bounds = is_point(side) ? Bounds{.lower = side.value(), .upper = side.value()}
                            : Bounds{.lower = side.lower(), .upper = side.upper()};
  } else {
    bounds = rounded_outwards(Traits::lower(side), Traits::upper(side));
  }
  if (bounds.lower <= bounds.upper) return bounds;
  return {.lower = -kInfinity, .upper = kInfinity};
}

By by_digits(unsigned digits) {
  if (digits == kFilter) return By::filter;
  if (digits == kLadder[0]) return By::digits50;
  return digits == kLadder[1] ? By::digits100 : By::digits200;
}

template <class S>
Decision decision_of(const Sides<S>& sides, unsigned digits) {
  using Traits = ScalarTraits<S>;
  Decision decision;
  decision.verdict = compare(sides);
  decision.by = by_digits(digits);
  decision.digits = digits;
  decision.lhs = static_cast<double>(Traits::middle(sides.lhs));
  decision.rhs = static_cast<double>(Traits::middle(sides.rhs));
  decision.lhs_bounds = bounds_of(sides.lhs);
  decision.rhs_bounds = bounds_of(sides.rhs);
  return decision;
}

/// Whether one side ends at most where the other begins. So may a confidence interval that ends in
/// the bound itself: a share is at least 0 and at most 1.
template <class S>
bool touch(const Sides<S>& sides) {
  return ScalarTraits<S>::upper(sides.lhs) <= ScalarTraits<S>::lower(sides.rhs);
}

/// What exact arithmetic makes of a decision that intervals left open.
void decide_exactly(Decision& decision, ExactOrder& exact, const Sides<Interval>& sides) {
  using symbolic::Order;
  const Order order = exact.order(sides);
  decision.open = order == Order::different ? Open::order : Open::nothing;
  if (order == Order::different || order == Order::unknown) return;
  decision.by = By::exact;
  decision.verdict = order == Order::less      ? Verdict::holds
                     : order == Order::greater ? Verdict::violated
                                               : Verdict::equal;
}

/// What the intervals say of the two sides, and where they overlap, what the claim knows and exact
/// arithmetic.
class Judge {
 public:
  Judge(const Claim& claim, const CaseContext& context, std::size_t budget)
      : claim_(claim), context_(context), budget_(budget) {}

  Decision operator()(const Sides<Interval>& sides, unsigned digits) {
    Decision decision = decision_of(sides, digits);
    if (decision.verdict == Verdict::undecided && is_attained()) {
      decision.verdict = Verdict::equal;
      decision.by = By::attained;
    }
    if (decision.verdict == Verdict::undecided && context_.sampled() && touch(sides)) {
      decision.verdict = Verdict::holds;
    }
    if (decision.verdict == Verdict::undecided && !context_.sampled()) {
      decide_exactly(decision, exact(digits == kLadder[2] ? most_work() : budget_), sides);
    }
    return decision;
  }

  /// What the claim knows exactly; asked only where the sides overlap.
  bool is_attained() {
    if (!attained_) attained_ = claim_.attained != nullptr && claim_.attained(context_);
    return *attained_;
  }

  /// The enclosures, of a verdict that is reached, with what else is known of the sides: that one
  /// is 0, or that they are equal, and, where no more digits are to come, what exact arithmetic
  /// knows of them. Throws std::logic_error where they contradict the verdict.
  Sides<Interval> refined(Sides<Interval> sides, Verdict verdict, unsigned digits) {
    if (context_.sampled()) return sides;
    const Verdict seen = compare(sides);
    if (seen != Verdict::undecided && verdict != Verdict::undecided && seen != verdict) {
      throw std::logic_error("enclosures contradict a verdict");
    }
    if (holds_zero(sides.lhs) && exact(budget_).lhs_is_zero()) sides.lhs = Interval(0.0);
    if (holds_zero(sides.rhs) && exact(budget_).rhs_is_zero()) sides.rhs = Interval(0.0);
    const bool is_last = digits == kLadder[2];
    if (is_last && !(is_known(sides.lhs) && is_known(sides.rhs))) {
      sides = exact(budget_).narrowed(sides);
    }
    if (verdict == Verdict::equal) sides.lhs = sides.rhs = common(sides.lhs, sides.rhs);
    return sides;
  }

 private:
  /// The work that a case has which no digits decide. Of rows of many tokens, as models have them,
  /// all of it would seldom be enough.
  [[nodiscard]] std::size_t most_work() const {
    constexpr std::size_t kManyTokens = 64;
    return context_.tokens() > kManyTokens ? budget_ : kWorkOfOne;
  }
  /// The order by exact arithmetic with at least so much work: asked anew, where it has been asked
  /// with less.
  ExactOrder& exact(std::size_t budget) {
    if (!exact_ || budget > budget_) exact_.emplace(claim_, context_.input(), budget);
    budget_ = std::max(budget, budget_);
    return *exact_;
  }
  static bool holds_zero(const Interval& x) {
    return !is_point(x) && x.lower() <= 0 && x.upper() >= 0;
  }
  /// What lies in both.
  static Interval common(const Interval& x, const Interval& y) {
    return Interval::enclose(std::max(x.lower(), y.lower()), std::min(x.upper(), y.upper()));
  }

  const Claim& claim_;
  const CaseContext& context_;
  std::size_t budget_;
  std::optional<ExactOrder> exact_;
  std::optional<bool> attained_;
};

/// By a confidence interval, with more draws until it decides. More digits narrow no such interval,
/// but they show its ends exactly.
Decision decide_sampled(const Claim& claim, const CaseContext& context) {
  const WidestExponents widest;
  const WorkingDigits working(kLadder[0]);
  Decision decision =
      Judge(claim, context, kWorkOfSearch)(claim.evaluators->enclose(context), kLadder[0]);
  while (decision.verdict == Verdict::undecided && context.draw_more()) {
    decision = filter(claim.evaluators->filter(context));
  }
  decision.sampled = true;
  return decision;
}

/// What the hypotheses decide: nothing where all are met, else assumption not met; undecided where
/// it is not known of one.
std::optional<Decision> outside(const Claim& claim, const CaseContext& context) {
  if (claim.unmet == nullptr) return std::nullopt;
  Decision decision;
  try {
    decision.unmet = claim.unmet(context);
    if (decision.unmet.empty()) return std::nullopt;
    decision.verdict = Verdict::assumption_not_met;
  } catch (const BeyondExact&) {
    decision.verdict = Verdict::undecided;
  }
  return decision;
}

/// The levels between `least` and `most` digits.
struct Levels {
  unsigned least, most;
};

/// Calls `visit(enclose(), digits)` at each level until it returns true.
template <class Enclose, class Visit>
void climb(const Enclose& enclose, const Levels& levels, Visit visit) {
  const WidestExponents widest;
  for (const unsigned digits : kLadder) {
    if (digits < levels.least || digits > levels.most) continue;
    const WorkingDigits working(working_digits(digits));
    if (visit(enclose(), digits)) return;
  }
}

/// The sides of a claim, with all the draws that an expectation can have: of what the filter asks
/// for before any side is enclosed.
Sides<Interval> enclosed(const Claim& claim, const CaseContext& context) {
  // Asks for the expectation, so that it can be drawn.
  if (average_of(context.input().kind) != Average::none) claim.evaluators->filter(context);
  while (context.draw_more()) continue;
  auto sides = claim.evaluators->enclose(context);
  while (context.draw_more()) sides = claim.evaluators->enclose(context);
  return sides;
}

}  // namespace

Bounds ratio_bounds(const Decision& decision) {
  const auto& [least, most] = decision.lhs_bounds;
  const auto& [least_divisor, most_divisor] = decision.rhs_bounds;
  if (least_divisor <= 0) return {.lower = -kInfinity, .upper = kInfinity};
  return rounded_outwards(least / (least < 0 ? least_divisor : most_divisor),
                          most / (most < 0 ? most_divisor : least_divisor));
}

Decision filter(const Sides<ErrorDouble>& sides) {
  check_floating_point();
  return decision_of(sides, kFilter);
}

Decision decide(const Claim& claim, const Case& input, unsigned max_digits) {
  return decide(claim, CaseContext(input), max_digits);
}

Decision decide(const Claim& claim, const CaseContext& context, unsigned max_digits) {
  if (const auto unmet = outside(claim, context)) return *unmet;
  Decision decision = filter(claim.evaluators->filter(context));
  decision.sampled = context.sampled();
  if (decision.verdict != Verdict::undecided) return decision;
  if (decision.sampled) return decide_sampled(claim, context);
  Judge judge(claim, context, kWorkOfSearch);
  if (std::isfinite(decision.lhs) && std::isfinite(decision.rhs) && judge.is_attained()) {
    decision.verdict = Verdict::equal;
    decision.by = By::attained;
    return decision;
  }
  const Levels levels{.least = kLadder[0], .most = max_digits};
  const auto enclose = [&] { return enclosed(claim, context); };
  climb(enclose, levels, [&](const auto& sides, unsigned digits) {
    decision = judge(sides, digits);
    return decision.verdict != Verdict::undecided;
  });
  return decision;
}

Decision decide(const AnySides& any, unsigned max_digits) {
  Decision decision = filter(any.rough());
  if (decision.verdict != Verdict::undecided) return decision;
  ExactOrder exact(any.exact, kWorkOfOne);
  const Levels levels{.least = kLadder[0], .most = max_digits};
  climb(any.enclose, levels, [&](const auto& sides, unsigned digits) {
    decision = decision_of(sides, digits);
    if (decision.verdict == Verdict::undecided) decide_exactly(decision, exact, sides);
    return decision.verdict != Verdict::undecided;
  });
  return decision;
}

void enclose_sides(Decision& decision, const Claim& claim, const Case& input) {
  const WidestExponents widest;
  const WorkingDigits working(kLadder[0]);
  const Decision known = decision_of(claim.evaluators->enclose(CaseContext(input)), kLadder[0]);
  decision.lhs = known.lhs;
  decision.rhs = known.rhs;
  decision.lhs_bounds = known.lhs_bounds;
  decision.rhs_bounds = known.rhs_bounds;
}

Certificate certify(const Claim& claim, const Case& input, unsigned min_digits,
                    unsigned max_digits) {
  return certify(claim, CaseContext(input), min_digits, max_digits);
}

Certificate SharedCase::certify(const Claim& claim, const Case& input) {
  // What is drawn for one claim is more than another would draw by itself.
  const bool is_latest = latest_ && !latest_->context.sampled() && latest_->input == input;
  if (!is_latest) latest_ = std::make_unique<Latest>(input);
  return attn::certify(claim, latest_->context);
}

Certificate certify(const Claim& claim, const CaseContext& context, unsigned min_digits,
                    unsigned max_digits) {
  Certificate result;
  if (const auto unmet = outside(claim, context)) {
    result.decision = *unmet;
    return result;
  }
  Judge judge(claim, context, kWorkOfOne);
  const Levels levels{.least = min_digits, .most = max_digits};
  const auto enclose = [&] { return enclosed(claim, context); };
  climb(enclose, levels, [&](const auto& enclosures, unsigned digits) {
    if (result.decision.verdict == Verdict::undecided) {
      result.decision = judge(enclosures, digits);
      result.decision.sampled = context.sampled();
    }
    const Sides<Interval> sides = judge.refined(enclosures, result.decision.verdict, digits);
    result.lhs = middle_of(sides.lhs);
    result.rhs = middle_of(sides.rhs);
    result.lhs_lower = lower_of(sides.lhs);
    result.lhs_upper = upper_of(sides.lhs);
    result.rhs_lower = lower_of(sides.rhs);
    result.rhs_upper = upper_of(sides.rhs);
    if (context.sampled()) return true;
    return result.decision.verdict != Verdict::undecided && is_known(sides.lhs) &&
           is_known(sides.rhs);
  });
  return result;
}

}  // namespace attn
