#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <random>
#include <set>
#include <thread>

#include "reports/io/merge.hpp"
#include "reports/io/report_json.hpp"
#include "reports/judge/judge.hpp"
#include "reports/judge/statements.hpp"
#include "reports/record/columns.hpp"
#include "reports/record/record_json.hpp"
#include "reports/record/walk.hpp"
#include "reports/tests/sample_measurements.hpp"
#include "reports/tests/sample_report.hpp"
#include "reports/tests/schema.hpp"
#include "reports/windows/bootstrap.hpp"
#include "reports/windows/fold.hpp"
#include "reports/windows/quantiles.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/base/quantile.hpp"
#include "theory/base/tests/expect_bad_input.hpp"
#include "theory/tests/temporary_folder.hpp"

namespace attn::report {
namespace {

// ---- quantiles ----

std::vector<double> skewed_sample(std::size_t size) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  std::vector<double> values;
  for (std::size_t i = 0; i < size; ++i) {
    values.push_back((i % 5 == 0 ? -1 : 1) * std::exp(4 * normal(random)));
  }
  values[1] = 0;
  return values;
}

TEST(Quantile, IsThatOfNumPyAndR) {
  const std::vector<double> sample = {1, 1, 2, 3, 4, 5, 6, 9};
  const std::pair<double, double> expected[] = {{0, 1},       {0.1, 1},   {0.25, 1.75}, {0.5, 3.5},
                                                {0.75, 5.25}, {0.9, 6.9}, {1, 9}};
  for (const auto& [p, value] : expected) EXPECT_DOUBLE_EQ(quantile(sample, p), value) << p;
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median({9, 1, 3}), 3);
  EXPECT_EQ(quantile(std::vector<double>{7}, 0.3), 7);
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(quantile(std::vector<double>{0, infinity}, 0), 0) << "not 0 + 0 * infinity";
}

TEST(Quantiles, AreWithinTheStatedErrorOfTheExactOnes) {
  std::vector<double> values = skewed_sample(5001);
  Quantiles quantiles;
  for (const double value : values) quantiles.add(value);
  std::ranges::sort(values);
  for (std::size_t rank = 0; rank < values.size(); ++rank) {
    const double exact = values[rank], found = quantiles.quantile(static_cast<double>(rank) / 5000);
    EXPECT_LE(std::abs(found - exact), kQuantileError * std::abs(exact)) << rank;
  }
  EXPECT_EQ(quantiles.count(), 5001U);
  EXPECT_EQ(quantiles.least(), values.front());
  EXPECT_EQ(quantiles.most(), values.back());
}

TEST(Quantiles, OfPartsMergeToThoseOfTheWhole) {
  const std::vector<double> values = skewed_sample(999);
  Quantiles whole, parts[2];
  for (std::size_t i = 0; i < values.size(); ++i) {
    whole.add(values[i]);
    parts[i % 2].add(values[i]);
  }
  Quantiles joined = parts[1];
  joined.merge(parts[0]);
  EXPECT_EQ(joined.least(), whole.least());
  EXPECT_EQ(joined.most(), whole.most());
  parts[1].merge(Quantiles(parts[0].buckets()));
  for (const double p : {0.001, 0.1, 0.25, 0.5, 0.77, 0.999}) {
    EXPECT_EQ(parts[1].quantile(p), whole.quantile(p));
  }
}

