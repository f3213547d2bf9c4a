// The statements of the paper's abstract, on measurements made up to agree and to disagree.

#include <gtest/gtest.h>

#include <cmath>

#include "gpt2_check/experiments/figures.hpp"
#include "gpt2_check/experiments/statistics.hpp"
#include "reports/judge/statements.hpp"

namespace attn::gpt2 {
namespace {

using report::AbstractPoint;
using report::PaperStatement;

/// Numbers of one head: D at N = L/4 for L = 32, 64; N_s/N for N = 5, 17, 30; largest T||J|| at
/// T = 0.01, 0.05, 1.
struct Made {
  std::array<double, 2> distance;
  std::array<double, 3> share;
  std::array<double, 3> norm;
};

/// E at N = L/4, of every head.
constexpr double kExpected = 2;

const std::vector<std::int64_t> kLengths = {4, 32, 64};

/// The mean of equal numbers.
Mean mean_of(double value) {
  Mean mean;
  mean.add(value);
  return mean;
}

HeadMeasures head_of(const Made& made) {
  HeadMeasures head;
  for (const std::int64_t length : kLengths) {
    // Other N have other distances.
    std::vector<double> distance(static_cast<std::size_t>(length) - 1, 1e9);
    std::vector<double> expected(distance.size(), 1e9);
    if (length > 4) {
      const std::size_t at_quarter = static_cast<std::size_t>(length) / 4 - 1;
      distance[at_quarter] = made.distance[length == 32 ? 0 : 1];
      expected[at_quarter] = kExpected;
    }
    head.sweeps.push_back({distance, expected, 0});
  }
  const std::size_t counts[] = {5, 17, 30};
  const double temperatures[] = {0.01, 0.05, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    head.means.push_back(
        {.n = counts[i], .rows = 4, .share = mean_of(made.share[i]), .random_share = mean_of(0.5)});
    TemperatureGradients g;
    g.temperature = temperatures[i];
    g.rows = 4;
    g.largest_t_norm = made.norm[i];
    g.rows_above_printed_bound = made.norm[i] > 0.25 ? 3 : 0;
    head.gradient.push_back(g);
  }
  return head;
}

std::vector<HeadMeasures> heads_of(const std::vector<Made>& made) {
  std::vector<HeadMeasures> heads;
  for (const Made& one : made) heads.push_back(head_of(one));
  return heads;
}

/// As the paper has it.
std::vector<Made> agreeing() {
  return {{{8, 4}, {0.1, 0.78, 0.80}, {0.10, 0.20, 0.9}},
          {{6, 3.3}, {0.2, 0.77, 0.79}, {0.21, 0.11, 0.9}},
          {{9, 4.5}, {0.3, 0.76, 0.78}, {0.19, 0.20, 0.9}}};
}

std::vector<PaperStatement> statements(const std::vector<Made>& made, bool judged = true) {
  return abstract_statements(heads_of(made), kLengths, judged);
}

std::vector<std::string> ids_of(const std::vector<PaperStatement>& entries) {
  std::vector<std::string> ids;
  for (const PaperStatement& entry : entries) ids.push_back(entry.id);
  return ids;
}

using Ids = std::vector<std::string>;

PaperStatement statement(const std::vector<Made>& made, const char* id) {
  for (const PaperStatement& entry : statements(made)) {
    if (entry.id == id) return entry;
  }
  ADD_FAILURE() << id;
  return {};
}

void expect_interval(const PaperStatement& found, const MeanInterval& expected) {
  EXPECT_NEAR(found.estimate.value(), expected.mean, 1e-14);
  EXPECT_NEAR(found.low.value(), expected.low, 1e-14);
  EXPECT_NEAR(found.high.value(), expected.high, 1e-14);
}

TEST(Abstract, HasThreeStatements) {
  const std::vector<PaperStatement> all = statements(agreeing());
  EXPECT_EQ(ids_of(all), (Ids{"distance", "share", "gradient"}));
  for (const PaperStatement& one : all) {
    EXPECT_EQ(one.samples, 3U);
    EXPECT_EQ(one.confidence, 0.95);
    EXPECT_EQ(one.agrees, true) << one.id;
    EXPECT_LT(one.low, one.estimate);
    EXPECT_LT(one.estimate, one.high);
    EXPECT_EQ(one.by_head.size(), 3U);
  }
}

TEST(Abstract, DistanceIsTheRatioOfTheEnds) {
  const PaperStatement found = statement(agreeing(), "distance");
  const std::vector<double> ratios{std::log(4.0 / 8), std::log(3.3 / 6), std::log(4.5 / 9)};
  const MeanInterval logs = mean_interval(ratios);
  expect_interval(found, {std::exp(logs.mean), std::exp(logs.low), std::exp(logs.high)});
  for (std::size_t h = 0; h < 3; ++h) EXPECT_NEAR(found.by_head[h], ratios[h], 1e-15);
  ASSERT_EQ(found.points.size(), 2U);  // L = 4 is below the range
  const MeanInterval at_64 = mean_interval({4, 3.3, 4.5});
  const AbstractPoint& last = found.points[1];
  EXPECT_EQ(last.length, 64);
  EXPECT_EQ(last.n, 16);
  EXPECT_EQ(last.distance, at_64.mean);
  EXPECT_EQ(last.expected, kExpected);
  EXPECT_EQ(last.low, at_64.low);
  EXPECT_EQ(last.high, at_64.high);
  EXPECT_EQ(last.by_head, (std::vector<double>{4, 3.3, 4.5}));
  EXPECT_EQ(found.points[0].length, 32);
  EXPECT_EQ(found.points[0].n, 8);
}

TEST(Abstract, DistanceAgreesWhereItFallsAndOnlyThere) {
  std::vector<Made> made = agreeing();
  for (Made& one : made) one.distance[1] *= 4;
  EXPECT_EQ(statement(made, "distance").agrees, false);
  made = agreeing();
  made[0].distance[1] = 20;  // the mean falls no more for certain
  const PaperStatement unsure = statement(made, "distance");
  EXPECT_FALSE(unsure.agrees);
  EXPECT_GT(unsure.high, 1);
  EXPECT_LT(unsure.low, 1);
}

TEST(Abstract, DistanceGetsNoVerdictBelowThePapersLengths) {
  const auto entries = abstract_statements(heads_of(agreeing()), {4, 32}, true);
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_FALSE(entries[0].judged);
  EXPECT_FALSE(entries[0].agrees);
  EXPECT_EQ(entries[0].points.front().length, 4);
  EXPECT_TRUE(entries[1].judged);
  EXPECT_EQ(entries[1].agrees, true);
}

TEST(Abstract, DistanceLeavesOutHeadsWithoutRatio) {
  std::vector<Made> made = agreeing();
  made[1].distance[0] = 0;
  const PaperStatement found = statement(made, "distance");
  EXPECT_EQ(found.samples, 2U);
  EXPECT_NEAR(found.estimate.value(), 0.5, 1e-15);
  EXPECT_TRUE(std::isnan(found.by_head[1]));
  made[2].distance[1] = 0;
  EXPECT_EQ(ids_of(statements(made)), (Ids{"share", "gradient"}));
}

TEST(Abstract, ShareIsTheMeanBeyond16) {
  const PaperStatement found = statement(agreeing(), "share");
  expect_interval(found, mean_interval({0.79, 0.78, 0.77}));
  ASSERT_EQ(found.points.size(), 3U);
  const MeanInterval at_17 = mean_interval({0.78, 0.77, 0.76});
  EXPECT_EQ(found.points[1].n, 17);
  EXPECT_EQ(found.points[1].share, at_17.mean);
  EXPECT_EQ(found.points[1].low, at_17.low);
  EXPECT_EQ(found.points[1].high, at_17.high);
  EXPECT_EQ(found.points[1].random_share, 0.5);
}

/// Open where the interval crosses an end of what is stated, wrong where it is outside.
TEST(Abstract, ShareAgreesInsideAndOnlyThere) {
  for (const double moved : {-0.2, -0.07, 0.06, 0.15}) {
    std::vector<Made> made = agreeing();
    for (Made& one : made) {
      one.share[1] += moved;
      one.share[2] += moved;
    }
    const bool is_near = std::abs(moved) < 0.1;
    EXPECT_EQ(statement(made, "share").agrees, is_near ? std::nullopt : std::optional(false));
  }
}

TEST(Abstract, NoVerdictWhereAStatementSpeaksOfAnotherModel) {
  for (const PaperStatement& one : statements(agreeing(), /*judged=*/false)) {
    EXPECT_FALSE(one.judged);
    EXPECT_FALSE(one.agrees);
  }
}

TEST(Abstract, NaNIsNoVerdict) {
  std::vector<Made> made = agreeing();
  made[0].share[1] = std::nan("");
  EXPECT_FALSE(statement(made, "share").agrees);
  made = agreeing();
  made[0].norm[0] = std::nan("");
  EXPECT_FALSE(statement(made, "gradient").agrees);
}

TEST(Abstract, SpeaksOfGpt2124M) {
  for (const char* const name : {"gpt2", "openai-community/gpt2", "openai-community/gpt2 (124M)",
                                 "/models/gpt2/", "gpt2 (124M)"}) {
    EXPECT_TRUE(is_papers_model(name, 12, 12, 64)) << name;
    EXPECT_TRUE(is_papers_model(name, 12, 12, 0)) << name;
    EXPECT_FALSE(is_papers_model(name, 6, 12, 64)) << name;
    EXPECT_FALSE(is_papers_model(name, 12, 16, 64)) << name;
    EXPECT_FALSE(is_papers_model(name, 12, 12, 32)) << name;
  }
  for (const char* const name : {"", "tiny", "distilgpt2", "gpt2-chinese", "gpt2/other", "/"}) {
    EXPECT_FALSE(is_papers_model(name, 12, 12, 64)) << name;
  }
}

TEST(Abstract, GradientIsTheLargestAtSmallTemperatures) {
  const PaperStatement found = statement(agreeing(), "gradient");
  expect_interval(found, mean_interval({0.20, 0.21, 0.20}));
  ASSERT_EQ(found.points.size(), 2U);  // T = 1 is not small
  const AbstractPoint& first = found.points[0];
  EXPECT_EQ(first.temperature, 0.01);
  EXPECT_EQ(first.largest, 0.21);
  EXPECT_EQ(first.mean_of_largest, mean_interval({0.1, 0.21, 0.19}).mean);
  EXPECT_EQ(first.rows, 12U);
  EXPECT_EQ(first.rows_above_printed_bound, 0U);
}

TEST(Abstract, GradientDisagreesWhereOneHeadExceedsIt) {
  std::vector<Made> made = agreeing();
  made[1].norm[1] = 0.2501;
  const PaperStatement found = statement(made, "gradient");
  EXPECT_EQ(found.agrees, false);
  EXPECT_LT(found.estimate, 0.25);
  EXPECT_EQ(found.points[1].rows_above_printed_bound, 3U);
  // No row exceeds it, yet with heads so far apart others might.
  made[1].norm[1] = 0.25;
  EXPECT_FALSE(statement(made, "gradient").agrees);
}

/// A head without logits does not count.
TEST(Abstract, LeavesOutWhatTheInputCannotSpeakTo) {
  std::vector<HeadMeasures> heads = heads_of(agreeing());
  EXPECT_EQ(ids_of(abstract_statements(heads, {4}, true)), (Ids{"share", "gradient"}));
  for (HeadMeasures& head : heads) {
    head.means[1].n = 16;
    head.means[2].rows = 0;  // applies to no row
  }
  EXPECT_EQ(ids_of(abstract_statements(heads, kLengths, true)), (Ids{"distance", "gradient"}));
  for (TemperatureGradients& g : heads[1].gradient) g.rows = 0;
  const PaperStatement of_two = abstract_statements(heads, kLengths, true).at(1);
  EXPECT_EQ(of_two.samples, 2U);
  EXPECT_TRUE(std::isnan(of_two.by_head[1]));
  for (HeadMeasures& head : heads) {
    for (TemperatureGradients& g : head.gradient) g.temperature = 0.1;
  }
  EXPECT_EQ(ids_of(abstract_statements(heads, kLengths, true)), (Ids{"distance"}));
  heads.resize(1);
  EXPECT_TRUE(abstract_statements(heads, kLengths, true).empty());
}

}  // namespace
}  // namespace attn::gpt2
