#include "theory/number/interval.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <thread>

#include "theory/tests/scalar_support.hpp"
#include "theory/tests/support.hpp"

namespace attn {
namespace {

using test::encloses;
using test::lower_of;
using test::upper_of;

template <class L>
class IntervalTest : public test::LevelTest<L> {
 public:
  using Traits = ScalarTraits<Interval>;
  static Interval between(double lower, double upper) { return Traits::enclose(lower, upper); }
  static Interval::End nan() { return std::numeric_limits<Interval::End>::quiet_NaN(); }
};

using Levels = testing::Types<test::Level<Interval, 50>, test::Level<Interval, 100>,
                              test::Level<Interval, kCapDigits>>;
TYPED_TEST_SUITE(IntervalTest, Levels);

TYPED_TEST(IntervalTest, BracketsRationalsExactly) {
  using S = typename TypeParam::Scalar;
  const auto third = from<S>(Rational(1, 3));
  EXPECT_LT(lower_of(third), Rational(1, 3));
  EXPECT_GT(upper_of(third), Rational(1, 3));
  const auto negative = from<S>(Rational(-1, 10));
  EXPECT_LT(lower_of(negative), Rational(-1, 10));
  EXPECT_GT(upper_of(negative), Rational(-1, 10));
  const auto huge = from<S>(parse_rational("1e9999"));
  EXPECT_TRUE(encloses(huge, parse_rational("1e9999")));
}

TYPED_TEST(IntervalTest, HoldsDyadicsAsPoints) {
  using S = typename TypeParam::Scalar;
  for (const double value : {0.0, 1.0, -0.75, 5e-324, 1e308}) {
    const auto x = from<S>(exact(value));
    EXPECT_EQ(lower_of(x), exact(value));
    EXPECT_EQ(upper_of(x), exact(value));
  }
  EXPECT_EQ(lower_of(from_count<S>(1024)), 1024);
}

TYPED_TEST(IntervalTest, OfEndsInTheWrongOrderBoundsNothing) {
  const Interval wrong = TestFixture::between(2, 1);
  EXPECT_FALSE(certainly_less(wrong, Interval(3)));
  EXPECT_FALSE(certainly_less(Interval(0), wrong));
  using Doubles = ScalarTraits<ErrorDouble>;
  EXPECT_FALSE(certainly_less(Doubles::enclose(2, 1), ErrorDouble(3)));
  EXPECT_FALSE(certainly_less(ErrorDouble(0), Doubles::enclose(2, 1)));
}

TYPED_TEST(IntervalTest, ArithmeticOnRandomRationalsHoldsTheExactResult) {
  using S = typename TypeParam::Scalar;
  test::Random random;
  for (int trial = 0; trial < 300; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    const Rational p = random.decimal(100);
    const Rational q = random.decimal(2) + Rational(3, 7);
    const auto x = from<S>(p);
    const auto y = from<S>(q);
    EXPECT_TRUE(encloses<S>(x + y, p + q));
    EXPECT_TRUE(encloses<S>(x - y, p - q));
    EXPECT_TRUE(encloses<S>(x * y, p * q));
    EXPECT_TRUE(encloses<S>(x / y, p / q));
    EXPECT_TRUE(encloses<S>(-x, -p));
    EXPECT_TRUE(encloses<S>(abs(x), abs(p)));
    EXPECT_TRUE(encloses<S>(square(x), p * p));
    EXPECT_TRUE(encloses<S>(max(x, y), std::max(p, q)));
    EXPECT_TRUE(encloses<S>(min(x, y), std::min(p, q)));
    EXPECT_TRUE(encloses<S>(sqrt_nonnegative(square(x)), abs(p)));
  }
}

TYPED_TEST(IntervalTest, SquareHasNoNegativePart) {
  const auto x = square(this->between(-1, 2));
  EXPECT_EQ(lower_of(x), 0);
  EXPECT_EQ(upper_of(x), 4);
  EXPECT_EQ(lower_of(square(this->between(-3, -2))), 4);
}

TYPED_TEST(IntervalTest, MaxAndMinTakeTheEndsApart) {
  const auto x = this->between(-1, 4);
  const auto y = this->between(2, 3);
  EXPECT_EQ(lower_of(max(x, y)), 2);
  EXPECT_EQ(upper_of(max(x, y)), 4);
  EXPECT_EQ(lower_of(min(x, y)), -1);
  EXPECT_EQ(upper_of(min(x, y)), 3);
}

TYPED_TEST(IntervalTest, SquareRootCutsTheNegativePartOff) {
  using S = typename TypeParam::Scalar;
  const auto x = sqrt_nonnegative(this->between(-1, 4));
  EXPECT_EQ(lower_of(x), 0);
  EXPECT_EQ(upper_of(x), 2);
  const auto root = sqrt_nonnegative(S(2.0));
  EXPECT_LT(lower_of(root) * lower_of(root), 2);
  EXPECT_GT(upper_of(root) * upper_of(root), 2);
}

TYPED_TEST(IntervalTest, ExpStaysAnEnclosureBeyondTheRangeOfExponents) {
  using S = typename TypeParam::Scalar;
  const auto huge = exp(from<S>(parse_rational("1e30")));
  EXPECT_TRUE(certainly_positive(huge));
  const auto tiny = exp(from<S>(parse_rational("-1e30")));
  EXPECT_EQ(lower_of(tiny), 0);
  EXPECT_GT(upper_of(tiny), 0);
}

/// Ends and signs of zeros alike.
bool same(const Interval& x, const Interval& y) {
  const auto same_end = [](mpfr_srcptr a, mpfr_srcptr b) {
    return mpfr_nan_p(a) != 0 ? mpfr_nan_p(b) != 0
                              : mpfr_equal_p(a, b) != 0 && mpfr_signbit(a) == mpfr_signbit(b);
  };
  return same_end(&x.data()->left, &y.data()->left) && same_end(&x.data()->right, &y.data()->right);
}

TYPED_TEST(IntervalTest, FunctionsOfOneNumberAreThoseOfBothItsEnds) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto expect = [](Interval (*function)(const Interval&),
                         int (*by_ends)(mpfi_ptr, mpfi_srcptr), double value) {
    const Interval x(value);
    Interval expected;
    by_ends(expected.data(), x.data());
    EXPECT_TRUE(same(function(x), expected)) << value << ": " << function(x) << ' ' << expected;
  };
  for (const double value : {0.0, 1.0, -1.0, 0.75, -3.25, 1e-300, -1e-300, 700.0, 1e30, -1e30,
                             kInfinity, -kInfinity, std::nan("")}) {
    expect(&exp, &mpfi_exp, value);
    expect(&expm1, &mpfi_expm1, value);
    expect(&log1p, &mpfi_log1p, value);
    expect(&log_positive, &mpfi_log, value);
  }
}

TYPED_TEST(IntervalTest, WhatIsComputedInPlaceIsTheSame) {
  const Interval x = Interval(1.0) / Interval(3.0);
  const Interval y(0.7);
  const auto copy = [&] { return Interval(x); };
  EXPECT_TRUE(same(copy() + y, x + y));
  EXPECT_TRUE(same(copy() - y, x - y));
  EXPECT_TRUE(same(copy() * y, x * y));
  EXPECT_TRUE(same(copy() / y, x / y));
}

TYPED_TEST(IntervalTest, DivisionByZeroDecidesNothing) {
  using S = typename TypeParam::Scalar;
  const S one(1.0);
  for (const auto& quotient : {one / S(0.0), one / this->between(-1, 1), S(0.0) / S(0.0)}) {
    EXPECT_FALSE(certainly_less(quotient, one));
    EXPECT_FALSE(certainly_less(one, quotient));
  }
}

TYPED_TEST(IntervalTest, NanPoisonsEveryComparison) {
  using S = typename TypeParam::Scalar;
  const S nan = TestFixture::Traits::from_point(this->nan());
  const S one(1.0);
  const S poisoned[] = {nan,
                        nan + one,
                        S(nan * S(0.0)),
                        max(nan, one),
                        max(one, nan),
                        min(nan, one),
                        min(one, nan),
                        abs(max(nan, one)),
                        square(nan),
                        exp(nan),
                        sqrt_nonnegative(nan),
                        sqrt_nonnegative(this->between(-2, -1)),
                        log1p(this->between(-3, 1)),
                        expm1(nan),
                        log_positive(this->between(-3, 1)),
                        TestFixture::Traits::enclose(this->nan(), 1),
                        TestFixture::Traits::enclose(0, this->nan())};
  for (const S& x : poisoned) {
    for (const double y : {-1e300, 0.0, 1e300}) {
      EXPECT_FALSE(certainly_less(x, S(y))) << x << " < " << y;
      EXPECT_FALSE(certainly_less(S(y), x)) << y << " < " << x;
    }
    EXPECT_FALSE(certainly_positive(x)) << x;
    EXPECT_FALSE(certainly_negative(x)) << x;
  }
}

TYPED_TEST(IntervalTest, TouchingIntervalsDoNotCompare) {
  EXPECT_FALSE(certainly_less(this->between(0, 1), this->between(1, 2)));
  EXPECT_TRUE(certainly_less(this->between(0, 1), this->between(1.5, 2)));
  EXPECT_FALSE(certainly_positive(this->between(0, 1)));
  EXPECT_FALSE(certainly_negative(this->between(-1, 0)));
}

TEST(WorkingDigits, AreThoseOfTheInnermostScope) {
  EXPECT_EQ(WorkingDigits::now(), 50U);
  {
    const WorkingDigits outer(100);
    {
      const WorkingDigits inner(kCapDigits);
      EXPECT_EQ(WorkingDigits::now(), kCapDigits);
    }
    EXPECT_EQ(WorkingDigits::now(), 100U);
    unsigned elsewhere = 0;
    std::jthread([&] { elsewhere = WorkingDigits::now(); }).join();
    EXPECT_EQ(elsewhere, 50U) << "a scope is of one thread";
  }
  EXPECT_EQ(WorkingDigits::now(), 50U);
  EXPECT_THROW(const WorkingDigits none(0), std::logic_error);
  EXPECT_THROW(const WorkingDigits beyond(kCapDigits + 1), std::logic_error);
}

TEST(WorkingDigits, ACopyKeepsWhatItWasMadeOf) {
  Interval fine;
  {
    const WorkingDigits working(200);
    fine = from<Interval>(Rational(1, 7));
  }
  const Interval copy = fine;
  Interval assigned(1.0);
  assigned = fine;
  Interval& same = assigned;
  assigned = same;
  for (const Interval& x : {copy, assigned}) {
    EXPECT_EQ(lower_of(x), lower_of(fine));
    EXPECT_EQ(upper_of(x), upper_of(fine));
  }
  EXPECT_LT(test::relative_width(copy), 1e-198);
  EXPECT_GT(test::relative_width(Interval(copy + Interval(0.0))), 1e-53) << "of 50 digits";
}

TEST(IntervalNesting, EachLevelLiesInTheOneBefore) {
  const auto chain = [](unsigned digits) {
    const WorkingDigits working(digits);
    const auto x = from<Interval>(Rational(1, 7));
    return exp(sqrt_nonnegative(x)) / log1p(x) - square(x);
  };
  const Interval wide = chain(50);
  const Interval middle = chain(100);
  const Interval narrow = chain(200);
  EXPECT_LT(lower_of(wide), lower_of(middle));
  EXPECT_LT(lower_of(middle), lower_of(narrow));
  EXPECT_LT(lower_of(narrow), upper_of(narrow));
  EXPECT_LT(upper_of(narrow), upper_of(middle));
  EXPECT_LT(upper_of(middle), upper_of(wide));
  EXPECT_LT(test::relative_width(wide), 1e-48);
  EXPECT_LT(test::relative_width(middle), 1e-98);
  EXPECT_LT(test::relative_width(narrow), 1e-198);
}

}  // namespace
}  // namespace attn