/// The ends are those of the whole, whichever part has the least and the largest: a bucket's middle
/// may lie beyond both.
TEST(Quantiles, OfAnyPartsHaveTheExactEnds) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> uniform(-3, 3);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> values;
    for (std::uint64_t i = 0; i < 1 + random() % 6; ++i) values.push_back(uniform(random));
    Quantiles whole;
    std::vector<Quantiles> parts(1 + random() % 3);
    for (const double value : values) {
      whole.add(value);
      parts[random() % parts.size()].add(value);
    }
    Quantiles joined;  // of none yet
    for (const Quantiles& part : parts) joined.merge(part);
    const auto [least, most] = std::ranges::minmax(values);
    EXPECT_EQ(joined.count(), values.size());
    EXPECT_EQ(joined.least(), least);
    EXPECT_EQ(joined.most(), most);
    EXPECT_EQ(joined.quantile(0), whole.quantile(0));
    EXPECT_EQ(joined.quantile(1), whole.quantile(1));
    EXPECT_EQ(joined.quantile(0.5), whole.quantile(0.5));
  }
}

TEST(Quantiles, AreNeverBeyondTheLeastAndTheLargest) {
  for (const double value : {1.0, 1.001, 1.0078, -2.0, -2.01, 0.3, 5e-324, 1e300}) {
    Quantiles one;
    one.add(value, 3);
    EXPECT_EQ(one.quantile(0.5), value);
    EXPECT_EQ(one.count(), 3U);
  }
}

// ---- bootstrap ----

TEST(Bootstrap, WeightsArePoissonOfMeanOne) {
  constexpr std::uint64_t kDraws = 200'000;
  std::vector<double> counts(12);
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    ++counts[static_cast<std::size_t>(bootstrap_weight(3, i % 200, Resampled::windows, i / 200))];
  }
  double share = std::exp(-1.0);
  for (std::size_t k = 0; k < 6; ++k) {
    const double error = 5 * std::sqrt(share * (1 - share) / kDraws);
    EXPECT_NEAR(counts[k] / kDraws, share, error) << k;
    share /= static_cast<double>(k + 1);
  }
}

TEST(Bootstrap, DrawsWindowsHeadsReplicatesAndSeedsApart) {
  const auto same = [](const auto& one, const auto& other) {
    int equal = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) equal += one(i) == other(i) ? 1 : 0;
    return equal;
  };
  const auto of = [](std::uint64_t seed, std::size_t replicate, Resampled what) {
    return [=](std::uint64_t i) { return bootstrap_weight(seed, replicate, what, i); };
  };
  const auto base = of(1, 2, Resampled::windows);
  EXPECT_EQ(same(base, base), 1000);
  // Two independent ones are equal with a chance of 0.3085.
  for (const auto& other : {of(2, 2, Resampled::windows), of(1, 3, Resampled::windows),
                            of(1, 2, Resampled::heads), of(2, 1, Resampled::windows)}) {
    EXPECT_LT(same(base, other), 390);
  }
}

// Written out with every number at hand.
TEST(Bootstrap, IntervalIsThatOfThePlainReplicates) {
  std::vector<std::vector<double>> values(6);
  const std::vector<double> sample = skewed_sample(30);
  for (std::size_t i = 0; i < sample.size(); ++i) values[i / 5].push_back(std::abs(sample[i]));
  const Resampling resampling(9, 5);
  SpreadAccumulator cells;
  for (std::size_t w = 0; w < values.size(); ++w) {
    cells.add(resampling, resampling.of_window(w), values[w]);
  }
  std::vector<double> replicates;
  for (std::size_t b = 0; b < kReplicates; ++b) {
    double weight = 0, sum = 0;
    for (std::size_t w = 0; w < values.size(); ++w) {
      for (std::size_t h = 0; h < values[w].size(); ++h) {
        const double product = bootstrap_weight(9, b, Resampled::windows, w) *
                               bootstrap_weight(9, b, Resampled::heads, h);
        weight += product;
        sum += product * values[w][h];
      }
    }
    if (weight > 0) replicates.push_back(sum / weight);
  }
  std::ranges::sort(replicates);
  const std::optional<OverWindows> windows = cells.spread()->windows;
  ASSERT_TRUE(windows && windows->low && windows->high);
  EXPECT_NEAR(*windows->low / quantile(replicates, 0.025), 1, 1e-12);
  EXPECT_NEAR(*windows->high / quantile(replicates, 0.975), 1, 1e-12);
}

