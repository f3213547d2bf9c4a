#include "theory/attention/norm/spectral_norm.hpp"

#include <gtest/gtest.h>

#include "theory/tests/scalar_support.hpp"
#include "theory/tests/support.hpp"

namespace attn {
namespace {

using test::encloses;
using Entries = std::vector<std::vector<Rational>>;

template <class S>
Matrix<S> matrix_of(const Entries& rows) {
  Matrix<S> m(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows[0].size()));
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    for (Eigen::Index j = 0; j < m.cols(); ++j) {
      m(i, j) = from<S>(rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]);
    }
  }
  return m;
}

/// The norm's square is known exactly: rational where the norm is not.
template <class S>
void expect_norm_squared(const Entries& rows, const Rational& squared, double width) {
  const S norm = spectral_norm(matrix_of<S>(rows));
  const Rational low = test::lower_of(norm);
  EXPECT_LE(low > 0 ? Rational(low * low) : Rational(0), squared);
  EXPECT_GE(test::upper_of(norm) * test::upper_of(norm), squared);
  EXPECT_LE(test::relative_width(norm), width);
}

Entries transposed(const Entries& a) {
  Entries t(a[0].size(), std::vector<Rational>(a.size()));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < a[0].size(); ++j) t[j][i] = a[i][j];
  }
  return t;
}

template <class L>
class SpectralNorm : public test::LevelTest<L> {
 public:
  static constexpr double kNarrow = 1e-10;
};

using Levels = testing::Types<test::Level<ErrorDouble, 15>, test::Level<Interval, 50>,
                              test::Level<Interval, 100>>;
TYPED_TEST_SUITE(SpectralNorm, Levels);

TYPED_TEST(SpectralNorm, OfANonSymmetricMatrixIsNotItsSpectralRadius) {
  using S = typename TypeParam::Scalar;
  // A Jordan block has eigenvalue 1 only; ||J||^2 = (3 + sqrt 5)/2 = 2.618...
  const S norm = spectral_norm(matrix_of<S>({{1, 1}, {0, 1}}));
  const Rational golden = parse_rational("1.61803398874989484820458683436563811772030917980576");
  EXPECT_LT(abs(Rational(test::lower_of(norm) - golden)), parse_rational("1e-10"));
  EXPECT_LE(test::relative_width(norm), this->kNarrow);
  // Nilpotent: every eigenvalue zero, norm 3.
  expect_norm_squared<S>({{0, 3}, {0, 0}}, 9, this->kNarrow);
}

TYPED_TEST(SpectralNorm, OfRectangularMatrices) {
  using S = typename TypeParam::Scalar;
  expect_norm_squared<S>({{3, 4}}, 25, this->kNarrow);
  expect_norm_squared<S>({{3}, {4}}, 25, this->kNarrow);
  expect_norm_squared<S>({{Rational(2, 3)}}, Rational(4, 9), this->kNarrow);
}

TYPED_TEST(SpectralNorm, DoesNotDependOnTheScale) {
  using S = typename TypeParam::Scalar;
  for (const char* scale : {"1e-60", "1e-5", "1e60"}) {
    SCOPED_TRACE(scale);
    const Rational c = parse_rational(scale);
    expect_norm_squared<S>({{3 * c, 0}, {4 * c, 0}}, 25 * c * c, this->kNarrow);
  }
}

TYPED_TEST(SpectralNorm, OfZeroIsZero) {
  using S = typename TypeParam::Scalar;
  const S norm = spectral_norm(matrix_of<S>({{0, 0}, {0, 0}}));
  EXPECT_TRUE(encloses<S>(norm, 0));
  EXPECT_LT(test::upper_of(norm), parse_rational("1e-150"));
  EXPECT_FALSE(certainly_positive(norm));
}

TYPED_TEST(SpectralNorm, OfRandomMatricesLiesBetweenTheLongestColumnAndFrobenius) {
  using S = typename TypeParam::Scalar;
  test::Random random;
  for (int trial = 0; trial < 30; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    const std::size_t n = 1 + random.below(6);
    Entries rows(n, std::vector<Rational>(1 + random.below(6)));
    Rational frobenius = 0;
    std::vector<Rational> columns(rows[0].size());
    for (auto& row : rows) {
      for (std::size_t j = 0; j < row.size(); ++j) {
        row[j] = random.decimal(2);
        frobenius += row[j] * row[j];
        columns[j] += row[j] * row[j];
      }
    }
    const S norm = spectral_norm(matrix_of<S>(rows));
    EXPECT_LE(test::lower_of(norm) * test::lower_of(norm), frobenius);
    for (const Rational& column : columns) {
      EXPECT_GE(test::upper_of(norm) * test::upper_of(norm), column);
    }
    EXPECT_LT(test::relative_width(norm), this->kNarrow);
    // ||M|| = ||M^T||.
    EXPECT_TRUE(test::overlap(norm, spectral_norm(matrix_of<S>(transposed(rows)))));
    const WorkingDigits most(kCapDigits);
    const auto fine = spectral_norm(matrix_of<Interval>(rows));
    EXPECT_TRUE(test::overlap(norm, fine));
  }
}

// ---- nothing is certified that is not so ----

