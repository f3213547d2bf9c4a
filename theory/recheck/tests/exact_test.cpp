// Two numbers are equal where what they are made of says so, however close their enclosures are.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <random>

#include "theory/recheck/jacobian.hpp"

namespace attn::recheck {
namespace {

Rational ten_to_minus(unsigned long exponent) {
  Rational power(1);
  mpz_ui_pow_ui(power.get_den_mpz_t(), 10, exponent);
  return power;
}

Sign compare(const Arb& x, const Arb& y) {
  return compare_exactly(*tape, x.step(), y.step());
}

/// Says that x = y, that x < x + 1e-400 y^2 and that x + 1e-400 > x.
void expect_same(const Arb& x, const Arb& y) {
  EXPECT_EQ(compare(x, y).value, 0);
  EXPECT_EQ(compare(y, x).value, 0);
  const Arb little(ten_to_minus(400));
  EXPECT_EQ(compare(x, y + little).value, -1);
  EXPECT_EQ(compare(x + little, y).value, 1);
  EXPECT_EQ(compare(x * (Arb(1) + little), y).value, compare(x, Arb(0)).value);
}

/// Random numbers of one kind after the other.
class Numbers {
 public:
  explicit Numbers(unsigned seed) : random_(seed) {}

  [[nodiscard]] Rational rational() {
    Rational value(whole(-30, 30), whole(1, 12));
    value.canonicalize();
    return value;
  }
  [[nodiscard]] Rational positive() {
    Rational value(whole(1, 30), whole(1, 12));
    value.canonicalize();
    return value;
  }
  /// sum of c e^q over few terms.
  [[nodiscard]] Arb sum_of_exponentials() {
    Arb sum;
    for (long k = whole(1, 3); k > 0; --k) sum += Arb(positive()) * exp(Arb(rational()));
    return sum;
  }
  [[nodiscard]] Arb quotient() { return sum_of_exponentials() / sum_of_exponentials(); }
  [[nodiscard]] Arb root_of_rational() { return Arb(rational()) + sqrt(positive()); }
  [[nodiscard]] Arb root() { return sqrt(sum_of_exponentials()) - sqrt(quotient()); }
  [[nodiscard]] Arb with_root_in_exponent() {
    return exp(Arb(rational()) * sqrt(positive())) + exp(sqrt(positive()));
  }
  [[nodiscard]] Arb logarithm() { return log(sum_of_exponentials()) - log(Arb(positive())); }
  [[nodiscard]] long whole(long least, long most) {
    return std::uniform_int_distribution<long>(least, most)(random_);
  }

