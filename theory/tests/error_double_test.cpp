#include "theory/number/error_double.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "theory/number/sums.hpp"
#include "theory/tests/scalar_support.hpp"
#include "theory/tests/support.hpp"

namespace attn {
namespace {

using Fine = Interval;  // of so many digits
constexpr unsigned kFineDigits = 200;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// One value, carried along with its double under test and with the exact value's enclosure.
struct Pair {
  ErrorDouble tested;
  Fine fine;
  std::string text;
};

bool has_bounds(const ErrorDouble& x) {
  return std::isfinite(x.lower()) && std::isfinite(x.upper());
}

/// The exact value certainly within value() +- error(). The fine enclosure is some 130 digits
/// narrower than any rounding of a double, so that all of it must lie inside.
void expect_sound(const Pair& pair) {
  if (!has_bounds(pair.tested) || !test::has_finite_ends(pair.fine)) return;
  const Rational value = exact(pair.tested.value());
  const Rational error = exact(pair.tested.error());
  EXPECT_GE(test::lower_of(pair.fine), value - error) << pair.text;
  EXPECT_LE(test::upper_of(pair.fine), value + error) << pair.text;
  EXPECT_LE(exact(pair.tested.lower()), test::lower_of(pair.fine)) << pair.text;
  EXPECT_GE(exact(pair.tested.upper()), test::upper_of(pair.fine)) << pair.text;
}

/// A double of one of several magnitudes, subnormal and huge ones among them.
double wild(test::Random& random) {
  switch (random.below(6)) {
    case 0:
      return random.between(-3, 3);
    case 1:
      return 4 * random.unit() - 2;
    case 2:
      return std::ldexp(random.unit() - 0.5, random.between(-40, 40));
    case 3:
      return std::ldexp(random.unit() - 0.5, random.between(-1074, 1023));
    case 4:
      return 5e-324 * random.between(-5, 5);
    default:
      return random.normal();
  }
}

Pair leaf(test::Random& random) {
  Rational value = exact(wild(random));
  if (random.one_in(2)) value *= Rational(random.between(1, 1000), 997);  // no double holds it
  if (random.one_in(40)) value *= parse_rational(random.one_in(2) ? "1e400" : "1e-400");
  return {from<ErrorDouble>(value), from<Fine>(value), to_string(value)};
}

/// A value close to another one, to cancel against it.
Pair neighbour(const Pair& pair, test::Random& random) {
  const Rational factor = 1 + Rational(random.between(-4, 4)) * exact(0x1p-52);
  return {pair.tested * from<ErrorDouble>(factor), pair.fine * from<Fine>(factor),
          "near(" + pair.text + ")"};
}

/// One operation on values whose exact results it is defined for.
Pair combined(const Pair& a, const Pair& b, test::Random& random) {
  const auto named = [&](const char* name) { return name + ("(" + a.text + ", " + b.text + ")"); };
  // Far enough for exp to overflow and to underflow in double, not for exact values of megabytes.
  const bool short_exp = std::abs(a.tested.value()) < 2000;
  const bool non_negative = ScalarTraits<Fine>::lower(a.fine) >= 0;
  switch (random.below(14)) {
    case 0:
      return {a.tested + b.tested, a.fine + b.fine, named("+")};
    case 1:
      return {a.tested - b.tested, a.fine - b.fine, named("-")};
    case 2:
      return {a.tested * b.tested, a.fine * b.fine, named("*")};
    case 3:
      return {a.tested / b.tested, a.fine / b.fine, named("/")};
    case 4:
      return {max(a.tested, b.tested), max(a.fine, b.fine), named("max")};
    case 5:
      return {min(a.tested, b.tested), min(a.fine, b.fine), named("min")};
    case 6:
      return {abs(a.tested), Fine(abs(a.fine)), named("abs")};
    case 7:
      return {square(a.tested), square(a.fine), named("square")};
    case 8:
      if (short_exp) return {exp(a.tested), Fine(exp(a.fine)), named("exp")};
      break;
    case 9:
      if (non_negative) return {log1p(a.tested), log1p(a.fine), named("log1p")};
      break;
    case 10:
      if (non_negative) {
        return {sqrt_nonnegative(a.tested), sqrt_nonnegative(a.fine), named("sqrt")};
      }
      break;
    case 11:
      if (short_exp) return {expm1(a.tested), Fine(expm1(a.fine)), named("expm1")};
      break;
    case 12:
      if (certainly_positive(a.fine)) {
        return {log_positive(a.tested), log_positive(a.fine), named("log")};
      }
      break;
    default: {
      // A difference of squares that is never negative, but whose double may be.
      const Fine product = a.fine * b.fine;
      const ErrorDouble difference =
          square(abs(a.tested)) + square(b.tested) - ErrorDouble(2.0) * abs(a.tested * b.tested);
      return {
          sqrt_nonnegative(difference),
          sqrt_nonnegative(Fine(square(a.fine) + square(b.fine) - Fine(2.0) * Fine(abs(product)))),
          named("root of square of difference")};
    }
  }
  return {-a.tested, -a.fine, named("-")};
}

TEST(ErrorDouble, RandomChainsEncloseTheExactResult) {
  const WorkingDigits working(kFineDigits);
  test::Random random;
  int bounded = 0;
  int all = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    std::vector<Pair> pool = {leaf(random), leaf(random), leaf(random)};
    for (int length = random.between(1, 8); length > 0; --length) {
      const Pair& a = pool[random.below(pool.size())];
      Pair b = random.one_in(3) ? neighbour(a, random) : pool[random.below(pool.size())];
      Pair result = combined(a, b, random);
      if (result.text.size() > 2000 || !test::has_finite_ends(result.fine)) break;
      expect_sound(result);
      ++all;
      bounded += has_bounds(result.tested) ? 1 : 0;
      pool.push_back(std::move(result));
    }
    if (HasFailure()) break;  // the first failure is the one to read
  }
  EXPECT_GT(all, 40000);
  EXPECT_GT(bounded, all / 2) << "most chains overflow: they test nothing";
}

/// The sum of squares of some pairs, under test and in the exact values' enclosures.
Pair squares_of(const std::vector<Pair>& terms) {
  Fine sum(0.0);
  for (const Pair& term : terms) sum += square(term.fine);
  return {sum_of_squares<ErrorDouble>(terms.size(), [&](std::size_t k) { return terms[k].tested; }),
          sum, fmt::format("squares of {} terms", terms.size())};
}

/// The length of a vector of pairs, under test and in the exact values' enclosures.
Pair length_of_pairs(const std::vector<Pair>& entries) {
  std::vector<ErrorDouble> tested;
  Fine sum(0.0);
  for (const Pair& entry : entries) {
    tested.push_back(entry.tested);
    sum += square(entry.fine);
  }
  return {length_of(tested), sqrt_nonnegative(sum), "length"};
}

TEST(ErrorDouble, SumsOfSquaresAndLengthsEncloseTheExactResult) {
  const WorkingDigits working(kFineDigits);
  test::Random random;
  int bounded = 0;
  constexpr int kTrials = 2000;
  for (int trial = 0; trial < kTrials; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    std::vector<Pair> terms;
    for (int length = random.between(1, 100); length > 0; --length) terms.push_back(leaf(random));
    const Pair sum = squares_of(terms);
    expect_sound(sum);
    expect_sound(length_of_pairs(terms));
    bounded += has_bounds(sum.tested) ? 1 : 0;
    if (HasFailure()) break;
  }
  EXPECT_GT(bounded, kTrials / 10);
  EXPECT_EQ(sum_of_squares<ErrorDouble>(0, [](std::size_t) { return ErrorDouble(1.0); }).error(),
            0);
}

TEST(ErrorDouble, SumsOfSquaresKnowWhatEachAdditionLoses) {
  const WorkingDigits working(kFineDigits);
  // Each of the small squares is half a unit in the last place of 1, which rounding takes away.
  constexpr double kLost = 0x1p-27;
  std::vector<Pair> terms(kLanes, {ErrorDouble(1.0), Fine(1.0), "1"});
  terms.insert(terms.end(), 5000, {ErrorDouble(kLost), Fine(kLost), "2^-27"});
  const Pair sum = squares_of(terms);
  EXPECT_EQ(sum.tested.value(), kLanes);
  expect_sound(sum);
  // So do bounds: 1 of the first of each lane, then as little of each of the others.
  const ErrorDouble first(1.0, 0.25), other(0.0, kLost);
  const auto wide =
      sum_of_squares<ErrorDouble>(5000, [&](std::size_t k) { return k < kLanes ? first : other; });
  EXPECT_GE(wide.upper(), kLanes * 1.5625 + (5000 - kLanes) * kLost * kLost);
}

TEST(ErrorDouble, MaximaHoldTheLargestOfAllBounds) {
  std::vector<ErrorDouble> terms{{1.0, 0.5}, {1.25, 0.0}, {0.5, 0.125}};
  const auto most = [&] { return max_of<ErrorDouble>(3, [&](std::size_t i) { return terms[i]; }); };
  EXPECT_LE(most().lower(), 1.25);
  EXPECT_GE(most().upper(), 1.5);
  for (const auto& unknown : {ErrorDouble(0.0, kInfinity), ErrorDouble(std::nan(""), 1.0)}) {
    terms[2] = unknown;
    EXPECT_FALSE(std::isfinite(most().error()));
  }
}

TEST(ErrorDouble, TheLargestInLanesErrsByTheMostOfItsTerms) {
  const auto most = [](const std::vector<ErrorDouble>& terms) {
    LaneMost largest;
    for (std::size_t i = 0; i < terms.size(); ++i) largest.add(i % kLanes, terms[i]);
    return largest.total();
  };
  std::vector<ErrorDouble> terms(2 * kLanes + 3, ErrorDouble(0.25, 0x1p-10));
  EXPECT_EQ(most({}).value(), 0);
  EXPECT_EQ(most({}).error(), 0);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    std::vector<ErrorDouble> changed = terms;
    changed[i] = ErrorDouble(0.5, 0x1p-20);
    EXPECT_EQ(most(changed).value(), 0.5) << i;
    EXPECT_EQ(most(changed).error(), 0x1p-10) << i;
    changed[i] = ErrorDouble(-3.0, 0.125);
    EXPECT_EQ(most(changed).value(), 0.25) << i;
    EXPECT_EQ(most(changed).error(), 0.125) << i;
    for (const auto& unknown : {ErrorDouble(0.0, kInfinity), ErrorDouble(0.0, std::nan(""))}) {
      changed[i] = unknown;
      EXPECT_FALSE(std::isfinite(most(changed).error())) << i;
    }
  }
}

