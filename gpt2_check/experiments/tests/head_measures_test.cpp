// What a head's rows show, as the columns and means of the report have it. The
// rows themselves are held against their definitions in selection_test,
// gradient_test and critical_n_test.
#include "gpt2_check/experiments/head_measures.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "gpt2_check/experiments/normalizers.hpp"
#include "gpt2_check/experiments/tests/plain_experiments.hpp"
#include "gpt2_check/experiments/tests/sample_heads.hpp"

namespace attn::gpt2 {
namespace {

MeasureSettings settings_for(const Head& head) {
  return {.selection = {.rows = all_rows(head), .counts = {1, 3, 8, 22}, .draws = 4},
          .lengths = {2, 6, head.keys()},
          .temperatures = {0.02, 0.5, 2},
          .seed = 17};
}

/// What was measured of every row.
using Measures = std::map<std::int64_t, std::vector<SelectionMeasure>>;

HeadMeasures measure(const Head& head, const MeasureSettings& settings, Measures* rows = nullptr) {
  return measure_head(head, settings, [&](const RowSelections& row) {
    if (rows != nullptr) (*rows)[row.row] = row.measures;
  });
}

/// The one number of a column.
double of(const report::MaybeSpread& column) {
  return column.value().mean;
}

template <class Point>
std::vector<Point> of_variant(const std::vector<Point>& points, bool without_first) {
  std::vector<Point> found;
  for (const Point& point : points) {
    if (point.without_first == without_first) found.push_back(point);
  }
  return found;
}

/// The rows of one variant, with what follows from them. `rows`: by position in
/// the variant.
struct Variant {
  bool without_first;
  Head head;
  Measures rows;

