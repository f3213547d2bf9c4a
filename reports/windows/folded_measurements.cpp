#include "reports/windows/folded_measurements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "reports/judge/statements.hpp"
#include "reports/text/abstract.hpp"
#include "reports/windows/spreads.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/number/elementary.hpp"

namespace attn::report {
namespace {

/// A number that counts in one window as much as in every other; none where one has none.
class MeanOver {
 public:
  /// The windows, the one to be joined included.
  explicit MeanOver(std::uint64_t windows) : windows_(static_cast<double>(windows)) {}

  void join(std::optional<double>& into, const std::optional<double>& next) const {
    if (into && next) {
      *into += (*next - *into) / windows_;
    } else {
      into.reset();
    }
  }

 private:
  double windows_;
};

void join_largest(std::optional<double>& into, const std::optional<double>& next) {
  if (next && !(into && (*next <= *into || std::isnan(*into)))) into = next;
}

void join_count(std::optional<std::uint64_t>& into, const std::optional<std::uint64_t>& next) {
  if (next) into = into.value_or(0) + *next;
}

void join(StepPoint& into, const StepPoint& next) {
  join_largest(into.largest, next.largest);
}

void join(GradientPoint& into, const GradientPoint& next) {
  join_count(into.rows, next.rows);
  if (into.mean_t_norm && next.mean_t_norm && *into.rows > 0) {
    *into.mean_t_norm += (*next.mean_t_norm - *into.mean_t_norm) * static_cast<double>(*next.rows) /
                         static_cast<double>(*into.rows);
  }
  join_largest(into.largest_t_norm, next.largest_t_norm);
  join_count(into.rows_above_printed_bound, next.rows_above_printed_bound);
  for (std::size_t s = 0; s < into.steps.size(); ++s) join(into.steps[s], next.steps.at(s));
}

void join(HeadNumbers& into, const HeadNumbers& next, const MeanOver& mean) {
  join_count(into.rows, next.rows);
  for (const auto member :
       {&HeadNumbers::distance, &HeadNumbers::distance_over_bound, &HeadNumbers::f_score,
        &HeadNumbers::random_share, &HeadNumbers::share, &HeadNumbers::sink_share}) {
    mean.join(into.*member, next.*member);
  }
  join_largest(into.largest_t_norm, next.largest_t_norm);
}

void join(HeadRecord& into, const HeadRecord& next, const MeanOver& mean) {
  join(static_cast<HeadNumbers&>(into), next, mean);
  if (into.without_first && next.without_first) {
    join(*into.without_first, *next.without_first, mean);
  }
  for (const auto& [id, claim] : next.claims) {
    HeadClaim& total = into.claims[id];
    total.cases += claim.cases;
    total.violated += claim.violated;
    join_largest(total.max_ratio, claim.max_ratio);
  }
}

void join(AbstractPoint& into, const AbstractPoint& next, const MeanOver& mean) {
  for (const auto member :
       {&AbstractPoint::distance, &AbstractPoint::expected, &AbstractPoint::share,
        &AbstractPoint::random_share, &AbstractPoint::mean_of_largest}) {
    mean.join(into.*member, next.*member);
  }
  join_largest(into.largest, next.largest);
  join_count(into.rows, next.rows);
  join_count(into.rows_above_printed_bound, next.rows_above_printed_bound);
}

/// The number of heads that points rest on.
template <class Point>
void join_samples(std::vector<Point>& into, const std::vector<Point>& next) {
  for (std::size_t p = 0; p < into.size(); ++p) join_count(into[p].samples, next[p].samples);
}

/// Calls visit(n, fraction) for each critical N of the figures, in a fixed order.
template <class SomeFigures, class Visit>
void for_each_critical(SomeFigures& figures, Visit visit) {
  const std::optional<double> unknown;
  for (auto& point : figures.critical_n) visit(point.n, point.fraction);
  for (auto& point : figures.normalizers) {
    visit(point.critical_n_full, unknown);
    visit(point.critical_n_factor, unknown);
  }
}

std::optional<double> largest_of(const std::vector<AbstractPoint>& points) {
  std::optional<double> largest;
  for (const AbstractPoint& point : points) join_largest(largest, point.largest);
  return largest;
}

/// How many points each figure has, and the lists of numbers by head.
std::vector<std::size_t> shape_of(const Measurements& measured) {
  std::vector<std::size_t> shape;
  for_each_field<Figures>(
      [&](const auto& figure) { shape.push_back((measured.figures.*figure.member).size()); });
  for (const GradientPoint& point : measured.figures.gradient) shape.push_back(point.steps.size());
  shape.push_back(measured.heads.size());
  return shape;
}

}  // namespace

std::vector<std::vector<double>> take_by_head(Measurements& measured) {
  std::vector<std::vector<double>> lists;
  for_each_spread(measured.figures, [&](MaybeSpread& spread) {
    lists.push_back(spread ? std::move(spread->by_head) : std::vector<double>{});
    if (spread) spread->by_head.clear();
  });
  for (PaperStatement& entry : measured.abstract) {
    lists.push_back(std::move(entry.by_head));
    entry.by_head.clear();
    for (AbstractPoint& point : entry.points) {
      lists.push_back(std::move(point.by_head));
      point.by_head.clear();
    }
  }
  return lists;
}

void FoldedMeasurements::CriticalNs::add(const std::optional<double>& n,
                                         const std::optional<double>& fraction) {
  if (!n) {
    ++without;
    return;
  }
  ++windows[*n];
  if (fraction) fractions[*n] = *fraction;
}

/// The lower one of two in the middle; windows without one stand above all others.
std::optional<double> FoldedMeasurements::CriticalNs::median() const {
  std::uint64_t all = without;
  for (const auto& [n, count] : windows) all += count;
  std::uint64_t rank = (all - 1) / 2;
  for (const auto& [n, count] : windows) {
    if (rank < count) return n;
    rank -= count;
  }
  return std::nullopt;
}

void FoldedMeasurements::check(const WindowResult& result) const {
  const Measurements& measured = result.measured;
  std::size_t lists = 0;
  for_each_spread(measured.figures, [&](const MaybeSpread&) { ++lists; });
  for (const PaperStatement& entry : measured.abstract) lists += 1 + entry.points.size();
  const bool has_lists = lists == result.by_head.size() &&
                         std::ranges::all_of(result.by_head, [&](const std::vector<double>& list) {
                           return list.empty() || list.size() == measured.heads.size();
                         });
  if (!has_lists || (windows_ > 0 && shape_of(measured) != shape_of(total_))) {
    throw BadInput({.kind = BadInputKind::inconsistent,
                    .where = fmt::format("window {}", result.window),
                    .expected = "the points and heads of every other window of the run",
                    .found = "others",
                    .advice = "give the windows of one run"});
  }
}

void FoldedMeasurements::add(const WindowResult& result) {
  check(result);
  if (windows_++ == 0) {
    total_ = result.measured;
    resampling_.emplace(seed_, total_.heads.size());
  } else {
    const MeanOver mean(windows_);
    const Figures& next = result.measured.figures;
    Figures& into = total_.figures;
    join_samples(into.distance_by_length, next.distance_by_length);
    join_samples(into.distance_by_n, next.distance_by_n);
    join_samples(into.critical_n, next.critical_n);
    join_samples(into.separability, next.separability);
    join_samples(into.directions, next.directions);
    join_samples(into.sink, next.sink);
    join_samples(into.normalizers, next.normalizers);
    for (std::size_t p = 0; p < into.gradient.size(); ++p) join(into.gradient[p], next.gradient[p]);
    for (std::size_t h = 0; h < total_.heads.size(); ++h) {
      join(total_.heads[h], result.measured.heads[h], mean);
    }
    for (const auto& [claim, need] : result.measured.not_covered) {
      total_.not_covered.emplace(claim, need);
    }
  }
  const Resampling::Weights window = resampling_->of_window(result.window - 1);
  add_figures(result, window);
  add_abstract(result, window);
}

void FoldedMeasurements::add_figures(const WindowResult& result,
                                     const Resampling::Weights& window) {
  std::size_t s = 0;
  for_each_spread(result.measured.figures, [&](const MaybeSpread&) {
    if (s == spreads_.size()) spreads_.emplace_back();
    spreads_[s].add(*resampling_, window, result.by_head[s]);
    ++s;
  });
  std::size_t c = 0;
  for_each_critical(result.measured.figures, [&](const auto& n, const auto& fraction) {
    if (c == critical_.size()) critical_.emplace_back();
    critical_[c++].add(n, fraction);
  });
}

void FoldedMeasurements::add_abstract(const WindowResult& result,
                                      const Resampling::Weights& window) {
  const std::vector<PaperStatement>& next = result.measured.abstract;
  std::erase_if(total_.abstract, [&](const PaperStatement& entry) {
    const auto at = std::ranges::find(next, entry.id, &PaperStatement::id);
    return at == next.end() || at->points.size() != entry.points.size();
  });
  std::size_t list = spreads_.size();
  for (const PaperStatement& from : next) {
    const std::size_t first = list;
    list += 1 + from.points.size();
    const auto into = std::ranges::find(total_.abstract, from.id, &PaperStatement::id);
    if (into == total_.abstract.end()) continue;
    std::vector<SpreadAccumulator>& cells = statements_[from.id];
    cells.resize(1 + from.points.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      cells[i].add(*resampling_, window, result.by_head[first + i]);
    }
    if (windows_ == 1) continue;
    join_count(into->samples, from.samples);
    for (std::size_t p = 0; p < from.points.size(); ++p) {
      join(into->points[p], from.points[p], MeanOver(windows_));
    }
  }
}

void FoldedMeasurements::finish(Figures& figures) const {
  std::size_t s = 0;
  for_each_spread(figures, [&](MaybeSpread& spread) { spread = spreads_[s++].spread(); });
  std::size_t c = 0;
  for (CriticalPoint& point : figures.critical_n) {
    const CriticalNs& found = critical_[c++];
    point.n = found.median();
    point.fraction.reset();
    if (point.n) point.fraction = found.fractions.at(*point.n);
    point.statistic.reset();
    point.p.reset();
    CriticalWindows& windows = point.windows.emplace();
    windows.without = found.without;
    if (found.windows.empty()) continue;
    windows.min = found.windows.begin()->first;
    windows.max = found.windows.rbegin()->first;
  }
  for (NormalizerPoint& point : figures.normalizers) {
    point.critical_n_full = critical_[c++].median();
    point.critical_n_factor = critical_[c++].median();
  }
}

void FoldedMeasurements::finish(std::vector<PaperStatement>& entries) const {
  const auto interval_of = [](const SpreadAccumulator& cells, std::optional<double>& low,
                              std::optional<double>& high) {
    const MaybeSpread spread = cells.spread();
    if (!spread) return;
    low = spread->windows->low;
    high = spread->windows->high;
  };
  for (PaperStatement& entry : entries) {
    const std::vector<SpreadAccumulator>& cells = statements_.at(entry.id);
    entry.estimate = cells.front().spread()->mean;
    interval_of(cells.front(), entry.low, entry.high);
    if (entry.id == kDistanceStatement) {
      for (auto* const logarithm : {&entry.estimate, &entry.low, &entry.high}) {
        if (*logarithm) *logarithm = reproducible::exp(**logarithm);
      }
    }
    entry.confidence = kWindowConfidence;
    for (std::size_t p = 0; p < entry.points.size(); ++p) {
      AbstractPoint& point = entry.points[p];
      if (point.low) interval_of(cells[p + 1], point.low, point.high);
    }
    entry.agrees.reset();
    if (entry.judged && entry.low && entry.high) {
      entry.agrees = agreement(entry.id, {*entry.low, *entry.high}, largest_of(entry.points));
    }
    put_into_words(entry, "the heads of all windows");
  }
}

Measurements FoldedMeasurements::measurements() const {
  Measurements measured = total_;
  if (windows_ == 1) return measured;
  finish(measured.figures);
  finish(measured.abstract);
  return measured;
}

}  // namespace attn::report
