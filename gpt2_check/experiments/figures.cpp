#include "gpt2_check/experiments/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "gpt2_check/experiments/statistics.hpp"
#include "reports/judge/statements.hpp"
#include "reports/record/columns.hpp"
#include "reports/record/walk.hpp"

namespace attn::gpt2 {
namespace {

using report::MaybeSpread;
using report::Reading;
using Heads = std::vector<HeadMeasures>;
using Sweeps = std::vector<RowSweep> HeadMeasures::*;

/// The spread of a column. `some`: over the heads that have a number.
MaybeSpread summed_up(std::vector<double> column, bool some) {
  if (some) std::erase_if(column, [](double value) { return std::isnan(value); });
  return summary(std::move(column));
}

/// Whether a head may have no number of a measure: of random sets, directions and gradients.
bool may_lack(std::string_view measure) {
  return measure == "separability.random_share" ||
         measure == "separability.random_share_all_rows" || measure.starts_with("directions.") ||
         measure.starts_with("gradient.");
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

/// Sets the interval of a critical N.
void resample(report::CriticalPoint& point, const Heads& heads, std::size_t at,
              std::int64_t rejected) {
  std::vector<const RowSweep*> sweeps;
  for (const HeadMeasures& head : heads) sweeps.push_back(&head.sweeps[at]);
  point.resampled = resampled_critical_n(sweeps, point.reading, rejected);
  const MeanInterval interval = recentred(percentile_interval(point.resampled), *point.n);
  if (std::isfinite(interval.low)) point.low = std::max(1.0, interval.low);
  if (std::isfinite(interval.high)) point.high = interval.high;
}

std::vector<report::CriticalPoint> critical_points(const HeadTable& table) {
  const std::size_t heads = table.heads.size();
  std::map<double, std::int64_t> rejected;  // by level
  for (const double level : kCriticalLevels) rejected[level] = least_rejected(heads, level);
  std::vector<report::CriticalPoint> points;
  for (std::size_t i = 0; i < table.columns.critical_n.size(); ++i) {
    report::CriticalPoint point = table.columns.critical_n[i];
    const std::size_t at = i / kCriticalPoints;
    const auto found = critical_of(table.heads, &HeadMeasures::sweeps, at, point.reading,
                                   rejected.at(point.level));
    if (!found) continue;
    const auto tokens = table.heads.front().sweeps[at].distance.size() + 1;
    point.n = found->n;
    if (point.n) point.fraction = *point.n / static_cast<double>(tokens);
    point.statistic = static_cast<double>(found->steps) / static_cast<double>(heads);
    point.p = ks_exact_p(heads, heads, found->steps * static_cast<std::int64_t>(heads));
    const bool has_interval =
        point.reading == Reading::mean && !point.without_first && point.level == kCriticalLevels[0];
    if (has_interval && found->n) resample(point, table.heads, at, rejected.at(point.level));
    points.push_back(point);
  }
  return points;
}

void add_to(std::vector<double>& sums, const std::vector<double>& next) {
  sums.resize(std::min(sums.size(), next.size()));
  for (std::size_t r = 0; r < sums.size(); ++r) sums[r] += next[r];
}

/// The interval of a mean over heads and rows, where every head has a number. `sums`: of the heads,
/// by row.
void set_interval(const std::vector<double>& by_head, std::vector<double> sums,
                  std::optional<double>& low, std::optional<double>& high) {
  if (by_head.size() < 2) return;
  for (double& sum : sums) sum /= static_cast<double>(by_head.size());
  const MeanInterval found = two_way_interval(by_head, sums);
  low = found.low;
  high = found.high;
}

/// `figure`: what the points are of.
void set_intervals(std::vector<report::DistancePoint>& points, const std::string& figure,
                   const HeadTable& table) {
  for (report::DistancePoint& point : points) {
    const auto column = [&](const char* measure) -> const std::vector<double>& {
      return table.by_head.at({figure + "." + measure, point_of(point)});
    };
    if (point.distance) {
      set_interval(column("distance"), point.by_row, point.low, point.high);
    }
    if (point.expected) {
      set_interval(column("expected"), point.expected_by_row, point.expected_low,
                   point.expected_high);
    }
  }
}

/// Adds the counts of a head to those of the same N and share; layers may differ in their N.
void add_to(std::vector<report::MassPoint>& sums, const std::vector<report::MassPoint>& next) {
  for (const report::MassPoint& point : next) {
    const auto same = std::ranges::find_if(sums, [&](const report::MassPoint& sum) {
      return sum.n == point.n && sum.left_out == point.left_out;
    });
    if (same == sums.end()) {
      sums.push_back(point);
    } else {
      report::join(*same, point, 1);
    }
  }
}

/// Joins what a head shows to the columns of those before it: `heads`, with it.
void join_head(report::Figures& columns, report::Figures of_head, std::size_t heads) {
  if (heads == 1) {
    columns = std::move(of_head);
    return;
  }
  report::join(columns, of_head, heads);
  for (const auto points :
       {&report::Figures::distance_by_length, &report::Figures::distance_by_n}) {
    for (std::size_t i = 0; i < (columns.*points).size(); ++i) {
      report::DistancePoint& into = (columns.*points)[i];
      add_to(into.by_row, (of_head.*points).at(i).by_row);
      add_to(into.expected_by_row, (of_head.*points).at(i).expected_by_row);
    }
  }
  for (std::size_t t = 0; t < columns.gradient.size(); ++t) {
    *columns.gradient[t].mean_t_norm += *of_head.gradient.at(t).mean_t_norm;
  }
}

}  // namespace

void HeadTable::add(HeadMeasures head) {
  report::Figures of_head = std::move(head.figures);
  head.figures = {};
  heads.push_back(std::move(head));
  report::for_each_column(of_head, [&](const report::ColumnName& name, const MaybeSpread& spread) {
    by_head[name].push_back(spread->mean);
  });
  std::vector<report::MassPoint> mass = std::exchange(columns.mass, {});
  add_to(mass, std::exchange(of_head.mass, {}));
  join_head(columns, std::move(of_head), heads.size());
  columns.mass = std::move(mass);
}

report::Figures figures(const HeadTable& table) {
  report::Figures figures = table.columns;
  const std::int64_t rejected = least_rejected(table.heads.size(), kCriticalLevels[0]);
  figures.critical_n = critical_points(table);
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
  std::erase_if(figures.mass, [](const report::MassPoint& point) { return point.rows == 0; });
  for (report::GradientPoint& point : figures.gradient) {
    *point.mean_t_norm /= static_cast<double>(*point.rows);
  }
  report::for_each_field<report::Figures>([&](const auto& figure) {
    for (auto& point : figures.*figure.member) {
      if constexpr (requires { point.samples; }) point.samples = table.heads.size();
    }
  });
  report::for_each_column(figures, [&](const report::ColumnName& name, MaybeSpread& spread) {
    const std::vector<double>& column = table.by_head.at(name);
    if (column.size() != table.heads.size()) {
      throw std::logic_error(fmt::format("{} at {}: {} numbers of {} heads", name.measure,
                                         name.point, column.size(), table.heads.size()));
    }
    spread = summed_up(column, may_lack(name.measure));
  });
  set_intervals(figures.distance_by_length, "distance_by_length", table);
  set_intervals(figures.distance_by_n, "distance_by_n", table);
  return figures;
}

}  // namespace attn::gpt2
