// Random reports of two and three windows, each number of which the fold must join as it says: by
// loops over the windows, which share nothing with the fold but the records.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "reports/record/record_json.hpp"
#include "reports/record/walk.hpp"
#include "reports/tests/sample_measurements.hpp"
#include "reports/tests/sample_report.hpp"
#include "reports/windows/bootstrap.hpp"
#include "reports/windows/fold.hpp"
#include "reports/windows/quantiles.hpp"
#include "theory/base/quantile.hpp"

namespace attn::report {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t kSeed = 4;
constexpr std::size_t kHeadsOfRandom = 3;

using MaybeNumber = std::optional<double>;

// ---- random windows ----

class RandomWindow {
 public:
  explicit RandomWindow(std::mt19937_64& engine) : engine_(&engine) {}

  WindowResult of(std::uint64_t number) {
    WindowResult result{.window = number};
    for (const ClaimRecord& record : sample_report().claims) {
      if (record.stage != Stage::gpt2 || !(record.max_ratio > 0)) continue;
      result.claims.push_back(record);
      change(result.claims.back());
    }
    result.comparisons.push_back(comparison());
    result.measured = measurements_from(sample_measurements(1, kHeadsOfRandom));
    ByColumn<std::vector<double>> columns;
    change(result.measured, columns);
    result.by_head = lists_by_head(result.measured, columns);
    return result;
  }

 private:
  std::uint64_t count(std::uint64_t most = 50) { return (*engine_)() % (most + 1); }
  bool one_in(std::uint64_t n) { return (*engine_)() % n == 0; }
  double number() { return std::uniform_real_distribution<double>(0.1, 9)(*engine_); }
  MaybeNumber maybe() { return one_in(5) ? MaybeNumber() : number(); }
  /// Small, so that windows have some alike.
  MaybeNumber maybe_n() { return one_in(4) ? MaybeNumber() : static_cast<double>(1 + count(3)); }

  void change(ClaimRecord& record) {
    for (std::uint64_t* const part : {&record.holds, &record.equal, &record.violated,
                                      &record.undecided, &record.assumption_not_met}) {
      *part = count();
    }
    ++record.holds;
    record.cases = record.holds + record.equal + record.violated + record.undecided +
                   record.assumption_not_met;
    record.sampled_open = count(record.undecided);
    record.sampled = record.sampled_open + count();
    record.unmet = {{"a", count()}};
    if (one_in(2)) record.unmet["b"] = count();
    record.digits = {{"filter", count()}, {"50", count()}, {"exact", count()}};
    record.sets.clear();
    record.sets["top"] = {.cases = count(), .violated = count(), .assumption_not_met = count()};
    if (one_in(2)) record.sets["random"] = {.cases = count(), .violated = count()};
    record.families.clear();
    if (one_in(2)) record.families["f"] = count();
    record.ratio_histogram.resize(kRatioBins + 1);
    for (std::uint64_t& bin : record.ratio_histogram) bin = count();
    record.max_ratio = static_cast<double>(1 + count(2)) / 4;
    record.worst.emplace().where = "worst " + std::to_string(count(1000));
    record.smallest_witness.reset();
    record.first_undecided.reset();
    if (one_in(2)) record.smallest_witness.emplace().where = std::to_string(count(1000));
    if (one_in(2)) record.first_undecided.emplace().where = std::to_string(count(1000));
    record.mutants = {
        {.id = record.id + "/a", .change = "a", .caught = one_in(3), .cases = count()},
        {.id = record.id + "/b", .change = "b", .caught = one_in(3), .cases = count()}};
  }

  WindowComparison comparison() {
    WindowComparison record;
    record.sharp = "theorem1.fixed.sharp.upper";
    record.printed = "theorem1.fixed";
    record.tighter = count();
    record.as_tight = count();
    record.looser = count();
    record.cases = record.tighter + record.as_tight + record.looser;
    for (auto* const ratios : {&record.sharp_ratios, &record.printed_ratios}) {
      double at = 0;
      for (std::uint64_t i = 0; i < 1 + count(3); ++i) {
        at += number();
        ratios->push_back({at, 1 + count(5)});
      }
    }
    return record;
  }

