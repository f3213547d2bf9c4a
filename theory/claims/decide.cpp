#include "theory/claims/decide.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <type_traits>

#include "theory/attention/case_context.hpp"
#include "theory/number/ground.hpp"
#include "theory/number/interval.hpp"
#include "theory/number/scalar.hpp"

namespace attn {
namespace {

/// Digits that the decimal strings of a certificate show, and how many of them must be known.
constexpr int kShownDigits = 50;
constexpr int kKnownDigits = 46;
/// Two sides that overlap at the cap are `equal` where they differ by less than 10^-190 relative.
constexpr int kEqualDigits = 190;
/// Where 50 digits show that they differ by less than this, they are nearly always equal: 100
/// digits would show nothing but that.
constexpr int kNearlyEqualDigits = 40;

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
  if constexpr (std::is_same_v<S, Interval>) {
    const bool is_cap = WorkingDigits::now() == kCapDigits;
    if (is_cap && agree_to(sides.lhs, sides.rhs, kEqualDigits)) return Verdict::equal;
  }
  return Verdict::undecided;
}

/// Of an exact value whose enclosure has these ends, but for the rounding of each to double.
template <class Point>
Bounds rounded_outwards(const Point& lower, const Point& upper) {
  return {.lower = -next_above(-static_cast<double>(lower)),
          .upper = next_above(static_cast<double>(upper))};
}

/// Of a computed side. One that has overflowed may be any number.
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

template <class S>
Decision decision_of(const Sides<S>& sides, unsigned digits) {
  using Traits = ScalarTraits<S>;
  Decision decision;
  decision.verdict = compare(sides);
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

/// What the intervals say of the two sides, and where they overlap, what the claim knows.
class Judge {
 public:
  Judge(const Claim& claim, const CaseContext& problem) : claim_(claim), problem_(problem) {}

  template <class S>
  Decision operator()(const Sides<S>& sides, unsigned digits) {
    Decision decision = decision_of(sides, digits);
    if (decision.verdict == Verdict::undecided && is_attained()) decision.verdict = Verdict::equal;
    if (decision.verdict == Verdict::undecided && problem_.sampled() && touch(sides)) {
      decision.verdict = Verdict::holds;
    }
    return decision;
  }

  /// What the claim knows exactly; asked only where the sides overlap.
  bool is_attained() {
    if (!attained_) attained_ = claim_.attained != nullptr && claim_.attained(problem_);
    return *attained_;
  }

 private:
  const Claim& claim_;
  const CaseContext& problem_;
  std::optional<bool> attained_;
};

/// By a confidence interval, with more draws until it decides. More digits narrow no such interval,
/// but they show its ends exactly.
Decision decide_sampled(const Claim& claim, const CaseContext& problem) {
  const WidestExponents widest;
  const WorkingDigits working(kLadder[0]);
  Decision decision = Judge(claim, problem)(claim.evaluators->enclose(problem), kLadder[0]);
  while (decision.verdict == Verdict::undecided && problem.draw_more()) {
    decision = filter(claim.evaluators->filter(problem));
  }
  decision.sampled = true;
  return decision;
}

std::string_view unmet_hypothesis(const Claim& claim, const CaseContext& problem) {
  return claim.unmet == nullptr ? std::string_view{} : claim.unmet(problem);
}

/// The levels between `least` and `most` digits; with `skips`, 200 come after 50 where the sides
/// are nearly equal.
struct Levels {
  unsigned least, most;
  bool skips;
};

/// Calls `visit(enclose(), digits)` at each level until it returns true.
template <class Enclose, class Visit>
void climb(const Enclose& enclose, const Levels& levels, Visit visit) {
  const WidestExponents widest;
  bool nearly_equal = false;
  const auto level = [&](unsigned digits) {
    if (digits < levels.least || digits > levels.most) return false;
    const WorkingDigits working(working_digits(digits));
    const Sides<Interval> sides = enclose();
    if (visit(sides, digits)) return true;
    const bool may_skip = levels.skips && levels.most >= kLadder[2];
    nearly_equal = may_skip && agree_to(sides.lhs, sides.rhs, kNearlyEqualDigits);
    return false;
  };
  if (level(kLadder[0])) return;
  if (!nearly_equal && level(kLadder[1])) return;
  level(kLadder[2]);
}

/// The sides of a claim, with all the draws that an expectation can have: of what the filter asks
/// for before any side is enclosed.
Sides<Interval> enclosed(const Claim& claim, const CaseContext& problem) {
  // Asks for the expectation, so that it can be drawn.
  if (average_of(problem.input().kind) != Average::none) claim.evaluators->filter(problem);
  while (problem.draw_more()) continue;
  auto sides = claim.evaluators->enclose(problem);
  while (problem.draw_more()) sides = claim.evaluators->enclose(problem);
  return sides;
}

/// x to kShownDigits significant digits, rounded as `rounding` says: positional where that is short
/// enough to read, scientific elsewhere.
std::string decimal(mpfr_srcptr x, mpfr_rnd_t rounding) {
  char* text = nullptr;
  if (mpfr_zero_p(x) != 0) return "0";
  const bool finite = mpfr_number_p(x) != 0;
  constexpr double kLog10Of2 = 0.30102999566398120;
  // Only numbers near 1 are written positionally; the others' exponents may be beyond an int.
  constexpr double kFarOut = 1e6;
  const double power = finite ? static_cast<double>(mpfr_get_exp(x) - 1) * kLog10Of2 : 0;
  const int magnitude = static_cast<int>(std::floor(std::clamp(power, -kFarOut, kFarOut)));
  if (finite && magnitude > -20 && magnitude < kShownDigits - 2) {
    mpfr_asprintf(&text, "%.*R*f", kShownDigits - 1 - magnitude, rounding, x);
  } else {
    mpfr_asprintf(&text, "%.*R*e", kShownDigits - 1, rounding, x);
  }
  const std::unique_ptr<char, decltype(&mpfr_free_str)> owner(text, &mpfr_free_str);
  return text;
}

bool known(const Interval& x) {
  return x.upper() - x.lower() <= abs(x.middle()) * pow(Interval::End(10), -kKnownDigits);
}

std::string middle_of(const Interval& x) {
  return decimal(x.middle().backend().data(), MPFR_RNDN);
}

std::string lower_of(const Interval& x) {
  return decimal(&x.data()->left, MPFR_RNDD);
}

std::string upper_of(const Interval& x) {
  return decimal(&x.data()->right, MPFR_RNDU);
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

Decision decide(const Claim& claim, const CaseContext& problem, unsigned max_digits) {
  Decision decision;
  decision.unmet = unmet_hypothesis(claim, problem);
  if (!decision.unmet.empty()) {
    decision.verdict = Verdict::assumption_not_met;
    return decision;
  }
  decision = filter(claim.evaluators->filter(problem));
  decision.sampled = problem.sampled();
  if (decision.verdict != Verdict::undecided) return decision;
  if (decision.sampled) return decide_sampled(claim, problem);
  Judge judge(claim, problem);
  if (std::isfinite(decision.lhs) && std::isfinite(decision.rhs) && judge.is_attained()) {
    decision.verdict = Verdict::equal;
    return decision;
  }
  const Levels levels{.least = kLadder[0], .most = max_digits, .skips = true};
  const auto enclose = [&] { return enclosed(claim, problem); };
  climb(enclose, levels, [&](const auto& sides, unsigned digits) {
    decision = judge(sides, digits);
    return decision.verdict != Verdict::undecided;
  });
  return decision;
}

Decision decide(const std::function<Sides<ErrorDouble>()>& rough,
                const std::function<Sides<Interval>()>& enclose, unsigned max_digits) {
  Decision decision = filter(rough());
  if (decision.verdict != Verdict::undecided) return decision;
  const Levels levels{.least = kLadder[0], .most = max_digits, .skips = true};
  climb(enclose, levels, [&](const auto& sides, unsigned digits) {
    decision = decision_of(sides, digits);
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
  const CaseContext problem(input);
  Certificate result;
  result.decision.unmet = unmet_hypothesis(claim, problem);
  if (!result.decision.unmet.empty()) {
    result.decision.verdict = Verdict::assumption_not_met;
    return result;
  }
  Judge judge(claim, problem);
  const Levels levels{.least = min_digits, .most = max_digits, .skips = false};
  const auto enclose = [&] { return enclosed(claim, problem); };
  climb(enclose, levels, [&](const auto& sides, unsigned digits) {
    if (result.decision.verdict == Verdict::undecided) {
      result.decision = judge(sides, digits);
      result.decision.sampled = problem.sampled();
    }
    result.lhs = middle_of(sides.lhs);
    result.rhs = middle_of(sides.rhs);
    result.lhs_lower = lower_of(sides.lhs);
    result.lhs_upper = upper_of(sides.lhs);
    result.rhs_lower = lower_of(sides.rhs);
    result.rhs_upper = upper_of(sides.rhs);
    if (problem.sampled()) return true;
    return result.decision.verdict != Verdict::undecided && known(sides.lhs) && known(sides.rhs);
  });
  return result;
}

}  // namespace attn
