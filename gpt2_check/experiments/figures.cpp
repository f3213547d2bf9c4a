#include "gpt2_check/experiments/figures.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>

#include "gpt2_check/experiments/statistics.hpp"
#include "reports/judge/statements.hpp"
#include "theory/attention/jacobian.hpp"
#include "theory/attention/softmax_step.hpp"
#include "theory/number/elementary.hpp"

namespace attn::gpt2 {

namespace {

using report::AbstractPoint;
using report::PaperStatement;
using Heads = std::vector<HeadMeasures>;

constexpr double kConfidence = 0.95;

/// The largest value; NaN where there is one.
double largest_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), values.front(), larger);
}

/// `by_head`: what the estimate is of. `largest`: as report::agreement has it.
PaperStatement statement(std::string_view id, const MeanInterval& interval, std::size_t samples,
                         std::vector<AbstractPoint> points, std::vector<double> by_head,
                         std::optional<double> largest = {}) {
  return {.id = std::string(id),
          .estimate = interval.mean,
          .low = interval.low,
          .high = interval.high,
          .confidence = kConfidence,
          .samples = samples,
          .agrees = report::agreement(id, {.low = interval.low, .high = interval.high}, largest),
          .points = std::move(points),
          .by_head = std::move(by_head)};
}

std::size_t quarter(const LengthMeasures& at) {
  return static_cast<std::size_t>(at.length) / 4;
}

/// D of one head at a length, for N = L/4.
double distance_at_quarter(const HeadMeasures& head, std::size_t length) {
  const LengthMeasures& at = head.full.lengths[length];
  return at.sweep.distance[quarter(at) - 1];
}

/// What D is at least for a random set of as many tokens, on average.
double expected_at_quarter(const HeadMeasures& head, std::size_t length) {
  const LengthMeasures& at = head.full.lengths[length];
  return at.sweep.expected_factor[quarter(at) - 1];
}

/// The first of at least two lengths that are no shorter than `least`.
std::optional<std::size_t> first_of_two(const std::vector<LengthMeasures>& lengths, double least) {
  for (std::size_t l = 0; l + 1 < lengths.size(); ++l) {
    if (static_cast<double>(lengths[l].length) >= least) return l;
  }
  return std::nullopt;
}

/// "the distance falls as N grows with L": D at N = L/4, from the shortest to the longest length of
/// the paper's range, or of all where the input is too short for that.
std::optional<PaperStatement> distance_statement(const Heads& heads) {
  const auto& lengths = heads.front().full.lengths;
  constexpr double kLeast = 4;  // N = L/4 >= 1
  const auto in_range = first_of_two(lengths, report::kShortestOfPaper);
  const auto begin = in_range ? in_range : first_of_two(lengths, kLeast);
  if (!begin) return std::nullopt;
  const std::size_t first = *begin;

  std::vector<AbstractPoint> points;
  for (std::size_t l = first; l < lengths.size(); ++l) {
    std::vector<double> values;
    std::vector<double> expected;
    for (const HeadMeasures& head : heads) {
      values.push_back(distance_at_quarter(head, l));
      expected.push_back(expected_at_quarter(head, l));
    }
    const MeanInterval at = mean_interval(values, kConfidence);
    const auto quarter = lengths[l].length / 4;
    points.push_back({.length = static_cast<double>(lengths[l].length),
                      .n = static_cast<double>(quarter),
                      .distance = at.mean,
                      .expected = mean_interval(expected, kConfidence).mean,
                      .low = at.low,
                      .high = at.high,
                      .by_head = values});
  }
  std::vector<double> logs;
  std::vector<double> by_head;
  for (const HeadMeasures& head : heads) {
    const double ratio =
        distance_at_quarter(head, lengths.size() - 1) / distance_at_quarter(head, first);
    const bool has_log = ratio > 0 && std::isfinite(ratio);
    if (has_log) logs.push_back(reproducible::log(ratio));
    by_head.push_back(has_log ? reproducible::log(ratio)
                              : std::numeric_limits<double>::quiet_NaN());
  }
  if (logs.size() < 2) return std::nullopt;
  const MeanInterval log_ratio = mean_interval(logs, kConfidence);
  const MeanInterval ratio{.mean = reproducible::exp(log_ratio.mean),
                           .low = reproducible::exp(log_ratio.low),
                           .high = reproducible::exp(log_ratio.high)};
  return statement(report::kDistanceStatement, ratio, logs.size(), std::move(points),
                   std::move(by_head));
}