 private:
  std::mt19937 random_;
};

constexpr Arb (Numbers::*kKinds[])() = {
    &Numbers::sum_of_exponentials, &Numbers::quotient,
    &Numbers::root_of_rational,    &Numbers::root,
    &Numbers::logarithm,           &Numbers::with_root_in_exponent,
};

TEST(Exact, FindsIdentitiesOfEveryKindOfNumber) {
  const Precision precision(256);
  Numbers numbers(1);
  for (const auto kind : kKinds) {
    for (int k = 0; k < 20; ++k) {
      const Recording recording;
      const Arb a = (numbers.*kind)();
      const Arb b = (numbers.*kind)();
      expect_same(square(a + b), square(a) + Arb(2) * a * b + square(b));
      expect_same((a - b) * (a + b), square(a) - square(b));
    }
  }
}

TEST(Exact, FindsIdentitiesOfQuotients) {
  Numbers numbers(2);
  for (const auto kind :
       {&Numbers::sum_of_exponentials, &Numbers::quotient, &Numbers::root_of_rational}) {
    for (int k = 0; k < 20; ++k) {
      const Recording recording;
      const Arb a = (numbers.*kind)();
      const Arb b = (numbers.*kind)();
      expect_same(a / b + b / a, (square(a) + square(b)) / (a * b));
      expect_same(Arb(1) / (a / b), b / a);
    }
  }
}

TEST(Exact, FindsIdentitiesOfRoots) {
  Numbers numbers(3);
  for (int k = 0; k < 40; ++k) {
    const Recording recording;
    const Arb a = numbers.quotient();
    const Arb b = numbers.sum_of_exponentials();
    const Arb q(numbers.positive());
    expect_same(sqrt(square(a)), a);
    expect_same(sqrt(square(a - b)), abs(a - b));
    expect_same(sqrt(a) * sqrt(b), sqrt(a * b));
    expect_same(sqrt(a * b) / sqrt(q * a), sqrt(b / q));
    expect_same(sqrt(Arb(8) * a) + sqrt(Arb(2) * a), sqrt(Arb(18) * a));
    expect_same(sqrt(a) * sqrt(q * b) * sqrt(a * b), a * b * sqrt(q));
    expect_same(Arb(1) / (sqrt(a) + sqrt(q)) * (a - q), sqrt(a) - sqrt(q));
    expect_same(sqrt(square(sqrt(a) - b) * q), abs(sqrt(a) - b) * sqrt(q));
    expect_same(sqrt(a + q - sqrt(Arb(4) * a * q)), abs(sqrt(a) - sqrt(q)));
  }
}

TEST(Exact, FindsIdentitiesOfPowersAndLogarithms) {
  Numbers numbers(4);
  for (int k = 0; k < 40; ++k) {
    const Recording recording;
    const Arb a = numbers.sum_of_exponentials();
    const Arb b = numbers.sum_of_exponentials();
    const Rational q = numbers.rational();
    const Rational p = numbers.positive();
    expect_same(exp(Arb(q)) * exp(Arb(p)), exp(Arb(Rational(q + p))));
    expect_same(exp(sqrt(Rational(8 * p))), square(exp(sqrt(Rational(2 * p)))));
    expect_same(log(Arb(p) * a), log(a) + log(Arb(p)));
    expect_same(log(a / b), log(a) - log(b));
    expect_same(log(exp(Arb(q)) * Arb(p)), Arb(q) + log(Arb(p)));
    expect_same(log1p(a), log(Arb(1) + a));
    expect_same(exp(log(a) - Arb(q)), a / exp(Arb(q)));
    expect_same(exp(Arb(Rational(1, 2)) * log(Arb(12))), Arb(2) * exp(log(Arb(3)) / Arb(2)));
    expect_same(tanh(Arb(q)), expm1(Arb(Rational(2 * q))) / (exp(Arb(Rational(2 * q))) + Arb(1)));
  }
}

/// Where enclosures of 1,000 bits separate two numbers, the exact order is theirs.
TEST(Exact, OrdersAsEnclosuresDo) {
  const Precision precision(1000);
  Numbers numbers(5);
  int ordered = 0;
  for (int k = 0; k < 400; ++k) {
    const Recording recording;
    const auto number = [&] { return (numbers.*kKinds[k % std::size(kKinds)])(); };
    const Arb x = number() * number();
    const Arb y = number() + number();
    const std::optional<int> order = compare(x, y).value;
    ASSERT_TRUE(order);
    EXPECT_NE(*order, 0);
    EXPECT_NE(arb_lt(x.get(), y.get()), *order > 0 ? 1 : 0) << k;
    ++ordered;
  }
  EXPECT_EQ(ordered, 400);
}

TEST(Exact, TellsGapsThatNoDigitsShow) {
  const Recording recording;
  const Arb one(1);
  for (const char* const far : {"1000000", "1000000000000", "1000000000000000000000000000000"}) {
    const Arb tiny = exp(Arb(-Rational(far)));
    EXPECT_EQ(compare(one, one + tiny).value, -1) << far;
    EXPECT_EQ(compare(one / (one + tiny), one).value, -1) << far;
    EXPECT_EQ(compare(sqrt(one + tiny), one).value, 1) << far;
    EXPECT_EQ(compare(sqrt(one + tiny), one + tiny).value, -1) << far;
    EXPECT_EQ(compare(one + tiny - one, tiny).value, 0) << far;
  }
}

TEST(Exact, TakesNearlyCommonFactorsApart) {
  const Recording recording;
  const Arb a = exp(Arb(Rational("123456789012345678901234567890123456/7")));
  const Arb b = a + Arb(1);
  EXPECT_EQ(compare((square(a) - Arb(1)) / (a - Arb(1)), b).value, 0);
  EXPECT_EQ(compare((square(a) - Arb(2)) / (a - Arb(1)), b).value, -1);
  EXPECT_EQ(compare(sqrt(square(a) + Arb(4) * a), a + Arb(2)).value, -1);
  EXPECT_EQ(compare(sqrt(square(a) + Arb(4) * a + Arb(4)), a + Arb(2)).value, 0);
}

/// What is not told: roots of roots, and logarithms that are no formal identity; of roots it is
/// known that they differ.
TEST(Exact, SaysWhatItDoesNotTell) {
  const Recording recording;
  const Arb nested = sqrt(Arb(1) + sqrt(Arb(2)));
  EXPECT_FALSE(compare(nested, nested + Arb(1)).value);
  EXPECT_FALSE(compare(nested, nested + Arb(1)).differs);
  const Rational close = ten_to_minus(20000);
  const Arb roots = sqrt(Arb(2)) + sqrt(Arb(3));
  const Arb more = sqrt(Rational(2 + close)) + sqrt(Rational(3 + close));
  EXPECT_FALSE(compare(roots, more).value) << "beyond the last bits";
  EXPECT_TRUE(compare(roots, more).differs);
  const Arb a = Arb(1) + exp(Arb(1));
  const Arb b = Arb(1) + exp(Arb(2));
  EXPECT_FALSE(compare(log(a * b), log(a) + log(b)).value) << "which would need factors";
  EXPECT_FALSE(compare(log(a * b), log(a) + log(b)).differs);
  EXPECT_FALSE(compare(hull(Arb(1), Arb(2)), Arb(1)).value) << "not recorded";
}

TEST(Exact, GivesUpWhatTakesTooMuch) {
  const Recording recording;
  Arb product(1);
  Rational exponent = 1;
  for (int k = 1; k <= 40; ++k) product *= exp(Arb(exponent *= 3)) + Arb(k);
  EXPECT_FALSE(compare(product, product + Arb(1)).value);
  EXPECT_FALSE(compare(Arb(1), Arb(2)).value) << "all that is on the tape shares the work";
}

TEST(Exact, LargestAndLeastAreOfWhatIsEqual) {
  const Recording recording;
  const Arb a = exp(Arb(1)) + exp(Arb(-1));
  const Arb same = (square(a) - Arb(1)) / (a - Arb(1)) - Arb(1);
  EXPECT_EQ(compare(max(a, same), a).value, 0);
  EXPECT_EQ(compare(min(a, same), a).value, 0);
  EXPECT_EQ(compare(abs(a - same), Arb(0)).value, 0);
  const Arb more = same + Arb(ten_to_minus(400));
  EXPECT_TRUE(a < more);
  EXPECT_FALSE(more < a);
  EXPECT_EQ(compare(max(a, more), more).value, 0);
  EXPECT_EQ(compare(min(a, more), a).value, 0);
}

/// ||diag(a) - a a^T||, next to what it is.
TEST(Exact, ComparesSoftmaxNorms) {
  const Recording recording;
  const auto weights = [](const std::vector<Rational>& z) {
    std::vector<Arb> a;
    Arb sum;
    for (const Rational& x : z) {
      a.push_back(exp(Arb(x)));
      sum += a.back();
    }
    for (Arb& x : a) x /= sum;
    return a;
  };
  const Arb little(ten_to_minus(300));
  const auto expect_norm = [&](const std::vector<Arb>& a, const Arb& norm) {
    EXPECT_EQ(compare(softmax_norm(a), norm).value, 0);
    EXPECT_EQ(compare(Arb(3) * softmax_norm(a), Arb(3) * norm + little).value, -1);
    EXPECT_EQ(compare(norm - little, softmax_norm(a)).value, -1);
    EXPECT_EQ(compare(softmax_norm(a), a[0]).value, compare(norm, a[0]).value);
    EXPECT_EQ(compare(softmax_norm(a), Arb(0)).value, a.size() == 1 ? 0 : 1);
  };
  expect_norm({Arb(1)}, Arb(0));
  const std::vector<Arb> two = weights({1, 0});
  expect_norm(two, Arb(2) * two[0] * two[1]);
  const std::vector<Arb> tied = weights({1, 1, Rational(1, 2), -3});
  expect_norm(tied, tied[1]);
  // One above others that are equal: L a (1 - a)/(L - 1).
  const std::vector<Arb> above = weights({2, 0, 0, 0});
  expect_norm(above, Arb(Rational(4, 3)) * above[0] * (Arb(1) - above[0]));
}

TEST(Exact, ComparesSpectralNorms) {
  const Recording recording;
  const Arb e = exp(Arb(1));
  const Arb little(ten_to_minus(300));
  const auto expect_norm = [&](const Rows& m, const Arb& norm) {
    EXPECT_EQ(compare(spectral_norm(m), norm).value, 0);
    EXPECT_EQ(compare(spectral_norm(m), norm + little).value, -1);
    EXPECT_EQ(compare(spectral_norm(m), norm - little).value, 1);
    EXPECT_EQ(compare(spectral_norm(m) / e, -norm).value, 1);
  };
  expect_norm({{e, Arb(0)}, {Arb(0), Arb(2)}}, e);
  expect_norm({{Arb(1), e}, {-e, Arb(1)}}, sqrt(Arb(1) + square(e)));
  expect_norm({{Arb(1), Arb(1)}, {Arb(1), Arb(0)}}, (Arb(1) + sqrt(Arb(5))) / Arb(2));
  expect_norm({{e, e, e}, {e, e, e}, {e, e, e}}, Arb(3) * e);
}

}  // namespace
}  // namespace attn::recheck