TEST(ErrorDouble, LengthsKeepTheirDigitsWhereSquaresUnderflow) {
  const WorkingDigits working(kFineDigits);
  for (const int exponent : {-1000, -900, -600, -40, 0, 500, 900}) {
    const double unit = std::ldexp(1.0, exponent);
    const std::vector<Pair> entries(7, {ErrorDouble(unit, 1e-16 * unit), Fine(unit), "unit"});
    const Pair length = length_of_pairs(entries);
    expect_sound(length);
    EXPECT_LT(length.tested.error(), 1e-5 * length.tested.value()) << exponent;
  }
  EXPECT_EQ(length_of(std::vector<ErrorDouble>{0.0, 0.0}).value(), 0);
}

TEST(ErrorDouble, ConvertsRationalsOfEveryMagnitude) {
  const WorkingDigits working(kFineDigits);
  test::Random random;
  for (int trial = 0; trial < 2000; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    const Pair pair = leaf(random);
    expect_sound(pair);
  }
  EXPECT_EQ(from<ErrorDouble>(Rational(1, 2)).error(), 0);
  EXPECT_EQ(from<ErrorDouble>(exact(5e-324)).error(), 0);
  EXPECT_GT(from<ErrorDouble>(exact(5e-324) / 3).error(), 0);
  EXPECT_FALSE(has_bounds(from<ErrorDouble>(parse_rational("-1e400"))));
}