// ---- cells ----

TEST(SpreadAccumulator, SumUpByHandAndLeaveOutHeadsWithoutANumber) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const Resampling resampling(1, 3);
  SpreadAccumulator cells;
  cells.add(resampling, resampling.of_window(0), std::vector<double>{1, 2, 6});
  cells.add(resampling, resampling.of_window(1), std::vector<double>{5, kNone, 7});
  cells.add(resampling, resampling.of_window(2), std::vector<double>{});
  const MaybeSpread spread = cells.spread();
  ASSERT_TRUE(spread);
  EXPECT_DOUBLE_EQ(spread->mean, 21.0 / 5);
  EXPECT_EQ(spread->min, 1);
  EXPECT_EQ(spread->max, 7);
  EXPECT_NEAR(spread->median, 5, 5 * kQuantileError);
  EXPECT_EQ(spread->windows->min, 3);
  EXPECT_EQ(spread->windows->max, 6);
  EXPECT_LE(*spread->windows->low, *spread->windows->high);
}

// ---- the fold ----

constexpr unsigned kLayers = 1, kHeads = 3;

/// A window whose every number is the sample's times `factor`.
WindowResult sample_window(std::uint64_t number, double factor) {
  WindowResult result{.window = number};
  const Report report = sample_report();
  for (const ClaimRecord& record : report.claims) {
    if (record.stage == Stage::gpt2 && record.max_ratio > 0) result.claims.push_back(record);
  }
  for (ClaimRecord& record : result.claims) {
    *record.max_ratio *= factor;
    record.ratio_histogram.assign(kRatioBins + 1, 1);
  }
  WindowComparison comparison;
  comparison.sharp = "theorem1.fixed.sharp.upper";
  comparison.printed = "theorem1.fixed";
  comparison.cases = 3;
  comparison.tighter = 2;
  comparison.median_sharp = 0.5 * factor;
  comparison.median_printed = 0.25 * factor;
  comparison.sharp_ratios = {{0.5 * factor, 3}};
  comparison.printed_ratios = {{0.25 * factor, 3}};
  result.comparisons.push_back(comparison);
  result.measured = measurements_from(sample_measurements(kLayers, kHeads));
  result.measured.abstract.clear();
  ByColumn<std::vector<double>> by_head;
  for_each_column(result.measured.figures, [&](const ColumnName& name, MaybeSpread& spread) {
    if (!spread) return;
    spread->mean = 2 * factor;
    by_head[name] = {factor, 2 * factor, 3 * factor};
  });
  result.measured.figures.critical_n.front().n = 10 * factor;
  result.measured.figures.critical_n.front().fraction = 0.1 * factor;
  result.measured.figures.normalizers.back().critical_n_full = 100 * factor;
  for (HeadRecord& head : result.measured.heads) head.sink_share = 0.125 * factor;
  result.by_head = lists_by_head(result.measured, by_head);
  return result;
}

/// A window of a run over `all`.
WindowResult named(WindowResult result, std::uint64_t all) {
  name_window(result, result.window, {.count = all, .tokens_left = 5});
  return result;
}

/// The report over windows, which are named here.
Report folded(const std::vector<WindowResult>& results) {
  WindowFold fold(4);
  for (const WindowResult& result : results) fold.add(named(result, results.size()));
  return fold.report();
}

TEST(Fold, OfOneWindowIsTheWindow) {
  const WindowResult window = sample_window(1, 1);
  const Report report = folded({window});
  Measurements measured = report.inputs.front();
  EXPECT_EQ(measured.windows->count, 1U);
  measured.windows.reset();
  EXPECT_EQ(json_of(measured), json_of(window.measured));
  ASSERT_EQ(report.claims.size(), window.claims.size());
  EXPECT_EQ(report.comparisons.front().median_sharp, 0.5);
}

