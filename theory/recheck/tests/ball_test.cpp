#include "theory/recheck/ball.hpp"

#include <gtest/gtest.h>

#include "theory/recheck/check.hpp"

namespace attn::recheck {
namespace {

Rational power_of_ten(unsigned long exponent) {
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, exponent);
  return Rational(power);
}

TEST(Ball, ComparesOnlyWhatIsCertain) {
  const Arb third(Rational(1, 3));
  EXPECT_FALSE(third < third);
  EXPECT_FALSE(third > third);
  EXPECT_TRUE(third < Arb(1));
  EXPECT_TRUE(Arb(1) > third);
  const Arb nothing = log(Arb(-1));
  EXPECT_FALSE(nothing < Arb(1));
  EXPECT_FALSE(nothing > Arb(1));
}

TEST(Ball, EnclosesARationalThatNoBinaryNumberIs) {
  const Arb third(Rational(1, 3));
  EXPECT_FALSE(is_exact(third));
  const Precision enough(400);
  EXPECT_TRUE(lower(third) * Arb(3) < Arb(1));
  EXPECT_TRUE(upper(third) * Arb(3) > Arb(1));
  EXPECT_TRUE(is_exact(Arb(Rational(3, 4))));
}

TEST(Ball, PrecisionHoldsForItsScope) {
  const slong before = working_bits;
  {
    const Precision precision(1000);
    EXPECT_EQ(working_bits, 1000);
    EXPECT_GT(arb_rel_accuracy_bits(exp(Arb(1)).get()), 950);
  }
  EXPECT_EQ(working_bits, before);
}

TEST(Ball, RootIgnoresWhatLiesBelowZero) {
  const Arb around_zero = Arb(Rational(1, 3)) * Arb(3) - Arb(1);
  EXPECT_NE(arb_is_finite(sqrt(around_zero).get()), 0);
}

TEST(Decimals, RoundOutwardToFiftyDigits) {
  const Ball third = decimals(Arb(Rational(1, 3)));
  EXPECT_EQ(third.lower, "0.33333333333333333333333333333333333333333333333333");
  EXPECT_EQ(third.upper, "0.33333333333333333333333333333333333333333333333334");
  const Ball minus = decimals(Arb(Rational(-2, 3)));
  EXPECT_EQ(minus.lower, "-0.66666666666666666666666666666666666666666666666667");
  EXPECT_EQ(minus.upper, "-0.66666666666666666666666666666666666666666666666666");
}

TEST(Decimals, LayOutEverySize) {
  EXPECT_EQ(decimals(Arb(0)).lower, "0");
  EXPECT_EQ(decimals(Arb(0)).upper, "0");
  EXPECT_EQ(decimals(Arb(-40)).upper, "-40.000000000000000000000000000000000000000000000000");
  EXPECT_EQ(decimals(Arb(Rational(1, 1024))).lower,
            "0.00097656250000000000000000000000000000000000000000000");
  EXPECT_EQ(decimals(Arb(power_of_ten(60))).lower,
            "1.0000000000000000000000000000000000000000000000000e60");
  EXPECT_EQ(decimals(exp(Arb(-1'000'000'000))).lower,
            "1.2495342719210132809243784990149910897645113791867e-434294482");
}

TEST(Decimals, PowersOfTenDoNotSlip) {
  const Precision precision(700);
  for (unsigned long k = 0; k < 120; ++k) {
    const Arb power(power_of_ten(k));
    EXPECT_EQ(decimals(power).lower, decimals(power).upper) << k;
    EXPECT_EQ(decimals(power).lower[0], '1') << k;
    const Rational below = power_of_ten(k) - 1 / power_of_ten(100);
    const Ball close = decimals(Arb(below));
    EXPECT_EQ(close.lower.find_first_not_of("0."), close.lower.find('9')) << close.lower;
    EXPECT_EQ(close.upper, decimals(power).upper);
  }
}

TEST(Decimals, RoundUpJustAboveAPowerOfTen) {
  const Precision precision(700);
  const Ball above = decimals(Arb(Rational(power_of_ten(60) + 1 / power_of_ten(35))));
  EXPECT_EQ(above.lower, "1.0000000000000000000000000000000000000000000000000e60");
  EXPECT_EQ(above.upper, "1.0000000000000000000000000000000000000000000000001e60");
}

TEST(Decimals, SayWhereThereIsNoBound) {
  const Ball nothing = decimals(log(Arb(-1)));
  EXPECT_EQ(nothing.lower, "-inf");
  EXPECT_EQ(nothing.upper, "inf");
}

}  // namespace
}  // namespace attn::recheck
