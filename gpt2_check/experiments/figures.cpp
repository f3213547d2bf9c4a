#include "gpt2_check/experiments/figures.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <optional>

#include "gpt2_check/experiments/summary.hpp"
#include "reports/judge/statements.hpp"
#include "theory/attention/jacobian.hpp"
#include "theory/attention/softmax_row.hpp"

namespace attn::gpt2 {
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
