#include "theory/number/rational.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "theory/base/tests/expect_bad_input.hpp"
#include "theory/tests/support.hpp"

namespace attn {
namespace {

Rational quotient(long top, long bottom) {
  return {top, bottom};
}

TEST(ParseRational, ReadsDecimalsExactly) {
  EXPECT_EQ(parse_rational("0"), 0);
  EXPECT_EQ(parse_rational("-0"), 0);
  EXPECT_EQ(parse_rational("42"), 42);
  EXPECT_EQ(parse_rational("+42"), 42);
  EXPECT_EQ(parse_rational("-0.377166"), quotient(-377166, 1000000));
  EXPECT_EQ(parse_rational("0.1"), quotient(1, 10));
  EXPECT_EQ(parse_rational(".5"), quotient(1, 2));
  EXPECT_EQ(parse_rational("5."), 5);
  EXPECT_NE(parse_rational("0.1"), exact(0.1));
}

TEST(ParseRational, ReadsExponents) {
  EXPECT_EQ(parse_rational("1e-3"), quotient(1, 1000));
  EXPECT_EQ(parse_rational("-2.5E+2"), -250);
  EXPECT_EQ(parse_rational("1.25e1"), quotient(25, 2));
  EXPECT_EQ(parse_rational("125e-2"), quotient(5, 4));
  EXPECT_EQ(parse_rational("0e10000"), 0);
  EXPECT_EQ(parse_rational("1e10000") * parse_rational("1e-10000"), 1);
}

TEST(ParseRational, ReadsQuotients) {
  EXPECT_EQ(parse_rational("3/7"), quotient(3, 7));
  EXPECT_EQ(parse_rational("-6/14"), quotient(-3, 7));
  EXPECT_EQ(parse_rational("+6/14"), quotient(3, 7));
  EXPECT_EQ(parse_rational("0/5"), 0);
}

TEST(ParseRational, LeadingZerosAreNotOctal) {
  EXPECT_EQ(parse_rational("010"), 10);
  EXPECT_EQ(parse_rational("-0010.0100"), quotient(-1001, 100));
  EXPECT_EQ(parse_rational("08/010"), quotient(4, 5));
  EXPECT_EQ(parse_rational("1e010"), parse_rational("10000000000"));
}

TEST(ParseRational, TakesTenThousandCharacters) {
  EXPECT_EQ(parse_rational(fmt::format("0.{:09998}", 1)), parse_rational("1e-9998"));
}

TEST(ParseRational, RefusesWhatIsNotAnExactNumber) {
  for (const char* text :
       {"",     " ",    " 1",    "1 ",    "1 2",       "-",     "+",     ".",     "-.",
        "--1",  "+-1",  "e5",    "1e",    "1e+",       "1e1.5", "1.2.3", "1,5",   "0x1",
        "1f",   "NaN",  "nan",   "inf",   "-Infinity", "1/0",   "0/0",   "1/",    "/1",
        "1/-2", "1/+2", "1/2/3", "1.5/2", "1/2.5",     "1e2/3", "1\n",   "1_000", "\xc2\xbd"}) {
    SCOPED_TRACE(testing::PrintToString(text));
    EXPECT_BAD_INPUT(parse_rational(text), {.kind = BadInputKind::malformed});
  }
  EXPECT_BAD_INPUT(parse_rational(std::string_view("1\0", 2)), {.kind = BadInputKind::malformed});
}

TEST(ParseRational, RefusesHugeExponentsBeforeWorkingOnThem) {
  for (const char* text : {"1e99999999", "1e-99999999", "1e10001", "1e-10001", "0e10001",
                           "1e99999999999999999999999999"}) {
    SCOPED_TRACE(text);
    EXPECT_BAD_INPUT(parse_rational(text), {.kind = BadInputKind::too_large});
  }
}

TEST(ParseRational, RefusesMoreThanTwentyThousandCharacters) {
  EXPECT_BAD_INPUT(parse_rational(std::string(20001, '1')),
                   {.kind = BadInputKind::too_large, .found = "20001 characters"});
}

TEST(ParseRational, SaysWhatWasFoundAndWhatIsExpected) {
  EXPECT_BAD_INPUT(parse_rational("0x1"), {.kind = BadInputKind::malformed,
                                           .expected = "an exact number",
                                           .found = "'0x1': 'x' is out of place",
                                           .advice = "3/7"});
  EXPECT_BAD_INPUT(parse_rational("7/0"),
                   {.kind = BadInputKind::malformed, .found = "denominator is zero"});
}

TEST(RationalToString, IsTheShortestDecimalOrAQuotient) {
  EXPECT_EQ(to_string(Rational(0)), "0");
  EXPECT_EQ(to_string(Rational(-12)), "-12");
  EXPECT_EQ(to_string(quotient(1, 8)), "0.125");
  EXPECT_EQ(to_string(quotient(-1, 1000)), "-0.001");
  EXPECT_EQ(to_string(quotient(2501, 100)), "25.01");
  EXPECT_EQ(to_string(quotient(1, 3)), "1/3");
  EXPECT_EQ(to_string(quotient(-22, 7)), "-22/7");
  EXPECT_EQ(to_string(parse_rational("1e-30")), "0.000000000000000000000000000001");
  EXPECT_EQ(to_string(parse_rational("1e-31")), fmt::format("1/1{:031}", 0));
}

TEST(RationalToString, IsReadBackExactly) {
  test::Random random;
  for (int trial = 0; trial < 3000; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    // Denominators with few other primes than 2 and 5 half the time, so that both forms occur.
    Rational value = random.between(-1'000'000'000, 1'000'000'000);
    if (random.one_in(2)) value /= random.between(1, 1'000'000'000);
    for (int k = random.between(0, 40); k > 0; --k) value /= random.one_in(2) ? 2 : 5;
    for (int k = random.between(0, 40); k > 0; --k) value *= random.one_in(2) ? 10 : 7;
    EXPECT_EQ(parse_rational(to_string(value)), value);
  }
}

TEST(Exact, IsTheValueOfEveryFiniteDouble) {
  EXPECT_EQ(exact(0.0), 0);
  EXPECT_EQ(exact(-0.0), 0);
  EXPECT_EQ(exact(0.5), quotient(1, 2));
  EXPECT_EQ(exact(-3.0), -3);
  EXPECT_EQ(exact(0.1f), quotient(13421773, 134217728));
  Rational two_to_1074 = 1;
  for (int k = 0; k < 1074; ++k) two_to_1074 *= 2;
  EXPECT_EQ(exact(5e-324) * two_to_1074, 1);
  EXPECT_EQ(exact(3 * 5e-324) * two_to_1074, 3);
  EXPECT_EQ(exact(std::numeric_limits<double>::min()) * two_to_1074, exact(0x1p52));
  EXPECT_EQ(exact(std::numeric_limits<double>::max()),
            exact(0x1.fffffffffffffp0) * exact(0x1p1023));
  test::Random random;
  for (int trial = 0; trial < 2000; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    const double value = std::ldexp(random.unit() - 0.5, random.between(-1074, 1023));
    EXPECT_EQ(exact(value).convert_to<double>(), value);
    EXPECT_EQ(parse_rational(to_string(exact(value))), exact(value));
  }
}

TEST(Exact, RefusesWhatIsNotFinite) {
  EXPECT_BAD_INPUT(exact(std::numeric_limits<double>::quiet_NaN()),
                   {.kind = BadInputKind::out_of_range});
  EXPECT_BAD_INPUT(exact(std::numeric_limits<double>::infinity()),
                   {.kind = BadInputKind::out_of_range});
  EXPECT_BAD_INPUT(exact(-std::numeric_limits<double>::infinity()),
                   {.kind = BadInputKind::out_of_range});
}

}  // namespace
}  // namespace attn