/// "N_s/N settles between 0.70 and 0.85 beyond N = 16": means over all rows of each head.
std::optional<PaperStatement> share_statement(const Heads& heads) {
  constexpr std::size_t kBeyond = 16;
  std::vector<AbstractPoint> points;
  std::vector<double> shares(heads.size(), 0.0);
  double counted = 0;
  for (std::size_t c = 0; c < heads.front().full.means.size(); ++c) {
    const SelectionMeans& first = heads.front().full.means[c];
    if (first.rows == 0) continue;
    std::vector<double> values;
    std::vector<double> random;
    for (const HeadMeasures& head : heads) {
      values.push_back(head.full.means[c].share);
      random.push_back(head.full.means[c].random_share);
    }
    const MeanInterval at = mean_interval(values, kConfidence);
    points.push_back({.n = static_cast<double>(first.n),
                      .share = at.mean,
                      .low = at.low,
                      .high = at.high,
                      .random_share = mean_interval(random, kConfidence).mean,
                      .by_head = values});
    if (first.n <= kBeyond) continue;
    ++counted;
    for (std::size_t h = 0; h < heads.size(); ++h) shares[h] += values[h];
  }
  if (counted == 0) return std::nullopt;
  for (double& share : shares) share /= counted;
  const MeanInterval share = mean_interval(shares, kConfidence);
  return statement(report::kShareStatement, share, heads.size(), std::move(points),
                   std::move(shares));
}

/// "T ||J|| is 1/4 at small T": the largest over the rows of a head, for T < 0.1.
std::optional<PaperStatement> gradient_statement(const Heads& heads) {
  constexpr double kSmall = 0.1;
  std::vector<AbstractPoint> points;
  const auto has_rows = [](const HeadMeasures& head) {  // with logits
    const auto& gradient = head.full.gradient;
    return !gradient.empty() && gradient.front().rows > 0;
  };
  std::vector<const HeadMeasures*> with_rows;
  for (const HeadMeasures& head : heads) {
    if (has_rows(head)) with_rows.push_back(&head);
  }
  if (with_rows.size() < 2) return std::nullopt;
  std::vector<double> largest(with_rows.size(), 0.0);
  for (std::size_t t = 0; t < heads.front().full.gradient.size(); ++t) {
    const double temperature = heads.front().full.gradient[t].temperature;
    if (!(temperature < kSmall)) continue;
    std::vector<double> values;
    std::size_t rows = 0;
    std::size_t above = 0;
    for (std::size_t h = 0; h < with_rows.size(); ++h) {
      const TemperatureGradients& g = with_rows[h]->full.gradient[t];
      values.push_back(g.largest_t_norm);
      largest[h] = larger(largest[h], g.largest_t_norm);
      rows += g.rows;
      above += g.rows_above_printed_bound;
    }
    points.push_back({.temperature = temperature,
                      .largest = largest_of(values),
                      .mean_of_largest = mean_interval(values, kConfidence).mean,
                      .rows = rows,
                      .rows_above_printed_bound = above});
  }
  if (points.empty()) return std::nullopt;
  const MeanInterval mean = mean_interval(largest, kConfidence);
  const double most = largest_of(largest);
  std::vector<double> by_head;
  auto next = largest.begin();
  for (const HeadMeasures& head : heads) {
    by_head.push_back(has_rows(head) ? *next++ : std::numeric_limits<double>::quiet_NaN());
  }
  return statement(report::kGradientStatement, mean, with_rows.size(), std::move(points),
                   std::move(by_head), most);
}

}  // namespace

