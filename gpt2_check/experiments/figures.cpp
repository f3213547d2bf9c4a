#include "gpt2_check/experiments/figures.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <set>

#include "gpt2_check/experiments/statistics.hpp"
#include "reports/judge/statements.hpp"
#include "reports/record/walk.hpp"
#include "theory/number/elementary.hpp"

namespace attn::gpt2 {
namespace {

using report::AbstractPoint;
using report::MaybeSpread;
using report::PaperStatement;
using report::Reading;
using Heads = std::vector<HeadMeasures>;
using Sweeps = std::vector<RowSweep> HeadMeasures::*;

std::vector<MaybeSpread*> spreads_of(report::Figures& figures) {
  std::vector<MaybeSpread*> spreads;
  report::for_each_value<report::MaybeSpread>(
      figures, [&](MaybeSpread& spread) { spreads.push_back(&spread); });
  return spreads;
}

/// The spread of a column. `some`: over the heads that have a number.
MaybeSpread summed_up(std::vector<double> column, bool some) {
  std::vector<double> values = column;
  if (some) std::erase_if(values, [](double value) { return std::isnan(value); });
  MaybeSpread spread = summary(std::move(values));
  if (spread) spread->by_head = std::move(column);
  return spread;
}

/// The columns in which a head may have no number: of random sets, directions
/// and gradients.
std::set<const MaybeSpread*> columns_of_some(const report::Figures& figures) {
  std::set<const MaybeSpread*> found;
  for (const report::SeparabilityPoint& point : figures.separability) {
    found.insert({&point.random_share, &point.random_share_all_rows});
  }
  const auto insert = [&](const MaybeSpread& spread) { found.insert(&spread); };
  report::for_each_value<report::MaybeSpread>(figures.directions, insert);
  report::for_each_value<report::MaybeSpread>(figures.gradient, insert);
  return found;
}

/// The critical N of the heads; nothing where a head has no weights, or no test of so few heads
/// rejects.
std::optional<CriticalN> critical_of(const Heads& heads, Sweeps sweeps, std::size_t at,
                                     Reading reading, std::int64_t rejected) {
  if (rejected > std::ssize(heads)) return std::nullopt;
  std::vector<const RowSweep*> of_heads;
  for (const HeadMeasures& head : heads) of_heads.push_back(&(head.*sweeps)[at]);
  return critical_n(of_heads, reading, rejected);
}

/// Adds those of a test at one level.
void add_critical_points(const HeadTable& table, double level,
                         std::vector<report::CriticalPoint>& points) {
  const std::size_t heads = table.heads.size();
  const std::int64_t rejected = least_rejected(heads, level);
  for (std::size_t i = 0; i < table.columns.critical_n.size(); ++i) {
    report::CriticalPoint point = table.columns.critical_n[i];
    const auto found =
        critical_of(table.heads, &HeadMeasures::sweeps, i / 2, point.reading, rejected);
    if (!found) continue;
    const auto tokens = table.heads.front().sweeps[i / 2].distance.size() + 1;
    point.n = found->n;
    if (point.n) point.fraction = *point.n / static_cast<double>(tokens);
    point.statistic = static_cast<double>(found->steps) / static_cast<double>(heads);
    point.p = ks_exact_p(heads, heads, found->steps * static_cast<std::int64_t>(heads));
    point.level = level;
    points.push_back(point);
  }
}

}  // namespace

void HeadTable::add(HeadMeasures head) {
  report::Figures of_head = std::move(head.figures);
  head.figures = {};
  heads.push_back(std::move(head));
  if (heads.size() == 1) {
    columns = std::move(of_head);
    return;
  }
  const std::vector<MaybeSpread*> all = spreads_of(columns), next = spreads_of(of_head);
  for (std::size_t c = 0; c < all.size(); ++c) {
    (*all[c])->by_head.push_back((*next.at(c))->by_head.front());
  }
  report::join(columns, of_head, heads.size());
  for (std::size_t t = 0; t < columns.gradient.size(); ++t) {
    *columns.gradient[t].mean_t_norm += *of_head.gradient.at(t).mean_t_norm;
  }
}

report::Figures figures(const HeadTable& table) {
  report::Figures figures = table.columns;
  figures.critical_n.clear();
  for (const double level : {report::kCriticalLevel, report::kLaterCriticalLevel}) {
    add_critical_points(table, level, figures.critical_n);
  }
  const std::int64_t rejected = least_rejected(table.heads.size(), report::kCriticalLevel);
  for (std::size_t i = 0; i < figures.normalizers.size(); ++i) {
    const auto critical = [&](Reading reading) {
      const auto found =
          critical_of(table.heads, &HeadMeasures::normalizer_sweeps, i, reading, rejected);
      return found ? found->n : std::nullopt;
    };
    figures.normalizers[i].critical_n_full = critical(Reading::full);
    figures.normalizers[i].critical_n_factor = critical(Reading::factor);
  }
  std::erase_if(figures.gradient, [](const auto& point) { return *point.rows == 0; });
  for (report::GradientPoint& point : figures.gradient) {
    *point.mean_t_norm /= static_cast<double>(*point.rows);
  }
  report::for_each_field<report::Figures>([&](const auto& figure) {
    for (auto& point : figures.*figure.member) {
      if constexpr (requires { point.samples; }) point.samples = table.heads.size();
    }
  });
  const std::set<const MaybeSpread*> of_some = columns_of_some(figures);
  for (MaybeSpread* const spread : spreads_of(figures)) {
    *spread = summed_up(std::move((*spread)->by_head), of_some.contains(spread));
  }
  return figures;
}

namespace {

/// The largest value; NaN where there is one.
double largest_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), values.front(), larger);
}

