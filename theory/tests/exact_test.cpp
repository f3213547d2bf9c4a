#include "theory/number/exact.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "theory/attention/norm/softmax_norm.hpp"
#include "theory/attention/norm/spectral_norm.hpp"
#include "theory/number/exact/expansion.hpp"
#include "theory/number/exact/tables.hpp"
#include "theory/number/power.hpp"
#include "theory/number/rationals.hpp"

namespace attn {
namespace {

using symbolic::Order;

/// Numbers of every test are of a work of their own.
class ExactNumber : public testing::Test {
 protected:
  static Exact number(const char* text) { return Exact(parse_rational(text)); }

  static constexpr std::size_t kWork = std::size_t{1} << 24;
  symbolic::Tables tables_;

 private:
  symbolic::Work work_{tables_, kWork};
};

class ExactZero : public ExactNumber {};

// ---- zero tests on identities, in every kind of value ----

/// Two numbers a, b > 0 of one kind, by a name.
struct SamePair {
  const char* kind;
  std::function<std::pair<Exact, Exact>()> make;
};

Exact q(const char* text) {
  return Exact(parse_rational(text));
}

std::vector<SamePair> same_pairs() {
  return {
      {"rational", [] { return std::pair(q("2/3"), q("12345678901234567890.1")); }},
      {"exponential", [] { return std::pair(exp(q("7/3")), exp(q("-1000000.5"))); }},
      {"sum of exponentials",
       [] { return std::pair(exp(q("1")) + exp(q("2/7")), Exact(3) + exp(q("-1/2"))); }},
      {"fraction",
       [] {
         const Exact z = Exact(1) + exp(q("1/3")) + exp(q("-5"));
         return std::pair(exp(q("1/3")) / z, Exact(1) / z);
       }},
      {"root of a rational",
       [] { return std::pair(sqrt_nonnegative(q("2")), sqrt_nonnegative(q("3/5"))); }},
      {"root of exponentials",
       [] {
         return std::pair(sqrt_nonnegative(Exact(1) + exp(q("1"))),
                          sqrt_nonnegative(Exact(2) + exp(q("3"))));
       }},
      {"root of a fraction",
       [] {
         const Exact z = Exact(1) + exp(q("1/3"));
         return std::pair(sqrt_nonnegative(Exact(1) / z), sqrt_nonnegative(exp(q("2/3")) / z));
       }},
      {"exponential of a root",
       [] {
         return std::pair(exp(sqrt_nonnegative(q("2"))),
                          exp(Exact(1) - sqrt_nonnegative(q("7/5"))));
       }},
      {"logarithm",
       [] { return std::pair(log_positive(q("10")), log_positive(Exact(1) + exp(q("1/2")))); }},
      {"power of an integer",
       [] {
         return std::pair(exp(log_positive(q("6")) * q("3/7")),
                          exp(log_positive(q("2")) * q("-5")));
       }},
  };
}

TEST_F(ExactZero, IsFoundOfBinomialSquares) {
  for (const SamePair& pair : same_pairs()) {
    const auto [a, b] = pair.make();
    const Exact square_of_sum = (a + b) * (a + b);
    EXPECT_EQ(order_of(square_of_sum - a * a - Exact(2) * a * b - b * b, {}), Order::equal)
        << pair.kind;
    EXPECT_EQ(order_of(square_of_sum, a * a + Exact(2) * a * b + b * b), Order::equal) << pair.kind;
    EXPECT_EQ(order_of((a + b) * (a - b), a * a - b * b), Order::equal) << pair.kind;
  }
}

/// These identities are false by 10^-300 and by 10^-3000 of their size.
TEST_F(ExactZero, IsNotFoundWhereTheDifferenceIsSmall) {
  for (const SamePair& pair : same_pairs()) {
    for (const char* tiny : {"1e-300", "1e-3000"}) {
      const auto [a, b] = pair.make();
      const Exact sum = a * a + Exact(2) * a * b + b * b;
      const Exact more = (a + b) * (a + b) * (Exact(1) + number(tiny));
      EXPECT_EQ(order_of(more, sum), Order::greater) << pair.kind << " " << tiny;
      EXPECT_EQ(order_of(sum, more), Order::less) << pair.kind << " " << tiny;
    }
  }
}

TEST_F(ExactZero, IsFoundOfQuotients) {
  for (const SamePair& pair : same_pairs()) {
    const auto [a, b] = pair.make();
    EXPECT_EQ(order_of(a / b * b, a), Order::equal) << pair.kind;
    EXPECT_EQ(order_of(a / b + b / b, (a + b) / b), Order::equal) << pair.kind;
  }
}

TEST_F(ExactZero, IsFoundOfRootsAndLogarithms) {
  for (const SamePair& pair : same_pairs()) {
    const auto [a, b] = pair.make();
    EXPECT_EQ(order_of(sqrt_nonnegative(a) * sqrt_nonnegative(a), a), Order::equal) << pair.kind;
    EXPECT_EQ(order_of(sqrt_nonnegative(a * a), a), Order::equal) << pair.kind;
  }
  const Exact x = Exact(1) + exp(number("2"));
  const Exact y = Exact(3) + exp(number("1/5"));
  EXPECT_EQ(order_of(log_positive(x / y), log_positive(x) - log_positive(y)), Order::equal);
  EXPECT_EQ(order_of(exp(log_positive(x)), x), Order::equal);
  EXPECT_EQ(order_of(log_positive(number("12")),
                     Exact(2) * log_positive(number("2")) + log_positive(number("3"))),
            Order::equal);
  EXPECT_EQ(order_of(log_positive(exp(number("5/7"))), number("5/7")), Order::equal);
}

TEST_F(ExactZero, IsFoundOfRootsOfAnyDegree) {
  for (const SamePair& pair : same_pairs()) {
    const symbolic::Work own(tables_, kWork);
    const auto [a, b] = pair.make();
    const Exact sum = a + b, square = sum * sum, cube = square * sum;
    EXPECT_EQ(order_of(root_of(cube, 3), sum), Order::equal) << pair.kind;
    EXPECT_EQ(order_of(a * root_of(cube, 6) / b, a / b * sqrt_nonnegative(sum)), Order::equal)
        << pair.kind;
    EXPECT_EQ(order_of(root_of(sum, 3) * root_of(sum, 5), root_of(cube * cube * square, 15)),
              Order::equal)
        << pair.kind;
    const Exact more = cube * (Exact(1) + number("1e-3000"));
    EXPECT_EQ(order_of(root_of(more, 3), sum), Order::greater) << pair.kind;
    EXPECT_EQ(order_of(sum / root_of(more, 3), Exact(1)), Order::less) << pair.kind;
  }
}

TEST_F(ExactNumber, RootsOfAnyDegreeAreEnclosed) {
  EXPECT_EQ(order_of(root_of(number("0"), 3), {}), Order::equal);
  EXPECT_EQ(order_of(root_of(number("1"), 7), number("1")), Order::equal);
  EXPECT_EQ(order_of(root_of(number("4/9"), 2), number("2/3")), Order::equal);
  EXPECT_EQ(order_of(root_of(number("2"), 3), number("1.25992104989487316476")), Order::greater);
  EXPECT_EQ(order_of(root_of(number("2"), 3), number("1.25992104989487316477")), Order::less);
  // Of a sum of logarithms no power is a fraction.
  const Exact sum = log_positive(number("2")) + log_positive(number("3")) + number("1e-400");
  EXPECT_EQ(order_of(root_of(sum, 3), root_of(log_positive(number("6")), 3)), Order::greater);
}

TEST_F(ExactZero, IsFoundOfNestedSquares) {
  // sqrt(5 + 2 sqrt 6) = sqrt 2 + sqrt 3 has a root under a root; its square has not.
  const Exact two = sqrt_nonnegative(number("2"));
  const Exact three = sqrt_nonnegative(number("3"));
  EXPECT_EQ(
      order_of((two + three) * (two + three), Exact(5) + Exact(2) * sqrt_nonnegative(number("6"))),
      Order::equal);
  EXPECT_EQ(order_of(sqrt_nonnegative(number("6")), two * three), Order::equal);
  EXPECT_EQ(order_of(sqrt_nonnegative(number("8")), two + two), Order::equal);
}

/// sqrt((x + y)^2) and sqrt((x - y)^2), which sums tell of, for one or both of x and y a root.
TEST_F(ExactZero, IsFoundOfRootsOfRoots) {
  const Exact root = sqrt_nonnegative(Exact(2) + exp(number("2/3")));
  const std::vector<std::pair<Exact, Exact>> pairs = {
      {sqrt_nonnegative(number("2")), sqrt_nonnegative(number("3"))},
      {root, Exact(1) + exp(number("1/2"))},
      {root, exp(number("-1/5")) / (Exact(1) + exp(number("7")))},
      {root, sqrt_nonnegative(Exact(5) + exp(number("1/7")))},
  };
  const Exact tiny = number("1e-300");
  for (const auto& [x, y] : pairs) {
    const Exact squares = x * x + y * y;
    const Exact sum = sqrt_nonnegative(squares + Exact(2) * x * y);
    const Exact difference = sqrt_nonnegative(squares - Exact(2) * x * y);
    EXPECT_EQ(order_of(sum + Exact(1), x + y + Exact(1)), Order::equal);
    EXPECT_EQ(order_of(difference + Exact(1), abs(x - y) + Exact(1)), Order::equal);
    EXPECT_EQ(order_of(sum + difference, Exact(2) * max(x, y)), Order::equal);
    EXPECT_EQ(order_of(sum + difference, Exact(2) * max(x, y) + tiny), Order::less);
    EXPECT_EQ(order_of(sum + difference, Exact(2) * max(x, y) - tiny), Order::greater);
  }
}

/// sqrt(3 + sqrt 2), where 3^2 - 2 is no square: it is no sum of two roots, and digits tell of it
/// but where it is equal.
TEST_F(ExactNumber, ARootOfRootsNeedBeNoSumOfRoots) {
  const Exact inner = Exact(3) + sqrt_nonnegative(number("2"));
  const Exact root = sqrt_nonnegative(inner);
  EXPECT_EQ(order_of(root, number("2.1010029896154586")), Order::greater);
  EXPECT_EQ(order_of(root, number("2.1010029896154587")), Order::less);
  EXPECT_EQ(order_of(root * root, inner), Order::unknown);
}

/// Radicands that differ by squares, of which a product alone shows it.
TEST_F(ExactZero, IsFoundWhereRadicandsDifferBySquares) {
  const Exact f = Exact(1) + exp(number("1")) + exp(number("5/2"));
  const Exact g = Exact(2) - exp(number("-3"));
  const Exact h = Exact(7) + exp(number("1/3"));
  const Exact sum = sqrt_nonnegative(f * g * g) + sqrt_nonnegative(f * h * h);
  EXPECT_EQ(order_of(sum, sqrt_nonnegative(f) * (g + h)), Order::equal);
  EXPECT_EQ(order_of(sum - sqrt_nonnegative(f) * (g + h), {}), Order::equal);
  EXPECT_EQ(order_of(sum - sqrt_nonnegative(f) * (g + h), number("1e-400")), Order::less);
}

TEST_F(ExactZero, IsNotFoundOfIndependentRoots) {
  const Exact a = sqrt_nonnegative(Exact(1) + exp(number("1")));
  const Exact b = sqrt_nonnegative(Exact(1) + exp(number("2")));
  const Exact c = sqrt_nonnegative(Exact(1) + exp(number("3")));
  EXPECT_NE(order_of(a * a + b * c, c * c + a * b), Order::equal);
  EXPECT_NE(order_of(a + b, c), Order::equal);
}

// ---- the order, where it takes many digits or huge exponents ----

TEST_F(ExactNumber, ComparesWhatNoPrecisionShows) {
  // e^(-10^30) more than 1.
  const Exact tiny = exp(number("-1e30"));
  EXPECT_EQ(order_of(Exact(1) + tiny, Exact(1)), Order::greater);
  EXPECT_EQ(order_of((Exact(1) + tiny) * (Exact(1) + tiny), Exact(1) + Exact(2) * tiny),
            Order::greater);
  EXPECT_EQ(order_of(sqrt_nonnegative(Exact(1) + Exact(2) * tiny), Exact(1) + tiny), Order::less);
  EXPECT_EQ(order_of(exp(number("1e30")) / (exp(number("1e30")) + Exact(1)), Exact(1)),
            Order::less);
}

TEST_F(ExactNumber, ComparesDistancesOfTokensOfWhichOneHasNearlyAllWeight) {
  // As of logits thousands apart: the distance from the rest is the length of one token but for
  // e^-6000 of it, and the vectors are of no round numbers, which makes all terms long.
  const Exact z = Exact(1) + exp(number("-3000")) + exp(number("-5321"));
  const Exact a = exp(number("-3000")) / z, b = exp(number("-5321")) / z;
  const auto distance = [&](const Exact& weight) {
    const Exact x = number("1.4838905334472656") / z - weight * number("0.51513671875");
    const Exact y = number("0.7183247804641724") / z + weight * number("0.29714435338973999");
    return sqrt_nonnegative(square(x) + square(y));
  };
  EXPECT_EQ(order_of(distance(a), distance(b)), Order::less);
  EXPECT_EQ(order_of(distance(a) + b, distance(b)), Order::less);
  EXPECT_EQ(order_of(distance(a * b), distance({})), Order::less);
}

TEST_F(ExactNumber, ComparesRationalsNearExponentials) {
  // The first 400 digits of e.
  Real<420> e = exp(Real<420>(1));
  const Exact below = number(e.str(400, std::ios_base::fixed).substr(0, 400).c_str());
  EXPECT_EQ(order_of(below, exp(number("1"))), Order::less);
  EXPECT_EQ(order_of(below + number("1e-390"), exp(number("1"))), Order::greater);
}

TEST_F(ExactNumber, TakesTheLargerAndTheSmaller) {
  const Exact a = exp(number("1/3")) + Exact(1);
  const Exact b = Exact(1) + exp(number("1/3"));
  EXPECT_EQ(order_of(max(a, b), a), Order::equal);
  EXPECT_EQ(order_of(min(a, b), b), Order::equal);
  EXPECT_EQ(order_of(max(a, b + number("1e-500")), a), Order::greater);
  EXPECT_EQ(order_of(min(a, b + number("1e-500")), a), Order::equal);
  EXPECT_EQ(order_of(abs(a - b - number("1e-500")), number("1e-500")), Order::equal);
  EXPECT_EQ(order_of(max(a, b) * Exact(2) - a - b, {}), Order::equal);
  EXPECT_EQ(order_of(floor(exp(number("1"))), Exact(2)), Order::equal);
}

// ---- what is not known ----

TEST_F(ExactNumber, ThatIsUnknownIsPassedOnByEveryOperation) {
  const Exact x = Exact::unknown();
  const Exact one(1);
  for (const Exact& y :
       {x + one, one - x, x * one, x * Exact(0), one / x, x / one, -x, abs(x), max(x, one),
        min(x, one), exp(x), sqrt_nonnegative(x), log_positive(x), square(x), one / Exact(0)}) {
    EXPECT_EQ(order_of(y, one), Order::unknown);
    EXPECT_EQ(order_of(one, y), Order::unknown);
    EXPECT_THROW(static_cast<void>(y < one), BeyondExact);
    EXPECT_THROW(static_cast<void>(y == one), BeyondExact);
    EXPECT_THROW(compare(y, y + one), BeyondExact);
  }
}

TEST_F(ExactNumber, ThatIsBeyondTheFieldIsUnknownOnlyWhereItMatters) {
  // A root of a sum of roots.
  const Exact nested = sqrt_nonnegative(sqrt_nonnegative(number("2")) + Exact(1));
  EXPECT_EQ(order_of(nested, number("1.5")), Order::greater);
  EXPECT_EQ(order_of(nested + number("1e-300"), nested), Order::greater);
  EXPECT_EQ(order_of(nested + number("1e-9000"), nested), Order::greater);
  EXPECT_EQ(order_of(nested + number("1e-10000"), nested), Order::unknown);
  EXPECT_EQ(order_of(nested, nested), Order::equal);
}

// ---- the budget ----

/// (1 + e^(q_1)) ... (1 + e^(q_n)), of 2^n terms.
Exact product_of(std::size_t factors) {
  Exact product(1);
  for (std::size_t k = 0; k < factors; ++k) {
    product *= Exact(1) + exp(Exact(Rational(1, 7 + static_cast<int>(k * k))));
  }
  return product;
}

Order square_is_product(std::size_t factors, std::size_t budget) {
  symbolic::Tables tables;
  const symbolic::Work work(tables, budget);
  try {
    return order_of(product_of(factors) * product_of(factors), square(product_of(factors)));
  } catch (const BeyondExact&) {
    return Order::unknown;
  }
}

TEST(ExactWork, BeyondItsBudgetIsUnknown) {
  EXPECT_EQ(square_is_product(6, 1 << 20), Order::equal);
  EXPECT_EQ(square_is_product(6, 1 << 10), Order::unknown);
  EXPECT_EQ(square_is_product(12, 1 << 20), Order::unknown);
}

TEST(ExactWork, CountsEnclosures) {
  // Two terms, and so many digits that the algebra costs next to nothing.
  const auto order = [](std::size_t budget) {
    symbolic::Tables tables;
    const symbolic::Work work(tables, budget);
    const Exact x = exp(Exact(parse_rational("1e-9000")));
    const Exact y = exp(Exact(parse_rational("-1e-9000")));
    return order_of(x + y, Exact(2));
  };
  EXPECT_EQ(order(1 << 24), Order::greater);
  EXPECT_EQ(order(1 << 20), Order::different);
  EXPECT_EQ(order(1 << 12), Order::different);
}

/// sum_k (k + e)^(1/3), k = 2, ..., n + 1: of many terms, and each takes a logarithm.
Exact sum_of_odd_roots(int n) {
  Exact sum;
  for (int k = 2; k < n + 2; ++k) sum += root_of(Exact(k) + exp(Exact(1)), 3);
  return sum;
}

/// What it takes of the work to find that x < y.
std::size_t work_to_find_less(const symbolic::Work& work, const Exact& x, const Exact& y) {
  const std::size_t before = work.left();
  EXPECT_EQ(order_of(x, y), Order::less);
  return before - work.left();
}

TEST(ExactWork, IsNotUsedUpWhereDigitsTell) {
  symbolic::Tables tables;
  const symbolic::Work work(tables, std::size_t{1} << 24);
  const Exact few = q("1e-60");
  // Their largest terms are dear, and so is their algebra.
  const Exact roots = sum_of_odd_roots(1000), more_roots = sum_of_odd_roots(1000) + few;
  EXPECT_LT(work_to_find_less(work, roots, more_roots), std::size_t{3} << 16);
  // Their algebra is dear, and would be done within the work.
  const Exact product = product_of(11), more = product_of(11) + few;
  EXPECT_LT(work_to_find_less(work, product, more), std::size_t{1} << 15);
}

/// What it takes to square 1 + 3^-n e, which has two terms for every n, by algebra (0 terms) or by
/// so many of its largest terms, beside what makes the numbers.
std::size_t work_of_long_factors(unsigned n, std::size_t most_terms) {
  symbolic::Tables tables;
  constexpr std::size_t kBudget = std::size_t{1} << 24;
  const symbolic::Work work(tables, kBudget);
  const Exact x = Exact(1 / power_of(Rational(3), n)) * exp(Exact(1)) + Exact(1);
  const Exact more = square(x) + q("1e-60");
  const std::size_t before = work.left();
  if (most_terms == 0) {
    EXPECT_EQ(order_of(square(x), x * x), Order::equal);
  } else {
    EXPECT_EQ(symbolic::order_by_expansions(square(x), more, most_terms), Order::less);
  }
  return before - work.left();
}

TEST(ExactWork, GrowsWithTheLengthOfFactors) {
  for (const std::size_t terms : {0, 8}) {
    const std::size_t of_short = work_of_long_factors(10, terms);
    const std::size_t of_long = work_of_long_factors(4000, terms);
    const std::size_t of_longer = work_of_long_factors(16'000, terms);
    // 3^4000 takes 100 words.
    EXPECT_GT(of_long, of_short + 100 * 100 / 4) << terms;
    EXPECT_GT(of_longer, 5 * of_long) << terms;
  }
}

TEST(ExactWork, IsNeeded) {
  EXPECT_THROW(exp(Exact(1)), std::logic_error);
}

// ---- norms ----

TEST_F(ExactNumber, NormsOfSoftmaxAreCompared) {
  // Weights of logits 1, 0, 0: the others are tied, so that the norm is 3 a_1 a_2.
  const Exact z = exp(number("1")) + Exact(2);
  const std::vector<Exact> a{exp(number("1")) / z, Exact(1) / z, Exact(1) / z};
  const SortedWeights<Exact> w{a, Exact(2) / z, false, true};
  EXPECT_EQ(order_of(softmax_jacobian_norm(w), Exact(3) * a[0] * a[1]), Order::equal);
  SortedWeights<Exact> by_secular = w;
  by_secular.others_tied = false;
  const Exact norm = softmax_jacobian_norm(by_secular);
  EXPECT_EQ(order_of(norm, Exact(3) * a[0] * a[1]), Order::equal);
  EXPECT_EQ(order_of(norm * Exact(2), Exact(6) * a[0] * a[1] + number("1e-300")), Order::less);
  EXPECT_EQ(order_of(norm / Exact(3), a[0] * a[1] - number("1e-300")), Order::greater);
  EXPECT_EQ(order_of(norm, norm), Order::equal);
  EXPECT_EQ(order_of(norm + Exact(1), Exact(1)), Order::unknown) << "a norm is only compared";
}

TEST_F(ExactNumber, NormsOfMatricesAreCompared) {
  // [[x, x], [x, x]] has the norm 2x, and diag(x, 1/x) the larger of the two.
  const Exact x = exp(number("1/2"));
  Matrix<Exact> m(2, 2);
  m << x, x, x, x;
  EXPECT_EQ(order_of(spectral_norm(m), Exact(2) * x), Order::equal);
  EXPECT_EQ(order_of(spectral_norm(m), Exact(2) * x + number("1e-400")), Order::less);
  EXPECT_EQ(order_of(spectral_norm(m), Exact(2) * x - number("1e-400")), Order::greater);
  m << x, Exact(0), Exact(0), Exact(1) / x;
  EXPECT_EQ(order_of(spectral_norm(m), x), Order::equal);
  m << Exact(0), Exact(0), Exact(0), Exact(0);
  EXPECT_EQ(order_of(spectral_norm(m), Exact(0)), Order::equal);
}

TEST_F(ExactNumber, TwoNormsAreComparedByWhatIsBetween) {
  const Exact x = exp(number("1/2"));
  Matrix<Exact> m(2, 2), more(2, 2);
  m << x, Exact(1) / x, Exact(1) / x, x;
  more = m * (Exact(1) + number("1e-60"));
  EXPECT_EQ(order_of(spectral_norm(m), spectral_norm(more)), Order::less);
  EXPECT_EQ(order_of(spectral_norm(more), spectral_norm(m)), Order::greater);
  EXPECT_EQ(order_of(spectral_norm(more), spectral_norm(m) * (Exact(1) + number("1e-61"))),
            Order::greater);
  EXPECT_EQ(order_of(spectral_norm(m) * Exact(2), spectral_norm(more) * Exact(3)), Order::less);
  EXPECT_EQ(order_of(spectral_norm(m), spectral_norm(Matrix<Exact>(m * Exact(1000)))), Order::less);
  EXPECT_EQ(order_of(-spectral_norm(m), spectral_norm(more)), Order::unknown);
  // Of the same size, of which no number between tells: and where one is a rational that is met.
  EXPECT_EQ(order_of(spectral_norm(m), spectral_norm(Matrix<Exact>(m.transpose()))),
            Order::unknown);
  Matrix<Exact> two(1, 1), diagonal = Matrix<Exact>::Zero(2, 2);
  two << Exact(2);
  diagonal(0, 0) = Exact(1);
  diagonal(1, 1) = Exact(2);
  EXPECT_EQ(order_of(spectral_norm(two), spectral_norm(diagonal)), Order::equal);
}

/// c I + v v^T, which has c + v.v once and else c.
Matrix<Exact> shifted_projection(const Exact& c, const std::vector<Exact>& v) {
  const auto size = static_cast<Eigen::Index>(v.size());
  Matrix<Exact> m(size, size);
  for (Eigen::Index i = 0; i < size; ++i) {
    for (Eigen::Index j = 0; j < size; ++j) {
      m(i, j) = v[static_cast<std::size_t>(i)] * v[static_cast<std::size_t>(j)];
    }
    m(i, i) += c;
  }
  return m;
}

/// Nine places of two sorts, of which elimination of all nine would take too much work.
TEST_F(ExactNumber, NormsOfMatricesWithEqualPlacesAreCompared) {
  const Exact c = exp(number("1"));
  const Exact s = exp(number("1/2")), t = exp(number("1/3"));
  const Exact tiny = number("1e-400");
  const std::vector<Exact> v{s, t, s, t, s, s, t, t, s};
  const Exact with_sums = c + Exact(5) * s * s + Exact(4) * t * t;
  const Exact of_sums = spectral_norm(shifted_projection(c, v));
  EXPECT_EQ(order_of(of_sums, with_sums), Order::equal);
  EXPECT_EQ(order_of(of_sums, with_sums + tiny), Order::less);
  EXPECT_EQ(order_of(of_sums, with_sums - tiny), Order::greater);
  // Of -c I + v v^T with a small v the largest is that of the differences of equal places.
  std::vector<Exact> small;
  for (const Exact& of_v : v) small.push_back(of_v * number("1/100"));
  const Exact of_differences = spectral_norm(shifted_projection(-c, small));
  EXPECT_EQ(order_of(of_differences, c), Order::equal);
  EXPECT_EQ(order_of(of_differences, c + tiny), Order::less);
  EXPECT_EQ(order_of(of_differences, c - tiny), Order::greater);
}

TEST_F(ExactNumber, NormsTellPlacesApartThatAreNearlyEqual) {
  // The norm of diag(2, 2, 2 + 1e-300) is the last, wherever that stands.
  const Exact more = Exact(2) + number("1e-300");
  for (const int place : {0, 1, 2}) {
    Matrix<Exact> m = Matrix<Exact>::Zero(3, 3);
    for (Eigen::Index i = 0; i < 3; ++i) m(i, i) = i == place ? more : Exact(2);
    EXPECT_EQ(order_of(spectral_norm(m), more), Order::equal) << place;
    EXPECT_EQ(order_of(spectral_norm(m), Exact(2)), Order::greater) << place;
  }
  // Equal on the diagonal; what they have in common with the third differs.
  Matrix<Exact> m(3, 3);
  m << Exact(1), Exact(0), number("1/3"), Exact(0), Exact(1), Exact(0), number("1/3"), Exact(0),
      Exact(1);
  EXPECT_EQ(order_of(spectral_norm(m), number("4/3")), Order::equal);
}

}  // namespace
}  // namespace attn