bool is_papers_model(std::string_view name, std::int64_t layers, std::int64_t heads,
                     std::int64_t head_width) {
  name = name.substr(0, name.find(" ("));
  while (name.ends_with('/')) name.remove_suffix(1);
  name = name.substr(name.rfind('/') + 1);  // the whole where there is no folder
  const bool is_as_wide = head_width == 64 || head_width == 0;
  return name == "gpt2" && layers == 12 && heads == 12 && is_as_wide;
}

std::vector<PaperStatement> abstract_statements(const Heads& heads, bool judged) {
  std::vector<PaperStatement> all;
  if (heads.size() < 2) return all;
  for (const auto& statement :
       {distance_statement(heads), share_statement(heads), gradient_statement(heads)}) {
    if (statement) all.push_back(*statement);
  }
  for (PaperStatement& entry : all) {
    entry.judged = judged && !report::is_too_short(entry);
    if (!entry.judged) entry.agrees = std::nullopt;
  }
  return all;
}

namespace {

using report::Direction;
using report::MaybeSpread;
using report::Reading;
using Heads = std::vector<HeadMeasures>;
using Variant = HeadVariant HeadMeasures::*;

struct NamedVariant {
  Variant variant;
  bool without_first;
};
constexpr NamedVariant kVariants[] = {{&HeadMeasures::full, false},
                                      {&HeadMeasures::without_first, true}};

/// Of a head that does not count.
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// A spread over some heads with a number for every head.
MaybeSpread with_numbers(MaybeSpread spread, std::vector<double> by_head) {
  if (spread) spread->by_head = std::move(by_head);
  return spread;
}

/// What a function gives of every head, one number a head.
MaybeSpread over_heads(const Heads& heads,
                       const std::function<double(const HeadMeasures&)>& value) {
  std::vector<double> values;
  for (const HeadMeasures& head : heads) values.push_back(value(head));
  return summary(std::move(values));
}

/// The same over the heads that have the number: NaN says that a head has none.
MaybeSpread over_some_heads(const Heads& heads,
                            const std::function<double(const HeadMeasures&)>& value) {
  std::vector<double> values;
  std::vector<double> by_head;
  for (const HeadMeasures& head : heads) {
    by_head.push_back(value(head));
    if (!std::isnan(by_head.back())) values.push_back(by_head.back());
  }
  return with_numbers(summary(std::move(values)), std::move(by_head));
}

/// A number of a record that every head has, over the heads.
template <class Record>
using OverHeads = std::function<MaybeSpread(double Record::*member)>;

template <class Record>
OverHeads<Record> members_over_heads(const Heads& heads,
                                     std::function<const Record&(const HeadMeasures&)> record) {
  return [&heads, record = std::move(record)](double Record::*member) {
    return over_heads(heads, [&](const HeadMeasures& head) { return record(head).*member; });
  };
}

/// The N of the figure against L: the paper's 5 where it was measured, else the smallest.
std::size_t figure_n(const HeadVariant& variant) {
  constexpr std::size_t kPaper = 5;
  const auto& measures = variant.lengths.back().selection;
  for (const SelectionMeasure& m : measures) {
    if (m.n == kPaper) return kPaper;
  }
  return measures.front().n;
}

report::DistancePoint distance_point(const Heads& heads, NamedVariant v, std::size_t length,
                                     std::size_t n) {
  const LengthMeasures& first = (heads.front().*v.variant).lengths[length];
  const auto spread = members_over_heads<SelectionMeasure>(
      heads, [=](const HeadMeasures& head) -> const SelectionMeasure& {
        return (head.*v.variant).lengths[length].selection[n];
      });
  return {.length = static_cast<double>(first.length),
          .n = static_cast<double>(first.selection[n].n),
          .without_first = v.without_first,
          .samples = heads.size(),
          .distance = spread(&SelectionMeasure::distance),
          .expected_full = spread(&SelectionMeasure::expected_full),
          .expected_factor = spread(&SelectionMeasure::expected_factor),
          .bound = spread(&SelectionMeasure::bound),
          .sharp_bound = spread(&SelectionMeasure::sharp_bound)};
}

std::vector<report::DistancePoint> distance_by_length(const Heads& heads) {
  std::vector<report::DistancePoint> points;
  for (const NamedVariant& v : kVariants) {
    const HeadVariant& variant = heads.front().*v.variant;
    if (variant.lengths.empty() || variant.lengths.back().selection.empty()) continue;
    const std::size_t n = figure_n(variant);
    for (std::size_t l = 0; l < variant.lengths.size(); ++l) {
      const auto& selection = variant.lengths[l].selection;
      const auto at = std::ranges::find(selection, n, &SelectionMeasure::n);
      if (at == selection.end()) continue;
      points.push_back(
          distance_point(heads, v, l, static_cast<std::size_t>(at - selection.begin())));
    }
  }
  return points;
}

std::vector<report::DistancePoint> distance_by_n(const Heads& heads) {
  std::vector<report::DistancePoint> points;
  for (const NamedVariant& v : kVariants) {
    const HeadVariant& variant = heads.front().*v.variant;
    if (variant.lengths.empty()) continue;
    const std::size_t longest = variant.lengths.size() - 1;
    for (std::size_t n = 0; n < variant.lengths[longest].selection.size(); ++n) {
      points.push_back(distance_point(heads, v, longest, n));
    }
  }
  return points;
}

using SweepOf = std::function<const RowSweep&(const HeadMeasures&)>;

/// One entry of a sweep.
using SweepValue = double (*)(const RowSweep&, std::size_t entry);

/// The sweeps of all heads, [heads, N].
Rows stacked(const Heads& heads, const SweepOf& sweep, SweepValue value) {
  const std::size_t entries = sweep(heads.front()).distance.size();
  Rows rows(static_cast<Eigen::Index>(heads.size()), static_cast<Eigen::Index>(entries));
  for (std::size_t h = 0; h < heads.size(); ++h) {
    const RowSweep& of_head = sweep(heads[h]);
    for (std::size_t n = 0; n < entries; ++n) {
      rows(static_cast<Eigen::Index>(h), static_cast<Eigen::Index>(n)) = value(of_head, n);
    }
  }
  return rows;
}

double distance_at(const RowSweep& sweep, std::size_t entry) {
  return sweep.distance[entry];
}
double full_at(const RowSweep& sweep, std::size_t entry) {
  return sweep.expected_full(entry);
}
double factor_at(const RowSweep& sweep, std::size_t entry) {
  return sweep.expected_factor[entry];
}

struct SweptReading {
  Reading reading;
  SweepValue expected;
};
constexpr SweptReading kReadings[] = {{Reading::full, full_at}, {Reading::factor, factor_at}};

/// Nothing where a head has no weights, or no test of so few heads rejects.
std::optional<CriticalN> critical_of(const Heads& heads, const SweptReading& reading,
                                     const SweepOf& sweep) {
  if (heads.size() <= report::kMostHeadsNeverApart) return std::nullopt;
  const Rows distance = stacked(heads, sweep, distance_at);
  const Rows expected = stacked(heads, sweep, reading.expected);
  if (distance.hasNaN() || expected.hasNaN()) return std::nullopt;
  return critical_n(distance, expected, kCriticalLevel);
}

std::optional<double> as_number(const std::optional<std::size_t>& n) {
  return n ? std::optional(static_cast<double>(*n)) : std::nullopt;
}

std::optional<report::CriticalPoint> critical_point(const Heads& heads, NamedVariant v,
                                                    std::size_t l, const SweptReading& reading) {
  const LengthMeasures& at = (heads.front().*v.variant).lengths[l];
  const auto tested = critical_of(heads, reading, [&](const auto& head) -> const RowSweep& {
    return (head.*v.variant).lengths[l].sweep;
  });
  if (!tested) return std::nullopt;
  const CriticalN& found = *tested;
  const auto tokens = static_cast<double>(at.sweep.distance.size() + 1);
  const std::optional<double> n = as_number(found.n);
  return report::CriticalPoint{.length = static_cast<double>(at.length),
                               .reading = reading.reading,
                               .without_first = v.without_first,
                               .n = n,
                               .fraction = n ? std::optional(*n / tokens) : std::nullopt,
                               .statistic = found.statistic,
                               .p = found.p,
                               .level = kCriticalLevel,
                               .samples = heads.size()};
}

std::vector<report::CriticalPoint> critical_points(const Heads& heads) {
  std::vector<report::CriticalPoint> points;
  for (const NamedVariant& v : kVariants) {
    for (std::size_t l = 0; l < (heads.front().*v.variant).lengths.size(); ++l) {
      for (const SweptReading& reading : kReadings) {
        if (auto point = critical_point(heads, v, l, reading)) points.push_back(*point);
      }
    }
  }
  return points;
}

report::SeparabilityPoint separability_point(const Heads& heads, NamedVariant v, std::size_t n) {
  const LengthMeasures& longest = (heads.front().*v.variant).lengths.back();
  const auto measure = [=](const HeadMeasures& head) -> const SelectionMeasure& {
    return (head.*v.variant).lengths.back().selection[n];
  };
  const auto means = [=](const HeadMeasures& head) -> const SelectionMeans& {
    return (head.*v.variant).means[n];
  };
  const auto score = members_over_heads<Scores>(
      heads, [=](const auto& head) -> const Scores& { return measure(head).scores; });
  const auto bound = members_over_heads<ShareBounds>(
      heads, [=](const auto& head) -> const ShareBounds& { return measure(head).bounds; });
  return {.n = static_cast<double>(longest.selection[n].n),
          .length = static_cast<double>(longest.length),
          .without_first = v.without_first,
          .samples = heads.size(),
          .share = score(&Scores::share),
          .random_share =
              over_some_heads(heads, [&](const auto& head) { return measure(head).random_share; }),
          .precision = score(&Scores::precision),
          .recall = score(&Scores::recall),
          .f_score = score(&Scores::f_score),
          .lower_bound = bound(&ShareBounds::lower),
          .lower_bound_sharp = bound(&ShareBounds::lower_sharp),
          .upper_bound = bound(&ShareBounds::upper),
          .share_all_rows = over_heads(heads, [&](const auto& head) { return means(head).share; }),
          .random_share_all_rows =
              over_some_heads(heads, [&](const auto& head) { return means(head).random_share; }),
          .between_bounds_all_rows =
              over_heads(heads, [&](const auto& head) { return means(head).between_bounds; })};
}

std::vector<report::SeparabilityPoint> separability(const Heads& heads) {
  std::vector<report::SeparabilityPoint> points;
  for (const NamedVariant& v : kVariants) {
    const auto& lengths = (heads.front().*v.variant).lengths;
    if (lengths.empty()) continue;
    for (std::size_t n = 0; n < lengths.back().selection.size(); ++n) {
      points.push_back(separability_point(heads, v, n));
    }
  }
  return points;
}

using Steps = std::array<LargestStep, kStepLengths.size()> TemperatureGradients::*;

report::StepPoint step_point(const Heads& heads, Variant variant, std::size_t t, std::size_t k,
                             Direction direction, Steps steps) {
  std::vector<double> quotients;
  std::vector<double> by_head;
  double most = 0;
  for (const HeadMeasures& head : heads) {
    const TemperatureGradients& at = (head.*variant).gradient[t];
    by_head.push_back(at.rows == 0 ? kNone : (at.*steps)[k].quotient);
    if (at.rows == 0) continue;
    quotients.push_back(by_head.back());
    most = larger(most, quotients.back());
  }
  const double temperature = (heads.front().*variant).gradient[t].temperature;
  return {.epsilon = kStepLengths[k],
          .direction = direction,
          .largest = most,
          .largest_by_head = with_numbers(summary(std::move(quotients)), std::move(by_head)),
          .printed_bound = std::min(1 / (4 * temperature), std::numbers::sqrt2),
          .true_bound = step_bound<ErrorDouble>(corollary3_sharp_bound<ErrorDouble>(temperature),
                                                kStepLengths[k])
                            .value()};
}

report::GradientPoint gradient_point(const Heads& heads, NamedVariant v, std::size_t t) {
  const auto at = [&](const HeadMeasures& head) -> const TemperatureGradients& {
    return (head.*v.variant).gradient[t];
  };
  std::size_t rows = 0;
  std::size_t above = 0;
  double sum = 0;
  double most = 0;
  std::vector<double> largest;
  std::vector<double> by_head;
  for (const HeadMeasures& head : heads) {
    const TemperatureGradients& g = at(head);
    by_head.push_back(g.rows == 0 ? kNone : g.largest_t_norm);
    if (g.rows == 0) continue;
    largest.push_back(g.largest_t_norm);
    rows += g.rows;
    above += g.rows_above_printed_bound;
    sum += g.mean_t_norm * static_cast<double>(g.rows);
    most = larger(most, g.largest_t_norm);
  }
  std::vector<report::StepPoint> steps;
  for (std::size_t k = 0; k < kStepLengths.size(); ++k) {
    using enum Direction;
    steps.push_back(step_point(heads, v.variant, t, k, random, &TemperatureGradients::random));
    steps.push_back(step_point(heads, v.variant, t, k, top, &TemperatureGradients::top));
  }
  return {.temperature = at(heads.front()).temperature,
          .without_first = v.without_first,
          .rows = rows,
          .t_norm = with_numbers(summary(std::move(largest)), std::move(by_head)),
          .mean_t_norm = sum / static_cast<double>(rows),
          .largest_t_norm = most,
          .rows_above_printed_bound = above,
          .steps = std::move(steps)};
}

std::vector<report::GradientPoint> gradient(const Heads& heads) {
  std::vector<report::GradientPoint> points;
  for (const NamedVariant& v : kVariants) {
    const auto& temperatures = (heads.front().*v.variant).gradient;
    for (std::size_t t = 0; t < temperatures.size(); ++t) {
      report::GradientPoint point = gradient_point(heads, v, t);
      if (point.rows > 0) points.push_back(std::move(point));
    }
  }
  return points;
}

std::vector<report::DirectionPoint> direction_points(const Heads& heads) {
  std::vector<report::DirectionPoint> points;
  for (const NamedVariant& v : kVariants) {
    if ((heads.front().*v.variant).lengths.empty()) continue;
    const auto spread = [&](double Directions::*member) {
      return over_some_heads(
          heads, [&](const auto& head) { return (head.*v.variant).directions.*member; });
    };
    points.push_back({.without_first = v.without_first,
                      .samples = heads.size(),
                      .length_spread = spread(&Directions::length_spread),
                      .mean_direction = spread(&Directions::mean_direction),
                      .leading_share = spread(&Directions::leading_share)});
  }
  return points;
}

std::vector<report::SinkPoint> sink(const Heads& heads) {
  std::vector<report::SinkPoint> points;
  const auto& lengths = heads.front().full.lengths;
  for (std::size_t l = 0; l < lengths.size(); ++l) {
    points.push_back(
        {.length = static_cast<double>(lengths[l].length),
         .samples = heads.size(),
         .share = over_heads(heads, [&](const auto& head) { return head.sink_share[l]; })});
  }
  return points;
}

report::NormalizerPoint normalizer_point(const Heads& heads, NamedVariant v, std::size_t length,
                                         std::size_t setting) {
  const auto measure = [=](const HeadMeasures& head) -> const NormalizerMeasure& {
    return (head.*v.variant).normalizers[length].measures[setting];
  };
  // Self-Adjusted Softmax gives a head no weights whose logits are all 0, no normaliser one that
  // has no logits.
  const auto critical = [&](const SweptReading& reading) -> std::optional<double> {
    const auto found = critical_of(
        heads, reading, [&](const auto& head) -> const RowSweep& { return measure(head).sweep; });
    return found ? as_number(found->n) : std::nullopt;
  };
  const auto row = members_over_heads<NormalizedNumbers>(
      heads, [=](const auto& head) -> const NormalizedNumbers& { return measure(head).row; });
  const LengthNormalizers& first = (heads.front().*v.variant).normalizers[length];
  return {.name = std::string(normalizer_settings()[setting].name),
          .length = static_cast<double>(first.length),
          .without_first = v.without_first,
          .samples = heads.size(),
          .n = static_cast<double>(first.n),
          .critical_n_full = critical(kReadings[0]),
          .critical_n_factor = critical(kReadings[1]),
          .share = over_heads(heads, [&](const auto& head) { return measure(head).share; }),
          .largest_weight = row(&NormalizedNumbers::largest),
          .weight_sum = row(&NormalizedNumbers::sum),
          .entropy = row(&NormalizedNumbers::entropy),
          .norm = row(&NormalizedNumbers::norm)};
}

std::vector<report::NormalizerPoint> normalizers(const Heads& heads) {
  std::vector<report::NormalizerPoint> points;
  for (const NamedVariant& v : kVariants) {
    for (std::size_t l = 0; l < (heads.front().*v.variant).normalizers.size(); ++l) {
      for (std::size_t s = 0; s < normalizer_settings().size(); ++s) {
        points.push_back(normalizer_point(heads, v, l, s));
      }
    }
  }
  return points;
}

/// What one head shows, with or without its first token. `temperature`: the head's own.
void add_numbers(report::HeadNumbers& numbers, const HeadVariant& variant, double temperature) {
  // Means over all rows, of the largest N: where most tokens are selected, most can go wrong.
  const auto& all_means = variant.means;
  const auto means = std::find_if(all_means.rbegin(), all_means.rend(),
                                  [](const SelectionMeans& m) { return m.rows > 0; });
  if (means != all_means.rend()) {
    numbers.n = static_cast<double>(means->n);
    numbers.distance = means->distance;
    numbers.distance_over_bound = means->distance_over_bound;
    numbers.share = means->share;
    numbers.random_share = means->random_share;
    numbers.f_score = means->f_score;
  }
  const auto own =
      std::ranges::find(variant.gradient, temperature, &TemperatureGradients::temperature);
  if (own != variant.gradient.end() && own->rows > 0) {
    numbers.rows = own->rows;
    numbers.largest_t_norm = own->largest_t_norm;
  }
}

}  // namespace

report::Figures figures(const Heads& heads) {
  return {.distance_by_length = distance_by_length(heads),
          .distance_by_n = distance_by_n(heads),
          .critical_n = critical_points(heads),
          .separability = separability(heads),
          .directions = direction_points(heads),
          .gradient = gradient(heads),
          .sink = sink(heads),
          .normalizers = normalizers(heads)};
}

report::HeadRecord head_record(const HeadMeasures& head) {
  report::HeadRecord record;
  record.layer = static_cast<unsigned>(head.layer);
  record.head = static_cast<unsigned>(head.head);
  add_numbers(record, head.full, head.temperature);
  record.sink_share = head.mean_sink_share;
  if (!head.without_first.gradient.empty()) {
    report::HeadNumbers& rest = record.without_first.emplace();
    add_numbers(rest, head.without_first, head.temperature);
    rest.sink_share = head.mean_next_sink_share;
  }
  return record;
}

}  // namespace attn::gpt2