TEST(ErrorDouble, ExpIsSoundWhereItUnderflowsUnderALargeError) {
  // exp(-750) is zero in double, but the exact value may be exp(-650) = 5e-283.
  const ErrorDouble e = exp(ErrorDouble(-750.0, 100.0));
  EXPECT_GE(e.upper(), std::exp(-650.0));
  EXPECT_FALSE(has_bounds(exp(ErrorDouble(-750.0, kInfinity))));
}

TEST(ErrorDouble, SquareRootUnderALargeError) {
  // The exact value may be anything in [0, 3e-20] although its double is negative.
  const ErrorDouble around_zero = sqrt_nonnegative(ErrorDouble(-1e-20, 4e-20));
  EXPECT_GE(around_zero.upper(), std::sqrt(3e-20));
  EXPECT_LE(around_zero.lower(), 0);
  // Anything in [0.01, 1.99].
  const ErrorDouble root = sqrt_nonnegative(ErrorDouble(1.0, 0.99));
  EXPECT_LE(root.lower(), std::sqrt(0.01));
  EXPECT_GE(root.upper(), std::sqrt(1.99));
}

TEST(ErrorDouble, EncloseHoldsBothEnds) {
  test::Random random;
  for (int trial = 0; trial < 2000; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    const double x = wild(random);
    const double y = wild(random);
    const auto [low, high] = std::minmax(x, y);
    const ErrorDouble both = ScalarTraits<ErrorDouble>::enclose(low, high);
    EXPECT_LE(both.lower(), low);
    EXPECT_GE(both.upper(), high);
    EXPECT_EQ(next_above(x), std::nextafter(x, kInfinity));
  }
}

