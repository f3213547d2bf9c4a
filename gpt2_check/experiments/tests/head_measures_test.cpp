// All that is measured of one head, beside the plain transcription of the experiments.
#include "gpt2_check/experiments/head_measures.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gpt2_check/experiments/row_measures.hpp"
#include "gpt2_check/experiments/tests/sample_heads.hpp"

namespace attn::gpt2 {
namespace {

constexpr double kTolerance = 1e-10;

void expect_close(double found, double expected, const char* what) {
  EXPECT_NEAR(found, expected, kTolerance * std::abs(expected)) << what;
}

MeasurePlan plan_for(const Head& head, Rank rank) {
  return {.selection = {.rows = all_rows(head), .counts = {1, 3, 8, 22}, .rank = rank, .draws = 4},
          .lengths = {2, 6, head.positions()},
          .temperatures = {0.02, 0.5, 2},
          .seed = 17};
}

HeadMeasures measure(const Head& head, const MeasurePlan& plan) {
  return measure_head(head, plan, [](const RowSelections&) {});
}

/// The rows of one length. `missing`: how many tokens are missing at the front.
void expect_plain_lengths(const Head& head, const MeasurePlan& plan, std::int64_t missing,
                          const HeadVariant& found) {
  const plain::Rank rank = plain_rank(plan.selection.rank);
  std::vector<std::int64_t> lengths;
  for (const std::int64_t length : plan.lengths) {
    if (length - missing >= 2) lengths.push_back(length);
  }
  ASSERT_EQ(found.lengths.size(), lengths.size());
  for (std::size_t l = 0; l < lengths.size(); ++l) {
    SCOPED_TRACE(lengths[l]);
    const LengthMeasures& at = found.lengths[l];
    EXPECT_EQ(at.length, lengths[l]);
    const auto tokens = static_cast<std::size_t>(lengths[l] - missing);
    for (const SelectionMeasure& m : at.selection) {
      const plain::BoundedDistances expected =
          plain::distance_by_length(head, std::vector{tokens}, m.n, rank).front();
      expect_close(m.distance, expected.distances.distance, "distance");
      expect_close(m.expected_full, expected.distances.expected_full, "full");
      expect_close(m.expected_factor, expected.distances.expected_factor, "factor");
      expect_close(m.bound, expected.bounds.bound, "bound");
    }
    const std::vector<plain::Distances> sweep = plain::every_n(head, tokens, rank);
    ASSERT_EQ(at.sweep.distance.size(), sweep.size());
    for (std::size_t n = 0; n < sweep.size(); ++n) {
      expect_close(at.sweep.distance[n], sweep[n].distance, "distance");
      expect_close(at.sweep.expected_full(n), sweep[n].expected_full, "full");
      expect_close(at.sweep.expected_factor[n], sweep[n].expected_factor, "factor");
    }
  }
  std::vector<std::size_t> counts;
  for (const SelectionMeasure& m : found.lengths.back().selection) counts.push_back(m.n);
  EXPECT_EQ(counts, plan.selection.counts);
}

/// How often the share of the top N lies between the bounds of its row.
TEST(HeadMeasures, CountsSharesBetweenTheirBounds) {
  for (const SampleHead& sample : sample_heads()) {
    SCOPED_TRACE(sample.name);
    const Head& head = sample.head;
    MeasurePlan plan;
    plan.selection = {.rows = all_rows(head), .counts = {1, 2, 5}, .draws = 1};
    plan.temperatures = {1.0};
    std::map<std::size_t, std::pair<double, double>> counted;
    const HeadMeasures found = measure_head(head, plan, [&](const RowSelections& row) {
      for (const SelectionMeasure& m : row.measures) {
        auto& [between, rows] = counted[m.n];
        ++rows;
        if (m.scores.share >= m.bounds.lower_sharp && m.scores.share <= m.bounds.upper) ++between;
      }
    });
    for (const SelectionMeans& means : found.full.means) {
      const auto& [between, rows] = counted.at(means.n);
      EXPECT_EQ(means.between_bounds, between / rows) << means.n;
    }
    EXPECT_EQ(found.full.means.front().between_bounds, 1);  // N = 1: all three are 1
  }
}

/// The means over all rows of a head.
void expect_plain_means(const Head& head, const MeasurePlan& plan, const HeadVariant& found) {
  const plain::Rank rank = plain_rank(plan.selection.rank);
  std::mt19937_64 stream(3);
  const auto rows = plain::separability_of_rows(head, plan.selection.counts, rank, 1, stream);
  ASSERT_EQ(found.means.size(), plan.selection.counts.size());
  for (std::size_t c = 0; c < found.means.size(); ++c) {
    const SelectionMeans& means = found.means[c];
    SCOPED_TRACE(means.n);
    EXPECT_EQ(means.n, plan.selection.counts[c]);
    double count = 0;
    double distance = 0;
    double over_bound = 0;
    double share = 0;
    double f_score = 0;
    for (const plain::RowSeparability& row : rows) {
      if (row.n != means.n) continue;
      const plain::BoundedDistances at =
          plain::distance_by_length(head, std::vector{row.row + 1}, row.n, rank).front();
      ++count;
      distance += at.distances.distance;
      over_bound += at.distances.distance / at.bounds.bound;
      share += row.top.share;
      f_score += row.top.f_score;
    }
    EXPECT_EQ(static_cast<double>(means.rows), count);
    expect_close(means.distance, distance / count, "distance");
    expect_close(means.distance_over_bound, over_bound / count, "distance over bound");
    expect_close(means.share, share / count, "share");
    expect_close(means.f_score, f_score / count, "f score");
    EXPECT_GT(means.random_share, 0);
    EXPECT_LE(means.random_share, 1);
  }
  EXPECT_EQ(found.means.front().random_share, 1);  // N = 1
}

void expect_plain_gradient(const Head& head, const MeasurePlan& plan, const HeadVariant& found) {
  std::mt19937_64 stream(3);
  const auto rows = plain::gradient_of_rows(head, plan.temperatures, stream);
  ASSERT_EQ(found.gradient.size(), plan.temperatures.size());
  for (std::size_t t = 0; t < plan.temperatures.size(); ++t) {
    const TemperatureGradients& at = found.gradient[t];
    SCOPED_TRACE(at.temperature);
    EXPECT_EQ(at.temperature, plan.temperatures[t]);
    double count = 0;
    double sum = 0;
    double largest = 0;
    std::array<double, 3> top{};
    std::size_t above = 0;
    for (const plain::RowGradient& row : rows) {
      if (row.temperature != at.temperature) continue;
      ++count;
      sum += row.norm * row.temperature;
      largest = std::max(largest, row.norm * row.temperature);
      if (row.norm > std::min(1 / (4 * row.temperature), std::sqrt(2.0))) ++above;
      for (std::size_t k = 0; k < top.size(); ++k) top[k] = std::max(top[k], row.top[k]);
    }
    EXPECT_EQ(static_cast<double>(at.rows), count);
    expect_close(at.mean_t_norm, sum / count, "mean");
    expect_close(at.largest_t_norm, largest, "largest");
    EXPECT_EQ(at.rows_above_printed_bound, above);
    // A difference of weights, divided by epsilon.
    for (std::size_t k = 0; k < top.size(); ++k) {
      EXPECT_NEAR(at.top[k].quotient, top[k], 1e-13 / kStepLengths[k] + kTolerance * top[k]);
    }
  }
}

/// a_0 at the plan's lengths, and its mean over the rows.
void expect_plain_sink(const Head& head, const MeasurePlan& plan, const HeadMeasures& found) {
  double sum = 0;
  for (Eigen::Index row = 1; row < head.positions(); ++row) {
    sum += plain::weights_of(head, row).front();
  }
  expect_close(found.mean_sink_share, sum / static_cast<double>(head.positions() - 1), "sink");
  const Head rest = without_first_token(head);
  double next = 0;
  for (Eigen::Index row = 1; row < rest.positions(); ++row) {
    next += plain::weights_of(rest, row).front();
  }
  expect_close(found.mean_next_sink_share, next / static_cast<double>(rest.positions() - 1),
               "next sink");
  ASSERT_EQ(found.sink_share.size(), plan.lengths.size());
  for (std::size_t l = 0; l < plan.lengths.size(); ++l) {
    expect_close(found.sink_share[l], plain::weights_of(head, plan.lengths[l] - 1).front(),
                 "sink at a length");
  }
}

void expect_plain(const Head& head, Rank rank) {
  const MeasurePlan plan = plan_for(head, rank);
  const HeadMeasures found = measure(head, plan);
  const Head rest = without_first_token(head);
  {
    SCOPED_TRACE("full");
    expect_plain_lengths(head, plan, 0, found.full);
    expect_plain_means(head, plan, found.full);
    expect_plain_gradient(head, plan, found.full);
  }
  {
    SCOPED_TRACE("without the first token");
    expect_plain_lengths(rest, plan, 1, found.without_first);
    expect_plain_means(rest, plan, found.without_first);
    expect_plain_gradient(rest, plan, found.without_first);
  }
  expect_plain_sink(head, plan, found);
}

TEST(MeasureHead, IsThePlainTranscription) {
  for (const double sharpness : {0.05, 1.0, 4.0}) {
    const Head head = random_head(28, 4, 5, sharpness, 51);
    for (const Rank rank : {Rank::weight, Rank::contribution}) {
      SCOPED_TRACE(sharpness);
      SCOPED_TRACE(rank == Rank::weight ? "weight" : "contribution");
      expect_plain(head, rank);
    }
  }
}

TEST(MeasureHead, HandsOnTheRowsOfTheFullHead) {
  const Head head = random_head(12, 4, 3, 1, 52);
  MeasurePlan plan = plan_for(head, Rank::weight);
  plan.selection.rows = {1, 4, 5, 11};
  std::vector<std::int64_t> rows;
  const HeadMeasures found = measure_head(head, plan, [&](const RowSelections& row) {
    rows.push_back(row.row);
    EXPECT_EQ(static_cast<std::int64_t>(row.weights->tokens()), row.row + 1);
    EXPECT_FALSE(row.random.empty());
  });
  EXPECT_EQ(rows, plan.selection.rows);
  EXPECT_EQ(found.full.means.front().rows, 4U);
  EXPECT_EQ(found.without_first.means.front().rows, 3U);  // row 1 has one token left
  EXPECT_EQ(found.full.means.back().rows, 0U);
}

TEST(MeasureHead, OneSetOfDrawsServesBothVariants) {
  const Head head = random_head(14, 4, 3, 1, 58);
  const MeasurePlan plan = plan_for(head, Rank::weight);
  std::vector<std::vector<SelectionMeasure>> rows;
  const HeadMeasures found =
      measure_head(head, plan, [&](const RowSelections& row) { rows.push_back(row.measures); });
  for (std::size_t c = 0; c < 3; ++c) {  // N = 1, 3, 8
    const std::size_t n = plan.selection.counts[c];
    double sum = 0;
    double count = 0;
    for (std::size_t row = 2; row < 14; ++row) {  // row t of the full head is rows[t - 1]
      if (n >= row) continue;
      sum += rows[row - 1][c].random_share_without_first;
      ++count;
    }
    expect_close(found.without_first.means[c].random_share, sum / count, "random share");
    expect_close(found.without_first.lengths.back().selection[c].random_share,
                 rows.back()[c].random_share_without_first, "at the longest length");
    double full = 0;
    count = 0;
    for (const auto& measures : rows) {
      if (c >= measures.size()) continue;
      full += measures[c].random_share;
      ++count;
    }
    expect_close(found.full.means[c].random_share, full / count, "random share of the full head");
  }
}

TEST(MeasureHead, TwoTokensLeaveNothingWithoutTheFirst) {
  const Head head = random_head(2, 4, 3, 1, 53);
  MeasurePlan plan = plan_for(head, Rank::weight);
  plan.lengths = {2};
  const HeadMeasures found = measure(head, plan);
  EXPECT_EQ(found.full.lengths.size(), 1U);
  EXPECT_TRUE(found.without_first.lengths.empty());
  EXPECT_TRUE(found.without_first.means.empty());
  EXPECT_TRUE(found.without_first.gradient.empty());
}

TEST(MeasureHead, RandomNumbersBelongToTheSeedAndTheHead) {
  Head head = random_head(20, 4, 3, 1, 54);
  MeasurePlan plan = plan_for(head, Rank::weight);
  const auto share = [&] { return measure(head, plan).full.means[1].random_share; };
  const double first = share();
  EXPECT_EQ(share(), first);
  plan.seed += std::uint64_t{1} << 40;
  EXPECT_NE(share(), first);
  plan.seed = 17;
  head.layer = 3;
  EXPECT_NE(share(), first);
  head.layer = 0;
  head.head = 3;
  EXPECT_NE(share(), first);
}

TEST(WithoutFirstToken, RenormalisesEveryRow) {
  for (const SampleHead& sample : sample_heads()) {
    const Head rest = without_first_token(sample.head);
    ASSERT_EQ(rest.positions(), sample.head.positions() - 1);
    EXPECT_EQ(rest.temperature, sample.head.temperature);
    EXPECT_EQ(rest.x, sample.head.x.bottomRows(rest.positions()));
    for (Eigen::Index row = 0; row < rest.positions(); ++row) {
      const std::vector<double> all = plain::weights_of(sample.head, row + 1);
      const std::vector<double> found = plain::weights_of(rest, row);
      double sum = 0;
      for (std::size_t i = 1; i < all.size(); ++i) sum += all[i];
      for (std::size_t i = 0; i < found.size(); ++i) {
        expect_close(found[i], all[i + 1] / sum, "weight");
      }
    }
  }
}

/// What a setting makes of the row of `length` tokens.
NormalizedRow normalized(const Head& head, const NormalizerSetting& setting, std::size_t length) {
  const Eigen::VectorXd logits = raw_logits(head, static_cast<Eigen::Index>(length) - 1);
  return normalize_row(setting.normalizer, {logits.data(), length},
                       head.temperature * setting.temperature_factor);
}

/// y of a row for any weights.
void expect_plain_normalizer(const Head& head, std::size_t n, const NormalizedRow& row,
                             const NormalizerMeasure& found) {
  const std::vector<double>& weights = row.weights;
  EXPECT_EQ(found.row.largest, row.largest);
  EXPECT_EQ(found.row.norm, row.norm);
  const Rows y = plain::outputs(head, weights);
  EXPECT_EQ(found.share,
            plain::separability(y, plain::top(head, weights, n, plain::Rank::weight)).share);
  ASSERT_EQ(found.sweep.distance.size(), weights.size() - 1);
  for (std::size_t k = 1; k < weights.size(); ++k) {
    const plain::Set set = plain::top(head, weights, k, plain::Rank::weight);
    expect_close(found.sweep.distance[k - 1], plain::distance(y, set), "distance");
    expect_close(found.sweep.expected_full(k - 1), plain::expected_distance(y, k, 1), "full");
  }
}

TEST(MeasureNormalizers, TakesEachOnTheSameLogits) {
  const Head head = random_head(30, 4, 5, 1, 55);
  const LengthNormalizers found = measure_normalizers(head, 25, 4);
  EXPECT_EQ(found.length, 25);
  EXPECT_EQ(found.n, 4U);
  const auto settings = normalizer_settings();
  ASSERT_EQ(found.measures.size(), settings.size());
  for (std::size_t s = 0; s < settings.size(); ++s) {
    SCOPED_TRACE(settings[s].name);
    expect_plain_normalizer(head, 4, normalized(head, settings[s], 25), found.measures[s]);
  }
}

TEST(MeasureNormalizers, PlainSoftmaxIsTheHeadsOwn) {
  const Head head = random_head(18, 4, 5, 1, 56);
  const LengthNormalizers found = measure_normalizers(head, 18, 4);
  std::vector<std::string> names;
  for (const NormalizerSetting& setting : normalizer_settings()) names.push_back(setting.name);
  EXPECT_EQ(names, (std::vector<std::string>{
                       "softmax, T/2", "softmax", "softmax, 2T", "Scalable-Softmax", "sparsemax",
                       "1.5-entmax", "Self-Adjusted Softmax", "sigmoid attention", "softmax1"}));
  const std::vector<double> weights = plain::weights_of(head, 17);
  const NormalizedRow softmax = normalized(head, normalizer_settings()[1], 18);
  EXPECT_EQ(found.measures[1].row.entropy, softmax.entropy);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    expect_close(softmax.weights[i], weights[i], "softmax");
  }
  EXPECT_GT(found.measures[0].row.largest, found.measures[1].row.largest);
  EXPECT_GT(found.measures[1].row.largest, found.measures[2].row.largest);
}

TEST(MeasureHead, NormalizersTakeTheLargestNUpTo20) {
  const Head head = random_head(28, 4, 5, 1, 57);
  MeasurePlan plan = plan_for(head, Rank::weight);
  const std::vector<LengthNormalizers> found = measure(head, plan).full.normalizers;
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].n, 1U);  // L = 2
  EXPECT_EQ(found[1].n, 3U);  // L = 6
  EXPECT_EQ(found[2].n, 8U);  // 22 is above 20
  for (std::size_t l = 0; l < 3; ++l) EXPECT_EQ(found[l].length, plan.lengths[l]);
  plan.selection.counts = {1, 6, 20, 22};
  const std::vector<LengthNormalizers> other = measure(head, plan).full.normalizers;
  EXPECT_EQ(other[1].n, 1U);  // N = 6 leaves nothing out of L = 6
  EXPECT_EQ(other[2].n, 20U);
}

