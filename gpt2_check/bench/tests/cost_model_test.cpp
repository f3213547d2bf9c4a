// The cost model: coefficients that are known are found again, and predictions are those by hand.
#include "gpt2_check/bench/cost_model.hpp"

#include <gtest/gtest.h>

#include "gpt2_check/rows/cut_windows.hpp"

namespace attn::gpt2 {
namespace {

TEST(CostModel, FindsKnownCoefficients) {
  const CostModel known{{kPairs, kRows, kWidth}, {2e-8, 7e-4, 0.04}};
  EXPECT_DOUBLE_EQ(known.of({.tokens = 100, .head_width = 10, .heads = 3}),
                   3 * 100 * 100 * 10 * 2e-8 + 3 * 100 * 7e-4 + 10 * 0.04);
  std::vector<MeasuredWindow> measured;
  for (const double tokens : {256, 1024}) {
    for (const double width : {16, 64}) {
      for (const double heads : {4, 12}) {
        const WindowShape shape{tokens, width, heads};
        measured.push_back({shape, known.of(shape)});
      }
    }
  }
  const CostModel found = fit(known.terms, measured);
  ASSERT_EQ(found.coefficients.size(), 3U);
  for (std::size_t t = 0; t < 3; ++t) {
    EXPECT_NEAR(found.coefficients[t] / known.coefficients[t], 1, 1e-9) << known.terms[t].name;
  }
  EXPECT_LT(found.worst_error(measured), 1e-9);
}

TEST(CostModel, EachTermIsThatOfItsName) {
  const WindowShape shape{.tokens = 5, .head_width = 3, .heads = 2};
  EXPECT_EQ(kPairs.of(shape), 2 * 25 * 3);
  EXPECT_EQ(kRows.of(shape), 2 * 5);
  EXPECT_EQ(kWidth.of(shape), 3);
  EXPECT_EQ(kHeads.of(shape), 2);
  EXPECT_EQ(kCases.of(shape), 5 * 3);
  EXPECT_EQ(kWindow.of(shape), 1);
}

// (c/1 - 1)^2 + (c/3 - 1)^2 is least at c = (1 + 1/3)/(1 + 1/9).
TEST(CostModel, LeastSquaresAreOfRelativeErrors) {
  const std::vector<MeasuredWindow> measured = {{{1, 1, 1}, 1}, {{1, 1, 1}, 3}};
  const CostModel found = fit({kWindow}, measured);
  EXPECT_NEAR(found.coefficients.at(0), 1.2, 1e-12);
  EXPECT_NEAR(found.worst_error(measured), 0.6, 1e-12) << "that of the 3";
}

TEST(RunCost, IsThatOfTheRankWithTheMostWindowsAndOfWhatRank0DoesForAll) {
  const RunCost run{.window_seconds = 10, .fold_seconds = 0.5, .windows = 9, .layers = 1};
  EXPECT_DOUBLE_EQ(run.seconds(1), 9 * 10 + 9 * 0.5);
  EXPECT_DOUBLE_EQ(run.seconds(4), 3 * 10 + 9 * 0.5) << "the last window has a rank for itself";
  EXPECT_DOUBLE_EQ(run.seconds(9), 10 + 9 * 0.5);
  EXPECT_DOUBLE_EQ(run.seconds(100), run.seconds(9)) << "no more ranks than windows have work";
  EXPECT_DOUBLE_EQ(run.efficiency(1), 1);
  EXPECT_DOUBLE_EQ(run.efficiency(4), 94.5 / (4 * 34.5));
}

TEST(RunCost, SharesTheWindowsThatAreLeft) {
  const RunCost run{.window_seconds = 10, .fold_seconds = 0.5, .windows = 9, .layers = 12};
  EXPECT_DOUBLE_EQ(run.seconds(1), 9 * 10 + 9 * 0.5);
  EXPECT_DOUBLE_EQ(run.seconds(4), 2 * 10 + 10 * (1 / 4.0 + 1 / kChecksPerJoin) + 9 * 0.5);
  EXPECT_DOUBLE_EQ(run.seconds(9), 10 + 9 * 0.5) << "none is left";
}

}  // namespace
}  // namespace attn::gpt2
