#include <fmt/format.h>

#include <algorithm>

#include "reports/judge/statements.hpp"
#include "reports/record/walk.hpp"
#include "reports/windows/fold.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/number/elementary.hpp"

namespace attn::report {
namespace {

/// The mean of T ||J|| weighs windows by their rows, of which `into` has those of all.
void join_mean(GradientPoint& into, const GradientPoint& next) {
  if (!into.mean_t_norm || !next.mean_t_norm || !(next.rows.value_or(0) > 0)) return;
  *into.mean_t_norm += (*next.mean_t_norm - *into.mean_t_norm) * static_cast<double>(*next.rows) /
                       static_cast<double>(*into.rows);
}

std::optional<double> largest_of(const std::vector<AbstractPoint>& points) {
  AbstractPoint all;
  for (const AbstractPoint& point : points) join(all, point, 1);
  return all.largest;
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
  for_each_value<MaybeSpread>(measured.figures, [&](MaybeSpread& spread) {
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

void FoldedMeasurements::CriticalNs::add(const CriticalPoint& point) {
  if (!point.n) {
    ++without;
    return;
  }
  ++windows[*point.n];
  if (point.fraction) fractions[*point.n] = *point.fraction;
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
  for_each_value<MaybeSpread>(measured.figures, [&](const MaybeSpread&) { ++lists; });
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
    join_next(result.measured);
  }
  const Resampling::Weights window = resampling_->of_window(result.window - 1);
  add_figures(result, window);
  add_abstract(result, window);
}

void FoldedMeasurements::join_next(const Measurements& next) {
  join(total_.figures, next.figures, windows_);
  for (std::size_t p = 0; p < next.figures.gradient.size(); ++p) {
    join_mean(total_.figures.gradient[p], next.figures.gradient[p]);
  }
  join(total_.heads, next.heads, windows_);
  total_.not_covered.insert(next.not_covered.begin(), next.not_covered.end());
}

void FoldedMeasurements::add_figures(const WindowResult& result,
                                     const Resampling::Weights& window) {
  std::size_t s = 0;
  for_each_value<MaybeSpread>(result.measured.figures, [&](const MaybeSpread&) {
    if (s == spreads_.size()) spreads_.emplace_back();
    spreads_[s].add(*resampling_, window, result.by_head[s]);
    ++s;
  });
  const std::vector<CriticalPoint>& points = result.measured.figures.critical_n;
  critical_.resize(points.size());
  for (std::size_t c = 0; c < points.size(); ++c) critical_[c].add(points[c]);
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
    if (windows_ > 1) join(*into, from, windows_);
  }
}

void FoldedMeasurements::finish(Figures& figures) const {
  std::size_t s = 0;
  for_each_value<MaybeSpread>(figures,
                              [&](MaybeSpread& spread) { spread = spreads_[s++].spread(); });
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
}

void FoldedMeasurements::finish(PaperStatement& entry) const {
  const auto interval_of = [](const SpreadAccumulator& cells, std::optional<double>& low,
                              std::optional<double>& high) {
    const MaybeSpread spread = cells.spread();
    if (!spread) return;
    low = spread->windows->low;
    high = spread->windows->high;
  };
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

Measurements FoldedMeasurements::measurements() const {
  Measurements measured = total_;
  if (windows_ == 1) return measured;
  finish(measured.figures);
  for (PaperStatement& entry : measured.abstract) finish(entry);
  return measured;
}

}  // namespace attn::report
