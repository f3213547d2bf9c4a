#include "theory/number/interval.hpp"

#include <gtest/gtest.h>

#include "theory/tests/scalar_support.hpp"
#include "theory/tests/support.hpp"

namespace attn {
namespace {

using test::encloses;
using test::lower_of;
using test::upper_of;

template <class S>
class IntervalTest : public testing::Test {
 public:
  using Traits = ScalarTraits<S>;
  static S between(double lower, double upper) { return Traits::enclose(lower, upper); }
  static Point<S> nan() { return std::numeric_limits<Point<S>>::quiet_NaN(); }
};

using Levels = testing::Types<Interval<50>, Interval<100>, Interval<200>>;
TYPED_TEST_SUITE(IntervalTest, Levels);

TYPED_TEST(IntervalTest, BracketsRationalsExactly) {
  const auto third = from<TypeParam>(Rational(1, 3));
  EXPECT_LT(lower_of(third), Rational(1, 3));
  EXPECT_GT(upper_of(third), Rational(1, 3));
  const auto negative = from<TypeParam>(Rational(-1, 10));
  EXPECT_LT(lower_of(negative), Rational(-1, 10));
  EXPECT_GT(upper_of(negative), Rational(-1, 10));
  const auto huge = from<TypeParam>(parse_rational("1e9999"));
  EXPECT_TRUE(encloses(huge, parse_rational("1e9999")));
}

TYPED_TEST(IntervalTest, HoldsDyadicsAsPoints) {
  for (const double value : {0.0, 1.0, -0.75, 5e-324, 1e308}) {
    const auto x = from<TypeParam>(exact(value));
    EXPECT_EQ(lower_of(x), exact(value));
    EXPECT_EQ(upper_of(x), exact(value));
  }
  EXPECT_EQ(lower_of(from_count<TypeParam>(1024)), 1024);
}

TYPED_TEST(IntervalTest, ArithmeticOnRandomRationalsHoldsTheExactResult) {
  test::Random random;
  for (int trial = 0; trial < 300; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    const Rational p = random.decimal(100);
    const Rational q = random.decimal(2) + Rational(3, 7);
    const auto x = from<TypeParam>(p);
    const auto y = from<TypeParam>(q);
    EXPECT_TRUE(encloses<TypeParam>(x + y, p + q));
    EXPECT_TRUE(encloses<TypeParam>(x - y, p - q));
    EXPECT_TRUE(encloses<TypeParam>(x * y, p * q));
    EXPECT_TRUE(encloses<TypeParam>(x / y, p / q));
    EXPECT_TRUE(encloses<TypeParam>(-x, -p));
    EXPECT_TRUE(encloses<TypeParam>(abs(x), abs(p)));
    EXPECT_TRUE(encloses<TypeParam>(square(x), p * p));
    EXPECT_TRUE(encloses<TypeParam>(max(x, y), std::max(p, q)));
    EXPECT_TRUE(encloses<TypeParam>(min(x, y), std::min(p, q)));
    EXPECT_TRUE(encloses<TypeParam>(sqrt_nonnegative(square(x)), abs(p)));
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
  const auto x = sqrt_nonnegative(this->between(-1, 4));
  EXPECT_EQ(lower_of(x), 0);
  EXPECT_EQ(upper_of(x), 2);
  const auto root = sqrt_nonnegative(TypeParam(2.0));
  EXPECT_LT(lower_of(root) * lower_of(root), 2);
  EXPECT_GT(upper_of(root) * upper_of(root), 2);
}

TYPED_TEST(IntervalTest, Log1pInvertsExpm1) {
  EXPECT_EQ(lower_of(log1p(TypeParam(0.0))), 0);
  const auto e = exp(TypeParam(1.0));
  EXPECT_TRUE(encloses<TypeParam>(log1p(TypeParam(e - TypeParam(1.0))), 1));
  // log(1 + x) lies between x - x^2/2 and x, also where 1 + x rounds to 1.
  const Rational tiny = parse_rational("1e-300");
  const auto x = log1p(from<TypeParam>(tiny));
  EXPECT_LT(lower_of(x), tiny);
  EXPECT_GT(upper_of(x), tiny - tiny * tiny);
  EXPECT_GT(lower_of(x), tiny * Rational(999, 1000));
}

TYPED_TEST(IntervalTest, Expm1KeepsTheDigitsOfSmallArguments) {
  EXPECT_EQ(lower_of(expm1(TypeParam(0.0))), 0);
  EXPECT_EQ(upper_of(expm1(TypeParam(0.0))), 0);
  // exp(x) - 1 lies between x and x + x^2 for small x > 0.
  const Rational tiny = parse_rational("1e-300");
  const auto x = expm1(from<TypeParam>(tiny));
  EXPECT_GT(upper_of(x), tiny);
  EXPECT_LT(lower_of(x), tiny + tiny * tiny);
  EXPECT_LT(upper_of(x), tiny * Rational(1001, 1000));
}

TYPED_TEST(IntervalTest, LogInvertsExp) {
  EXPECT_EQ(lower_of(log_positive(TypeParam(1.0))), 0);
  EXPECT_TRUE(encloses<TypeParam>(log_positive(TypeParam(exp(TypeParam(3.0)))), 3));
}

TYPED_TEST(IntervalTest, ExpStaysAnEnclosureBeyondTheRangeOfExponents) {
  const auto huge = exp(from<TypeParam>(parse_rational("1e30")));
  EXPECT_TRUE(certainly_positive(huge));
  const auto tiny = exp(from<TypeParam>(parse_rational("-1e30")));
  EXPECT_EQ(lower_of(tiny), 0);
  EXPECT_GT(upper_of(tiny), 0);
}

TYPED_TEST(IntervalTest, DivisionByZeroDecidesNothing) {
  const TypeParam one(1.0);
  for (const auto& quotient :
       {one / TypeParam(0.0), one / this->between(-1, 1), TypeParam(0.0) / TypeParam(0.0)}) {
    EXPECT_FALSE(certainly_less(quotient, one));
    EXPECT_FALSE(certainly_less(one, quotient));
  }
}

TYPED_TEST(IntervalTest, NanPoisonsEveryComparison) {
  const TypeParam nan = TestFixture::Traits::from_point(this->nan());
  const TypeParam one(1.0);
  const TypeParam poisoned[] = {nan,
                                nan + one,
                                TypeParam(nan * TypeParam(0.0)),
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
  for (const TypeParam& x : poisoned) {
    for (const double y : {-1e300, 0.0, 1e300}) {
      EXPECT_FALSE(certainly_less(x, TypeParam(y))) << x << " < " << y;
      EXPECT_FALSE(certainly_less(TypeParam(y), x)) << y << " < " << x;
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

TEST(IntervalNesting, EachLevelLiesInTheOneBefore) {
  const auto chain = [](auto zero) {
    using S = decltype(zero);
    const S x = from<S>(Rational(1, 7));
    return S(exp(sqrt_nonnegative(x)) / log1p(x) - square(x));
  };
  const auto wide = chain(Interval<50>());
  const auto middle = chain(Interval<100>());
  const auto narrow = chain(Interval<200>());
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