// ---- no comparison is certain of what is not known ----

void expect_no_comparison(const ErrorDouble& x) {
  for (const double y : {-kInfinity, -1e308, -1.0, 0.0, 1.0, 1e308, kInfinity}) {
    EXPECT_FALSE(certainly_less(x, ErrorDouble(y))) << y;
    EXPECT_FALSE(certainly_less(ErrorDouble(y), x)) << y;
  }
  EXPECT_FALSE(certainly_positive(x));
  EXPECT_FALSE(certainly_negative(x));
}

class Poisoned : public testing::TestWithParam<ErrorDouble> {};

TEST_P(Poisoned, DecidesNothingThroughEveryOperation) {
  const ErrorDouble p = GetParam();
  expect_no_comparison(p);
  for (const double other : {-2.0, 0.0, 0.5}) {
    SCOPED_TRACE(other);
    const ErrorDouble x(other);
    expect_no_comparison(p + x);
    expect_no_comparison(x - p);
    expect_no_comparison(p * x);
    expect_no_comparison(p / x);
    expect_no_comparison(x / p);
    expect_no_comparison(max(p, x));
    expect_no_comparison(max(x, p));
    expect_no_comparison(min(p, x));
    expect_no_comparison(min(x, p));
  }
  expect_no_comparison(-p);
  expect_no_comparison(abs(p));
  expect_no_comparison(square(p));
  expect_no_comparison(exp(p));
  expect_no_comparison(log1p(p));
  expect_no_comparison(expm1(p));
  expect_no_comparison(log_positive(p));
  expect_no_comparison(sqrt_nonnegative(p));
  expect_no_comparison(p - p);
  expect_no_comparison(ScalarTraits<ErrorDouble>::enclose(p.lower(), p.upper()));
}