TEST(MeasureHead, NormalizersWithoutTheFirstTokenAreThoseOfTheRest) {
  const Head head = random_head(28, 4, 5, 1, 57);
  MeasurePlan plan = plan_for(head, Rank::weight);
  plan.selection.counts = {1, 5, 20};
  const Head rest = without_first_token(head);
  const std::vector<LengthNormalizers> found = measure(head, plan).without_first.normalizers;
  ASSERT_EQ(found.size(), 2U);  // one token of L = 2 is left
  for (const LengthNormalizers& at : found) {
    SCOPED_TRACE(at.length);
    const LengthNormalizers expected = measure_normalizers(rest, at.length - 1, at.n);
    ASSERT_EQ(at.measures.size(), expected.measures.size());
    for (std::size_t s = 0; s < at.measures.size(); ++s) {
      EXPECT_EQ(at.measures[s].share, expected.measures[s].share);
      const NormalizedRow row =
          normalized(rest, normalizer_settings()[s], static_cast<std::size_t>(at.length - 1));
      expect_plain_normalizer(rest, at.n, row, at.measures[s]);
    }
  }
  EXPECT_EQ(found[0].length, 6);
  EXPECT_EQ(found[0].n, 1U);  // N = 5 leaves nothing out of five tokens
  EXPECT_EQ(found[1].length, 28);
  EXPECT_EQ(found[1].n, 20U);
}