  std::vector<double> by_head() {
    std::vector<double> numbers;
    for (std::size_t h = 0; h < kHeadsOfRandom; ++h) {
      numbers.push_back(one_in(6) ? kNoNumber : number());
    }
    if (std::isnan(numbers[0] + numbers[1] + numbers[2])) numbers[1] = number();
    return numbers;
  }

  void change(Measurements& measured, ByColumn<std::vector<double>>& columns) {
    Figures& figures = measured.figures;
    for_each_column(figures, [&](const ColumnName& name, MaybeSpread& spread) {
      spread.reset();
      if (one_in(5)) return;
      spread.emplace();
      columns[name] = by_head();
    });
    for (CriticalPoint& point : figures.critical_n) {
      point.n = maybe_n();
      point.fraction.reset();
      if (point.n) point.fraction = *point.n / point.length;
      point.statistic = number();
      point.p = number();
      point.samples = count();
    }
    for (NormalizerPoint& point : figures.normalizers) {
      point.critical_n_full = maybe_n();
      point.critical_n_factor = maybe_n();
      point.samples = count();
    }
    for (GradientPoint& point : figures.gradient) {
      point.rows = count();
      point.mean_t_norm = number();
      point.largest_t_norm = maybe();
      point.rows_above_printed_bound = count();
      for (StepPoint& step : point.steps) step.largest = one_in(9) ? kNoNumber : maybe();
    }
    for (HeldPoint& point : figures.held) point.open_rows = count();
    for (MassPoint& point : figures.mass) {
      point.rows = count();
      point.true_rows = count();
      point.certified_rows = count();
    }
    for (HeadRecord& head : measured.heads) {
      change(head);
      head.without_first.reset();
      change(head.without_first.emplace());
      for (auto& [id, claim] : head.claims) {
        claim = {.cases = count(),
                 .violated = count(),
                 .assumption_not_met = count(),
                 .max_ratio = maybe()};
      }
      if (one_in(3))
        head.claims["another"] = {.cases = count(), .violated = count(), .max_ratio = 2};
    }
    measured.abstract = {statement(kDistanceStatement), statement(kShareStatement),
                         statement(kGradientStatement)};
  }

  void change(HeadNumbers& numbers) {
    for_each_field<HeadNumbers>([&](const auto& field) {
      using Value = std::remove_cvref_t<decltype(numbers.*field.member)>;
      if constexpr (std::is_same_v<Value, MaybeNumber>) {
        numbers.*field.member = maybe();
      } else {
        numbers.*field.member = count();
      }
    });
  }

  PaperStatement statement(std::string_view id) {
    PaperStatement entry{.id = std::string(id)};
    entry.says = "it does";
    entry.estimate = entry.low = entry.high = number();
    entry.samples = count();
    entry.by_head = by_head();
    for (const double length : {32.0, 64.0}) {
      AbstractPoint& point = entry.points.emplace_back();
      for_each_field<AbstractPoint>([&](const auto& field) {
        using Value = std::remove_cvref_t<decltype(point.*field.member)>;
        if constexpr (std::is_same_v<Value, MaybeNumber>) {
          point.*field.member = number();
        } else {
          point.*field.member = count();
        }
      });
      point.length = length;
      point.by_head = by_head();
    }
    return entry;
  }