TEST(Fold, AddsEveryCountOfAClaim) {
  std::vector<WindowResult> windows = {sample_window(1, 1), sample_window(2, 1.5)};
  const auto count = [](ClaimRecord& record, std::uint64_t unit) {
    record.holds = 2 * unit;
    record.equal = 3 * unit;
    record.violated = 5 * unit;
    record.undecided = 7 * unit;
    record.assumption_not_met = 11 * unit;
    record.cases = 28 * unit;
    record.sampled = 4 * unit;
    record.sampled_open = unit;
    record.unmet = {{"one hypothesis", 6 * unit}, {"another", 5 * unit}};
    record.digits = {{"filter", 9 * unit}, {"50", unit}};
    record.families = {{"generic", unit}};
    record.ratio_histogram.assign(kRatioBins + 1, unit);
  };
  count(windows[0].claims.front(), 1);
  count(windows[1].claims.front(), 100);
  ClaimRecord expected = windows[0].claims.front();
  count(expected, 101);
  expected.max_ratio = windows[1].claims.front().max_ratio;
  expected.worst = windows[1].claims.front().worst;
  Report report = folded(windows);
  report.claims.front().worst->where = expected.worst->where;
  if (expected.smallest_witness) {
    report.claims.front().smallest_witness->where = expected.smallest_witness->where;
  }
  rejudge(expected);
  EXPECT_EQ(json_of(report.claims.front()), json_of(expected));

  const ComparisonRecord& comparison = report.comparisons.front();
  EXPECT_EQ(comparison.cases, 6U);
  EXPECT_EQ(comparison.tighter, 4U);
  EXPECT_NEAR(comparison.median_sharp, 0.625, 0.625 * kQuantileError);
}

/// The claim of a window that has this one record alone, which is not covered where rows lack
/// something: what they lack.
std::string lacking(Status status, std::uint64_t outside, std::uint64_t open, double ratio) {
  WindowResult window = sample_window(1, 1);
  ClaimRecord& record = window.claims.front();
  record.status = status;
  record.cases = 9;
  record.assumption_not_met = outside;
  record.unmet = {{"a hypothesis", outside}};
  record.undecided = record.sampled = record.sampled_open = open;
  record.holds = 9 - outside - open;
  record.equal = record.violated = 0;
  record.max_ratio = ratio;
  const std::string id = record.id;
  const auto not_covered = folded({window}).inputs.front().not_covered;
  const auto found = not_covered.find(id);
  return found == not_covered.end() ? "" : found->second;
}

TEST(Fold, SaysOfAClaimThatNoRowSpokeToWhatRowsItWouldNeed) {
  for (const Status status : {Status::proved, Status::refuted}) {
    EXPECT_EQ(lacking(status, 9, 0, 0.5), "rows with a hypothesis");
    EXPECT_EQ(lacking(status, 4, 5, 0.5), "rows on which so many draws can tell");
    EXPECT_EQ(lacking(status, 4, 4, 0.5), "");
  }
  EXPECT_EQ(lacking(Status::proved, 4, 4, 0), "rows on which its left side is above 0");
  EXPECT_EQ(lacking(Status::refuted, 4, 4, 0), "");
}

TEST(Fold, KeepsTheFirstOfTwoEquallyBadCasesAndNamesItsWindow) {
  std::vector<WindowResult> windows = {sample_window(1, 1), sample_window(2, 1),
                                       sample_window(3, 1)};
  ClaimRecord& worse = windows[1].claims.front();
  ASSERT_TRUE(worse.max_ratio && worse.worst);
  *worse.max_ratio *= 2;
  const Report report = folded(windows);
  EXPECT_THAT(report.claims.front().worst->where, ::testing::StartsWith("window 2, "));
}