TYPED_TEST(SpectralNorm, CertifiesDefiniteMatricesOnly) {
  using S = typename TypeParam::Scalar;
  const auto definite = [](const Entries& rows) {
    return certainly_positive_definite(matrix_of<S>(rows));
  };
  EXPECT_TRUE(definite({{2, 1}, {1, 2}}));
  EXPECT_TRUE(definite({{2, -1, 0}, {-1, 2, -1}, {0, -1, 2}}));
  EXPECT_FALSE(definite({{1, 2}, {2, 1}}));  // eigenvalues 3 and -1, positive diagonal
  EXPECT_FALSE(definite({{1, 1}, {1, 1}}));  // singular
  EXPECT_FALSE(definite({{-1}}));
  EXPECT_FALSE(definite({{0}}));
  EXPECT_FALSE(definite({{1, 0, 0}, {0, 1, 0}, {0, 0, -1}}));
  // Every leading 2 x 2 block is definite, the whole is not: 1 - 3 (3/5)^2 + 2 (-3/5)^3 < 0.
  const Rational c(-3, 5);
  EXPECT_FALSE(definite({{1, c, c}, {c, 1, c}, {c, c, 1}}));
}

TYPED_TEST(SpectralNorm, CertifiesNoUpperBoundBelowTheNorm) {
  using S = typename TypeParam::Scalar;
  // ||(2, 1; 1, 2)|| = 3.
  const auto g = detail::gram(matrix_of<S>({{2, 1}, {1, 2}}));
  using P = Point<S>;
  EXPECT_TRUE(detail::certainly_below(g, P(3.001)));
  EXPECT_FALSE(detail::certainly_below(g, P(3)));
  EXPECT_FALSE(detail::certainly_below(g, P(2.999)));
  EXPECT_FALSE(detail::certainly_below(g, P(1)));
}

/// The Gram matrix encloses the exact one, also where sums cancel.
TYPED_TEST(SpectralNorm, TheGramMatrixHoldsTheExactOne) {
  using S = typename TypeParam::Scalar;
  test::Random random;
  for (int trial = 0; trial < 50; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    Entries rows(1 + random.below(40), std::vector<Rational>(1 + random.below(12)));
    for (auto& row : rows) {
      for (Rational& x : row) x = random.decimal(2) / Rational(3);
    }
    if (rows.size() > 1) rows.back() = rows.front();
    for (Rational& x : rows.back()) x = -x;
    const auto g = detail::gram(matrix_of<S>(rows));
    for (std::size_t i = 0; i < rows.front().size(); ++i) {
      for (std::size_t j = 0; j < rows.front().size(); ++j) {
        Rational sum = 0;
        for (const auto& row : rows) sum += row[i] * row[j];
        const S& entry = g(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
        EXPECT_TRUE(encloses<S>(entry, sum)) << i << ' ' << j;
      }
    }
  }
}

/// Entries that are off by as much as they may be, all in the direction that makes their products
/// larger; and entries that are exact, whose products and sums are not.
TEST(Gram, AllowsForTheErrorsOfEntriesAndForRounding) {
  constexpr Eigen::Index kRows = 40;
  const Rational third = Rational(1.0 / 3);
  for (const auto& [error, entry] :
       {std::pair(0.125, Rational(1) + Rational(1, 8)), std::pair(0.0, third)}) {
    const double middle = error > 0 ? 1.0 : 1.0 / 3;
    const Matrix<ErrorDouble> m =
        Matrix<ErrorDouble>::Constant(kRows, 2, ErrorDouble(middle, error));
    const auto g = detail::gram(m);
    const Rational exact = Rational(kRows) * entry * entry;
    for (const ErrorDouble& x : g.reshaped()) EXPECT_TRUE(encloses<ErrorDouble>(x, exact)) << error;
  }
}

TYPED_TEST(SpectralNorm, AWrongEigenvectorDoesNotExcludeTheNorm) {
  using S = typename TypeParam::Scalar;
  // The two singular values are one in double, so that either axis may be taken for the top one.
  const Rational more = 1 + parse_rational("1e-20");
  // The last has a rotation of rational entries before it.
  const Rational cosine(3, 5), sine(4, 5);
  for (const Entries& rows :
       {Entries{{1, 0}, {0, more}}, Entries{{more, 0}, {0, 1}},
        Entries{{1, 0, 0}, {0, more, 0}, {0, 0, 1}},
        Entries{{cosine, -sine * more, 0}, {sine, cosine * more, 0}, {0, 0, Rational(1, 2)}}}) {
    EXPECT_TRUE(encloses<S>(spectral_norm(matrix_of<S>(rows)), more));
  }
}

TYPED_TEST(SpectralNorm, NanIsNeverCertified) {
  using S = typename TypeParam::Scalar;
  auto m = matrix_of<S>({{2, 1}, {1, 2}});
  m(1, 0) = ScalarTraits<S>::from_point(std::numeric_limits<Point<S>>::quiet_NaN());
  m(0, 1) = m(1, 0);
  EXPECT_FALSE(certainly_positive_definite(m));
  const S norm = spectral_norm(m);
  EXPECT_FALSE(certainly_less(norm, S(1e300)));
  EXPECT_FALSE(certainly_less(S(0.5), norm));
}

TEST(Gram, HoldsTheExactProducts) {
  test::Random random;
  Matrix<ErrorDouble> m(40, 6);
  for (ErrorDouble& entry : m.reshaped()) entry = ErrorDouble(random.normal());
  const Matrix<ErrorDouble> g = detail::gram(m);
  for (Eigen::Index i = 0; i < m.cols(); ++i) {
    for (Eigen::Index j = 0; j < m.cols(); ++j) {
      Rational exactly = 0;
      for (Eigen::Index k = 0; k < m.rows(); ++k) {
        exactly += Rational(m(k, i).value()) * Rational(m(k, j).value());
      }
      EXPECT_LE(Rational(g(i, j).lower()), exactly);
      EXPECT_GE(Rational(g(i, j).upper()), exactly);
    }
  }
}

}  // namespace
}  // namespace attn
