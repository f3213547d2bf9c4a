// How few tokens hold a share of a row's weight, beside sorted weights added up in more digits.

#include "gpt2_check/experiments/held.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "gpt2_check/experiments/head_measures.hpp"
#include "gpt2_check/experiments/tests/plain_experiments.hpp"
#include "gpt2_check/tests/random_head.hpp"

namespace attn::gpt2 {
namespace {

/// Softmax at T = 1, each logit with that error.
RowWeights weights_of(const std::vector<double>& logits, double error = 0) {
  RowLogits row;
  row.values = Eigen::Map<const Eigen::ArrayXd>(logits.data(), std::ssize(logits));
  row.errors = Eigen::ArrayXd::Constant(std::ssize(logits), error);
  return {row, 1, 2};
}

/// The least N by definition, of weights of whatever sum.
template <class Number>
std::size_t plain_count(std::vector<Number> weights, int percent) {
  std::ranges::sort(weights, std::greater());
  Number total = 0, sum = 0;
  for (const Number weight : weights) total += weight;
  std::size_t n = 0;
  while (100 * sum < static_cast<Number>(percent) * total) sum += weights[n++];
  return n;
}

void expect_holding(const RowWeights& row, int percent, std::size_t possible, std::size_t certain) {
  const TokensHolding found = tokens_holding(row, std::vector{percent}).at(0);
  EXPECT_EQ(found.possible, possible) << percent;
  EXPECT_EQ(found.certain, certain) << percent;
}

/// The weights are 1/8, 5/8 and 2/8: one token holds 50 %, two 87.5 %.
TEST(TokensHolding, AreTheLeastThatHaveTheShare) {
  const RowWeights row = weights_of({0, std::log(5.0), std::log(2.0)});
  for (const int percent : {1, 50, 62}) expect_holding(row, percent, 1, 1);
  for (const int percent : {63, 87}) expect_holding(row, percent, 2, 2);
  for (const int percent : {88, 90, 99}) expect_holding(row, percent, 3, 3);
}

/// Four equal weights: two hold 50 %, and three 75 %, just so, and no rounding may say that they
/// do.
TEST(TokensHolding, AreOpenWhereTheSumIsTheShare) {
  const RowWeights row = weights_of({7, 7, 7, 7});
  expect_holding(row, 50, 2, 3);
  expect_holding(row, 75, 3, 4);
  expect_holding(row, 90, 4, 4);
  expect_holding(row, 49, 2, 2);
  expect_holding(row, 51, 3, 3);
  expect_holding(weights_of({7, 7, 7}, 0.001), 66, 2, 2);
  expect_holding(weights_of({7, 7, 7}, 0.02), 66, 2, 3);
  expect_holding(weights_of({7, 7, 7}, 0.02), 67, 2, 3);
}

TEST(TokensHolding, AreOpenWhereNothingIsKnown) {
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  expect_holding(weights_of({1, 0, 2}, unknown), 50, 1, 3);
}

TEST(TokensHolding, AreOfEachShare) {
  const std::vector<int> percents{99, 1, 63};
  const auto found = tokens_holding(weights_of({0, std::log(5.0), std::log(2.0)}), percents);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].certain, 3U);
  EXPECT_EQ(found[1].certain, 1U);
  EXPECT_EQ(found[2].certain, 2U);
}

TEST(TokensHolding, AreThoseOfSortedWeights) {
  std::mt19937_64 engine(5);
  std::normal_distribution<double> normal;
  for (const double spread : {0.01, 1.0, 4.0, 30.0}) {
    for (std::size_t tokens = 2; tokens < 200; tokens += 9) {
      std::vector<double> logits(tokens);
      std::vector<long double> weights;
      for (double& logit : logits) {
        logit = spread * normal(engine);
        weights.push_back(std::exp(static_cast<long double>(logit)));
      }
      const RowWeights row = weights_of(logits);
      for (const int percent : {1, 50, 90, 99}) {
        const std::size_t expected = plain_count(weights, percent);
        expect_holding(row, percent, expected, expected);
      }
    }
  }
}

/// Means over the last three rows of each length, with and without the first token.
TEST(MeasureHead, HasTheTokensThatHoldMostOfTheWeight) {
  constexpr std::int64_t kTokens = 40;
  const MeasureSettings settings{
      .selection = {.rows = rows_from_second(kTokens), .counts = {2}, .draws = 1},
      .lengths = {12, kTokens},
      .last_rows = {3, 3},
      .temperatures = {1},
      .seed = 3};
  const Head head = random_head(kTokens, 4, 3, 2, 11);
  const HeadMeasures measured = measure_head(head, settings, [](const RowSelections&) {});
  ASSERT_EQ(measured.figures.held.size(), 12U);
  for (std::size_t at = 0; at < 12; ++at) {
    const report::HeldPoint& point = measured.figures.held[at];
    const int percent = report::kHeldPercents[at % 3];
    const std::int64_t length = settings.lengths[at / 3 % 2];
    EXPECT_EQ(point.length, static_cast<double>(length));
    EXPECT_EQ(point.held, percent / 100.0);
    EXPECT_EQ(point.without_first, at >= 6);
    EXPECT_EQ(point.rows, 3U);
    EXPECT_EQ(point.open_rows, 0U);
    double sum = 0;
    for (std::int64_t row = length - 3; row < length; ++row) {
      std::vector<double> weights = plain::weights_of(head, row);
      if (point.without_first) weights.erase(weights.begin());
      sum += static_cast<double>(plain_count(weights, percent));
    }
    EXPECT_EQ(point.tokens->mean, sum / 3) << at;
  }
  const auto expect_of_head = [&](const report::HeadNumbers& numbers, std::size_t from) {
    EXPECT_EQ(numbers.holding_50, measured.figures.held[from].tokens->mean);
    EXPECT_EQ(numbers.holding_90, measured.figures.held[from + 1].tokens->mean);
    EXPECT_EQ(numbers.holding_99, measured.figures.held[from + 2].tokens->mean);
  };
  expect_of_head(measured.record, 3);
  expect_of_head(measured.record.without_first.value(), 9);
}

}  // namespace
}  // namespace attn::gpt2