TEST(Fold, SearchesAMutantUntilItIsCaught) {
  std::vector<WindowResult> windows = {sample_window(1, 1), sample_window(2, 1),
                                       sample_window(3, 1)};
  for (WindowResult& window : windows) {
    ClaimRecord& record = window.claims.front();
    record.mutants = {{.id = record.id + "/wrong", .change = "a change", .cases = 100}};
  }
  windows[1].claims.front().mutants.front().caught = true;
  windows[1].claims.front().mutants.front().cases = 7;
  const MutantRecord mutant = folded(windows).claims.front().mutants.front();
  EXPECT_TRUE(mutant.caught);
  EXPECT_EQ(mutant.cases, 107U);
}

TEST(Fold, MeansHeadsAndPointsOverWindows) {
  const Report report = folded({sample_window(1, 1), sample_window(2, 3)});
  for_each_value<MaybeSpread>(report.inputs.front().figures, [](const MaybeSpread& spread) {
    if (!spread) return;
    EXPECT_DOUBLE_EQ(spread->mean, 4);
    EXPECT_EQ(spread->min, 1);
    EXPECT_EQ(spread->max, 9);
    EXPECT_EQ(spread->windows->min, 2);
    EXPECT_EQ(spread->windows->max, 6);
  });
  for (const HeadRecord& head : report.inputs.front().heads)
    EXPECT_DOUBLE_EQ(*head.sink_share, 0.25);
  const CriticalPoint& critical = report.inputs.front().figures.critical_n.front();
  EXPECT_EQ(critical.n, 10);
  EXPECT_EQ(critical.fraction, 0.1);
  EXPECT_EQ(critical.windows->max, 30);
  EXPECT_EQ(critical.windows->without, 0U);
  EXPECT_EQ(report.inputs.front().figures.distance_by_n.front().samples, 2 * 144);
}

TEST(Fold, RefusesAnInputOfWhichNoClaimCanBeDecided) {
  WindowFold fold(0);
  WindowResult window = sample_window(1, 1);
  window.claims.clear();
  window.measured.input = "one-hot";
  window.measured.not_covered = {{"lemma2", "values"}, {"corollary3", "rows with logits"}};
  window.measured.off_sum_rows = 4;
  window.measured.zero_weights = 7;
  fold.add(window);
  EXPECT_BAD_INPUT(fold.report(), {.kind = BadInputKind::unsupported,
                                   .where = "one-hot",
                                   .found = "none: claims need rows with logits; values; 4 rows of "
                                            "the pattern have a sum other than 1; 7 of its weights "
                                            "are 0"});

  WindowFold contradicted(0);
  window.measured.input = "linear";
  window.measured.contradicted_layers = {0};
  contradicted.add(window);
  EXPECT_BAD_INPUT(
      contradicted.report(),
      {.kind = BadInputKind::unsupported,
       .where = "linear",
       .advice =
           "the pattern is read, for it is not softmax of what lies beside it; record values"});
}

TEST(Fold, RefusesAWindowOfAnotherRun) {
  WindowFold fold(0);
  fold.add(sample_window(1, 1));
  WindowResult other = sample_window(2, 1);
  other.measured.heads.pop_back();
  EXPECT_BAD_INPUT(fold.add(other), {.kind = BadInputKind::inconsistent, .where = "window 2"});
  other = sample_window(2, 1);
  other.by_head.pop_back();
  EXPECT_BAD_INPUT(fold.add(other), {.kind = BadInputKind::inconsistent, .where = "window 2"});
  other = sample_window(2, 1);
  other.claims.front().ratio_histogram.push_back(1);
  EXPECT_BAD_INPUT(fold.add(other), {.kind = BadInputKind::inconsistent, .where = "window 2"});
}