/// A row of a length is shown by itself, and has more sets; the others count in means.
TEST(MeasureHead, RowsOfALengthHaveTheirOwnNumberOfDraws) {
  const Head head = random_head(60, 4, 5, 1, 60);
  MeasurePlan plan = plan_for(head, Rank::weight);
  plan.selection.counts = {3, 8};
  plan.selection.draws = 1;
  plan.selection.shown_draws = 7;
  plan.lengths = {20, 60};
  const auto is_multiple = [](double share, double of) {
    return std::abs(share * of - std::round(share * of)) < 1e-9;
  };
  bool has_fraction = false;
  const HeadMeasures found = measure_head(head, plan, [&](const RowSelections& row) {
    const bool shown = row.row == 19 || row.row == 59;
    for (const SelectionMeasure& m : row.measures) {
      const auto n = static_cast<double>(m.n);
      EXPECT_TRUE(is_multiple(m.random_share, n * (shown ? 7 : 1))) << row.row;
      has_fraction = has_fraction || (shown && !is_multiple(m.random_share, n));
    }
  });
  EXPECT_TRUE(has_fraction);
  ASSERT_EQ(found.full.lengths.size(), 2U);
}

/// What one row loses in fewer draws, the mean over many rows does not show.
TEST(MeasureHead, FewerDrawsMoveNoMean) {
  const Head head = random_head(400, 8, 8, 1, 61);
  MeasurePlan plan = plan_for(head, Rank::weight);
  plan.selection.counts = {5, 20};
  plan.selection.draws = 64;
  const HeadMeasures many = measure(head, plan);
  plan.selection.draws = 2;
  const HeadMeasures few = measure(head, plan);
  for (const auto variant : {&HeadMeasures::full, &HeadMeasures::without_first}) {
    for (std::size_t c = 0; c < 2; ++c) {
      const SelectionMeans &a = (many.*variant).means[c], &b = (few.*variant).means[c];
      const auto rows = static_cast<double>(b.rows);
      // The share of one set varies by at most 1/4.
      const double deviation = std::sqrt(0.25 / rows * (1.0 / 2 + 1.0 / 64));
      EXPECT_NEAR(b.random_share, a.random_share, 4 * deviation);
      EXPECT_GT(a.random_share, 0.01);
      EXPECT_EQ(a.distance, b.distance);
    }
  }
}

TEST(MeasureHead, EveryRowHasARandomShareWithoutTheFirstToken) {
  const Head head = random_head(40, 4, 3, 1, 59);
  MeasurePlan plan = plan_for(head, Rank::weight);
  plan.selection.counts = {1, 2, 30};
  plan.selection.draws = 1;
  const HeadMeasures found = measure_head(head, plan, [&](const RowSelections& row) {
    for (const SelectionMeasure& m : row.measures) {
      EXPECT_GE(m.random_share_without_first, 0) << row.row;
      EXPECT_LE(m.random_share_without_first, 1) << row.row;
    }
  });
  for (const SelectionMeans& means : found.without_first.means) {
    EXPECT_FALSE(std::isnan(means.random_share)) << means.n;
  }
}

}  // namespace
}  // namespace attn::gpt2
