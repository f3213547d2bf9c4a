// What heads show together: columns that are known, summed up.
#include "gpt2_check/experiments/figures.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "gpt2_check/experiments/statistics.hpp"
#include "gpt2_check/tests/random_head.hpp"
#include "reports/record/record_json.hpp"
#include "reports/record/walk.hpp"

namespace attn::gpt2 {
namespace {

using report::MaybeSpread;

/// Six heads.
std::vector<HeadMeasures> six_heads() {
  constexpr std::int64_t kTokens = 26;
  const MeasureSettings settings{
      .selection = {.rows = rows_from_second(kTokens), .counts = {2, 5, 12}, .draws = 4},
      .lengths = {4, 10, kTokens},
      .temperatures = {0.01, 2},
      .seed = 3};
  std::vector<HeadMeasures> heads;
  for (std::uint64_t h = 0; h < 6; ++h) {
    const Head head = random_head(kTokens, 4, 3, 0.5 * static_cast<double>(h + 1), 70 + h);
    heads.push_back(measure_head(head, settings, [](const RowSelections&) {}));
  }
  return heads;
}

HeadTable table_of(const std::vector<HeadMeasures>& heads) {
  HeadTable table;
  for (const HeadMeasures& head : heads) table.add(head);
  return table;
}

std::vector<MaybeSpread> spreads_of(const report::Figures& figures) {
  std::vector<MaybeSpread> spreads;
  report::for_each_value<report::MaybeSpread>(
      figures, [&](const MaybeSpread& spread) { spreads.push_back(spread); });
  return spreads;
}

TEST(Figures, AreSummariesOverTheHeads) {
  const std::vector<HeadMeasures> heads = six_heads();
  const std::vector<MaybeSpread> found = spreads_of(figures(table_of(heads)));
  std::vector<std::vector<double>> columns(found.size());
  for (const HeadMeasures& head : heads) {
    const std::vector<MaybeSpread> of_head = spreads_of(head.figures);
    ASSERT_EQ(of_head.size(), found.size());
    for (std::size_t c = 0; c < found.size(); ++c) {
      columns[c].push_back(of_head[c]->mean);
    }
  }
  for (std::size_t c = 0; c < found.size(); ++c) {
    EXPECT_EQ(json_of(found[c]), json_of(summary(columns[c]))) << c;
  }
}

/// A head's numbers find their columns by name, in whatever order it has its points.
TEST(Figures, PairColumnsByName) {
  std::vector<HeadMeasures> heads = six_heads();
  const report::Figures before = figures(table_of(heads));
  std::vector<report::SeparabilityPoint>& points = heads[2].figures.separability;
  ASSERT_GE(points.size(), 2U);
  std::swap(points[0], points[1]);
  const report::Figures after = figures(table_of(heads));
  for (std::size_t p = 0; p < before.separability.size(); ++p) {
    EXPECT_EQ(json_of(after.separability[p].share), json_of(before.separability[p].share)) << p;
  }
  points.pop_back();
  EXPECT_THROW(figures(table_of(heads)), std::exception) << "a column of five numbers";
}

TEST(Figures, CountTheHeads) {
  report::Figures found = figures(table_of(six_heads()));
  report::for_each_field<report::Figures>([&](const auto& figure) {
    EXPECT_FALSE((found.*figure.member).empty()) << figure.name;
    for (const auto& point : found.*figure.member) {
      if constexpr (requires { point.samples; }) {
        EXPECT_EQ(point.samples, 6U) << figure.name;
      }
    }
  });
}

TEST(Figures, DistancesHaveIntervalsOverHeadsAndRows) {
  std::vector<HeadMeasures> heads = six_heads();
  std::vector<double> by_head, by_row(3, 0.0);
  for (std::size_t h = 0; h < heads.size(); ++h) {
    report::DistancePoint& point = heads[h].figures.distance_by_n[1];
    point.by_row = {1.0 + static_cast<double>(h), 2, 6};
    by_head.push_back(static_cast<double>(h) / 3 + 3);
    point.distance->mean = by_head.back();
    for (std::size_t r = 0; r < 3; ++r) by_row[r] += point.by_row[r] / 6;
  }
  const report::Figures found = figures(table_of(heads));
  const MeanInterval expected = two_way_interval(by_head, by_row);
  EXPECT_NEAR(found.distance_by_n[1].low.value(), expected.low, 1e-12);
  EXPECT_NEAR(found.distance_by_n[1].high.value(), expected.high, 1e-12);
  EXPECT_LT(expected.low, mean_interval(by_head).low) << "rows differ too";
}

/// A spread is of all heads or of none; but a head may have no random sets,
/// directions or gradients.
TEST(Figures, HaveNoSpreadWhereAHeadHasNoNumber) {
  std::vector<HeadMeasures> heads = six_heads();
  report::Figures& third = heads[2].figures;
  third.distance_by_n[1].distance->mean = std::nan("");
  third.sink[0].share->mean = std::nan("");
  third.separability[0].random_share->mean = std::nan("");
  third.separability[0].random_share_all_rows->mean = std::nan("");
  third.directions[1].mean_direction->mean = std::nan("");
  third.gradient[0].t_norm->mean = std::nan("");
  third.gradient[0].steps[2].largest_by_head->mean = std::nan("");
  const HeadTable table = table_of(heads);
  std::set<std::string> lacking;
  for (const auto& [name, column] : table.by_head) {
    ASSERT_EQ(column.size(), 6U);
    if (std::isnan(column[2])) lacking.insert(name.measure);
  }
  // Of three tokens, the first of four away, no half has two.
  EXPECT_EQ(lacking,
            (std::set<std::string>{
                "normalizers.largest_weight_half", "distance_by_n.distance", "sink.share",
                "separability.random_share", "separability.random_share_all_rows",
                "directions.mean_direction", "gradient.t_norm", "gradient.step.largest_by_head"}));
  const report::Figures found = figures(table);
  EXPECT_FALSE(found.distance_by_n[1].distance);
  EXPECT_TRUE(found.distance_by_n[1].bound);
  EXPECT_FALSE(found.sink[0].share);
  heads.erase(heads.begin() + 2);
  const report::Figures others = figures(table_of(heads));
  const auto expect_of_others = [](const MaybeSpread& some, const MaybeSpread& expected) {
    EXPECT_EQ(json_of(some), json_of(expected));
    EXPECT_TRUE(some);
  };
  const auto &separability = found.separability[0], &of_others = others.separability[0];
  expect_of_others(separability.random_share, of_others.random_share);
  expect_of_others(separability.random_share_all_rows, of_others.random_share_all_rows);
  expect_of_others(found.directions[1].mean_direction, others.directions[1].mean_direction);
  expect_of_others(found.gradient[0].t_norm, others.gradient[0].t_norm);
  expect_of_others(found.gradient[0].steps[2].largest_by_head,
                   others.gradient[0].steps[2].largest_by_head);
}

TEST(Figures, GradientGathersTheHeads) {
  std::vector<HeadMeasures> heads = six_heads();
  heads[1].figures.gradient[0].rows = 7;  // heads of unequal weight
  heads[1].figures.gradient[0].mean_t_norm = 7 * 0.125;
  for (HeadMeasures& head : heads) head.figures.gradient[3].rows = 0;
  const auto points = figures(table_of(heads)).gradient;
  ASSERT_EQ(points.size(), 3U);
  for (std::size_t t = 0; t < points.size(); ++t) {
    std::uint64_t rows = 0, above = 0;
    double sum = 0, largest = 0;
    std::vector<double> steps(6, 0.0);
    for (const HeadMeasures& head : heads) {
      const report::GradientPoint& g = head.figures.gradient[t];
      rows += *g.rows;
      above += *g.rows_above_printed_bound;
      sum += *g.mean_t_norm;
      largest = std::max(largest, *g.largest_t_norm);
      for (std::size_t k = 0; k < 6; ++k) steps[k] = std::max(steps[k], *g.steps[k].largest);
    }
    EXPECT_EQ(points[t].rows, rows);
    EXPECT_EQ(points[t].rows_above_printed_bound, above);
    EXPECT_NEAR(points[t].mean_t_norm.value(), sum / static_cast<double>(rows), 1e-15);
    EXPECT_EQ(points[t].largest_t_norm, largest);
    for (std::size_t k = 0; k < 6; ++k) EXPECT_EQ(points[t].steps[k].largest, steps[k]);
  }
}

/// The first N at which the test does not reject, by trying all.
std::optional<double> first_not_rejected(const std::vector<HeadMeasures>& heads,
                                         std::vector<RowSweep> HeadMeasures::*sweeps,
                                         std::size_t at, report::Reading reading, double level,
                                         double* p) {
  for (std::size_t n = 0; n < (heads.front().*sweeps)[at].distance.size(); ++n) {
    std::vector<double> a, b;
    for (const HeadMeasures& head : heads) {
      const RowSweep& sweep = (head.*sweeps)[at];
      a.push_back(sweep.distance[n]);
      b.push_back(sweep.expected(reading, n));
    }
    *p = ks_exact_p(a.size(), b.size(), ks_deviation(a, b));
    if (*p >= level) return static_cast<double>(n + 1);
  }
  return std::nullopt;
}

/// Sweeps moved so that D and the full E can be told apart up to some N, D and
/// the other E as before.
std::vector<HeadMeasures> heads_with_gap() {
  std::vector<HeadMeasures> heads = six_heads();
  for (HeadMeasures& head : heads) {
    for (std::vector<RowSweep>* const sweeps : {&head.sweeps, &head.normalizer_sweeps}) {
      for (RowSweep& sweep : *sweeps) {
        for (std::size_t n = 0; n < std::min<std::size_t>(7, sweep.distance.size()); ++n) {
          sweep.distance[n] += 1000;
          sweep.expected_factor[n] += 1000;
          if (!sweep.expected_mean.empty()) sweep.expected_mean[n] += 1000;
        }
      }
    }
  }
  return heads;
}

TEST(Figures, CriticalNIsTheFirstNotRejected) {
  const std::vector<HeadMeasures> heads = heads_with_gap();
  const auto points = figures(table_of(heads)).critical_n;
  ASSERT_EQ(points.size(), 2U * 3 * kCriticalPoints);
  int later = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const report::CriticalPoint& point = points[i];
    double p = 0;
    const auto expected = first_not_rejected(heads, &HeadMeasures::sweeps, i / kCriticalPoints,
                                             point.reading, point.level, &p);
    EXPECT_EQ(point.n, expected) << i;
    const bool has_interval = point.reading == report::Reading::mean && point.level == 0.01 &&
                              !point.without_first && point.n;
    EXPECT_EQ(!point.resampled.empty(), has_interval) << i;
    if (point.low && point.high) {
      EXPECT_LE(*point.low, *point.n);
      EXPECT_LE(*point.n, *point.high);
    }
    if (expected) {
      const double tokens = point.length - (point.without_first ? 1 : 0);
      EXPECT_EQ(point.fraction, *expected / tokens);
      EXPECT_EQ(point.p, p);
    } else {
      EXPECT_FALSE(point.fraction);
      EXPECT_LT(point.p, point.level);
    }
    const bool full = point.reading == report::Reading::full;
    if (full && point.length == 4) {
      EXPECT_FALSE(point.n);
    }
    if (full && point.length == 26 && *point.n >= 8) ++later;
  }
  EXPECT_EQ(later, 4);  // with and without the first token, at both levels
}

TEST(Figures, NormalizersHaveACriticalNEach) {
  const std::vector<HeadMeasures> heads = heads_with_gap();
  const auto points = figures(table_of(heads)).normalizers;
  ASSERT_EQ(points.size(), 2U * 3 * 9);
  for (std::size_t i = 0; i < points.size(); ++i) {
    double p = 0;
    const auto of = [&](report::Reading reading) {
      return first_not_rejected(heads, &HeadMeasures::normalizer_sweeps, i, reading, 0.01, &p);
    };
    EXPECT_EQ(points[i].critical_n_full, of(report::Reading::full)) << i;
    EXPECT_EQ(points[i].critical_n_factor, of(report::Reading::factor)) << i;
  }
}

TEST(Figures, FewHeadsHaveNoCriticalN) {
  std::vector<HeadMeasures> heads = six_heads();
  heads.resize(4);
  const report::Figures four = figures(table_of(heads));
  for (const report::CriticalPoint& point : four.critical_n) EXPECT_EQ(point.level, 0.05);
  EXPECT_FALSE(four.critical_n.empty());
  EXPECT_FALSE(four.normalizers.front().critical_n_factor);
  heads.resize(3);
  EXPECT_TRUE(figures(table_of(heads)).critical_n.empty());
}

TEST(Figures, QueriesOfZeroLeaveNoWeightsToSelfAdjustedSoftmax) {
  const MeasureSettings settings{.selection = {.rows = {1, 2, 3, 4}, .counts = {2}, .draws = 2},
                                 .lengths = {5},
                                 .temperatures = {1},
                                 .seed = 3};
  HeadTable table;
  for (const double sharpness : {0.0, 0.5, 1.0, 1.5, 2.0}) {
    table.add(
        measure_head(random_head(5, 4, 3, sharpness, 80), settings, [](const RowSelections&) {}));
  }
  const report::Figures all = figures(table);
  for (const report::NormalizerPoint& point : all.normalizers) {
    const bool some = point.name != "Self-Adjusted Softmax";
    EXPECT_EQ(point.critical_n_full.has_value(), some) << point.name;
    for (const MaybeSpread& spread : {point.share, point.largest_weight, point.entropy, point.norm})
      EXPECT_EQ(spread.has_value(), some) << point.name;
  }
  for (const report::CriticalPoint& point : all.critical_n) EXPECT_TRUE(point.n);
}

}  // namespace
}  // namespace attn::gpt2
