// The statements of the paper's abstract, on measurements made up to agree and to disagree.
#include "reports/text/abstract.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "gpt2_check/experiments/figures.hpp"
#include "gpt2_check/experiments/statistics.hpp"
#include "reports/io/record_json.hpp"

namespace attn::gpt2 {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Numbers of one head: D at N = L/4 for L = 4, 32, 64; N_s/N for N = 5, 17, 30; largest T||J|| at
/// T = 0.01, 0.05, 1.
struct Made {
  std::array<double, 2> distance;
  std::array<double, 3> share;
  std::array<double, 3> norm;
};

/// E at N = L/4, of every head.
constexpr double kExpected = 2;

HeadMeasures head_of(const Made& made) {
  HeadMeasures head;
  for (const std::int64_t length : {4, 32, 64}) {
    // Other N have other distances.
    std::vector<double> distance(static_cast<std::size_t>(length) - 1, 1e9);
    if (length > 4) {
      distance[static_cast<std::size_t>(length) / 4 - 1] = made.distance[length == 32 ? 0 : 1];
    }
    std::vector<double> expected(distance.size(), 1e9);
    if (length > 4) expected[static_cast<std::size_t>(length) / 4 - 1] = kExpected;
    head.full.lengths.push_back(
        {.length = length, .selection = {}, .sweep = {distance, expected, 0}});
  }
  const std::size_t counts[] = {5, 17, 30};
  const double temperatures[] = {0.01, 0.05, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    head.full.means.push_back(
        {.n = counts[i], .rows = 4, .share = made.share[i], .random_share = 0.5});
    TemperatureGradients g;
    g.temperature = temperatures[i];
    g.rows = 4;
    g.largest_t_norm = made.norm[i];
    g.rows_above_printed_bound = made.norm[i] > 0.25 ? 3 : 0;
    head.full.gradient.push_back(g);
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

/// The statements in words, as report.json has them.
json statements(const std::vector<Made>& made, bool judged = true) {
  std::vector<report::PaperStatement> entries = abstract_statements(heads_of(made), judged);
  for (report::PaperStatement& entry : entries) report::put_into_words(entry);
  return json(report::json_of(entries));
}

json statement(const std::vector<Made>& made, const char* id) {
  for (const json& one : statements(made)) {
    if (one["id"] == id) return one;
  }
  return nullptr;
}

TEST(Abstract, HasThreeStatements) {
  const json all = statements(agreeing());
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0]["id"], "distance");
  EXPECT_EQ(all[1]["id"], "share");
  EXPECT_EQ(all[2]["id"], "gradient");
  for (const json& one : all) {
    EXPECT_EQ(one["samples"], 3);
    EXPECT_EQ(one["confidence"], 0.95);
    EXPECT_EQ(one["agrees"], true) << one;
    EXPECT_LT(one["low"], one["estimate"]);
    EXPECT_LT(one["estimate"], one["high"]);
    EXPECT_FALSE(one["says"].get<std::string>().empty());
    EXPECT_FALSE(one["measured"].get<std::string>().empty());
    EXPECT_FALSE(one["points"].empty());
  }
}

void expect_interval(const json& found, const MeanInterval& expected) {
  EXPECT_NEAR(found["estimate"], expected.mean, 1e-14);
  EXPECT_NEAR(found["low"], expected.low, 1e-14);
  EXPECT_NEAR(found["high"], expected.high, 1e-14);
}

TEST(Abstract, DistanceIsTheRatioOfTheEnds) {
  const json found = statement(agreeing(), "distance");
  const MeanInterval logs =
      mean_interval({std::log(4.0 / 8), std::log(3.3 / 6), std::log(4.5 / 9)}, 0.95);
  expect_interval(found, {std::exp(logs.mean), std::exp(logs.low), std::exp(logs.high)});
  ASSERT_EQ(found["points"].size(), 2U);  // L = 4 is below the range
  const MeanInterval at_64 = mean_interval({4, 3.3, 4.5}, 0.95);
  EXPECT_EQ(found["points"][1], (json{{"length", 64},
                                      {"n", 16},
                                      {"distance", at_64.mean},
                                      {"expected", kExpected},
                                      {"low", at_64.low},
                                      {"high", at_64.high}}));
  EXPECT_EQ(found["points"][0]["length"], 32);
  EXPECT_EQ(found["points"][0]["n"], 8);
  EXPECT_THAT(found["measured"].get<std::string>(), HasSubstr("it falls."));
}

TEST(Abstract, DistanceIsHeldAgainstARandomSet) {
  const std::string words = statement(agreeing(), "distance")["measured"];
  const double first = mean_interval({8, 6, 9}, 0.95).mean / kExpected;
  const double last = mean_interval({4, 3.3, 4.5}, 0.95).mean / kExpected;
  EXPECT_THAT(words, HasSubstr(fmt::format("{:.3g} times as large at $L = 32$", first)));
  EXPECT_THAT(words, HasSubstr(fmt::format("and {:.3g} times at $L = 64$", last)));
}

TEST(Abstract, DistanceAgreesWhereItFallsAndOnlyThere) {
  std::vector<Made> made = agreeing();
  for (Made& one : made) one.distance[1] *= 4;
  const json grows = statement(made, "distance");
  EXPECT_EQ(grows["agrees"], false);
  EXPECT_THAT(grows["measured"].get<std::string>(), HasSubstr("it grows."));
  made = agreeing();
  made[0].distance[1] = 20;  // the mean falls no more for certain
  const json unsure = statement(made, "distance");
  EXPECT_TRUE(unsure["agrees"].is_null());
  EXPECT_GT(unsure["high"], 1);
  EXPECT_LT(unsure["low"], 1);
  EXPECT_THAT(unsure["measured"].get<std::string>(), HasSubstr("neither"));
}

TEST(Abstract, DistanceGetsNoVerdictBelowThePapersLengths) {
  std::vector<HeadMeasures> heads = heads_of(agreeing());
  for (HeadMeasures& head : heads) head.full.lengths.pop_back();
  const auto entries = abstract_statements(heads, true);
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_FALSE(entries[0].judged);
  EXPECT_FALSE(entries[0].agrees);
  EXPECT_EQ(entries[0].points.front().length, 4);
  EXPECT_THAT(report::agreement(entries[0]), HasSubstr("Too short to tell"));
  EXPECT_TRUE(entries[1].judged);
  EXPECT_EQ(report::agreement(entries[1]), "Agrees.");
}

TEST(Abstract, DistanceLeavesOutHeadsWithoutRatio) {
  std::vector<Made> made = agreeing();
  made[1].distance[0] = 0;
  const json found = statement(made, "distance");
  EXPECT_EQ(found["samples"], 2);
  EXPECT_NEAR(found["estimate"], 0.5, 1e-15);
  made[2].distance[1] = 0;
  EXPECT_TRUE(statement(made, "distance").is_null());
}

TEST(Abstract, ShareIsTheMeanBeyond16) {
  const json found = statement(agreeing(), "share");
  expect_interval(found, mean_interval({0.79, 0.78, 0.77}, 0.95));
  ASSERT_EQ(found["points"].size(), 3U);
  const MeanInterval at_17 = mean_interval({0.78, 0.77, 0.76}, 0.95);
  EXPECT_EQ(found["points"][1], (json{{"n", 17},
                                      {"share", at_17.mean},
                                      {"low", at_17.low},
                                      {"high", at_17.high},
                                      {"random_share", 0.5}}));
  EXPECT_THAT(found["measured"].get<std::string>(), HasSubstr("78.0 %"));
}

/// The statement of the share where every head's moves.
json share_moved_by(double moved) {
  std::vector<Made> made = agreeing();
  for (Made& one : made) {
    one.share[1] += moved;
    one.share[2] += moved;
  }
  return statement(made, "share");
}

TEST(Abstract, ShareIsOpenWhereTheIntervalCrossesAnEnd) {
  for (const double moved : {-0.07, 0.06}) {
    const json found = share_moved_by(moved);
    EXPECT_TRUE(found["agrees"].is_null()) << found;
    EXPECT_GT(found["estimate"], 0.70);
    EXPECT_LT(found["estimate"], 0.85);
  }
}

TEST(Abstract, ShareDisagreesWhereTheIntervalIsOutside) {
  for (const double moved : {-0.2, 0.15}) {
    EXPECT_EQ(share_moved_by(moved)["agrees"], false) << moved;
  }
}

TEST(Abstract, NoVerdictWhereAStatementSpeaksOfAnotherModel) {
  const json all = statements(agreeing(), /*judged=*/false);
  ASSERT_EQ(all.size(), 3U);
  for (const json& one : all) {
    EXPECT_EQ(one["judged"], false);
    EXPECT_TRUE(one["agrees"].is_null());
    EXPECT_FALSE(one["measured"].get<std::string>().empty());
  }
}

TEST(Abstract, NaNIsNoVerdict) {
  std::vector<Made> made = agreeing();
  made[0].share[1] = std::nan("");
  EXPECT_TRUE(statement(made, "share")["agrees"].is_null());
  made = agreeing();
  made[0].norm[0] = std::nan("");
  EXPECT_TRUE(statement(made, "gradient")["agrees"].is_null());
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

TEST(Abstract, ShareNeedsAnNBeyond16) {
  std::vector<HeadMeasures> heads = heads_of(agreeing());
  for (HeadMeasures& head : heads) {
    head.full.means[1].n = 16;
    head.full.means[2].rows = 0;  // applies to no row
  }
  const std::vector<report::PaperStatement> all = abstract_statements(heads, true);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].id, "distance");
  EXPECT_EQ(all[1].id, "gradient");
}

