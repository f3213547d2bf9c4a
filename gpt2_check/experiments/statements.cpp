#include "gpt2_check/experiments/statements.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>

#include "gpt2_check/experiments/distance_statements.hpp"
#include "reports/judge/statements.hpp"
#include "theory/number/elementary.hpp"

namespace attn::gpt2 {
namespace {

using report::AbstractPoint;
using report::PaperStatement;
using Heads = std::vector<HeadMeasures>;

/// What a function gives of each head.
std::vector<double> by_head(const Heads& heads,
                            const std::function<double(const HeadMeasures&)>& value) {
  std::vector<double> values;
  for (const HeadMeasures& head : heads) values.push_back(value(head));
  return values;
}

bool is_of_statement(const report::CriticalPoint& point) {
  return point.reading == report::Reading::mean && !point.without_first;
}

/// How the critical N grows with L: of the points, with an interval of their resamples. Nothing
/// where fewer than two lengths have one, or a resample has none.
std::optional<report::SlopeRecord> critical_slope(
    const std::vector<report::CriticalPoint>& points) {
  if (points.size() < 2) return std::nullopt;
  const auto slope = [&](const auto& n_of) {
    std::vector<double> x, y;
    for (const report::CriticalPoint& point : points) {
      x.push_back(log_of(point.length));
      y.push_back(log_of(n_of(point)));
    }
    return slope_of(x, y);
  };
  std::vector<double> slopes;
  for (std::size_t k = 0; k < kResamples; ++k) {
    slopes.push_back(slope([&](const report::CriticalPoint& point) { return point.resampled[k]; }));
    if (!std::isfinite(slopes.back())) return std::nullopt;
  }
  const double estimate = slope([](const report::CriticalPoint& point) { return *point.n; });
  const MeanInterval interval = recentred(percentile_interval(slopes), estimate);
  return report::SlopeRecord{.estimate = estimate, .low = interval.low, .high = interval.high};
}

/// "the critical N is less than 6 % of L, and grows more slowly than L", E read as its mean.
PaperStatement critical_statement(const Heads& heads, const report::Figures& figures) {
  if (heads.size() <= report::kMostHeadsNeverApart) {
    return not_measured(report::kCriticalStatement,
                        "no test of four heads or fewer tells two samples apart");
  }
  std::vector<AbstractPoint> points;
  std::vector<report::CriticalPoint> tested;  // at the level of the interval
  for (const report::CriticalPoint& point : figures.critical_n) {
    if (!is_of_statement(point) || point.length < report::kShortestOfPaper) continue;
    points.push_back({.length = point.length,
                      .n = point.n,
                      .level = point.level,
                      .low = point.low,
                      .high = point.high});
    if (point.level == kCriticalLevels[0] && point.n) tested.push_back(point);
  }
  if (points.empty()) {
    return not_measured(report::kCriticalStatement,
                        "no row of it sees the paper's 32 tokens or more");
  }
  const report::CriticalPoint* const last = tested.empty() ? nullptr : &tested.back();
  if (last == nullptr || last->length != points.back().length || !last->high) {
    return not_measured(report::kCriticalStatement,
                        "at its longest length $D$ and $E$ can be told apart at every $N$, or in "
                        "too many resamples of its heads");
  }
  const double tokens = *last->n / *last->fraction;
  PaperStatement entry = measured_statement(
      report::kCriticalStatement,
      {.mean = *last->fraction, .low = *last->low / tokens, .high = *last->high / tokens},
      heads.size(), std::move(points), {});
  entry.slope = critical_slope(tested);
  return entry;
}

/// "N_s/N settles between 0.70 and 0.85 beyond N = 16": means over all rows of
/// each head.
PaperStatement share_statement(const Heads& heads) {
  std::vector<AbstractPoint> points;
  std::vector<double> shares(heads.size(), 0.0);
  double counted = 0;
  for (std::size_t c = 0; c < heads.front().means.size(); ++c) {
    const auto has_none = [&](const HeadMeasures& head) {
      return c >= head.means.size() || head.means[c].rows == 0;
    };
    if (std::ranges::any_of(heads, has_none)) continue;
    const std::size_t n = heads.front().means[c].n;
    const auto of = [&](Mean SelectionMeans::*mean) {
      return by_head(heads,
                     [&](const HeadMeasures& head) { return (head.means[c].*mean).value(); });
    };
    const std::vector<double> values = of(&SelectionMeans::share);
    const MeanInterval at = mean_interval(values);
    points.push_back({.n = static_cast<double>(n),
                      .share = at.mean,
                      .low = at.low,
                      .high = at.high,
                      .random_share = mean_interval(of(&SelectionMeans::random_share)).mean,
                      .by_head = values});
    if (n <= report::kShareBeyond) continue;
    ++counted;
    for (std::size_t h = 0; h < heads.size(); ++h) shares[h] += values[h];
  }
  if (counted == 0) {
    return not_measured(report::kShareStatement,
                        "no $N$ above 16 was measured on rows with values in every head");
  }
  for (double& share : shares) share /= counted;
  const MeanInterval share = mean_interval(shares);
  return measured_statement(report::kShareStatement, share, heads.size(), std::move(points),
                            std::move(shares));
}

/// Whether a head has rows with logits; all or none of its temperatures have.
bool has_gradient(const HeadMeasures& head) {
  return !head.gradient.empty() && head.gradient.front().rows > 0;
}

/// A head without logits does not count, and has NaN.
std::vector<const HeadMeasures*> heads_with_gradient(const Heads& heads) {
  std::vector<const HeadMeasures*> counted;
  for (const HeadMeasures& head : heads) {
    if (has_gradient(head)) counted.push_back(&head);
  }
  return counted;
}

/// "T ||J|| is 1/4 at small T": the largest over the rows of a head, for T < 0.1.
PaperStatement gradient_statement(const Heads& heads) {
  const std::vector<const HeadMeasures*> counted = heads_with_gradient(heads);
  if (counted.size() < 2) {
    return not_measured(report::kGradientStatement, "fewer than two heads have rows with logits");
  }
  std::vector<AbstractPoint> points;
  for (std::size_t t = 0; t < counted.front()->gradient.size(); ++t) {
    const double temperature = counted.front()->gradient[t].temperature;
    if (!(temperature < report::kCold)) continue;
    std::vector<double> values;
    std::size_t rows = 0, above = 0;
    for (const HeadMeasures* const head : counted) {
      values.push_back(head->gradient[t].largest_t_norm);
      rows += head->gradient[t].rows;
      above += head->gradient[t].rows_above_printed_bound;
    }
    points.push_back(
        {.temperature = temperature,
         .largest = std::accumulate(values.begin(), values.end(), values.front(), larger),
         .mean_of_largest = mean_interval(values).mean,
         .rows = rows,
         .rows_above_printed_bound = above});
  }
  if (points.empty()) {
    return not_measured(report::kGradientStatement, "no temperature below 0.1 was measured");
  }
  std::vector<double> largest;  // of the heads that count
  std::vector<double> of_heads = by_head(heads, [&](const HeadMeasures& head) {
    if (!has_gradient(head)) return kNoNumber;
    largest.push_back(0);
    for (const TemperatureGradients& g : head.gradient) {
      if (g.temperature < report::kCold) largest.back() = larger(largest.back(), g.largest_t_norm);
    }
    return largest.back();
  });
  const double of_all = std::accumulate(largest.begin(), largest.end(), largest.front(), larger);
  PaperStatement entry =
      measured_statement(report::kGradientStatement, mean_interval(largest), counted.size(),
                         std::move(points), std::move(of_heads), of_all);
  entry.rows = counted.front()->gradient.front().rows;
  return entry;
}

/// The share of a head's rows whose ||J|| is larger at a T below kCold than at kCold, in the mean
/// over these T; NaN where they were not measured, or a ||J|| is NaN.
double steeper_share(const HeadMeasures& head) {
  Mean share;
  bool has_cold = false;
  for (const TemperatureGradients& g : head.gradient) {
    if (g.rows == 0 || g.temperature > report::kCold) continue;
    if (!std::isfinite(g.sum_t_norm)) return kNoNumber;
    if (g.temperature == report::kCold) {
      has_cold = true;
    } else {
      share.add(static_cast<double>(g.rows_steeper) / static_cast<double>(g.rows));
    }
  }
  return has_cold ? share.value() : kNoNumber;
}

/// ||J|| at one temperature in the mean over heads and rows, and in how many rows it is steeper.
AbstractPoint steeper_point(const std::vector<const HeadMeasures*>& heads, std::size_t t) {
  AbstractPoint point{
      .temperature = heads.front()->gradient[t].temperature, .rows = 0, .rows_steeper = 0};
  std::vector<double> norms;
  for (const HeadMeasures* const head : heads) {
    const TemperatureGradients& g = head->gradient[t];
    norms.push_back(g.sum_t_norm / static_cast<double>(g.rows) / g.temperature);
    *point.rows += g.rows;
    *point.rows_steeper += g.rows_steeper;
  }
  point.mean_norm = mean_interval(norms).mean;
  return point;
}

/// "lowering T below 0.1 increases Jacobian norms": in how many rows of each head. A slope of a
/// head's mean ||J|| on T would be that of the rows in which ||J|| vanishes.
PaperStatement colder_statement(const Heads& heads) {
  std::vector<double> of_heads = by_head(heads, steeper_share), shares;
  std::vector<const HeadMeasures*> counted;
  for (std::size_t h = 0; h < heads.size(); ++h) {
    if (!std::isfinite(of_heads[h])) continue;
    shares.push_back(of_heads[h]);
    counted.push_back(&heads[h]);
  }
  if (counted.size() < 2) {
    return not_measured(report::kColderStatement,
                        "fewer than two heads have a gradient at 0.1 and at a colder temperature");
  }
  std::vector<AbstractPoint> points;
  for (std::size_t t = 0; t < counted.front()->gradient.size(); ++t) {
    if (counted.front()->gradient[t].temperature > report::kCold) continue;
    points.push_back(steeper_point(counted, t));
  }
  return measured_statement(report::kColderStatement, mean_interval(shares), counted.size(),
                            std::move(points), std::move(of_heads));
}

/// The mean of each `sharing` heads next to each other; NaN where one has none.
std::vector<double> means_of_groups(const std::vector<double>& by_head, std::size_t sharing) {
  std::vector<double> means(by_head.size() / sharing, 0.0);
  for (std::size_t h = 0; h < by_head.size(); ++h) {
    means[h / sharing] += by_head[h] / static_cast<double>(sharing);
  }
  return means;
}

/// The interval of a statement over the key heads.
report::OverKeyHeads interval_over(const std::vector<double>& key_heads,
                                   const PaperStatement& entry) {
  MeanInterval interval = two_way_interval(key_heads, entry.by_row);
  if (entry.id == report::kDistanceStatement) {
    interval = {.mean = reproducible::exp(interval.mean),
                .low = reproducible::exp(interval.low),
                .high = reproducible::exp(interval.high)};
  }
  report::OverKeyHeads found{
      .low = interval.low, .high = interval.high, .key_heads = key_heads.size(), .agrees = {}};
  if (!report::is_too_short(entry)) {
    found.agrees = report::agreement(entry.id, {.low = found.low, .high = found.high},
                                     report::largest_of(entry.points));
  }
  return found;
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

std::vector<PaperStatement> paper_statements(const Heads& heads,
                                             const std::vector<std::int64_t>& lengths,
                                             const report::Figures& figures, bool judged) {
  std::vector<PaperStatement> all;
  if (heads.size() < 2) {
    for (const std::string_view id : report::statement_ids()) {
      all.push_back(not_measured(id, "it has one head"));
    }
  } else {
    all = {growth_statement(heads, lengths),   distance_statement(heads, lengths),
           critical_statement(heads, figures), share_statement(heads),
           gradient_statement(heads),          colder_statement(heads)};
  }
  for (PaperStatement& entry : all) {
    entry.judged = judged && !report::is_too_short(entry);
    if (report::is_too_short(entry)) entry.agrees = std::nullopt;
  }
  return all;
}

void put_over_key_heads(std::vector<PaperStatement>& statements, std::size_t sharing) {
  for (PaperStatement& entry : statements) {
    if (!entry.estimate) continue;
    const std::vector<double> means = means_of_groups(entry.by_head, sharing);
    const bool has_all =
        std::ranges::all_of(means, [](double mean) { return std::isfinite(mean); });
    if (means.size() >= 2 && has_all) entry.over_key_heads = interval_over(means, entry);
  }
}

void put_by_head(const std::vector<PaperStatement>& statements,
                 std::vector<report::HeadRecord>& heads) {
  using Member = std::optional<double> report::HeadNumbers::*;
  const auto put = [&](const std::vector<double>& values, Member member) {
    for (std::size_t h = 0; h < values.size(); ++h) {
      if (std::isfinite(values[h])) heads.at(h).*member = values[h];
    }
  };
  for (const PaperStatement& entry : statements) {
    using report::HeadNumbers;
    if (entry.id == report::kGrowthStatement) put(entry.by_head, &HeadNumbers::growth);
    if (entry.id == report::kShareStatement) put(entry.by_head, &HeadNumbers::share_beyond_16);
    if (entry.id == report::kColderStatement) put(entry.by_head, &HeadNumbers::colder);
    if (entry.id == report::kGradientStatement) {
      put(entry.by_head, &HeadNumbers::largest_cold_t_norm);
    }
    if (entry.id != report::kDistanceStatement) continue;
    put(entry.by_head, &HeadNumbers::distance_log_ratio);
    put(entry.slope_by_head, &HeadNumbers::distance_slope);
  }
}

}  // namespace attn::gpt2
