#include "theory/number/interval.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <thread>
#include <vector>

#include "theory/tests/scalar_support.hpp"
#include "theory/tests/support.hpp"

namespace attn {
namespace {

using test::encloses;
using test::lower_of;
using test::upper_of;

using Traits = ScalarTraits<Interval>;
using S = Interval;

S between(double lower, double upper) {
  return Traits::enclose(lower, upper);
}

/// Works with so many digits.
class IntervalTest : public testing::TestWithParam<unsigned> {
 private:
  const WorkingDigits working_{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Digits, IntervalTest, testing::Values(50, 100, kCapDigits));

TEST_P(IntervalTest, HoldsDyadicsAsPoints) {
  for (const double value : {0.0, 1.0, -0.75, 5e-324, 1e308}) {
    const auto x = from<S>(exact(value));
    EXPECT_EQ(lower_of(x), exact(value));
    EXPECT_EQ(upper_of(x), exact(value));
  }
  EXPECT_EQ(lower_of(from_count<S>(1024)), 1024);
  const Rational huge = parse_rational("1e9999");
  EXPECT_TRUE(encloses(from<S>(huge), huge));
}

TEST_P(IntervalTest, OfEndsInTheWrongOrderBoundsNothing) {
  const Interval wrong = between(2, 1);
  EXPECT_FALSE(certainly_less(wrong, Interval(3)));
  EXPECT_FALSE(certainly_less(Interval(0), wrong));
  using Doubles = ScalarTraits<ErrorDouble>;
  EXPECT_FALSE(certainly_less(Doubles::enclose(2, 1), ErrorDouble(3)));
  EXPECT_FALSE(certainly_less(ErrorDouble(0), Doubles::enclose(2, 1)));
}

TEST_P(IntervalTest, ArithmeticOnRandomRationalsHoldsTheExactResult) {
  test::Random random;
  for (int trial = 0; trial < 300; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    const Rational p = random.decimal(100);
    const Rational q = random.decimal(2) + Rational(3, 7);
    const auto x = from<S>(p);
    const auto y = from<S>(q);
    EXPECT_TRUE(encloses<S>(x, p));
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

TEST_P(IntervalTest, SquareHasNoNegativePart) {
  const auto x = square(between(-1, 2));
  EXPECT_EQ(lower_of(x), 0);
  EXPECT_EQ(upper_of(x), 4);
  EXPECT_EQ(lower_of(square(between(-3, -2))), 4);
}

TEST_P(IntervalTest, MaxAndMinTakeTheEndsApart) {
  const auto x = between(-1, 4);
  const auto y = between(2, 3);
  EXPECT_EQ(lower_of(max(x, y)), 2);
  EXPECT_EQ(upper_of(max(x, y)), 4);
  EXPECT_EQ(lower_of(min(x, y)), -1);
  EXPECT_EQ(upper_of(min(x, y)), 3);
}

TEST_P(IntervalTest, SquareRootCutsTheNegativePartOff) {
  const auto x = sqrt_nonnegative(between(-1, 4));
  EXPECT_EQ(lower_of(x), 0);
  EXPECT_EQ(upper_of(x), 2);
  const auto root = sqrt_nonnegative(S(2.0));
  EXPECT_LT(lower_of(root) * lower_of(root), 2);
  EXPECT_GT(upper_of(root) * upper_of(root), 2);
}

TEST_P(IntervalTest, ExpStaysAnEnclosureBeyondTheRangeOfExponents) {
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

TEST_P(IntervalTest, FunctionsOfOneNumberAreThoseOfBothItsEnds) {
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

TEST_P(IntervalTest, WhatIsComputedInPlaceIsTheSame) {
  const Interval x = Interval(1.0) / Interval(3.0);
  const Interval y(0.7);
  const auto copy = [&] { return Interval(x); };
  EXPECT_TRUE(same(copy() + y, x + y));
  EXPECT_TRUE(same(copy() - y, x - y));
  EXPECT_TRUE(same(copy() * y, x * y));
  EXPECT_TRUE(same(copy() / y, x / y));
}

TEST_P(IntervalTest, DivisionByZeroDecidesNothing) {
  const S one(1.0);
  for (const auto& quotient : {one / S(0.0), one / between(-1, 1), S(0.0) / S(0.0)}) {
    EXPECT_FALSE(certainly_less(quotient, one));
    EXPECT_FALSE(certainly_less(one, quotient));
  }
}

TEST_P(IntervalTest, NanPoisonsEveryComparison) {
  const Interval::End no_number = std::numeric_limits<Interval::End>::quiet_NaN();
  const S nan = Traits::from_point(no_number);
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
                        sqrt_nonnegative(between(-2, -1)),
                        log1p(between(-3, 1)),
                        expm1(nan),
                        log_positive(between(-3, 1)),
                        Traits::enclose(no_number, 1),
                        Traits::enclose(0, no_number)};
  for (const S& x : poisoned) {
    for (const double y : {-1e300, 0.0, 1e300}) {
      EXPECT_FALSE(certainly_less(x, S(y))) << x << " < " << y;
      EXPECT_FALSE(certainly_less(S(y), x)) << y << " < " << x;
    }
    EXPECT_FALSE(certainly_positive(x)) << x;
    EXPECT_FALSE(certainly_negative(x)) << x;
  }
}

TEST_P(IntervalTest, TouchingIntervalsDoNotCompare) {
  EXPECT_FALSE(certainly_less(between(0, 1), between(1, 2)));
  EXPECT_TRUE(certainly_less(between(0, 1), between(1.5, 2)));
  EXPECT_FALSE(certainly_positive(between(0, 1)));
  EXPECT_FALSE(certainly_negative(between(-1, 0)));
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
  EXPECT_LT(test::relative_width(Interval(copy + Interval(0.0))), 1e-198);
  EXPECT_GT(test::relative_width(Interval(Interval(0.0) + copy)), 1e-53) << "of 50 digits";
}

/// Numbers take the memory of those that are gone: of other digits, of other threads, of more than
/// are kept, and after the last of a thread.
TEST(IntervalMemory, IsThatOfAFreshNumber) {
  const auto bits = [](const Interval& x) { return mpfr_get_prec(&x.data()->right); };
  const mpfr_prec_t bits_of_50 = bits(Interval());
  std::vector<Interval> numbers;
  for (const unsigned digits : {50U, kCapDigits, 50U, 100U, 50U}) {
    const WorkingDigits working(digits);
    numbers.assign(3000, Interval(7.0));
    for (const Interval& x : numbers) EXPECT_EQ(bits(x), bits(numbers.front()));
    EXPECT_EQ(bits(numbers.front()) == bits_of_50, digits == 50U);
    numbers.clear();
    const Interval fresh;
    EXPECT_EQ(lower_of(fresh), 0);
    EXPECT_EQ(upper_of(fresh), 0);
    EXPECT_EQ(bits(fresh) == bits_of_50, digits == 50U);
    EXPECT_LT(test::relative_width(from<Interval>(Rational(1, 7))), std::pow(10.0, 2.0 - digits));
  }
  std::jthread([&] {
    static thread_local Interval of_thread(3.0);  // goes after what its thread keeps, or before
    numbers.assign(10, of_thread);
  }).join();
  for (const Interval& x : numbers) EXPECT_EQ(lower_of(x), 3);
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