INSTANTIATE_TEST_SUITE_P(ErrorDouble, Poisoned,
                         testing::Values(ErrorDouble(kNan), ErrorDouble(kInfinity),
                                         ErrorDouble(-kInfinity), ErrorDouble(1.0, kInfinity),
                                         ErrorDouble(1.0, kNan), ErrorDouble(kNan, 0.0),
                                         ErrorDouble(1e300) * ErrorDouble(1e300),
                                         ErrorDouble(-1e308) - ErrorDouble(1e308),
                                         exp(ErrorDouble(1e5)), ErrorDouble(1.0) / ErrorDouble(0.0),
                                         ErrorDouble(0.0) / ErrorDouble(0.0)));

TEST(ErrorDouble, DivisionByAnEnclosureOfZeroDecidesNothing) {
  expect_no_comparison(ErrorDouble(1.0) / ErrorDouble(1e-3, 1e-3));
  expect_no_comparison(ErrorDouble(1.0) / ErrorDouble(-1e-3, 2e-3));
  expect_no_comparison(ErrorDouble(0.0) / ErrorDouble(1e-3, 2e-3));
  expect_no_comparison(ErrorDouble(0.0) /
                       (ErrorDouble(0.1) * ErrorDouble(10.0) - ErrorDouble(1.0)));
  EXPECT_TRUE(certainly_positive(ErrorDouble(1.0) / ErrorDouble(1e-3, 0.4e-3)));
}

TEST(ErrorDouble, EqualValuesDoNotCompare) {
  const ErrorDouble one(1.0);
  EXPECT_FALSE(certainly_less(one, one));
  EXPECT_FALSE(certainly_less(one, ErrorDouble(1.0 + 0x1p-52)));  // ends are rounded outwards
  EXPECT_TRUE(certainly_less(one, ErrorDouble(1.0 + 0x1p-50)));
  EXPECT_FALSE(certainly_positive(ErrorDouble(1.0, 1.0)));
  EXPECT_FALSE(certainly_positive(ErrorDouble(0.0)));
}

// ---- the bound is not loose where the problem is well conditioned ----

/// The bound in units of u |value|.
double units(const ErrorDouble& x) {
  return x.error() / (ErrorDouble::kUnit * std::abs(x.value()));
}

/// Room for the slack factors of a few hundred operations, 2^-48 each.
constexpr double kSlackOfChain = 1.0 + 0x1p-38;

class WellConditioned : public testing::TestWithParam<int> {
 protected:
  [[nodiscard]] std::vector<double> positives() const {
    test::Random random;
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(GetParam()));
    for (int i = 0; i < GetParam(); ++i) values.push_back(0.5 + random.unit());
    return values;
  }
};

TEST_P(WellConditioned, SoftmaxWeightErrsByNPlusSixteenUnitsAtMost) {
  // Each exp of an exact argument errs by 2 kFunctionUlps = 8 units, the sum inherits 8 and adds
  // n - 1, the quotient inherits 8 and the sum's, and adds 1.
  const auto values = positives();
  std::vector<ErrorDouble> f;
  ErrorDouble sum(0.0);
  for (const double value : values) {
    f.push_back(exp(ErrorDouble(-value)));
    sum += f.back();
  }
  for (const ErrorDouble& value : f) {
    EXPECT_LE(units(value / sum),
              (GetParam() + 2 * 2 * ErrorDouble::kFunctionUlps + 1) * kSlackOfChain);
  }
}

TEST_P(WellConditioned, NormErrsByNPlusTwoUnitsAtMost) {
  // Each square errs by 1 unit, the sum inherits it and adds n; the root halves that and adds 1.
  ErrorDouble sum(0.0);
  for (const double value : positives()) sum += square(ErrorDouble(value));
  EXPECT_LE(units(sqrt_nonnegative(sum)), (GetParam() + 2) * kSlackOfChain);
}

INSTANTIATE_TEST_SUITE_P(ErrorDouble, WellConditioned, testing::Values(2, 10, 100));

}  // namespace
}  // namespace attn
