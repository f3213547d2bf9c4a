#include "theory/attention/norm/softmax_norm.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "theory/attention/norm/spectral_norm.hpp"
#include "theory/tests/scalar_support.hpp"
#include "theory/tests/support.hpp"

namespace attn {
namespace {

using test::encloses;
using test::lower_of;
using test::upper_of;

/// Exact weights, sorted and enclosed.
template <class S>
SortedWeights<S> sorted(std::vector<Rational> weights) {
  std::ranges::sort(weights, std::greater<>());
  SortedWeights<S> w;
  Rational rest = 0;
  for (const Rational& weight : weights) w.a.push_back(from<S>(weight));
  for (std::size_t i = 1; i < weights.size(); ++i) rest += weights[i];
  w.rest = from<S>(rest);
  w.top_tied = weights[0] == weights[1];
  return w;
}

template <class S>
S norm_of(const std::vector<Rational>& weights) {
  return softmax_jacobian_norm(sorted<S>(weights));
}

/// diag(a) - a a^T, entry by entry.
template <class S>
Matrix<S> explicit_matrix(const std::vector<Rational>& weights) {
  const auto n = static_cast<Eigen::Index>(weights.size());
  Matrix<S> m(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) {
      const Rational& a = weights[static_cast<std::size_t>(i)];
      const Rational& b = weights[static_cast<std::size_t>(j)];
      m(i, j) = from<S>(i == j ? Rational(a - a * a) : Rational(-a * b));
    }
  }
  return m;
}

/// How narrow an enclosure of a well-separated norm must be: the first step of the bracket is 16
/// units of the point type, and a few dozen roundings come on top.
template <class S>
double narrow() {
  return 1000 * static_cast<double>(ScalarTraits<S>::epsilon());
}

template <class L>
class SoftmaxNorm : public test::LevelTest<L> {};

using Levels = testing::Types<test::Level<ErrorDouble, 15>, test::Level<Interval, 50>,
                              test::Level<Interval, 100>>;
TYPED_TEST_SUITE(SoftmaxNorm, Levels);

TYPED_TEST(SoftmaxNorm, AgreesWithTheCholeskyOfTheExplicitMatrix) {
  using S = typename TypeParam::Scalar;
  test::Random random;
  for (int trial = 0; trial < 60; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    const auto weights = random.weights(2 + random.below(7));
    const S secular = norm_of<S>(weights);
    const S cholesky = spectral_norm(explicit_matrix<S>(weights));
    EXPECT_TRUE(test::overlap(secular, cholesky));
    EXPECT_LT(test::relative_width(secular), 1e-9);
    EXPECT_LT(test::relative_width(cholesky), 1e-9);
    // The same number of many more digits lies inside both.
    const WorkingDigits most(kCapDigits);
    const auto fine = norm_of<Interval>(weights);
    EXPECT_LE(lower_of(secular), lower_of(fine));
    EXPECT_GE(upper_of(secular), upper_of(fine));
    EXPECT_LE(lower_of(cholesky), lower_of(fine));
    EXPECT_GE(upper_of(cholesky), upper_of(fine));
  }
}

TYPED_TEST(SoftmaxNorm, OfWellSeparatedWeightsIsKnownToNearlyAllDigits) {
  using S = typename TypeParam::Scalar;
  EXPECT_LT(test::relative_width(norm_of<S>(test::rationals({"0.5", "0.3", "0.2"}))), narrow<S>());
  EXPECT_LT(test::relative_width(norm_of<S>(test::rationals({"0.9", "0.06", "0.04"}))),
            narrow<S>());
}

TYPED_TEST(SoftmaxNorm, OfTwoEqualWeightsIsExactlyOneHalf) {
  using S = typename TypeParam::Scalar;
  const Rational half(1, 2);
  const S norm = softmax_jacobian_norm(sorted<S>({half, half}));
  EXPECT_EQ(test::rational_of(ScalarTraits<S>::middle(norm)), half);
}

TYPED_TEST(SoftmaxNorm, OfAnExactTieAtTheTopIsTheLargestWeight) {
  using S = typename TypeParam::Scalar;
  const auto weights = test::rationals({"2/7", "2/7", "2/7", "1/7"});
  const S norm = norm_of<S>(weights);
  EXPECT_TRUE(encloses<S>(norm, Rational(2, 7)));
  EXPECT_TRUE(test::overlap(norm, spectral_norm(explicit_matrix<S>(weights))));
}

TYPED_TEST(SoftmaxNorm, OfADominantWeightKeepsItsDigits) {
  using S = typename TypeParam::Scalar;
  const Rational e = parse_rational("1e-30");
  const Rational top = 1 - 2 * e;
  const S norm = norm_of<S>({top, e, e});
  // (1, -1/2, -1/2) is an eigenvector where the two others are equal: lambda = 3 a_1 e.
  EXPECT_TRUE(encloses<S>(norm, 3 * top * e));
  EXPECT_LT(test::relative_width(norm), 1e-10);
}

TYPED_TEST(SoftmaxNorm, OfNearTiesStaysBetweenTheTwoLargestWeights) {
  using S = typename TypeParam::Scalar;
  const Rational gap = parse_rational("1e-40");
  const Rational third(1, 3);
  const std::vector<Rational> weights = {third + gap, third, third - gap};
  const S norm = norm_of<S>(weights);
  // Interlacing: the norm lies in [1/3, 1/3 + gap].
  EXPECT_LE(lower_of(norm), third + gap);
  EXPECT_GE(upper_of(norm), third);
  EXPECT_LT(test::relative_width(norm), 1e-14);
  const WorkingDigits most(kCapDigits);
  const auto fine = norm_of<Interval>(weights);
  EXPECT_LE(lower_of(norm), lower_of(fine));
  EXPECT_GE(upper_of(norm), upper_of(fine));
}

/// What is given as near the root decides how narrow the enclosure is, and nothing else.
TYPED_TEST(SoftmaxNorm, IsEnclosedWhateverIsTakenForItsRoot) {
  using S = typename TypeParam::Scalar;
  using P = Point<S>;
  const auto weights = test::rationals({"0.6", "0.3", "0.1"});
  const auto w = sorted<S>(weights);
  const WorkingDigits most(kCapDigits);
  const auto fine = norm_of<Interval>(weights);
  for (const double near : {-1.0, 0.0, 5e-324, 1e-3, 0.05, 0.1, 0.11, 0.2, 0.25, 0.2999, 0.3, 0.31,
                            0.45, 0.5999, 0.6, 0.7, 1e9, std::numeric_limits<double>::infinity(),
                            std::numeric_limits<double>::quiet_NaN()}) {
    const S norm = detail::norm_about(w, P(near));
    EXPECT_LE(lower_of(norm), lower_of(fine)) << near;
    EXPECT_GE(upper_of(norm), upper_of(fine)) << near;
    EXPECT_GE(lower_of(norm), parse_rational("0.2999999")) << near;
    EXPECT_LE(upper_of(norm), parse_rational("0.6000001")) << near;
  }
}

TEST(SoftmaxNormLevels, OthersKnownToTieNeedNoRoot) {
  const std::vector<Rational> weights = test::rationals({"0.4", "0.2", "0.2", "0.2"});
  auto w = sorted<Interval>(weights);
  const auto by_root = softmax_jacobian_norm(w);
  w.others_tied = true;
  EXPECT_TRUE(encloses(by_root, Rational(8, 25)));
  EXPECT_TRUE(encloses(softmax_jacobian_norm(w), Rational(8, 25)));
}

/// Weights whose root no double can be near, and how narrow its enclosure is at each level.
TEST(SoftmaxNormLevels, EveryLevelKnowsItsDigits) {
  const auto far = test::rationals({"1e-400", "1e-460"});
  const auto near = test::rationals({"1e-45", "1e-44"});
  const Rational third(1, 3);
  const std::vector<std::vector<Rational>> rows = {
      {1 - far[0] - far[1], far[0], far[1]},
      {third + near[0] + near[1], third - near[0], third - near[1]},
      {third + near[0], third + near[1], third - near[0] - near[1]}};
  for (const unsigned digits : {100U, 150U, kCapDigits}) {
    const WorkingDigits working(digits);
    for (const auto& row : rows) {
      const auto norm = norm_of<Interval>(row);
      EXPECT_LE(norm.upper() - norm.lower(), 1e4 * narrow<Interval>() * norm.lower()) << digits;
    }
  }
  EXPECT_LT(test::relative_width(norm_of<Interval>(rows[0])), narrow<Interval>());
}

TEST(SoftmaxNormOfDoubles, PoisonedWeightsDecideNothing) {
  SortedWeights<ErrorDouble> w = sorted<ErrorDouble>(test::rationals({"0.5", "0.3", "0.2"}));
  w.a[2] = ErrorDouble(std::numeric_limits<double>::quiet_NaN());
  const ErrorDouble norm = softmax_jacobian_norm(w);
  EXPECT_FALSE(certainly_less(norm, ErrorDouble(0.3)));
  EXPECT_FALSE(certainly_less(ErrorDouble(0.5), norm));
}

}  // namespace
}  // namespace attn