TEST(Abstract, GradientIsTheLargestAtSmallTemperatures) {
  const json found = statement(agreeing(), "gradient");
  expect_interval(found, mean_interval({0.20, 0.21, 0.20}, 0.95));
  ASSERT_EQ(found["points"].size(), 2U);  // T = 1 is not small
  EXPECT_EQ(found["points"][0],
            (json{{"temperature", 0.01},
                  {"largest", 0.21},
                  {"mean_of_largest", mean_interval({0.1, 0.21, 0.19}, 0.95).mean},
                  {"rows", 12},
                  {"rows_above_printed_bound", 0}}));
  EXPECT_THAT(found["measured"].get<std::string>(), HasSubstr("kept here"));
}

TEST(Abstract, GradientDisagreesWhereOneHeadExceedsIt) {
  std::vector<Made> made = agreeing();
  made[1].norm[1] = 0.2501;
  const json found = statement(made, "gradient");
  EXPECT_EQ(found["agrees"], false);
  EXPECT_LT(found["estimate"], 0.25);
  EXPECT_EQ(found["points"][1]["rows_above_printed_bound"], 3);
  EXPECT_THAT(found["measured"].get<std::string>(), HasSubstr("exceeded"));
  // No row exceeds it, yet with heads so far apart others might.
  made[1].norm[1] = 0.25;
  EXPECT_TRUE(statement(made, "gradient")["agrees"].is_null());
}

TEST(Abstract, GradientNeedsASmallTemperature) {
  std::vector<HeadMeasures> heads = heads_of(agreeing());
  for (HeadMeasures& head : heads) {
    for (TemperatureGradients& g : head.full.gradient) g.temperature = 0.1;
  }
  EXPECT_EQ(abstract_statements(heads, true).size(), 2U);
}

TEST(Abstract, OneLengthSaysNothingOfTheDistance) {
  std::vector<HeadMeasures> heads = heads_of(agreeing());
  for (HeadMeasures& head : heads) head.full.lengths.resize(1);
  EXPECT_EQ(abstract_statements(heads, true).size(), 2U);
}

TEST(Abstract, OneHeadIsNoSample) {
  std::vector<Made> made = agreeing();
  made.resize(1);
  EXPECT_TRUE(abstract_statements(heads_of(made), true).empty());
}

}  // namespace
}  // namespace attn::gpt2
