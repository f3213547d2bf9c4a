// The paper's statements about trained models, on measurements made up to agree and to disagree.

#include "reports/judge/statements.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gpt2_check/experiments/statements.hpp"
#include "gpt2_check/experiments/statistics.hpp"

namespace attn::gpt2 {
namespace {

using report::AbstractPoint;
using report::PaperStatement;

/// Numbers of one head: D at N = L/4 for L = 32, 64, of its last row, and of the one before it
/// twice as much; N_s/N for N = 5, 17, 30; largest T||J|| at T = 0.01, 0.05, 1; of its four rows,
/// those that are steeper than at T = 0.1, where T = 0.01 and where it is 0.05.
struct Made {
  std::array<double, 2> distance;
  std::array<double, 3> share;
  std::array<double, 3> norm;
  std::array<std::size_t, 2> steeper{3, 3};
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
  head.few = 5;
  for (const std::int64_t length : kLengths) {
    std::vector<LastRow>& rows = head.last_rows.emplace_back();
    for (double before = 0; before < 2; ++before) {
      const double tokens = static_cast<double>(length) - before;
      const double distance = length == 4 ? 1e9 : made.distance[length == 32 ? 0 : 1];
      rows.push_back({.tokens = tokens,
                      .few = 3 * tokens,
                      .quarter = distance * (1 + before),
                      .expected_quarter = kExpected});
    }
  }
  const std::size_t counts[] = {5, 17, 30};
  for (std::size_t i = 0; i < 3; ++i) {
    head.means.push_back(
        {.n = counts[i], .rows = 4, .share = mean_of(made.share[i]), .random_share = mean_of(0.5)});
  }
  const std::pair<double, double> norms[] = {
      {0.01, made.norm[0]}, {0.05, made.norm[1]}, {0.1, 0.15}, {1, made.norm[2]}};
  for (const auto& [temperature, norm] : norms) {
    head.gradient.push_back({.temperature = temperature,
                             .rows = 4,
                             .sum_t_norm = 4 * norm / 2,
                             .largest_t_norm = norm,
                             .rows_above_printed_bound = norm > 0.25 ? 3U : 0U});
  }
  head.gradient[0].rows_steeper = made.steeper[0];
  head.gradient[1].rows_steeper = made.steeper[1];
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
  return paper_statements(heads_of(made), kLengths, {}, judged);
}

/// The ids of the sentences with an estimate.
std::vector<std::string> ids_of(const std::vector<PaperStatement>& entries) {
  std::vector<std::string> ids;
  for (const PaperStatement& entry : entries) {
    EXPECT_EQ(entry.estimate.has_value(), entry.why_not.empty()) << entry.id;
    if (entry.estimate) ids.push_back(entry.id);
  }
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

TEST(Statements, AreOneEach) {
  const std::vector<PaperStatement> all = statements(agreeing());
  EXPECT_EQ(ids_of(all), (Ids{"growth", "distance", "share", "gradient", "colder"}));
  ASSERT_EQ(all.size(), report::statement_ids().size());
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].id, report::statement_ids()[i]);
  for (const PaperStatement& one : all) {
    if (!one.estimate) continue;
    EXPECT_EQ(one.samples, 3U);
    EXPECT_EQ(one.confidence, 0.95);
    EXPECT_EQ(one.agrees, true) << one.id;
    EXPECT_LE(one.low, one.estimate);
    EXPECT_LE(one.estimate, one.high);
    EXPECT_EQ(one.by_head.size(), 3U);
  }
}

TEST(Statements, DistanceIsTheRatioOfTheEnds) {
  const PaperStatement found = statement(agreeing(), "distance");
  const std::vector<double> ratios{std::log(4.0 / 8), std::log(3.3 / 6), std::log(4.5 / 9)};
  const MeanInterval logs = mean_interval(ratios);
  expect_interval(found, {std::exp(logs.mean), std::exp(logs.low), std::exp(logs.high)});
  EXPECT_EQ(found.by_row.size(), 2U);
  for (std::size_t h = 0; h < 3; ++h) EXPECT_NEAR(found.by_head[h], ratios[h], 1e-15);
  ASSERT_EQ(found.points.size(), 2U);  // L = 4 is below the range
  const double mean_row = (4 + 3.3 + 4.5) / 3;
  const MeanInterval at_64 = two_way_interval({6, 4.95, 6.75}, {mean_row, 2 * mean_row});
  const AbstractPoint& last = found.points[1];
  EXPECT_EQ(last.length, 64);
  EXPECT_EQ(last.n, 16);
  EXPECT_NEAR(last.distance.value(), at_64.mean, 1e-12);
  EXPECT_EQ(last.expected, kExpected);
  EXPECT_NEAR(last.low.value(), at_64.low, 1e-9);
  EXPECT_NEAR(last.high.value(), at_64.high, 1e-9);
  EXPECT_NEAR(last.by_head[1], 4.95, 1e-12);
  ASSERT_TRUE(found.slope);
  const double mean_slope =
      (found.slope_by_head[0] + found.slope_by_head[1] + found.slope_by_head[2]) / 3;
  EXPECT_NEAR(found.slope->estimate, mean_slope, 1e-12);
  EXPECT_NEAR(mean_slope, logs.mean / std::log(2.0), 0.05);
  EXPECT_EQ(found.points[0].length, 32);
  EXPECT_EQ(found.points[0].n, 8);
}

TEST(Statements, DistanceAgreesWhereItFallsAndOnlyThere) {
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

/// D is 3 L in every row, whatever the head.
TEST(Statements, GrowthIsTheSlopeAtN5) {
  const PaperStatement found = statement(agreeing(), "growth");
  EXPECT_NEAR(found.estimate.value(), 1, 1e-12);
  EXPECT_EQ(found.agrees, true);
  ASSERT_EQ(found.points.size(), 2U);
  EXPECT_EQ(found.points[1].n, 5);
  EXPECT_NEAR(found.points[1].distance.value(), 3 * 63.5, 1e-12);
  std::vector<HeadMeasures> heads = heads_of(agreeing());
  for (HeadMeasures& head : heads) {
    for (auto& rows : head.last_rows) {
      for (LastRow& row : rows) row.few = 7;
    }
  }
  const PaperStatement constant = paper_statements(heads, kLengths, {}, false).front();
  EXPECT_NEAR(constant.estimate.value(), 0, 1e-12);
  EXPECT_EQ(constant.agrees, false);
}

/// Three of four rows are steeper at both colder T, of the second head 3 and 4: the shares of the
/// heads are 6/8, 7/8 and 6/8.
TEST(Statements, ColderIsTheShareOfSteeperRows) {
  std::vector<Made> made = agreeing();
  made[1].steeper = {3, 4};
  const PaperStatement found = statement(made, "colder");
  expect_interval(found, mean_interval({0.75, 0.875, 0.75}));
  EXPECT_EQ(found.agrees, true);
  ASSERT_EQ(found.points.size(), 3U);  // T = 1 is not cold
  EXPECT_EQ(found.points[0].temperature, 0.01);
  EXPECT_EQ(found.points[0].rows, 12U);
  EXPECT_EQ(found.points[0].rows_steeper, 9U);
  EXPECT_EQ(found.points[1].rows_steeper, 10U);
  EXPECT_EQ(found.points[2].rows_steeper, 0U);
  // The mean T||J|| is half of 0.10, 0.21 and 0.19 in the heads.
  EXPECT_NEAR(found.points[0].mean_norm.value(), 0.5 / 3 / 2 / 0.01, 1e-12);
  EXPECT_NEAR(found.points[2].mean_norm.value(), 0.15 / 2 / 0.1, 1e-12);
}

TEST(Statements, ColderAgreesWhereMostRowsAreSteeperAndOnlyThere) {
  std::vector<Made> made = agreeing();
  for (Made& one : made) one.steeper = {2, 2};
  EXPECT_EQ(statement(made, "colder").agrees, true) << "half is enough";
  for (Made& one : made) one.steeper = {1, 2};
  EXPECT_EQ(statement(made, "colder").agrees, false);
  made[0].steeper = {4, 4};
  EXPECT_FALSE(statement(made, "colder").agrees) << "heads disagree";
}

/// Norms that vanish in one head make its slope as steep as one likes, not its share.
TEST(Statements, ColderIsNotLedByAHeadWhoseGradientVanishes) {
  std::vector<HeadMeasures> heads = heads_of(agreeing());
  heads[0].gradient[0].sum_t_norm = 1e-300;
  EXPECT_EQ(paper_statements(heads, kLengths, {}, true).at(5).agrees, true);
  heads[0].gradient[0].sum_t_norm = std::nan("");
  const PaperStatement of_two = paper_statements(heads, kLengths, {}, true).at(5);
  EXPECT_EQ(of_two.samples, 2U);
  EXPECT_TRUE(std::isnan(of_two.by_head[0]));
  EXPECT_EQ(of_two.points[0].rows, 8U);
  for (HeadMeasures& head : heads) head.gradient[2].temperature = 0.2;  // nothing at 0.1
  EXPECT_FALSE(paper_statements(heads, kLengths, {}, true).at(5).estimate);
}

/// A critical N is read from the figures: a share of L with the interval of its resamples.
TEST(Statements, CriticalIsAShareOfTheLongest) {
  std::vector<Made> made = agreeing();
  const std::vector<Made> more = made;
  made.insert(made.end(), more.begin(), more.end());
  report::Figures figures;
  for (const double length : {32.0, 64.0}) {
    for (const double level : {0.01, 0.05}) {
      report::CriticalPoint point{.length = length,
                                  .reading = report::Reading::mean,
                                  .n = length / 2,
                                  .fraction = 0.5,
                                  .level = level};
      if (level == 0.01) {
        point.low = length / 4;
        point.high = length * 0.75;
        point.resampled.assign(kResamples, length / 2);
      }
      figures.critical_n.push_back(point);
      point.reading = report::Reading::full;
      point.n = 1;
      figures.critical_n.push_back(point);
    }
  }
  const auto critical = [&] {
    return paper_statements(heads_of(made), kLengths, figures, false).at(2);
  };
  const PaperStatement found = critical();
  EXPECT_EQ(found.estimate, 0.5);
  EXPECT_EQ(found.low, 0.25);
  EXPECT_EQ(found.high, 0.75);
  EXPECT_EQ(found.agrees, false);
  EXPECT_EQ(found.points.size(), 4U);
  ASSERT_TRUE(found.slope);
  EXPECT_NEAR(found.slope->estimate, 1, 1e-12);
  EXPECT_NEAR(found.slope->low, 1, 1e-12);
  figures.critical_n[4].high.reset();
  EXPECT_FALSE(critical().estimate);
  EXPECT_FALSE(critical().why_not.empty());
}

/// What the estimates are means of is in the record of each head.
TEST(Statements, LeaveTheirNumbersWithTheHeads) {
  std::vector<report::HeadRecord> heads(3);
  const std::vector<PaperStatement> all = statements(agreeing());
  put_by_head(all, heads);
  EXPECT_EQ(heads[1].growth, all[0].by_head[1]);
  EXPECT_EQ(heads[1].distance_log_ratio, all[1].by_head[1]);
  EXPECT_EQ(heads[1].distance_slope, all[1].slope_by_head[1]);
  EXPECT_EQ(heads[1].share_beyond_16, all[3].by_head[1]);
  EXPECT_EQ(heads[1].largest_cold_t_norm, all[4].by_head[1]);
  EXPECT_EQ(heads[1].colder, all[5].by_head[1]);
}

/// Four heads of which two share keys each: the same means, wider intervals, and another verdict
/// where these reach further.
TEST(Statements, HaveAnIntervalOverKeyHeadsBesides) {
  const std::vector<Made> made = {{{8, 4}, {0.1, 0.74, 0.76}, {0.10, 0.20, 0.9}},
                                  {{6, 3.3}, {0.2, 0.76, 0.78}, {0.21, 0.11, 0.9}},
                                  {{9, 4.5}, {0.3, 0.79, 0.81}, {0.19, 0.20, 0.9}},
                                  {{7, 4.1}, {0.3, 0.81, 0.83}, {0.18, 0.16, 0.9}}};
  std::vector<PaperStatement> all = statements(made);
  for (const PaperStatement& entry : all) EXPECT_FALSE(entry.over_key_heads) << entry.id;
  put_over_key_heads(all, 2);
  Ids with;
  for (const PaperStatement& entry : all) {
    if (!entry.over_key_heads) continue;
    with.push_back(entry.id);
    EXPECT_EQ(entry.over_key_heads->key_heads, 2U);
  }
  EXPECT_EQ(with, ids_of(all));

  const auto of = [&](const char* id) { return *std::ranges::find(all, id, &PaperStatement::id); };
  const PaperStatement share = of("share");
  const MeanInterval of_two = mean_interval({0.76, 0.81});
  EXPECT_NEAR(share.over_key_heads->low, of_two.low, 1e-14);
  EXPECT_NEAR(share.over_key_heads->high, of_two.high, 1e-14);
  EXPECT_EQ(share.agrees, true);
  EXPECT_EQ(share.over_key_heads->agrees, std::nullopt);

  const auto middle = [](double one, double other) {
    return (std::log(one) + std::log(other)) / 2;
  };
  const PaperStatement distance = of("distance");
  const MeanInterval ratio =
      two_way_interval({middle(4. / 8, 3.3 / 6), middle(4.5 / 9, 4.1 / 7)}, distance.by_row);
  EXPECT_NEAR(distance.over_key_heads->low, std::exp(ratio.low), 1e-14);
  EXPECT_NEAR(distance.over_key_heads->high, std::exp(ratio.high), 1e-14);
}

TEST(Statements, HaveNoIntervalOverKeyHeadsWhereOneHasNoNumberOrThereIsOne) {
  std::vector<PaperStatement> of_one = statements(
      {{{8, 4}, {0.1, 0.7, 0.7}, {0.1, 0.2, 0.9}}, {{6, 3}, {0.2, 0.7, 0.8}, {0.2, 0.1, 0.9}}});
  put_over_key_heads(of_one, 2);
  for (const PaperStatement& entry : of_one) EXPECT_FALSE(entry.over_key_heads) << entry.id;

  std::vector<Made> made = agreeing();
  made.push_back({{0, 4}, {0.3, 0.76, 0.78}, {0.19, 0.20, 0.9}});  // no ratio
  std::vector<PaperStatement> all = statements(made);
  put_over_key_heads(all, 2);
  for (const PaperStatement& entry : all) {
    const bool is_of_ratio = entry.id == "distance" || entry.id == "critical_n";
    EXPECT_EQ(entry.over_key_heads.has_value(), !is_of_ratio) << entry.id;
  }
}

TEST(Statements, DistanceGetsNoVerdictBelowThePapersLengths) {
  const auto entries = paper_statements(heads_of(agreeing()), {4, 32}, {}, true);
  for (const std::size_t of_distance : {0U, 1U}) {
    EXPECT_FALSE(entries[of_distance].judged);
    EXPECT_FALSE(entries[of_distance].agrees);
    EXPECT_EQ(entries[of_distance].points.front().length, 4);
  }
  EXPECT_TRUE(entries[3].judged);
  EXPECT_EQ(entries[3].agrees, true);
}

TEST(Statements, DistanceLeavesOutHeadsWithoutRatio) {
  std::vector<Made> made = agreeing();
  made[1].distance[0] = 0;
  const PaperStatement found = statement(made, "distance");
  EXPECT_EQ(found.samples, 2U);
  EXPECT_NEAR(found.estimate.value(), 0.5, 1e-15);
  EXPECT_TRUE(std::isnan(found.by_head[1]));
  made[2].distance[1] = 0;
  EXPECT_EQ(ids_of(statements(made)), (Ids{"growth", "share", "gradient", "colder"}));
}

TEST(Statements, ShareIsTheMeanBeyond16) {
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
TEST(Statements, ShareAgreesInsideAndOnlyThere) {
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

/// Another model's numbers are held against the sentence all the same.
TEST(Statements, SayWhetherThePaperSpeaksOfTheModel) {
  for (const PaperStatement& one : statements(agreeing(), /*judged=*/false)) {
    EXPECT_FALSE(one.judged);
    EXPECT_EQ(one.agrees.has_value(), one.estimate.has_value()) << one.id;
  }
}

TEST(Statements, NaNIsNoVerdict) {
  std::vector<Made> made = agreeing();
  made[0].share[1] = std::nan("");
  EXPECT_FALSE(statement(made, "share").agrees);
  made = agreeing();
  made[0].norm[0] = std::nan("");
  EXPECT_FALSE(statement(made, "gradient").agrees);
}

TEST(Statements, SpeaksOfGpt2124M) {
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

TEST(Statements, GradientIsTheLargestAtSmallTemperatures) {
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

TEST(Statements, GradientDisagreesWhereOneHeadExceedsIt) {
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
TEST(Statements, SayWhyTheInputCannotSpeakToThem) {
  std::vector<HeadMeasures> heads = heads_of(agreeing());
  const auto ids = [&](const std::vector<std::int64_t>& lengths) {
    return ids_of(paper_statements(heads, lengths, {}, true));
  };
  EXPECT_EQ(ids({64}), (Ids{"share", "gradient", "colder"}));
  EXPECT_EQ(ids({}), (Ids{"share", "gradient", "colder"}));
  for (HeadMeasures& head : heads) {
    head.means[1].n = 16;
    head.means[2].rows = 0;  // applies to no row
  }
  EXPECT_EQ(ids(kLengths), (Ids{"growth", "distance", "gradient", "colder"}));
  for (TemperatureGradients& g : heads[1].gradient) g.rows = 0;
  const PaperStatement of_two = paper_statements(heads, kLengths, {}, true).at(4);
  EXPECT_EQ(of_two.samples, 2U);
  EXPECT_EQ(of_two.rows, 4U);
  EXPECT_TRUE(std::isnan(of_two.by_head[1]));
  for (HeadMeasures& head : heads) {
    for (TemperatureGradients& g : head.gradient) g.temperature = 0.2;
  }
  EXPECT_EQ(ids(kLengths), (Ids{"growth", "distance"}));
  heads.resize(1);
  EXPECT_EQ(ids(kLengths), Ids{});
}

}  // namespace
}  // namespace attn::gpt2
