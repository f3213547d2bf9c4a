// Numbers by their largest terms, beside MPFR.
#include "theory/number/exact/expansion.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "theory/number/exact/tables.hpp"
#include "theory/number/rationals.hpp"
#include "theory/tests/exact_and_near.hpp"

namespace attn {
namespace {

using symbolic::Order;
using symbolic::order_at;
using symbolic::order_by_expansions;

using test::Both;
using test::sign_of_difference;
using test::Wide;
using test::wide;

/// Sums of exponentials that lie far apart, and functions of them: all > 0.
class FarTerms {
 public:
  explicit FarTerms(std::uint64_t seed) : random_(seed) {}

  Both draw(int depth) {
    if (depth == 0) return leaf();
    const Both a = draw(depth - 1);
    const Both b = leaf();
    switch (random_() % 8) {
      case 0:
        return a + b;
      case 1:
        return a * b;
      case 2:
        return a / b;
      case 3:
        return b / a;
      case 4:
        return sqrt(a);
      case 5:
        return max(a, b);
      case 6:
        return root(a, 3 + 2 * (random_() % 3));
      default:
        return {log_positive(Exact(1) + a.exact), log(1 + a.near)};
    }
  }

  /// Two numbers of which what differs is no leading term.
  std::pair<Both, Both> near_pair() {
    const Both a = draw(1 + static_cast<int>(random_() % 3));
    const Both b = leaf();
    const Both tiny = exponential(-90 - static_cast<int>(random_() % 90));
    switch (random_() % 4) {
      case 0:
        return {(a + b) * (a + b), a * a + b * b + a * b + a * b + tiny};
      case 1:
        return {a / (a + b), a / (a + b + tiny)};
      case 2:
        return {(a + b) - b, a};
      default:
        return {(a - tiny) * (a + tiny), a * a};
    }
  }

 private:
  static Both exponential(int power) { return {exp(Exact(power)), exp(Wide(power))}; }
  Both leaf() {
    const Rational factor(static_cast<int>(random_() % 7) + 1, static_cast<int>(random_() % 3) + 1);
    Both sum{Exact(factor), wide(factor)};
    for (std::size_t term = random_() % 4; term > 0; --term) {
      sum = sum + exponential(static_cast<int>(random_() % 100) - 60);
    }
    return sum;
  }

  std::mt19937_64 random_;
};

/// Few terms leave much to the bound of the rest: no order is wrong, and of equal numbers none is
/// less.
TEST(Expansion, TellsNoWrongOrder) {
  std::size_t known = 0, equal = 0;
  constexpr std::uint64_t kSeeds = 1200;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    symbolic::Tables tables;
    const symbolic::Work work(tables, std::size_t{1} << 24);
    FarTerms expressions(seed);
    const auto [a, b] = expressions.near_pair();
    const int sign = sign_of_difference(a.near, b.near);
    equal += sign == 0 ? 1 : 0;
    for (const std::size_t most : {1, 2, 3, 5, 16}) {
      const Order order = order_by_expansions(a.exact, b.exact, most);
      if (order == Order::unknown) continue;
      ++known;
      ASSERT_EQ(order, order_at(sign)) << "seed " << seed << ", " << most
                                       << " terms: " << a.near.str(30) << ", " << b.near.str(30);
    }
  }
  EXPECT_GT(known, kSeeds / 4);
  EXPECT_GT(equal, kSeeds / 8);
}

/// Bounds of logarithms are doubles: what they round to must stay bounds.
TEST(Expansion, BoundsWhatADoubleDoesNotHold) {
  symbolic::Tables tables;
  const symbolic::Work work(tables, std::size_t{1} << 24);
  for (const char* power :
       {"1e-40", "1e-400", "1e15", "123456789012345678901234567890.5", "1e400"}) {
    const Exact x = exp(Exact(parse_rational(power)));
    const Exact y = Exact(1) / x;
    // One term of each: the others are as large as it, as far as a double says.
    const Exact sum = x + y + Exact(1);
    for (const std::size_t most : {1, 2, 3}) {
      const Order order = order_by_expansions(square(sum), sum * (x + Exact(1)) + Exact(1), most);
      EXPECT_TRUE(order == Order::greater || order == Order::unknown) << power << ' ' << most;
      EXPECT_EQ(order_by_expansions(sum, y + x + Exact(1), most), Order::unknown) << power;
    }
  }
}

/// e^(-10^12) of their size is what these differ by, of many terms each.
TEST(Expansion, ComparesWhatHasManyTerms) {
  symbolic::Tables tables;
  const symbolic::Work work(tables, std::size_t{1} << 20);
  Exact mass(0), all(0);
  for (int token = 0; token < 40; ++token) {
    const Exact e = exp(Exact(Rational(-token) * parse_rational("1e12")));
    all += e;
    if (token != 1) mass += e;
  }
  const Exact share = mass / all;
  const Exact gap = exp(Exact(parse_rational("-1e12")));
  EXPECT_EQ(order_by_expansions(share, Exact(1), 4), Order::less);
  EXPECT_EQ(order_by_expansions(share, Exact(1) - gap, 4), Order::greater);
  EXPECT_EQ(order_by_expansions(share, Exact(1) - gap + Exact(2) * square(gap), 4), Order::less);
  EXPECT_EQ(order_by_expansions(sqrt_nonnegative(share), Exact(1) - gap / Exact(2), 4),
            Order::greater);
  EXPECT_EQ(order_by_expansions(log_positive(share), -gap, 4), Order::greater);
}

/// What a multiple of 0 leaves out is nothing, though no terms are known of what it is a multiple
/// of.
TEST(Expansion, AddsNothingForAMultipleOfZero) {
  symbolic::Tables tables;
  const symbolic::Work work(tables, std::size_t{1} << 20);
  const Exact root = sqrt_nonnegative(Exact(Rational(231, 500)));
  const Exact far = square(root - Exact(Rational(39, 200)));
  const Exact near = square(root + Exact(Rational(39, 200)));
  const Exact sum = Exact(0) / far + sqrt_nonnegative(square(Exact(0) / far - Exact(1))) * near;
  for (const std::size_t most : {1, 4, 32}) {
    EXPECT_EQ(order_by_expansions(near, sum, most), Order::unknown) << most;
    EXPECT_EQ(order_by_expansions(-near, -sum, most), Order::unknown) << most;
  }
  EXPECT_EQ(order_of(near, sum), Order::equal);
}

/// Nothing is known of a product with what is no number.
TEST(Expansion, KnowsNothingOfAQuotientByZero) {
  symbolic::Tables tables;
  const symbolic::Work work(tables, std::size_t{1} << 20);
  const Exact x = exp(Exact(2));
  const Exact zero = x * x - exp(Exact(4));
  EXPECT_EQ(order_by_expansions(zero * (Exact(1) / zero), Exact(1), 8), Order::unknown);
}

}  // namespace
}  // namespace attn