/// As many points are not the same points.
TEST(Fold, RefusesAWindowWithOtherPoints) {
  WindowFold fold(0);
  fold.add(sample_window(1, 1));
  WindowResult other = sample_window(2, 1);
  std::vector<SeparabilityPoint>& points = other.measured.figures.separability;
  ASSERT_GE(points.size(), 2U);
  std::swap(points[0], points[1]);
  EXPECT_BAD_INPUT(fold.add(other), {.kind = BadInputKind::inconsistent,
                                     .where = "window 2",
                                     .expected = "the points and heads of every other window"});
  points[1] = points[0];
  WindowFold first(0);
  other.window = 1;
  EXPECT_BAD_INPUT(first.add(other), {.kind = BadInputKind::inconsistent, .where = "window 1"});
}

/// A column is of one measure at one point, and has a name that no other has.
TEST(Columns, HaveNamesOfTheirOwn) {
  Figures figures = sample_window(1, 1).measured.figures;
  std::set<ColumnName> names;
  std::vector<const MaybeSpread*> spreads;
  for_each_column(figures, [&](const ColumnName& name, const MaybeSpread& spread) {
    EXPECT_TRUE(names.insert(name).second) << name.measure << " at " << name.point;
    spreads.push_back(&spread);
  });
  std::vector<const MaybeSpread*> all;
  for_each_value<MaybeSpread>(figures, [&](MaybeSpread& spread) { all.push_back(&spread); });
  EXPECT_EQ(spreads, all) << "each spread once, in the order of report.json";
  const SeparabilityPoint& point = figures.separability.front();
  EXPECT_TRUE(names.contains({"separability.share", point_of(point)}));
  EXPECT_EQ(point_of(SeparabilityPoint{.n = 5, .without_first = true}),
            "N 5, without the first token");
  EXPECT_EQ(point_of(DirectionPoint{.without_first = true}), "without the first token");
}

// ---- shards of a run over windows, in files ----

class WindowShards : public ::testing::Test {
 protected:
  /// Writes a shard with windows that `window` makes of their numbers.
  std::filesystem::path write(Shard shard, const std::vector<std::uint64_t>& numbers,
                              const std::function<WindowResult(std::uint64_t)>& window) {
    Report report;
    report.provenance = sample_.provenance;
    report.provenance.seed = 4;
    report.provenance.shard = shard;
    auto path = folder_ / std::to_string(shard.index) / "report.json";
    auto at = numbers.begin();
    write_shard(path, report, [&]() -> std::optional<std::string> {
      if (at == numbers.end()) return {};
      return text_of(window(*at++));
    });
    return path;
  }

  /// Two shards of a run over four windows.
  std::vector<std::filesystem::path> two(const std::vector<std::uint64_t>& first,
                                         const std::vector<std::uint64_t>& second) {
    const auto window = [](std::uint64_t number) { return named(sample_of(number), 4); };
    return {write({1, 2}, first, window), write({2, 2}, second, window)};
  }

  static WindowResult sample_of(std::uint64_t number) {
    return sample_window(number, 1 + 0.1 * static_cast<double>(number));
  }

  static Report merged(const std::vector<std::filesystem::path>& files) {
    std::vector<Report> shards;
    shards.reserve(files.size());
    for (const std::filesystem::path& file : files) shards.push_back(read_part(file));
    return merge(shards);
  }

  Report sample_ = sample_report();
  test::TemporaryFolder folder_;
};

TEST_F(WindowShards, MergeToTheFoldOfAll) {
  const auto files = two({1, 3}, {2, 4});
  const WindowResult sent = window_from(text_of(sample_of(4)));
  Report expected = folded({sample_of(1), sample_of(2), sample_of(3), sent});
  complete(expected);
  for (const auto& order : {files, {files[1], files[0]}}) {
    const Report whole = merged(order);
    EXPECT_FALSE(whole.provenance.shard);
    expected.provenance = whole.provenance;
    EXPECT_EQ(report_text(whole), report_text(expected));
  }
}

