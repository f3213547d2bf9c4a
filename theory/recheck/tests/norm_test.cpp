#include <gtest/gtest.h>

#include "theory/base/tests/expect_bad_input.hpp"
#include "theory/recheck/jacobian.hpp"
#include "theory/recheck/scores.hpp"

namespace attn::recheck {
namespace {

/// Certainly within 10^-digits, relative, and overlapping.
void expect_equal(const Arb& x, const Arb& y, slong digits) {
  EXPECT_NE(arb_overlaps(x.get(), y.get()), 0);
  const Arb enclosure = hull(x, y);
  EXPECT_GT(arb_rel_accuracy_bits(enclosure.get()), digits * 10 / 3);
}

Rows matrix(const std::vector<std::vector<long>>& entries) {
  Rows rows;
  for (const auto& row : entries) rows.emplace_back(row.begin(), row.end());
  return rows;
}

/// G = diag(2, 1) and v = (1, 1/2): rho = 9/5, residual = 4/25. In two dimensions nothing is lost.
TEST(Temple, IsExactInTwoDimensions) {
  expect_equal(temple(Arb(Rational(9, 5)), Arb(Rational(4, 25)), Arb(1)), Arb(2), 50);
}

TEST(SpectralNorm, OfKnownMatrices) {
  expect_equal(spectral_norm(matrix({{3}})), Arb(3), 50);
  expect_equal(spectral_norm(matrix({{0, 2}, {-1, 0}})), Arb(2), 50);
  expect_equal(spectral_norm(matrix({{1, 1}, {1, 0}})), (Arb(1) + sqrt(Arb(5))) / Arb(2), 50);
  expect_equal(spectral_norm(matrix({{3, 4}})), Arb(5), 50);
  expect_equal(spectral_norm(matrix({{3}, {4}})), Arb(5), 50);
}

TEST(SpectralNorm, OfZeroIsZero) {
  EXPECT_TRUE(is_zero(spectral_norm(matrix({{0, 0}, {0, 0}}))));
}

TEST(SpectralNorm, OfAMultipleEigenvalueLosesNoMoreThanHalfOfTheDigits) {
  const Precision precision(768);
  Rows rows = matrix({{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 0}});
  for (auto& row : rows) {
    for (Arb& entry : row) entry *= Arb(Rational(7, 3));
  }
  expect_equal(spectral_norm(rows), Arb(Rational(7, 3)), 100);
}

TEST(SpectralNorm, TellsNearTiesApart) {
  const Precision precision(768);
  const Arb one_and_little(Rational(1) + Rational("1/1000000000000000000000000000000"));
  Rows rows(2, std::vector<Arb>(2));
  rows[0][0] = Arb(1);
  rows[1][1] = one_and_little;
  EXPECT_TRUE(Arb(1) < spectral_norm(rows));
  expect_equal(spectral_norm(rows), one_and_little, 100);
}

TEST(SpectralNorm, RefusesTooManyColumns) {
  EXPECT_BAD_INPUT(
      spectral_norm(Rows(1, std::vector<Arb>(257))),
      {.kind = BadInputKind::too_large, .expected = "at most 256 columns", .found = "257"});
}

TEST(SoftmaxNorm, IsTheNormOfTheJacobianEntryByEntry) {
  const std::vector<std::vector<Rational>> cases = {
      {0, 0},
      {0, 0, 0},
      {5, Rational(-1, 3), Rational(2, 7), 1},
      {1, 1, 0, -3},
      {Rational(1, 1000000), 0, -1},
      {0, -40, -41},
      {3, 1, 1, 1, 1, 1, 1, 1},
  };
  const Precision precision(768);
  for (const auto& z : cases) {
    std::vector<Arb> f;
    for (const Rational& x : z) f.push_back(exp(Arb(x)));
    expect_equal(softmax_norm(softmax_scores(z).sorted()), spectral_norm(quotient_jacobian(f, f)),
                 50);
  }
}

TEST(SoftmaxNorm, OfOneTokenIsZero) {
  EXPECT_TRUE(is_zero(softmax_norm({Arb(1)})));
}

TEST(SoftmaxNorm, OfTwoTokensIsTwiceTheProduct) {
  const Scores scores = softmax_scores({0, -1000});
  expect_equal(softmax_norm(scores.sorted()), Arb(2) * scores.a[0] * scores.a[1], 50);
}

TEST(Jacobian, SumsOfOthersDoNotCancel) {
  const std::vector<Arb> v = {Arb(1), exp(Arb(-5000)), exp(Arb(-5001))};
  const std::vector<Arb> others = sums_of_others(v);
  expect_equal(others[0], v[1] + v[2], 50);
  expect_equal(others[1], Arb(1), 50);
}

TEST(Jacobian, RowsOfAQuotientAddUpToZero) {
  const std::vector<Arb> f = {Arb(1), Arb(2), Arb(5)};
  const Rows j = quotient_jacobian(f, {Arb(3), Arb(-1), Arb(2)});
  for (std::size_t col = 0; col < 3; ++col) {
    EXPECT_NE(arb_contains_zero((j[0][col] + j[1][col] + j[2][col]).get()), 0);
  }
  expect_equal(j[0][0], Arb(Rational(3 * 7, 64)), 50);
  expect_equal(j[1][0], Arb(Rational(-2 * 3, 64)), 50);
}

}  // namespace
}  // namespace attn::recheck