/// What a function gives of each head.
std::vector<double> by_head(const Heads& heads,
                            const std::function<double(const HeadMeasures&)>& value) {
  std::vector<double> values;
  for (const HeadMeasures& head : heads) values.push_back(value(head));
  return values;
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

/// The first of at least two lengths that are no shorter than `least`.
std::optional<std::size_t> first_of_two(const std::vector<std::int64_t>& lengths, double least) {
  for (std::size_t l = 0; l + 1 < lengths.size(); ++l) {
    if (static_cast<double>(lengths[l]) >= least) return l;
  }
  return std::nullopt;
}

/// "the distance falls as N grows with L": D at N = L/4, from the shortest to
/// the longest length of the paper's range, or of all where the input is too
/// short for that. Beside it what D is at least for a random set of as many
/// tokens, on average.
std::optional<PaperStatement> distance_statement(const Heads& heads,
                                                 const std::vector<std::int64_t>& lengths) {
  constexpr double kLeast = 4;  // N = L/4 >= 1
  const auto in_range = first_of_two(lengths, report::kShortestOfPaper);
  const auto first = in_range ? in_range : first_of_two(lengths, kLeast);
  if (!first) return std::nullopt;
  const auto at_quarter = [&](std::vector<double> RowSweep::*of, std::size_t l) {
    return by_head(heads, [&](const HeadMeasures& head) {
      return (head.sweeps[l].*of)[static_cast<std::size_t>(lengths[l]) / 4 - 1];
    });
  };
  std::vector<AbstractPoint> points;
  for (std::size_t l = *first; l < lengths.size(); ++l) {
    const std::int64_t quarter = lengths[l] / 4;
    const std::vector<double> values = at_quarter(&RowSweep::distance, l);
    const MeanInterval at = mean_interval(values);
    const auto expected = at_quarter(&RowSweep::expected_factor, l);
    points.push_back({.length = static_cast<double>(lengths[l]),
                      .n = static_cast<double>(quarter),
                      .distance = at.mean,
                      .expected = mean_interval(expected).mean,
                      .low = at.low,
                      .high = at.high,
                      .by_head = values});
  }
  std::vector<double> logs;
  std::vector<double> of_heads;
  for (std::size_t h = 0; h < heads.size(); ++h) {
    const double ratio = points.back().by_head[h] / points.front().by_head[h];
    const bool has_log = ratio > 0 && std::isfinite(ratio);
    if (has_log) logs.push_back(reproducible::log(ratio));
    of_heads.push_back(has_log ? logs.back() : std::numeric_limits<double>::quiet_NaN());
  }
  if (logs.size() < 2) return std::nullopt;
  const MeanInterval log_ratio = mean_interval(logs);
  const MeanInterval ratio{.mean = reproducible::exp(log_ratio.mean),
                           .low = reproducible::exp(log_ratio.low),
                           .high = reproducible::exp(log_ratio.high)};
  return statement(report::kDistanceStatement, ratio, logs.size(), std::move(points),
                   std::move(of_heads));
}

/// "N_s/N settles between 0.70 and 0.85 beyond N = 16": means over all rows of
/// each head.
std::optional<PaperStatement> share_statement(const Heads& heads) {
  constexpr std::size_t kBeyond = 16;
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
    if (n <= kBeyond) continue;
    ++counted;
    for (std::size_t h = 0; h < heads.size(); ++h) shares[h] += values[h];
  }
  if (counted == 0) return std::nullopt;
  for (double& share : shares) share /= counted;
  const MeanInterval share = mean_interval(shares);
  return statement(report::kShareStatement, share, heads.size(), std::move(points),
                   std::move(shares));
}