TEST_F(WindowShards, AreAnyJsonOfTheSchema) {
  const auto files = two({1, 3}, {2, 4});
  const std::string before = report_text(merged(files));
  for (const auto& file : files) {
    const auto document = nlohmann::json::parse(read_file(file));
    EXPECT_THAT(schema_errors(document), ::testing::IsEmpty());
    EXPECT_EQ(document["windows"].size(), 2U);
    write_file(file, document.dump(3));  // in another order and layout
  }
  EXPECT_EQ(report_text(merged(files)), before);
}

TEST_F(WindowShards, AreRefusedWithoutEveryWindowOnce) {
  using enum BadInputKind;
  EXPECT_BAD_INPUT(merged(two({1, 3}, {4})),
                   {.kind = inconsistent, .expected = "window 2 next", .found = "window 4"});
  EXPECT_BAD_INPUT(merged(two({1, 3}, {2})), {.kind = missing, .expected = "all 4", .found = "3"});
  EXPECT_BAD_INPUT(merged(two({1, 3}, {2, 3, 4})),
                   {.kind = inconsistent, .expected = "window 4 next", .found = "window 3"});
}

TEST_F(WindowShards, AreRefusedWhereAWindowIsBroken) {
  using nlohmann::json;
  const auto files = two({1, 3}, {2, 4});
  const json whole = json::parse(read_file(files[0]));
  const auto broken = [&](const std::function<void(json&)>& change) {
    json document = whole;
    change(document["windows"]);
    write_file(files[0], document.dump());
    return merged(files);
  };
  EXPECT_EQ(broken([](json&) {}).inputs.front().windows->count, 4U);
  using enum BadInputKind;
  EXPECT_BAD_INPUT(broken([](json& windows) { windows[1]["window"] = 0; }),
                   {.kind = out_of_range, .where = "/windows/1/window"});
  EXPECT_BAD_INPUT(broken([](json& windows) { windows[0] = 7; }),
                   {.kind = malformed, .where = "/windows/0", .expected = "an object"});
  EXPECT_BAD_INPUT(broken([](json& windows) { windows = json::object(); }),
                   {.kind = malformed, .where = "/windows", .expected = "an array"});
}

TEST_F(WindowShards, AreRefusedWhereTheirFileChangesMeanwhile) {
  const auto files = two({1, 3}, {2, 4});
  const std::vector<Report> shards = {read_part(files[0]), read_part(files[1])};
  write_file(files[1], "{}");
  EXPECT_BAD_INPUT(merge(shards), {.kind = BadInputKind::inconsistent,
                                   .where = files[1].string(),
                                   .expected = "the window that was there"});
}

TEST_F(WindowShards, AreRefusedFromAPipe) {
  const auto pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << R"({"windows": [{}]})"; });
  EXPECT_BAD_INPUT(read_part(pipe), {.kind = BadInputKind::unsupported, .found = "a pipe"});
  writer.join();
}

/// Lets this process take so many bytes more than it has.
void limit_memory(std::size_t bytes) {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t most = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) + bytes;
  const rlimit limit{most, most};
  if (pages == 0 || ::setrlimit(RLIMIT_AS, &limit) != 0) std::_Exit(1);
}

TEST_F(WindowShards, OfABookTakeTheMemoryOfAFewWindows) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer takes more memory than any limit";
#endif
  constexpr std::uint64_t kWindows = 80;
  constexpr std::size_t kBytes = std::size_t{1} << 20;  // of a window
  std::vector<std::uint64_t> numbers[2];
  for (std::uint64_t number = 1; number <= kWindows; ++number) {
    numbers[(number - 1) % 2].push_back(number);
  }
  const WindowResult sample = sample_window(1, 1);
  const auto fat = [&](std::uint64_t number) {
    WindowResult result = sample;
    result.window = number;
    result.claims.front().worst->input = nlohmann::json{{"note", std::string(kBytes, 'x')}};
    return named(result, kWindows);
  };
  const auto in_little_memory = [&] {
    limit_memory(16 * kBytes);
    std::vector<Report> shards;
    for (unsigned k = 0; k < 2; ++k)
      shards.push_back(read_part(write({k + 1, 2}, numbers[k], fat)));
    std::_Exit(merge(shards).inputs.front().windows->count == kWindows ? 0 : 1);
  };
  EXPECT_EXIT(in_little_memory(), ::testing::ExitedWithCode(0), "");
}

