// Exact numbers beside MPFR, on random expressions.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "theory/number/exact/tables.hpp"
#include "theory/tests/exact_and_near.hpp"

namespace attn {
namespace {

using symbolic::Order;
using test::Both;
using test::wide;

class Expressions {
 public:
  explicit Expressions(std::uint64_t seed) : random_(seed) {}

  /// `depth`: operations on each other.
  Both draw(int depth) {
    if (depth == 0) return leaf();
    const Both a = draw(depth - 1);
    switch (random_() % 8) {
      case 0:
        return a + a;
      case 1: {
        const Both b = draw(depth - 1);
        return a + b;
      }
      case 2: {
        const Both b = draw(depth - 1);
        return a - b;
      }
      case 3: {
        const Both b = draw(depth - 1);
        return a * b;
      }
      case 4: {
        const Both b = leaf();
        return a / b;
      }
      case 5:
        return sqrt(a * a);
      case 6: {
        const Both b = draw(depth - 1);
        return max(a, b);
      }
      default:
        return {abs(a.exact), abs(a.near)};
    }
  }

 private:
  Rational rational() {
    return {static_cast<int>(random_() % 15) - 7, static_cast<int>(random_() % 5) + 1};
  }
  Rational positive() {
    return {static_cast<int>(random_() % 15) + 1, static_cast<int>(random_() % 5) + 1};
  }
  /// Not 0.
  Both leaf() {
    const Rational a = rational();
    const Rational b = positive();
    switch (random_() % 6) {
      case 0:
        return {Exact(b), wide(b)};
      case 1:
        return {exp(Exact(a)), exp(wide(a))};
      case 2:
        return {sqrt_nonnegative(Exact(b)), sqrt(wide(b))};
      case 3:
        return {sqrt_nonnegative(Exact(b) + exp(Exact(a))), sqrt(wide(b) + exp(wide(a)))};
      case 4:
        return root(Both{Exact(b) + exp(Exact(a)), wide(b) + exp(wide(a))}, 2 + random_() % 5);
      default:
        return {Exact(b) / (Exact(1) + exp(Exact(a))), wide(b) / (1 + exp(wide(a)))};
    }
  }

  std::mt19937_64 random_;
};

TEST(ExactAgainstMpfr, GivesTheSameOrderOfRandomExpressions) {
  std::size_t known = 0, equal = 0;
  constexpr std::uint64_t kSeeds = 600;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    symbolic::Tables tables;
    const symbolic::Work work(tables, std::size_t{1} << 18);
    Expressions expressions(seed);
    const Both a = expressions.draw(1 + static_cast<int>(seed % 3));
    // Half of them are one number in two forms.
    const Both other = expressions.draw(1);
    const Both b = seed % 2 == 0 ? other : Both{(a.exact + other.exact) - other.exact, a.near};
    const Order order = order_of(a.exact, b.exact);
    if (order == Order::unknown) continue;
    ++known;
    const int sign = seed % 2 == 0 ? test::sign_of_difference(a.near, b.near) : 0;
    const Order expected = symbolic::order_at(sign);
    ASSERT_EQ(order, expected) << "seed " << seed << ": " << a.near.str(40) << ", "
                               << b.near.str(40);
    equal += order == Order::equal ? 1 : 0;
  }
  EXPECT_GT(known, kSeeds * 8 / 10);
  EXPECT_GT(equal, kSeeds * 3 / 10);
}

/// A sum of three powers of e with small integer factors, the first 1.
Exact polynomial(std::mt19937_64& random) {
  Exact sum = exp(Exact(Rational(static_cast<int>(random() % 9), 2)));
  for (int term = 0; term < 2; ++term) {
    const Exact power = exp(Exact(Rational(static_cast<int>(random() % 9) - 10, 3)));
    sum += Exact(static_cast<int>(random() % 5) + 1) * power;
  }
  return sum;
}

/// Roots of f g^2, f h^2 and f are multiples of one of them, and no sign of digits says so.
TEST(ExactRoots, OfOneClassAreAddedUp) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    symbolic::Tables tables;
    const symbolic::Work work(tables, std::size_t{1} << 22);
    std::mt19937_64 random(seed);
    const Exact f = polynomial(random), g = polynomial(random), h = polynomial(random);
    const Exact sum = sqrt_nonnegative(f * g * g) - sqrt_nonnegative(f * h * h);
    EXPECT_EQ(order_of(sum, (g - h) * sqrt_nonnegative(f)), Order::equal) << seed;
    const Exact quotient = sqrt_nonnegative(f * g * g / (h * h)) + sqrt_nonnegative(f);
    EXPECT_EQ(order_of(quotient * h, (g + h) * sqrt_nonnegative(f)), Order::equal) << seed;
    const Exact tiny = exp(Exact(-2000));
    EXPECT_EQ(order_of(sum + tiny, (g - h) * sqrt_nonnegative(f)), Order::greater) << seed;
  }
}

}  // namespace
}  // namespace attn
