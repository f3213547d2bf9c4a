#include "theory/number/rational.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "theory/base/tests/expect_bad_input.hpp"
#include "theory/number/rationals.hpp"
#include "theory/tests/support.hpp"

namespace attn {
namespace {

Rational quotient(long top, long bottom) {
  return {top, bottom};
}

TEST(ParseRational, ReadsDecimalsExactly) {
  EXPECT_EQ(parse_rational("0"), 0);
  EXPECT_EQ(parse_rational("-0"), 0);
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
  EXPECT_EQ(parse_rational("125e-2"), quotient(5, 4));
  EXPECT_EQ(parse_rational("0e10000"), 0);
  EXPECT_EQ(parse_rational("1e10000") * parse_rational("1e-10000"), 1);
}

TEST(ParseRational, ReadsQuotients) {
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

TEST(ParseRational, TakesTwentyThousandCharactersAtMost) {
  EXPECT_EQ(parse_rational(fmt::format("0.{:09998}", 1)), parse_rational("1e-9998"));
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

TEST(RationalToString, HasTheSameFormOfADoubleAsOfALongNumber) {
  test::Random random;
  for (int trial = 0; trial < 3000; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    const int bits = random.between(0, 30), power = random.between(-70, 70);
    const double value = std::ldexp(random.between(-(1 << bits), 1 << bits), power);
    const LongRational exact_value = exact(value).to_long();
    const std::string text = to_string(exact(value));
    const auto point = text.find('.');
    if (point == text.npos) {
      EXPECT_EQ(text, exact_value.str());
      continue;
    }
    EXPECT_LE(text.size() - point - 1, 30U) << text;
    EXPECT_NE(text.back(), '0') << text;
    EXPECT_NE(text.front(), '.') << text;
    EXPECT_EQ(parse_rational(text), exact(value));
  }
}

TEST(Exact, IsTheValueOfEveryFiniteDouble) {
  EXPECT_EQ(exact(0.0), 0);
  EXPECT_EQ(exact(-0.0), 0);
  EXPECT_EQ(exact(0.5), quotient(1, 2));
  EXPECT_EQ(exact(-3.0), -3);
  EXPECT_EQ(exact(0.1f), quotient(13421773, 134217728));
  test::Random random;
  for (int trial = 0; trial < 2000; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    const double value = std::ldexp(random.unit() - 0.5, random.between(-1074, 1023));
    EXPECT_EQ(exact(value).nearest(), value);
  }
}

TEST(Exact, RefusesWhatIsNotFinite) {
  for (const double value : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    EXPECT_BAD_INPUT(exact(value), {.kind = BadInputKind::out_of_range});
  }
}

// Rational beside the plain rationals of any length, which every form must agree with.

/// Numbers of every form, and of the borders between them.
std::vector<Rational> border_numbers() {
  constexpr auto kLeast = std::numeric_limits<double>::denorm_min();
  constexpr auto kMost = std::numeric_limits<double>::max();
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  std::vector<Rational> numbers{0,
                                1,
                                3,
                                kExact - 1,
                                kExact,
                                kExact + 1,
                                std::numeric_limits<std::int64_t>::max(),
                                Rational(1, 3),
                                Rational(1, kExact - 1),
                                Rational(1, kExact + 1),
                                Rational(kExact - 1, 3),
                                Rational(kExact + 1, 3),
                                Rational(6, 4),
                                Rational(10, 15),
                                Rational(2, kExact - 1)};
  for (const double x : {0.5, 0.1, kLeast, 3 * kLeast, std::numeric_limits<double>::min(), 0x1p-960,
                         0x1p-961, 0x1.8p-961, 0x1.0000000000001p-500, 0x1p1023, kMost}) {
    numbers.emplace_back(x);
    numbers.push_back(Rational(x) / 3);
  }
  numbers.push_back(parse_rational("1e400"));
  numbers.push_back(parse_rational("1e-400"));
  const std::size_t positive = numbers.size();
  for (std::size_t i = 1; i < positive; ++i) numbers.push_back(-numbers[i]);
  return numbers;
}

Rational any_number(test::Random& random) {
  const int sign = random.one_in(2) ? 1 : -1;
  switch (random.below(5)) {
    case 0:
      return random.between(-1000, 1000);
    case 1:
      return exact(std::ldexp(random.unit() * sign, random.between(-1074, 1023)));
    case 2:
      return Rational(random.between(-1000, 1000), random.between(1, 3000));
    case 3: {  // up to 53 bits over up to 53 bits
      const auto top = static_cast<std::int64_t>(random.below(std::uint64_t{1} << 53));
      return Rational(sign * top, 1 + random.below(std::uint64_t{1} << random.between(1, 53)));
    }
    default: {  // beyond both
      const Rational top = exact(random.unit()) * exact(random.unit());
      return sign * top / (1 + random.below(std::uint64_t{1} << 62));
    }
  }
}

/// The value, and its one form: what is made from the long number is the same in every part.
void expect_same(const Rational& value, const LongRational& expected) {
  EXPECT_EQ(value.to_long(), expected);
  EXPECT_EQ(value, Rational(expected));
  EXPECT_EQ(value.is_double(), Rational(expected).is_double());
}

void expect_arithmetic_of_long_numbers(const Rational& a, const Rational& b) {
  const LongRational x = a.to_long();
  const LongRational y = b.to_long();
  expect_same(a + b, x + y);
  expect_same(a - b, x - y);
  expect_same(a * b, x * y);
  if (b != 0) expect_same(a / b, x / y);
  EXPECT_EQ(a == b, x == y);
  EXPECT_EQ(a < b, x < y);
  EXPECT_EQ(a > b, x > y);
}

void expect_parts_of_long_number(const Rational& a) {
  const LongRational x = a.to_long();
  expect_same(-a, -x);
  expect_same(abs(a), abs(x));
  EXPECT_EQ(a.sign(), x.sign());
  EXPECT_EQ(numerator(a), Integer(boost::multiprecision::numerator(x)));
  EXPECT_EQ(denominator(a), Integer(boost::multiprecision::denominator(x)));
  const double near = a.nearest();
  EXPECT_EQ(near, x.convert_to<double>());
  EXPECT_EQ(a.is_double(), std::isfinite(near) && LongRational(near) == x);
}

TEST(Rational, AgreesWithLongRationalsAtTheBordersOfItsForms) {
  const std::vector<Rational> numbers = border_numbers();
  for (const Rational& a : numbers) {
    SCOPED_TRACE(testing::PrintToString(a));
    expect_parts_of_long_number(a);
    for (const Rational& b : numbers) {
      SCOPED_TRACE(testing::PrintToString(b));
      expect_arithmetic_of_long_numbers(a, b);
    }
  }
}

TEST(Rational, AgreesWithLongRationals) {
  test::Random random;
  for (int trial = 0; trial < 20000; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    const Rational a = any_number(random);
    expect_parts_of_long_number(a);
    expect_arithmetic_of_long_numbers(a, any_number(random));
  }
}

TEST(Rational, IsNearestToItsDouble) {
  test::Random random;
  for (int trial = 0; trial < 3000; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    const Rational value(random.between(-1'000'000, 1'000'000), random.between(1, 1'000'000'000));
    const double near = value.nearest();
    const Rational error = abs(value - exact(near));
    EXPECT_LE(error, abs(value - exact(std::nextafter(near, 1e300))));
    EXPECT_LE(error, abs(value - exact(std::nextafter(near, -1e300))));
  }
}

TEST(Rational, RefusesToDivideByZero) {
  for (const Rational& a : border_numbers()) EXPECT_THROW(a / 0, std::overflow_error);
  EXPECT_THROW(Rational(1, 0), std::overflow_error);
}

TEST(ExactDot, IsTheSumOfTheExactProducts) {
  const std::vector<double> values = {0,      -0.0,   1,        -3,      0.1,     -1e-300, 1e300,
                                      5e-324, -7.5e3, 0x1p1023, 0x1p-60, 1 / 3.0, -0x1p53, 1e-30};
  test::Random random;
  for (int trial = 0; trial < 200; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    std::vector<double> a, b;
    Rational sum = 0;
    for (std::size_t k = random.below(8); k > 0; --k) {
      a.push_back(values[random.below(values.size())]);
      b.push_back(values[random.below(values.size())]);
      sum += exact(a.back()) * exact(b.back());
    }
    EXPECT_EQ(exact_dot(a, b), sum);
  }
  EXPECT_EQ(exact_dot({}, {}), 0);
  for (const double value : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    const std::vector<double> broken = {1, value};
    EXPECT_THROW(exact_dot(broken, {values.data(), 2}), BadInput);
    EXPECT_THROW(exact_dot({values.data(), 2}, broken), BadInput);
  }
}

/// A double, or now and then a number that is none.
Rational coordinate(test::Random& random) {
  return random.one_in(9) ? random.decimal(3) : exact(random.normal());
}

TEST(Dot, IsTheSumOfTheProducts) {
  test::Random random;
  for (int trial = 0; trial < 200; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    std::vector<Rational> a, b;
    Rational sum = 0;
    for (std::size_t k = random.below(20); k > 0; --k) {
      a.push_back(trial % 2 == 0 ? exact(random.normal()) : coordinate(random));
      b.push_back(exact(random.normal()));
      sum += a.back() * b.back();
    }
    EXPECT_EQ(dot(a, b), sum);
  }
}

/// Some pairs differ in what no double holds.
TEST(SquaredDiameter, IsTheLargestSquareOfAllPairs) {
  test::Random random;
  for (int trial = 0; trial < 100; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    std::vector<std::vector<Rational>> x(random.below(9));
    const std::size_t width = 1 + random.below(12);
    for (auto& vector : x) {
      for (std::size_t k = 0; k < width; ++k) vector.push_back(coordinate(random));
    }
    if (x.size() > 2) {
      x[1] = x[0];
      x[1][0] += Rational(0x1p-70);
      for (Rational& value : x[2]) value = -value * 1000;  // far from both
    }
    Rational largest = 0;
    for (const auto& u : x) {
      for (const auto& v : x) {
        Rational square = 0;
        for (std::size_t k = 0; k < width; ++k) square += (u[k] - v[k]) * (u[k] - v[k]);
        largest = std::max(largest, square);
      }
    }
    EXPECT_EQ(squared_diameter(x), largest);
  }
}

TEST(FallingOrder, IsExactAndStable) {
  const Rational third(1, 3);
  const Rational above = third + Rational(0x1p-60);  // the same double
  const Rational far_above = third + Rational(0x1p-200);
  const Rational huge = Rational(Integer(1) << 2000);
  const std::vector<Rational> numbers = {third, above, -huge,          0,    far_above, huge,
                                         third, -huge, Rational(1, 2), above};
  const std::vector<std::size_t> order = {5, 8, 1, 9, 4, 0, 6, 3, 2, 7};
  EXPECT_EQ(falling_order(numbers), order);
  EXPECT_TRUE(falling_order({}).empty());
}

TEST(FallingOrder, IsThatOfAStableSort) {
  test::Random random;
  for (int trial = 0; trial < 300; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    const std::size_t count = 1 + random.below(100);
    std::vector<Rational> numbers;
    for (std::size_t i = 0; i < count; ++i) numbers.emplace_back(random.between(-20, 20), 8);
    if (random.one_in(3)) numbers.back() = Rational(1, 3);  // no double
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](auto i, auto j) { return numbers[i] > numbers[j]; });
    EXPECT_EQ(falling_order(numbers), order);
  }
}

/// Rounded, the first two are farther apart than the first and the last.
TEST(SquaredDiameter, DoesNotDecideByMiddles) {
  const Rational far(0x1p60);
  EXPECT_EQ(squared_diameter({{far, 0}, {far + 1024, 64}, {far + 1124, 0}}), 1124 * 1124);
}

}  // namespace
}  // namespace attn