  [[nodiscard]] std::int64_t missing() const { return without_first ? 1 : 0; }
  [[nodiscard]] const std::vector<SelectionMeasure>& at(double length) const {
    return rows.at(static_cast<std::int64_t>(length) - 1 - missing());
  }
};

/// The rows of a head without its first token, whose random sets are those of
/// the whole head.
Variant without_first(const Head& head, const MeasureSettings& settings, const Measures& whole) {
  Variant rest{.without_first = true, .head = without_first_token(head), .rows = {}};
  SelectionSettings selection = settings.selection;
  selection.rows = all_rows(rest.head);
  selection.draws = 0;
  std::mt19937_64 stream;
  for_each_row(rest.head, rest.head.temperature, selection, stream, [&](const RowSelections& row) {
    std::vector<SelectionMeasure>& measures = rest.rows[row.row] = row.measures;
    for (std::size_t c = 0; c < measures.size(); ++c) {
      measures[c].random_share = whole.at(row.row + 1)[c].random_share_without_first;
    }
  });
  return rest;
}

void expect_distance(const report::DistancePoint& point, const Variant& variant,
                     const SelectionMeasure& m) {
  EXPECT_EQ(point.n, static_cast<double>(m.n));
  EXPECT_EQ(of(point.distance), m.distance);
  const auto last = static_cast<Eigen::Index>(point.length) - variant.missing() - 1;
  const Rows y = plain::outputs(variant.head, plain::weights_of(variant.head, last));
  const double factor = static_cast<double>(m.n) / static_cast<double>(y.rows() - 1);
  const double full = plain::expected_distance(y, m.n, 1);
  EXPECT_NEAR(of(point.expected_full), full, 1e-10 * full);
  EXPECT_NEAR(of(point.expected_factor), plain::expected_distance(y, m.n, factor), 1e-10 * full);
  double most = 0;  // (N + 1) max ||x_i||
  for (Eigen::Index i = 0; i < y.rows(); ++i) {
    const Eigen::Index at = variant.head.position(last, i);
    most = std::max(most, static_cast<double>(m.n + 1) * variant.head.x.row(at).norm());
  }
  EXPECT_NEAR(of(point.expected_share), of(point.expected) / most, 1e-12);
  EXPECT_LE(of(point.expected_factor), most);  // E is no more, a sample of it may be
  EXPECT_NEAR(of(point.residual_share),
              plain::residual(y, m.n) / plain::expected_distance(y, m.n, factor), 1e-10);
  EXPECT_EQ(point.rows, 1U);
  EXPECT_EQ(point.by_row, std::vector<double>{m.distance});
  EXPECT_EQ(of(point.expected), point.expected_by_row.front());
  EXPECT_GT(of(point.expected), 0);
  EXPECT_EQ(of(point.bound), m.bound);
  EXPECT_EQ(of(point.sharp_bound), m.sharp_bound);
}

void expect_distances(const report::Figures& figures, const Variant& variant, double longest) {
  // The smallest N stands in for the paper's 5.
  const auto by_length = of_variant(figures.distance_by_length, variant.without_first);
  ASSERT_EQ(by_length.size(), variant.without_first ? 2U : 3U);
  for (const report::DistancePoint& point : by_length) {
    expect_distance(point, variant, variant.at(point.length).front());
  }
  const auto by_n = of_variant(figures.distance_by_n, variant.without_first);
  const auto separability = of_variant(figures.separability, variant.without_first);
  const std::vector<SelectionMeasure>& last = variant.at(longest);
  ASSERT_EQ(by_n.size(), last.size());
  ASSERT_EQ(separability.size(), last.size());
  for (std::size_t c = 0; c < last.size(); ++c) {
    EXPECT_EQ(by_n[c].length, longest);
    expect_distance(by_n[c], variant, last[c]);
    const report::SeparabilityPoint& point = separability[c];
    EXPECT_EQ(point.length, longest);
    EXPECT_EQ(point.n, static_cast<double>(last[c].n));
    EXPECT_EQ(of(point.share), last[c].scores.share);
    EXPECT_EQ(of(point.precision), last[c].scores.precision);
    EXPECT_EQ(of(point.recall), last[c].scores.recall);
    EXPECT_EQ(of(point.f_score), last[c].scores.f_score);
    EXPECT_EQ(of(point.random_share), last[c].random_share);
    EXPECT_EQ(of(point.lower_bound), last[c].bounds.lower);
    EXPECT_EQ(of(point.lower_bound_sharp), last[c].bounds.lower_sharp);
    EXPECT_EQ(of(point.upper_bound), last[c].bounds.upper);
  }
}

/// The mean of a number over the rows that have the c-th count.
template <class Number>
double mean_of(const Measures& rows, std::size_t c, Number number) {
  double sum = 0, count = 0;
  for (const auto& [row, measures] : rows) {
    if (c >= measures.size()) continue;
    sum += number(measures[c]);
    ++count;
  }
  return sum / count;
}

void expect_means(const report::Figures& figures, const report::HeadNumbers& numbers,
                  const Variant& variant) {
  const auto points = of_variant(figures.separability, variant.without_first);
  const auto shares_between = [](const SelectionMeasure& m) {
    return m.bounds.lower_sharp <= m.scores.share && m.scores.share <= m.bounds.upper ? 1.0 : 0.0;
  };
  const auto share = [](const SelectionMeasure& m) { return m.scores.share; };
  const auto random_share = [](const SelectionMeasure& m) { return m.random_share; };
  for (std::size_t c = 0; c < points.size(); ++c) {
    EXPECT_NEAR(of(points[c].share_all_rows), mean_of(variant.rows, c, share), 1e-14);
    EXPECT_NEAR(of(points[c].random_share_all_rows), mean_of(variant.rows, c, random_share), 1e-14);
    EXPECT_EQ(of(points[c].between_bounds_all_rows), mean_of(variant.rows, c, shares_between));
  }
  const std::size_t last = points.size() - 1;
  const auto distance = [](const SelectionMeasure& m) { return m.distance; };
  const auto over_bound = [](const SelectionMeasure& m) { return m.distance / m.bound; };
  const auto f_score = [](const SelectionMeasure& m) { return m.scores.f_score; };
  EXPECT_EQ(numbers.n, points[last].n);
  EXPECT_NEAR(numbers.distance.value(), mean_of(variant.rows, last, distance), 1e-13);
  EXPECT_NEAR(numbers.distance_over_bound.value(), mean_of(variant.rows, last, over_bound), 1e-13);
  EXPECT_NEAR(numbers.f_score.value(), mean_of(variant.rows, last, f_score), 1e-13);
  EXPECT_EQ(numbers.share, of(points[last].share_all_rows));
  EXPECT_EQ(numbers.random_share, of(points[last].random_share_all_rows));
}

void expect_gradient(const report::Figures& figures, const report::HeadNumbers& numbers,
                     const Variant& variant, const MeasureSettings& settings) {
  const auto points = of_variant(figures.gradient, variant.without_first);
  const auto expected =
      gradients_of(variant.head, all_rows(variant.head), settings.temperatures, settings.seed);
  ASSERT_EQ(points.size(), expected.size());
  for (std::size_t t = 0; t < points.size(); ++t) {
    const TemperatureGradients& g = expected[t];
    EXPECT_EQ(points[t].temperature, g.temperature);
    EXPECT_EQ(points[t].rows, g.rows);
    EXPECT_EQ(points[t].mean_t_norm, g.sum_t_norm);
    EXPECT_EQ(points[t].largest_t_norm, g.largest_t_norm);
    EXPECT_EQ(of(points[t].t_norm), g.largest_t_norm);
    EXPECT_EQ(points[t].rows_above_printed_bound, g.rows_above_printed_bound);
    ASSERT_EQ(points[t].steps.size(), 6U);
    for (std::size_t k = 0; k < 6; ++k) {
      const report::StepPoint& step = points[t].steps[k];
      const bool is_random = k % 2 == 0;
      const double epsilon = kStepLengths[k / 2];
      EXPECT_EQ(step.epsilon, epsilon);
      EXPECT_EQ(step.direction, is_random ? report::Direction::random : report::Direction::top);
      EXPECT_EQ(step.largest, (is_random ? g.random : g.top)[k / 2].quotient);
      EXPECT_EQ(of(step.largest_by_head), step.largest);
      EXPECT_EQ(step.printed_bound, std::min(1 / (4 * g.temperature), std::sqrt(2.0)));
      const double diameter = std::sqrt(2.0);
      EXPECT_NEAR(step.true_bound.value(),
                  diameter / epsilon * std::tanh(epsilon / (2 * diameter * g.temperature)),
                  1e-14 / g.temperature);
    }
  }
  EXPECT_EQ(numbers.rows, expected[2].rows);  // at the model's own T
  EXPECT_EQ(numbers.largest_t_norm, expected[2].largest_t_norm);
}

void expect_directions(const report::Figures& figures, const Variant& variant) {
  const report::DirectionPoint point = of_variant(figures.directions, variant.without_first).at(0);
  const Directions expected = directions(variant.head);
  EXPECT_EQ(of(point.length_spread), expected.length_spread);
  EXPECT_EQ(of(point.mean_direction), expected.mean_direction);
  EXPECT_EQ(of(point.leading_share), expected.leading_share);
}

void expect_normalizers(const report::Figures& figures, const std::vector<RowSweep>& sweeps,
                        const Variant& variant) {
  ASSERT_EQ(sweeps.size(), figures.normalizers.size());
  for (std::size_t i = 0; i < sweeps.size(); ++i) {
    const report::NormalizerPoint& point = figures.normalizers[i];
    if (point.without_first != variant.without_first) continue;
    const auto n = static_cast<std::size_t>(point.n.value());
    const auto tokens = static_cast<std::int64_t>(point.length) - variant.missing();
    const auto weights = plain::weights_of(variant.head, tokens - 1);
    const auto measures = measure_row(variant.head, tokens - 1, n, weights).normalizers;
    const auto m = std::ranges::find(measures, point.name, &NormalizerMeasure::name);
    ASSERT_NE(m, measures.end()) << point.name;
    EXPECT_EQ(of(point.share), m->share);
    EXPECT_EQ(of(point.largest_weight), m->row.largest);
    EXPECT_EQ(std::isnan(of(point.largest_weight_half)), tokens < 4);
    if (tokens >= 4) {
      EXPECT_EQ(of(point.largest_weight_half), m->largest_half);
    }
    EXPECT_EQ(of(point.weight_sum), m->row.sum);
    EXPECT_EQ(of(point.entropy), m->row.entropy);
    EXPECT_EQ(of(point.norm), m->row.norm);
    EXPECT_EQ(sweeps[i].distance, m->sweep.distance);
  }
}

/// Checks the sweeps of each length in order.
void expect_sweeps(const HeadMeasures& found, const Variant& variant) {
  for (std::size_t i = 0; i < found.figures.critical_n.size(); ++i) {
    const report::CriticalPoint& point = found.figures.critical_n[i];
    EXPECT_EQ(point.reading, kReadings[i % std::size(kReadings)]);
    EXPECT_EQ(point.level, i % kCriticalPoints < std::size(kReadings) ? 0.01 : 0.05);
    if (point.without_first != variant.without_first) continue;
    const RowSweep& sweep = found.sweeps.at(i / kCriticalPoints);
    EXPECT_EQ(sweep.expected_mean.size(), sweep.distance.size());
    const std::int64_t tokens = static_cast<std::int64_t>(point.length) - variant.missing();
    const std::vector<double> weights = plain::weights_of(variant.head, tokens - 1);
    const Rows y = plain::outputs(variant.head, weights);
    ASSERT_EQ(std::ssize(sweep.distance), tokens - 1);
    for (std::size_t n = 1; n < weights.size(); ++n) {
      const double expected = plain::distance(y, plain::top(weights, n));
      EXPECT_NEAR(sweep.distance[n - 1], expected, 1e-10 * expected);
    }
  }
}

/// a_0 at the lengths of the settings, and its mean over the rows.
void expect_sink(const HeadMeasures& found, const Variant& variant) {
  double sum = 0;
  for (const std::int64_t row : all_rows(variant.head)) {
    sum += plain::weights_of(variant.head, row).front();
  }
  const double mean = sum / static_cast<double>(variant.head.keys() - 1);
  const report::HeadNumbers& numbers =
      variant.without_first ? *found.record.without_first : found.record;
  EXPECT_NEAR(numbers.sink_share.value(), mean, 1e-14);
  for (const report::SinkPoint& point : found.figures.sink) {
    if (variant.without_first) break;
    const auto row = static_cast<Eigen::Index>(point.length) - 1;
    EXPECT_NEAR(of(point.share), plain::weights_of(variant.head, row).front(), 1e-14);
  }
}

TEST(MeasureHead, RecordsWhatItsRowsShow) {
  for (const double sharpness : {0.05, 1.0, 4.0}) {
    SCOPED_TRACE(sharpness);
    Head head = random_head(28, 4, 5, sharpness, 51);
    head.layer = 2;
    head.head = 3;
    const MeasureSettings settings = settings_for(head);
    Measures rows;
    const HeadMeasures found = measure(head, settings, &rows);
    EXPECT_EQ(found.record.layer, 2U);
    EXPECT_EQ(found.record.head, 3U);
    EXPECT_EQ(found.figures.sink.size(), 3U);
    EXPECT_EQ(found.means.size(), settings.selection.counts.size());
    EXPECT_EQ(found.gradient.size(), settings.temperatures.size());
    const Variant whole{.without_first = false, .head = head, .rows = rows};
    for (const Variant& variant : {whole, without_first(head, settings, rows)}) {
      SCOPED_TRACE(variant.without_first ? "without the first token" : "full");
      const report::HeadNumbers& numbers =
          variant.without_first ? *found.record.without_first : found.record;
      expect_distances(found.figures, variant, 28);
      expect_means(found.figures, numbers, variant);
      expect_gradient(found.figures, numbers, variant, settings);
      expect_directions(found.figures, variant);
      expect_normalizers(found.figures, found.normalizer_sweeps, variant);
      expect_sweeps(found, variant);
      expect_sink(found, variant);
    }
  }
}

TEST(MeasureHead, HandsOnTheRowsOfTheFullHead) {
  const Head head = random_head(12, 4, 3, 1, 52);
  MeasureSettings settings = settings_for(head);
  settings.selection.rows = {1, 4, 5, 11};
  std::vector<std::int64_t> rows;
  const HeadMeasures found = measure_head(head, settings, [&](const RowSelections& row) {
    rows.push_back(row.row);
    EXPECT_FALSE(row.random.empty());
  });
  EXPECT_EQ(rows, settings.selection.rows);
  EXPECT_EQ(found.means.front().rows, 4U);
  EXPECT_EQ(found.means.back().rows, 0U);
  EXPECT_EQ(found.record.n, 8);  // N = 22 applies to no row
}

/// At the paper's N where it is among the counts.
TEST(MeasureHead, DistancesByLengthAreAtN5) {
  const Head head = random_head(28, 4, 3, 1, 58);
  MeasureSettings settings = settings_for(head);
  settings.selection.counts = {2, 5, 8};
  const auto points = measure(head, settings).figures.distance_by_length;
  EXPECT_EQ(points.size(), 3U);  // of L = 6 and 28, and without the first token of 28 alone
  for (const report::DistancePoint& point : points) EXPECT_EQ(point.n, 5);
}

/// D, E and their bounds are means over the last rows, which a slope reads one by one.
TEST(MeasureHead, DistancesAreMeansOverTheLastRows) {
  const Head head = random_head(28, 4, 3, 1, 58);
  MeasureSettings settings = settings_for(head);
  settings.selection.counts = {2, 5, 8};
  settings.lengths = {12, 28};
  settings.last_rows = {4, 6};
  const HeadMeasures found = measure(head, settings);
  EXPECT_EQ(found.few, 5U);
  ASSERT_EQ(found.last_rows.size(), 2U);
  ASSERT_EQ(found.last_rows[1].size(), 6U);
  double sum = 0;
  for (std::size_t r = 0; r < 6; ++r) {
    const auto row = static_cast<Eigen::Index>(27 - r);
    const std::vector<double> weights = plain::weights_of(head, row);
    const Rows y = plain::outputs(head, weights);
    const LastRow& last = found.last_rows[1][r];
    EXPECT_EQ(last.tokens, static_cast<double>(weights.size()));
    const double few = plain::distance(y, plain::top(weights, 5));
    EXPECT_NEAR(last.few, few, 1e-10 * few);
    const double quarter = plain::distance(y, plain::top(weights, weights.size() / 4));
    EXPECT_NEAR(last.quarter, quarter, 1e-10 * quarter);
    EXPECT_GT(last.expected_quarter, 0);
    sum += few;
  }
  const report::DistancePoint point = of_variant(found.figures.distance_by_length, false).at(1);
  EXPECT_EQ(point.length, 28);
  EXPECT_EQ(point.rows, 6U);
  EXPECT_NEAR(of(point.distance), sum / 6, 1e-10 * sum);
  EXPECT_EQ(point.by_row.size(), 6U);
  EXPECT_NEAR(found.record.distance_at_five.value(), sum / 6, 1e-10 * sum);
  const report::DistancePoint by_n = of_variant(found.figures.distance_by_n, false).at(1);
  EXPECT_EQ(of(by_n.distance), of(point.distance));
  EXPECT_EQ(of_variant(found.figures.distance_by_length, true).at(1).rows, 6U);
}

TEST(MeasureHead, TwoTokensLeaveNothingWithoutTheFirst) {
  const Head head = random_head(2, 4, 3, 1, 53);
  MeasureSettings settings = settings_for(head);
  settings.lengths = {2};
  const HeadMeasures found = measure(head, settings);
  EXPECT_EQ(found.sweeps.size(), 1U);
  EXPECT_FALSE(found.record.without_first);
  EXPECT_TRUE(of_variant(found.figures.gradient, true).empty());
}

TEST(MeasureHead, HasNoGradientWithoutTheModelsTemperature) {
  Head head = random_head(12, 4, 3, 1, 53);
  head.temperature = 5;
  const HeadMeasures found = measure(head, settings_for(head));
  EXPECT_FALSE(found.record.rows);
  EXPECT_FALSE(found.record.largest_t_norm);
}

TEST(MeasureHead, RandomNumbersBelongToTheSeedAndTheHead) {
  Head head = random_head(20, 4, 3, 1, 54);
  MeasureSettings settings = settings_for(head);
  const auto share = [&] { return measure(head, settings).means[1].random_share.value(); };
  const double first = share();
  EXPECT_EQ(share(), first);
  settings.seed += std::uint64_t{1} << 40;
  EXPECT_NE(share(), first);
  settings.seed = 17;
  head.layer = 3;
  EXPECT_NE(share(), first);
  head.layer = 0;
  head.head = 3;
  EXPECT_NE(share(), first);
}

/// A bound of 0 bounds a distance of 0, and the quotient says nothing; one that is not known makes
/// the mean unknown.
TEST(SelectionMeans, AreOverTheRowsThatHaveAQuotient) {
  const auto measured = [](double distance, double bound, double random_share) {
    SelectionMeasure row;
    row.n = 3;
    row.distance = distance;
    row.bound = bound;
    row.random_share = random_share;
    row.scores = {.share = 0.5, .precision = 1, .recall = 1, .f_score = 0.25};
    row.bounds = {.lower = 0, .lower_sharp = 0.5, .upper = 0.5};
    return row;
  };
  const double nan = std::nan("");
  SelectionMeans means{.n = 3};
  means.add(measured(1, 4, 0.25));
  means.add(measured(0, 0, nan));
  means.add(measured(3, 4, 0.75));
  EXPECT_EQ(means.rows, 3U);
  EXPECT_DOUBLE_EQ(means.distance.value(), 4.0 / 3);
  EXPECT_DOUBLE_EQ(means.distance_over_bound.value(), 0.5);
  EXPECT_DOUBLE_EQ(means.random_share.value(), 0.5);
  EXPECT_DOUBLE_EQ(means.share.value(), 0.5);
  EXPECT_DOUBLE_EQ(means.f_score.value(), 0.25);
  EXPECT_EQ(means.between_bounds.value(), 1) << "both ends count";
  means.add(measured(1, nan, 0.5));
  EXPECT_TRUE(std::isnan(means.distance_over_bound.value()));
  SelectionMeasure outside = measured(1, 4, 0.5);
  SelectionMeans none{.n = 3};
  outside.bounds.lower_sharp = 0.5 + 0x1p-50;
  none.add(outside);
  outside.bounds = {.lower = 0, .lower_sharp = 0, .upper = 0.5 - 0x1p-50};
  none.add(outside);
  EXPECT_EQ(none.between_bounds.value(), 0);
}

/// Each row keeps what is known of its sum: where the first query asks for the first token, which
/// is gone, and where it does not.
TEST(WithoutFirstToken, KeepsWhichRowsAreOffTheirSum) {
  constexpr Eigen::Index kKeys = 6;
  for (const Eigen::Index queries : {kKeys, kKeys - 2}) {
    SCOPED_TRACE(queries);
    Head head{.layer = 0, .head = 0, .temperature = 1, .x = Rows::Ones(kKeys, 2)};
    head.mask.shift = kKeys - queries;
    head.pattern = Rows(Rows::Constant(queries, kKeys, 0.25));
    head.pattern_temperature = 1;
    head.is_off_sum = {true, false, true, false};
    if (queries == kKeys) head.is_off_sum.insert(head.is_off_sum.end(), {false, true});
    const Head without = without_first_token(head);
    const Eigen::Index first = head.asks_first() ? 1 : 0;
    ASSERT_EQ(first, queries == kKeys ? 1 : 0);
    ASSERT_EQ(std::ssize(without.is_off_sum), without.queries());
    ASSERT_EQ(without.queries(), queries - first);
    for (Eigen::Index row = 0; row < without.queries(); ++row) {
      const auto of_whole = static_cast<std::size_t>(row + first);
      EXPECT_EQ(without.is_off_sum[static_cast<std::size_t>(row)], head.is_off_sum[of_whole])
          << row;
      EXPECT_EQ(without.has_logits(row), head.has_logits(row + first)) << row;
      EXPECT_EQ(without.has_logits(row), !head.is_off_sum[of_whole]) << row;
    }
  }
}

TEST(WithoutFirstToken, RenormalisesEveryRow) {
  for (const SampleHead& sample : sample_heads()) {
    const Head rest = without_first_token(sample.head);
    ASSERT_EQ(rest.keys(), sample.head.keys() - 1);
    EXPECT_EQ(rest.temperature, sample.head.temperature);
    EXPECT_EQ(rest.x, sample.head.x.bottomRows(rest.keys()));
    for (Eigen::Index row = 0; row < rest.keys(); ++row) {
      const std::vector<double> all = plain::weights_of(sample.head, row + 1);
      const std::vector<double> found = plain::weights_of(rest, row);
      double sum = 0;
      for (std::size_t i = 1; i < all.size(); ++i) sum += all[i];
      for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_NEAR(found[i], all[i + 1] / sum, 1e-10 * found[i]);
      }
    }
  }
}

TEST(MeasureRow, HasAFirstHalfOfTwoTokensOrMore) {
  const Head head = random_head(30, 4, 5, 1, 55);
  for (const Eigen::Index row : {2, 3}) {
    for (const NormalizerMeasure& of :
         measure_row(head, row, 1, plain::weights_of(head, row)).normalizers) {
      EXPECT_EQ(std::isnan(of.largest_half), row == 2) << of.name;
    }
  }
}

TEST(MeasureRow, TakesEachOnTheSameLogits) {
  const Head head = random_head(30, 4, 5, 1, 55);
  const auto found = measure_row(head, 24, 4, plain::weights_of(head, 24)).normalizers;
  const Eigen::VectorXd logits = raw_logits(head, 24);
  const std::tuple<const char*, Normalizer, double> settings[] = {
      {"softmax, T/2", Normalizer::softmax, 0.5},
      {"softmax", Normalizer::softmax, 1},
      {"softmax, 2T", Normalizer::softmax, 2},
      {"Scalable-Softmax", Normalizer::scalable_softmax, 1},
      {"sparsemax", Normalizer::sparsemax, 1},
      {"1.5-entmax", Normalizer::entmax, 1},
      {"Self-Adjusted Softmax", Normalizer::self_adjusted, 1},
      {"sigmoid attention", Normalizer::sigmoid_attention, 1},
      {"softmax1", Normalizer::softmax1, 1}};
  ASSERT_EQ(found.size(), std::size(settings));
  for (std::size_t s = 0; s < found.size(); ++s) {
    const auto& [name, normalizer, factor] = settings[s];
    EXPECT_EQ(found[s].name, name);
    const NormalizedRow row = normalize_row(normalizer, {logits.data(), 25}, factor * 2);
    EXPECT_EQ(found[s].row.largest, row.largest);
    EXPECT_EQ(found[s].largest_half,
              normalize_row(normalizer, {logits.data(), 12}, factor * 2).largest);
    EXPECT_EQ(found[s].row.norm, row.norm);
    const Rows y = plain::outputs(head, row.weights);
    EXPECT_EQ(found[s].share, plain::separability(y, plain::top(row.weights, 4)).share);
    for (std::size_t n = 1; n < 25; ++n) {
      const double expected = plain::distance(y, plain::top(row.weights, n));
      EXPECT_NEAR(found[s].sweep.distance[n - 1], expected, 1e-10 * expected) << name;
    }
  }
}

TEST(MeasureHead, NormalizersTakeTheLargestNUpTo20) {
  const Head head = random_head(28, 4, 5, 1, 57);
  MeasureSettings settings = settings_for(head);
  const auto counts_of = [&](bool without_first) {
    std::vector<double> counts;
    for (const auto& point :
         of_variant(measure(head, settings).figures.normalizers, without_first)) {
      if (point.name == "softmax") counts.push_back(point.n.value());
    }
    return counts;
  };
  EXPECT_EQ(counts_of(false), (std::vector<double>{1, 3, 8}));  // L = 2, 6, 28; 22 is above 20
  settings.selection.counts = {1, 5, 6, 20, 22};
  EXPECT_EQ(counts_of(false), (std::vector<double>{1, 5, 20}));  // 6 leaves nothing out of L = 6
  EXPECT_EQ(counts_of(true), (std::vector<double>{1, 20}));      // nor 5 of the five others
}

/// A row of a length is shown by itself, and has more sets; the others count in
/// means.
TEST(MeasureHead, RowsOfALengthHaveTheirOwnNumberOfDraws) {
  const Head head = random_head(60, 4, 5, 1, 60);
  MeasureSettings settings = settings_for(head);
  settings.selection.counts = {3, 8};
  settings.selection.draws = 1;
  settings.selection.shown_draws = 7;
  settings.lengths = {20, 60};
  const auto is_multiple = [](double share, double of) {
    return std::abs(share * of - std::round(share * of)) < 1e-9;
  };
  Measures rows;
  measure(head, settings, &rows);
  bool has_fraction = false;
  for (const auto& [row, measures] : rows) {
    const bool shown = row == 19 || row == 59;
    for (const SelectionMeasure& m : measures) {
      const auto n = static_cast<double>(m.n);
      EXPECT_TRUE(is_multiple(m.random_share, n * (shown ? 7 : 1))) << row;
      has_fraction = has_fraction || (shown && !is_multiple(m.random_share, n));
      EXPECT_GE(m.random_share_without_first, 0) << row;
      EXPECT_LE(m.random_share_without_first, 1) << row;
    }
  }
  EXPECT_TRUE(has_fraction);
}

}  // namespace
}  // namespace attn::gpt2
