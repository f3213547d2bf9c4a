// What the N largest weights leave out, and what the gap behind the N-th shows of it.

#include "gpt2_check/experiments/mass.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attn::gpt2 {
namespace {

/// Softmax at T = 1 of the logarithms.
RowWeights weights_of(const std::vector<double>& weights, std::size_t depth) {
  RowLogits logits;
  logits.values = Eigen::Map<const Eigen::ArrayXd>(weights.data(), std::ssize(weights)).log();
  logits.errors = Eigen::ArrayXd::Zero(std::ssize(weights));
  return {logits, 1, depth};
}

/// The weights 0.2, 0.5, 0.3: the first leaves out 0.5: (2 * 0.3)/(2 * 0.3 + 0.5) = 6/11. The first
/// two leave out 0.2, and 0.2/(0.2 + 2 * 0.3) = 1/4.
TEST(LeftOut, IsThatOfTheClaim) {
  for (const std::size_t depth : {2U, 3U}) {
    const RowWeights row = weights_of({0.2, 0.5, 0.3}, depth);
    EXPECT_NEAR(left_out(row, 1).weight, 0.5, 1e-15);
    EXPECT_NEAR(left_out(row, 1).bound, 6.0 / 11, 1e-15);
    EXPECT_NEAR(left_out(row, 2).weight, 0.2, 1e-15);
    EXPECT_NEAR(left_out(row, 2).bound, 0.25, 1e-15);
  }
}

/// 0.97, 0.03 leaves out 0.03 at N = 1, which the bound of two tokens shows. 0.88, 0.08, 0.04
/// leaves out 0.12 at N = 1, where the bound is 0.16/1.04, and 0.04 at N = 2, where it is 0.04/0.2.
TEST(MassMeasure, CountsRows) {
  const std::vector<std::size_t> counts{1, 2, 5};
  MassMeasure measure(counts);
  measure.add(weights_of({0.03, 0.97}, 2));
  measure.add(weights_of({0.88, 0.08, 0.04}, 3));
  const std::vector<report::MassPoint>& points = measure.points();
  ASSERT_EQ(points.size(), 9U);
  const auto expect = [&](std::size_t at, double n, double share, std::uint64_t rows,
                          std::uint64_t is_true, std::uint64_t certified) {
    EXPECT_EQ(points[at].n, n);
    EXPECT_EQ(points[at].left_out, share);
    EXPECT_EQ(points[at].rows, rows) << at;
    EXPECT_EQ(points[at].true_rows, is_true) << at;
    EXPECT_EQ(points[at].certified_rows, certified) << at;
  };
  expect(0, 1, 0.01, 2, 0, 0);
  expect(1, 1, 0.05, 2, 1, 1);
  expect(2, 1, 0.1, 2, 1, 1);
  expect(3, 2, 0.01, 1, 0, 0);
  expect(4, 2, 0.05, 1, 1, 0);
  expect(5, 2, 0.1, 1, 1, 0);
  for (const std::size_t none : {6U, 7U, 8U}) expect(none, 5, points[none].left_out, 0, 0, 0);
}

/// The bound is never below the weight, whatever the row.
TEST(MassMeasure, NothingIsShownThatIsNotTrue) {
  const std::vector<std::size_t> counts{1, 2, 3};
  for (const double lead : {0.0, 1.0, 3.0, 5.0, 8.0, 300.0}) {
    const RowWeights row = weights_of({1, std::exp(lead), 0.5, std::exp(-lead), 1e-3, 2, 0.1}, 4);
    for (const std::size_t n : counts) {
      const LeftOut found = left_out(row, n);
      EXPECT_GE(found.bound, found.weight * (1 - 1e-14)) << lead << " " << n;
    }
  }
}

}  // namespace
}  // namespace attn::gpt2