/// The mean of T ||J|| is over the rows of all windows.
TEST(Fold, WeighsWindowsByTheirRows) {
  std::vector<WindowResult> windows = {sample_window(1, 1), sample_window(2, 1)};
  const std::uint64_t rows[] = {100, 300};
  const double means[] = {0.1, 0.3};
  for (std::size_t w = 0; w < 2; ++w) {
    windows[w].measured.figures.gradient.front().rows = rows[w];
    windows[w].measured.figures.gradient.front().mean_t_norm = means[w];
  }
  const GradientPoint point = folded(windows).inputs.front().figures.gradient.front();
  EXPECT_EQ(point.rows, 400U);
  EXPECT_DOUBLE_EQ(*point.mean_t_norm, 0.25);
}

/// Each point of a statement has its own interval; over key heads there is none.
TEST(Fold, GivesThePointsOfAStatementTheirIntervals) {
  std::vector<WindowResult> windows;
  for (std::uint64_t number = 1; number <= 4; ++number) {
    WindowResult window = sample_window(number, 1);
    PaperStatement entry{
        .id = std::string(kShareStatement), .estimate = 0.5, .low = 0.4, .high = 0.6};
    entry.points = {{.n = 1, .share = 0.9, .low = 0.8, .high = 1},
                    {.n = 20, .share = 0.5, .low = 0.4, .high = 0.6}};
    entry.over_key_heads = {.low = 0.3, .high = 0.7, .key_heads = 2, .agrees = {}};
    window.measured.abstract = {entry};
    window.by_head.push_back({0.5, 0.5, 0.5});
    window.by_head.push_back({0.9, 0.9, 0.9});
    window.by_head.push_back({0.4, 0.5, 0.6});
    windows.push_back(window);
  }
  const PaperStatement entry = folded(windows).inputs.front().abstract.front();
  EXPECT_FALSE(entry.over_key_heads);
  EXPECT_NEAR(*entry.low, 0.5, 1e-12);
  EXPECT_NEAR(*entry.points[0].low, 0.9, 1e-12);
  EXPECT_NEAR(*entry.points[0].high, 0.9, 1e-12);
  EXPECT_LT(*entry.points[1].low, 0.5);
}

/// What has no numbers by head says so, and intervals of one window are not those of several.
TEST(Fold, SaysWhichStatementsItDoesNotMeasure) {
  std::vector<WindowResult> windows;
  for (std::uint64_t number = 1; number <= 2; ++number) {
    WindowResult window = sample_window(number, 1);
    window.measured.abstract = {{.id = std::string(kCriticalStatement),
                                 .estimate = 0.5,
                                 .low = 0.4,
                                 .high = 0.6,
                                 .agrees = false}};
    window.measured.abstract.front().points = {{.length = 64, .n = 20}};
    window.by_head.resize(window.by_head.size() + 2);
    windows.push_back(window);
  }
  const Measurements measured = folded(windows).inputs.front();
  const PaperStatement& entry = measured.abstract.front();
  EXPECT_FALSE(entry.estimate);
  EXPECT_FALSE(entry.agrees);
  EXPECT_EQ(entry.why_not, "it is not measured over several windows of a text");
  for (const DistancePoint& point : measured.figures.distance_by_length) {
    EXPECT_FALSE(point.low || point.high || point.expected_low || point.expected_high);
  }
  for (const CriticalPoint& point : measured.figures.critical_n) {
    EXPECT_FALSE(point.low || point.high);
  }
}

}  // namespace
}  // namespace attn::report
