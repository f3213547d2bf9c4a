// Reference of attention_limits::engine: decides lhs <= rhs for exact numbers, of whatever field.
// It knows no attention here, no claim and no search.
//
// The target links the archives of the engine, MPFI, MPFR, GMP and fmt; its headers take those of
// Boost, Eigen and nlohmann_json too. It sets -ffp-contract=off, which the bounds of the doubles
// assume.
//
// An inequality is decided at the numbers given: that it holds for all x is not. Sides of which too
// little is known (a root of a sum of roots, logarithms that differ by less than 4,932 digits show)
// stay `undecided`.
#include <gtest/gtest.h>

#include <attention_limits/claim.hpp>
#include <stdexcept>
#include <theory/base/bad_input.hpp>

namespace {

using namespace attn;

// Rational: an exact number of any length.
//   Made of an integer, of two (1/3), of a finite double, or by parse_rational of "0.1" or "1/3".
//   Errors: std::overflow_error for a quotient by 0; parse_rational throws BadInput for other text.
TEST(Engine, Rational) {
  EXPECT_EQ(parse_rational("0.1") + parse_rational("0.2"), Rational(3, 10));
  EXPECT_NE(Rational(0.1), Rational(1, 10)) << "the double is another number";
  EXPECT_EQ(to_string(Rational(1, 3)), "1/3");
  EXPECT_THROW(parse_rational("1/0"), BadInput);
  EXPECT_THROW(Rational(1) / Rational(0), std::overflow_error);
}

// Sides<S>{lhs, rhs}: both sides of lhs <= rhs in a scalar S, which encloses each exact value.
//   S is ErrorDouble or Interval. Exact in both: from<S>(rational); S(x) is the double x.
//   Of an S there are + - * /, abs, min, max, square, exp, expm1, and with a condition on the exact
//   value sqrt_nonnegative (x >= 0), log_positive (x > 0), log1p (x >= 0), tanh_nonnegative.
//   An S has no < : a formula branches on its rational input, or on certainly_less(a, b).
template <class S>
Sides<S> growth(const Rational& n) {  // n log(1 + 1/n) <= 1
  return {from<S>(n) * log1p(from<S>(1 / n)), S(1.0)};
}

TEST(Engine, Sides) {
  const Sides<Interval> sides = growth<Interval>(2);
  EXPECT_TRUE(certainly_less(sides.lhs, sides.rhs));
  EXPECT_LT(sides.lhs.lower(), sides.lhs.upper()) << "50 digits of an irrational number";
  EXPECT_GT(from<ErrorDouble>(Rational(1, 10)).error(), 0);
}

// decide(formula, max_digits = 200): the decision on lhs <= rhs, never by a tolerance.
//   formula: []<class S>() -> Sides<S>, without effects, since it is computed at one level after
//   the other until one tells: the filter (doubles with a bound on their error), intervals of 50
//   decimal digits, exact arithmetic, and intervals of 100 and 200 digits. max_digits: the last
//   level, kFilter for the first.
//   Errors: BrokenAssumption where the thread does not round to nearest, or flushes subnormal
//   numbers.
TEST(Engine, Decide) {
  const auto level = [](const char* n) {
    const Decision decision =
        decide([&]<class S>() -> Sides<S> { return growth<S>(parse_rational(n)); });
    EXPECT_EQ(decision.verdict, Verdict::holds) << n;
    return decision.by;
  };
  EXPECT_EQ(level("2"), By::filter);
  EXPECT_EQ(level("1e30"), By::digits50) << "the sides differ by 5e-31, which no double shows";
  EXPECT_EQ(level("1e1000"), By::exact);
  const auto near = []<class S>() -> Sides<S> { return growth<S>(parse_rational("1e30")); };
  EXPECT_EQ(decide(near, kFilter).verdict, Verdict::undecided);
}

// Verdict: what is certain. Ask for the one you need: what is not `violated` need not hold.
//   holds: lhs < rhs.  violated: lhs > rhs.  equal: lhs = rhs.  undecided: neither exact arithmetic
//   nor 200 digits tell.  assumption_not_met: of claims alone.
template <class S>
S root_of_two_squared() {
  const S root = sqrt_nonnegative(S(2.0));
  return root * root;
}

TEST(Engine, Verdict) {
  using enum Verdict;
  const auto of = [](const auto& formula) { return decide(formula).verdict; };
  EXPECT_EQ(of([]<class S>() -> Sides<S> { return {exp(S(1.0)), S(2.75)}; }), holds);
  EXPECT_EQ(of([]<class S>() -> Sides<S> { return {exp(S(1.0)), S(2.5)}; }), violated);
  EXPECT_EQ(of([]<class S>() -> Sides<S> { return {root_of_two_squared<S>(), S(2.0)}; }), equal);
  EXPECT_EQ(of([]<class S>() -> Sides<S> {
              return {root_of_two_squared<S>() - S(2.0), S(0.0)};
            }),
            equal);
  EXPECT_EQ(of([]<class S>() -> Sides<S> {
              return {root_of_two_squared<S>(), S(2.0) - from<S>(parse_rational("1e-999"))};
            }),
            violated);
}

// Decision: the verdict and how it was reached.
//   verdict; by: what decided, By::filter, attained, digits50, exact, digits100 or digits200.
//   digits: of what was computed last, 0 (kFilter), 50, 100 or 200.
//   open: of an undecided one, whether the sides are known to differ.
//   lhs_bounds, rhs_bounds: doubles {lower, upper} around the exact sides, infinite where unknown.
//   lhs, rhs: approximate, for tables.  ratio_bounds(decision): around lhs/rhs, where rhs > 0.
TEST(Engine, Decision) {
  const Decision decision = decide([]<class S>() -> Sides<S> {
    return {sqrt_nonnegative(S(2.0)), S(1.5)};
  });
  const Rational lower(decision.lhs_bounds.lower);
  const Rational upper(decision.lhs_bounds.upper);
  EXPECT_LT(lower * lower, 2);
  EXPECT_GT(upper * upper, 2);
  EXPECT_LT(upper - lower, Rational(1, 1'000'000'000));
  EXPECT_NEAR(ratio_bounds(decision).upper, 0.94281, 1e-5);
}

}  // namespace