/// Whether a head has rows with logits; all or none of its temperatures have.
bool has_gradient(const HeadMeasures& head) {
  return !head.gradient.empty() && head.gradient.front().rows > 0;
}

/// "T ||J|| is 1/4 at small T": the largest over the rows of a head, for T < 0.1. A head without
/// logits does not count, and has NaN.
std::optional<PaperStatement> gradient_statement(const Heads& heads) {
  constexpr double kSmall = 0.1;
  std::vector<const HeadMeasures*> counted;
  for (const HeadMeasures& head : heads) {
    if (has_gradient(head)) counted.push_back(&head);
  }
  if (counted.size() < 2) return std::nullopt;
  std::vector<AbstractPoint> points;
  for (std::size_t t = 0; t < counted.front()->gradient.size(); ++t) {
    const double temperature = counted.front()->gradient[t].temperature;
    if (!(temperature < kSmall)) continue;
    std::vector<double> values;
    std::size_t rows = 0, above = 0;
    for (const HeadMeasures* const head : counted) {
      values.push_back(head->gradient[t].largest_t_norm);
      rows += head->gradient[t].rows;
      above += head->gradient[t].rows_above_printed_bound;
    }
    points.push_back({.temperature = temperature,
                      .largest = largest_of(values),
                      .mean_of_largest = mean_interval(values).mean,
                      .rows = rows,
                      .rows_above_printed_bound = above});
  }
  if (points.empty()) return std::nullopt;
  std::vector<double> largest;  // of the heads that count
  std::vector<double> of_heads = by_head(heads, [&](const HeadMeasures& head) {
    if (!has_gradient(head)) return std::numeric_limits<double>::quiet_NaN();
    largest.push_back(0);
    for (const TemperatureGradients& g : head.gradient) {
      if (g.temperature < kSmall) largest.back() = larger(largest.back(), g.largest_t_norm);
    }
    return largest.back();
  });
  return statement(report::kGradientStatement, mean_interval(largest), counted.size(),
                   std::move(points), std::move(of_heads), largest_of(largest));
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

std::vector<PaperStatement> abstract_statements(const Heads& heads,
                                                const std::vector<std::int64_t>& lengths,
                                                bool judged) {
  std::vector<PaperStatement> all;
  if (heads.size() < 2) return all;
  for (auto& statement :
       {distance_statement(heads, lengths), share_statement(heads), gradient_statement(heads)}) {
    if (statement) all.push_back(*statement);
  }
  for (PaperStatement& entry : all) {
    entry.judged = judged && !report::is_too_short(entry);
    if (!entry.judged) entry.agrees = std::nullopt;
  }
  return all;
}

}  // namespace attn::gpt2