  std::mt19937_64* engine_;
};

// ---- the second computation ----

enum class How { kept, sum, mean, largest };

MaybeNumber joined_plainly(How how, const std::vector<MaybeNumber>& parts) {
  if (how == How::kept) return parts.front();
  double sum = 0;
  std::vector<double> there;
  bool has_nan = false;
  for (const MaybeNumber& part : parts) {
    if (!part) continue;
    there.push_back(*part);
    sum += *part;
    has_nan = has_nan || std::isnan(*part);
  }
  if (there.empty() || (how == How::mean && there.size() < parts.size())) return std::nullopt;
  if (how == How::sum) return sum;
  if (how == How::mean) return sum / static_cast<double>(there.size());
  return has_nan ? kNoNumber : std::ranges::max(there);
}

void expect_number(const MaybeNumber& found, const MaybeNumber& expected, std::string_view what) {
  ASSERT_EQ(found.has_value(), expected.has_value()) << what;
  if (!found) return;
  ASSERT_EQ(std::isnan(*found), std::isnan(*expected)) << what;
  if (std::isnan(*found)) return;
  EXPECT_NEAR(*found, *expected, 1e-12 * std::abs(*expected)) << what;
}

template <class Value>
std::optional<MaybeNumber> as_number(const Value& value) {
  if constexpr (std::is_same_v<Value, MaybeNumber>) {
    return value;
  } else if constexpr (std::is_same_v<Value, std::uint64_t>) {
    return static_cast<double>(value);
  } else if constexpr (std::is_same_v<Value, std::optional<std::uint64_t>>) {
    return value ? MaybeNumber(static_cast<double>(*value)) : MaybeNumber();
  } else {
    return std::nullopt;
  }
}

using Ways = std::map<std::string_view, How>;

/// Every number of a record, each of which is among the ways.
template <class Record>
void expect_joined(const Record& found, const std::vector<Record>& parts, const Ways& ways) {
  for_each_field<Record>([&](const auto& field) {
    const auto number = as_number(found.*field.member);
    if (!number) return;
    const auto way = ways.find(field.name);
    ASSERT_NE(way, ways.end()) << "no way to join " << field.name;
    std::vector<MaybeNumber> numbers;
    for (const Record& part : parts) numbers.push_back(*as_number(part.*field.member));
    expect_number(*number, joined_plainly(way->second, numbers), field.name);
  });
}

/// One part of each window.
template <class Of>
auto of_each(const std::vector<WindowResult>& windows, const Of& of) {
  std::vector<std::remove_cvref_t<decltype(of(windows.front()))>> parts;
  for (const WindowResult& window : windows) parts.push_back(of(window));
  return parts;
}

/// By a bootstrap over windows and heads; nothing of one window.
std::optional<std::pair<double, double>> plain_interval(
    const std::vector<std::vector<double>>& by_window) {
  std::vector<double> replicates;
  std::size_t with_numbers = 0;
  for (const std::vector<double>& heads : by_window) with_numbers += heads.empty() ? 0 : 1;
  for (std::size_t b = 0; b < kReplicates; ++b) {
    double weight = 0, sum = 0;
    for (std::size_t w = 0; w < by_window.size(); ++w) {
      for (std::size_t h = 0; h < by_window[w].size(); ++h) {
        if (std::isnan(by_window[w][h])) continue;
        const double product = bootstrap_weight(kSeed, b, Resampled::windows, w) *
                               bootstrap_weight(kSeed, b, Resampled::heads, h);
        weight += product;
        sum += product * by_window[w][h];
      }
    }
    if (weight > 0) replicates.push_back(sum / weight);
  }
  if (with_numbers < 2) return std::nullopt;
  std::ranges::sort(replicates);
  return std::pair(quantile(replicates, 0.025), quantile(replicates, 0.975));
}

/// The exact quantile, to the error that is stated.
void expect_quantile(double found, std::vector<double> values, double p) {
  std::ranges::sort(values);
  const double exact = quantile(values, p);
  EXPECT_NEAR(found, exact, kQuantileError * std::abs(exact)) << p;
}

void expect_spread(const MaybeSpread& found, const std::vector<std::vector<double>>& by_window) {
  std::vector<double> cells, means;
  for (const std::vector<double>& heads : by_window) {
    double sum = 0, count = 0;
    for (const double value : heads) {
      if (std::isnan(value)) continue;
      cells.push_back(value);
      sum += value;
      ++count;
    }
    if (count > 0) means.push_back(sum / count);
  }
  ASSERT_EQ(found.has_value(), !cells.empty());
  if (!found) return;
  double sum = 0;
  for (const double cell : cells) sum += cell;
  EXPECT_NEAR(found->mean, sum / static_cast<double>(cells.size()), 1e-12);
  EXPECT_EQ(found->min, std::ranges::min(cells));
  EXPECT_EQ(found->max, std::ranges::max(cells));
  expect_quantile(found->q1, cells, 0.25);
  expect_quantile(found->median, cells, 0.5);
  expect_quantile(found->q3, cells, 0.75);
  const OverWindows& windows = found->windows.value();
  EXPECT_NEAR(windows.min, std::ranges::min(means), 1e-12);
  EXPECT_NEAR(windows.max, std::ranges::max(means), 1e-12);
  expect_quantile(windows.q1, means, 0.25);
  expect_quantile(windows.median, means, 0.5);
  expect_quantile(windows.q3, means, 0.75);
  const auto interval = plain_interval(by_window);
  ASSERT_EQ(windows.low.has_value(), interval.has_value());
  ASSERT_EQ(windows.high.has_value(), interval.has_value());
  if (!interval) return;
  EXPECT_NEAR(*windows.low, interval->first, 1e-10);
  EXPECT_NEAR(*windows.high, interval->second, 1e-10);
}

/// The lower one in the middle, those without above all others.
MaybeNumber plain_median(const std::vector<MaybeNumber>& numbers) {
  std::vector<double> sorted;
  for (const MaybeNumber& n : numbers) {
    sorted.push_back(n.value_or(std::numeric_limits<double>::infinity()));
  }
  std::ranges::sort(sorted);
  const double median = sorted[(sorted.size() - 1) / 2];
  return std::isinf(median) ? MaybeNumber() : median;
}

void expect_critical(const CriticalPoint& found, const std::vector<CriticalPoint>& parts) {
  std::vector<MaybeNumber> numbers;
  std::vector<double> there;
  for (const CriticalPoint& part : parts) {
    numbers.push_back(part.n);
    if (part.n) there.push_back(*part.n);
  }
  EXPECT_EQ(found.n, plain_median(numbers));
  EXPECT_EQ(found.fraction, found.n ? MaybeNumber(*found.n / found.length) : MaybeNumber());
  EXPECT_FALSE(found.statistic || found.p);
  EXPECT_EQ(found.level, parts.front().level);
  const CriticalWindows& windows = found.windows.value();
  EXPECT_EQ(windows.without, parts.size() - there.size());
  EXPECT_EQ(windows.min, there.empty() ? MaybeNumber() : std::ranges::min(there));
  EXPECT_EQ(windows.max, there.empty() ? MaybeNumber() : std::ranges::max(there));
  std::uint64_t samples = 0;
  for (const CriticalPoint& part : parts) samples += part.samples.value();
  EXPECT_EQ(found.samples, samples);
}

void expect_normalizer(const NormalizerPoint& found, const std::vector<NormalizerPoint>& parts) {
  std::vector<MaybeNumber> full, factor;
  std::uint64_t samples = 0;
  for (const NormalizerPoint& part : parts) {
    full.push_back(part.critical_n_full);
    factor.push_back(part.critical_n_factor);
    samples += part.samples.value();
  }
  EXPECT_EQ(found.critical_n_full, plain_median(full)) << found.name;
  EXPECT_EQ(found.critical_n_factor, plain_median(factor)) << found.name;
  EXPECT_EQ(found.samples, samples) << found.name;
}

void expect_gradient(const GradientPoint& found, const std::vector<GradientPoint>& parts) {
  const Ways ways = {{"temperature", How::kept},
                     {"rows", How::sum},
                     {"mean_t_norm", How::kept},
                     {"largest_t_norm", How::largest},
                     {"rows_above_printed_bound", How::sum}};
  GradientPoint without_mean = found;
  without_mean.mean_t_norm = parts.front().mean_t_norm;
  expect_joined(without_mean, parts, ways);
  double sum = 0, rows = 0;
  for (const GradientPoint& part : parts) {
    const auto of_part = static_cast<double>(part.rows.value());
    sum += part.mean_t_norm.value() * of_part;
    rows += of_part;
  }
  if (rows > 0) {
    EXPECT_NEAR(found.mean_t_norm.value(), sum / rows, 1e-12);
  }
  for (std::size_t s = 0; s < found.steps.size(); ++s) {
    std::vector<StepPoint> steps;
    for (const GradientPoint& part : parts) steps.push_back(part.steps[s]);
    expect_joined(found.steps[s], steps,
                  {{"epsilon", How::kept},
                   {"largest", How::largest},
                   {"printed_bound", How::kept},
                   {"true_bound", How::kept}});
  }
}

void expect_held(const HeldPoint& found, const std::vector<HeldPoint>& parts) {
  expect_joined(found, parts,
                {{"length", How::kept},
                 {"held", How::kept},
                 {"samples", How::sum},
                 {"rows", How::kept},
                 {"open_rows", How::sum}});
}

void expect_mass(const MassPoint& found, const std::vector<MassPoint>& parts) {
  expect_joined(found, parts,
                {{"n", How::kept},
                 {"left_out", How::kept},
                 {"rows", How::sum},
                 {"true_rows", How::sum},
                 {"certified_rows", How::sum}});
}

const Ways kHeadWays = {{"rows", How::sum},
                        {"distance", How::mean},
                        {"distance_over_bound", How::mean},
                        {"f_score", How::mean},
                        {"largest_t_norm", How::largest},
                        {"n", How::kept},
                        {"random_share", How::mean},
                        {"share", How::mean},
                        {"sink_share", How::mean},
                        {"distance_at_five", How::mean},
                        {"holding_50", How::mean},
                        {"holding_90", How::mean},
                        {"holding_99", How::mean},
                        {"growth", How::mean},
                        {"distance_slope", How::mean},
                        {"distance_log_ratio", How::mean},
                        {"share_beyond_16", How::mean},
                        {"largest_cold_t_norm", How::largest},
                        {"colder", How::mean}};

void expect_head(const HeadRecord& found, const std::vector<HeadRecord>& parts) {
  std::vector<HeadNumbers> numbers, without;
  std::map<std::string, std::vector<HeadClaim>> claims;
  for (const HeadRecord& part : parts) {
    EXPECT_EQ(found.layer, part.layer);
    EXPECT_EQ(found.head, part.head);
    numbers.push_back(part);
    without.push_back(part.without_first.value());
    for (const auto& [id, claim] : part.claims) claims[id].push_back(claim);
  }
  expect_joined<HeadNumbers>(found, numbers, kHeadWays);
  expect_joined<HeadNumbers>(found.without_first.value(), without, kHeadWays);
  ASSERT_EQ(found.claims.size(), claims.size());
  for (const auto& [id, of_claim] : claims) {
    expect_joined(found.claims.at(id), of_claim,
                  {{"cases", How::sum},
                   {"violated", How::sum},
                   {"assumption_not_met", How::sum},
                   {"max_ratio", How::largest}});
  }
}

void expect_statement(const PaperStatement& found, const std::vector<PaperStatement>& parts,
                      const std::vector<std::vector<std::vector<double>>>& by_list) {
  const auto exact = [&](double value) {
    return found.id == kDistanceStatement ? std::exp(value) : value;
  };
  double sum = 0, count = 0;
  for (const std::vector<double>& heads : by_list.front()) {
    for (const double value : heads) {
      if (std::isnan(value)) continue;
      sum += value;
      ++count;
    }
  }
  EXPECT_NEAR(found.estimate.value(), exact(sum / count), 1e-10 * exact(sum / count));
  const auto interval = plain_interval(by_list.front());
  EXPECT_NEAR(found.low.value(), exact(interval->first), 1e-9 * exact(interval->first));
  EXPECT_NEAR(found.high.value(), exact(interval->second), 1e-9 * exact(interval->second));
  std::uint64_t samples = 0;
  for (const PaperStatement& part : parts) samples += part.samples.value();
  EXPECT_EQ(found.samples, samples);
  ASSERT_EQ(found.points.size(), parts.front().points.size());
  for (std::size_t p = 0; p < found.points.size(); ++p) {
    std::vector<AbstractPoint> points;
    for (const PaperStatement& part : parts) points.push_back(part.points[p]);
    AbstractPoint without_interval = found.points[p];
    without_interval.low = points.front().low;
    without_interval.high = points.front().high;
    expect_joined(without_interval, points,
                  {{"temperature", How::kept},
                   {"length", How::kept},
                   {"n", How::kept},
                   {"distance", How::mean},
                   {"expected", How::mean},
                   {"level", How::kept},
                   {"mean_norm", How::mean},
                   {"share", How::mean},
                   {"low", How::kept},
                   {"high", How::kept},
                   {"random_share", How::mean},
                   {"largest", How::largest},
                   {"mean_of_largest", How::mean},
                   {"rows", How::sum},
                   {"rows_above_printed_bound", How::sum},
                   {"rows_steeper", How::sum}});
    const auto of_point = plain_interval(by_list[1 + p]);
    EXPECT_NEAR(found.points[p].low.value(), of_point->first, 1e-10);
    EXPECT_NEAR(found.points[p].high.value(), of_point->second, 1e-10);
  }
}

void expect_claim(const ClaimRecord& found, const std::vector<ClaimRecord>& parts) {
  expect_joined(found, parts,
                {{"cases", How::sum},
                 {"holds", How::sum},
                 {"equal", How::sum},
                 {"violated", How::sum},
                 {"undecided", How::sum},
                 {"assumption_not_met", How::sum},
                 {"sampled", How::sum},
                 {"sampled_open", How::sum},
                 {"max_ratio", How::largest},
                 {"regressions", How::kept}});
  Counts unmet, digits, families;
  std::vector<std::uint64_t> bins(kRatioBins + 1);
  const ClaimRecord* worst = nullptr;
  std::optional<std::string> witness, open;
  for (const ClaimRecord& part : parts) {
    for (const auto& [name, count] : part.unmet) unmet[name] += count;
    for (const auto& [name, count] : part.digits) digits[name] += count;
    for (const auto& [name, count] : part.families) families[name] += count;
    for (std::size_t b = 0; b < bins.size(); ++b) bins[b] += part.ratio_histogram[b];
    if (worst == nullptr || part.max_ratio > worst->max_ratio) worst = &part;
    if (!witness && part.smallest_witness) witness = part.smallest_witness->where;
    if (!open && part.first_undecided) open = part.first_undecided->where;
  }
  std::map<std::string, std::vector<SetCounts>> sets;
  for (const ClaimRecord& part : parts) {
    for (const auto& [name, counts] : part.sets) sets[name].push_back(counts);
  }
  ASSERT_EQ(found.sets.size(), sets.size());
  for (const auto& [name, counts] : sets) {
    expect_joined(found.sets.at(name), counts,
                  {{"cases", How::sum}, {"violated", How::sum}, {"assumption_not_met", How::sum}});
  }
  EXPECT_EQ(found.unmet, unmet);
  EXPECT_EQ(found.digits, digits);
  EXPECT_EQ(found.families, families);
  EXPECT_EQ(found.ratio_histogram, bins);
  EXPECT_EQ(found.worst.value().where, worst->worst.value().where);
  const auto where = [](const std::optional<CaseRecord>& kept) {
    return kept ? std::optional(kept->where) : std::nullopt;
  };
  EXPECT_EQ(where(found.smallest_witness), witness);
  EXPECT_EQ(where(found.first_undecided), open);
  for (std::size_t m = 0; m < found.mutants.size(); ++m) {
    bool caught = false;
    std::uint64_t cases = 0;
    for (const ClaimRecord& part : parts) {
      if (caught) continue;
      caught = part.mutants[m].caught;
      cases += part.mutants[m].cases;
    }
    EXPECT_EQ(found.mutants[m].caught, caught);
    EXPECT_EQ(found.mutants[m].cases, cases);
  }
}

void expect_comparison(const ComparisonRecord& found, const std::vector<WindowComparison>& parts) {
  std::uint64_t cases = 0, tighter = 0, as_tight = 0, looser = 0;
  std::vector<double> sharp, printed;
  for (const WindowComparison& part : parts) {
    cases += part.cases;
    tighter += part.tighter;
    as_tight += part.as_tight;
    looser += part.looser;
    for (const auto& [at, count] : part.sharp_ratios) sharp.insert(sharp.end(), count, at);
    for (const auto& [at, count] : part.printed_ratios) printed.insert(printed.end(), count, at);
  }
  EXPECT_EQ(found.cases, cases);
  EXPECT_EQ(found.tighter, tighter);
  EXPECT_EQ(found.as_tight, as_tight);
  EXPECT_EQ(found.looser, looser);
  // A bucket's number may be off by the error once more.
  EXPECT_NEAR(found.median_sharp, median(sharp), 2.01 * kQuantileError * median(sharp));
  EXPECT_NEAR(found.median_printed, median(printed), 2.01 * kQuantileError * median(printed));
}

void expect_fold(const std::vector<WindowResult>& windows) {
  WindowFold fold(kSeed);
  std::vector<WindowResult> parts = windows;
  for (WindowResult& window : parts) {
    name_window(window, window.window, {.count = windows.size(), .tokens_left = 5});
    fold.add(window);
  }
  const Report report = fold.report();
  const Measurements& found = report.inputs.front();
  const auto figures = [&](const auto& list, const auto& expect) {
    for (std::size_t i = 0; i < (found.figures.*list).size(); ++i) {
      expect((found.figures.*list)[i], of_each(parts, [&](const WindowResult& window) {
               return (window.measured.figures.*list)[i];
             }));
    }
  };
  figures(&Figures::critical_n, expect_critical);
  figures(&Figures::normalizers, expect_normalizer);
  figures(&Figures::gradient, expect_gradient);
  figures(&Figures::held, expect_held);
  figures(&Figures::mass, expect_mass);
  std::size_t list = 0;
  const auto next_list = [&] {
    const std::size_t at = list++;
    return of_each(parts, [&](const WindowResult& window) { return window.by_head[at]; });
  };
  for_each_value<MaybeSpread>(
      found.figures, [&](const MaybeSpread& spread) { expect_spread(spread, next_list()); });
  for (std::size_t h = 0; h < found.heads.size(); ++h) {
    expect_head(found.heads[h], of_each(parts, [&](const WindowResult& window) {
                  return window.measured.heads[h];
                }));
  }
  ASSERT_EQ(found.abstract.size(), 3U);
  for (std::size_t s = 0; s < found.abstract.size(); ++s) {
    std::vector<std::vector<std::vector<double>>> lists;
    for (std::size_t p = 0; p <= found.abstract[s].points.size(); ++p) lists.push_back(next_list());
    expect_statement(
        found.abstract[s],
        of_each(parts, [&](const WindowResult& window) { return window.measured.abstract[s]; }),
        lists);
  }
  EXPECT_EQ(list, parts.front().by_head.size());
  ASSERT_EQ(report.claims.size(), windows.front().claims.size());
  for (std::size_t c = 0; c < report.claims.size(); ++c) {
    expect_claim(report.claims[c],
                 of_each(parts, [&](const WindowResult& window) { return window.claims[c]; }));
  }
  ASSERT_EQ(report.comparisons.size(), 1U);
  expect_comparison(report.comparisons.front(), of_each(parts, [](const WindowResult& window) {
                      return window.comparisons.front();
                    }));
}

TEST(FoldOfRandomReports, IsThePlainJoining) {
  std::mt19937_64 engine(2508);
  for (const std::uint64_t count : {2U, 3U, 2U, 3U, 5U}) {
    SCOPED_TRACE(testing::Message() << count << " windows");
    RandomWindow random(engine);
    std::vector<WindowResult> windows;
    for (std::uint64_t number = 1; number <= count; ++number) windows.push_back(random.of(number));
    expect_fold(windows);
  }
}

}  // namespace
}  // namespace attn::report
