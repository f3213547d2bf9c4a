#include "reports/windows/fold.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <set>
#include <utility>

#include "reports/judge/judge.hpp"
#include "reports/judge/statements.hpp"
#include "reports/record/walk.hpp"
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

/// The names of the columns of what was measured, and of its critical N, in their order.
std::vector<ColumnName> names_of(const Figures& figures) {
  std::vector<ColumnName> names;
  const auto note = [&](const ColumnName& name, const auto&) { names.push_back(name); };
  for_each_column(figures, note);
  for_each_critical_n(figures, note);
  return names;
}

bool are_distinct(const std::vector<ColumnName>& names) {
  return std::set<ColumnName>(names.begin(), names.end()).size() == names.size();
}

/// How long the lists of a claim are.
std::array<std::size_t, 3> lists_of(const ClaimRecord& record) {
  return {record.ratio_histogram.size(), record.classes.size(), record.mutants.size()};
}

[[noreturn]] void refuse(std::uint64_t window, std::string_view what) {
  throw BadInput({.kind = BadInputKind::inconsistent,
                  .where = fmt::format("window {}", window),
                  .expected = fmt::format("{} of every other window of the run", what),
                  .found = "others",
                  .advice = "give the windows of one run"});
}

/// A mutant that was caught is searched no further.
void join_mutant(MutantRecord& into, const MutantRecord& next) {
  if (into.caught) return;
  into.cases += next.cases;
  into.caught = next.caught;
  into.witness = next.witness;
}

/// Joins the next window's record of a claim: all but the worst case.
void join_claim(ClaimRecord& into, const ClaimRecord& next, std::uint64_t windows) {
  join(into, next, windows);
  if (!into.smallest_witness) into.smallest_witness = next.smallest_witness;
  if (!into.first_undecided) into.first_undecided = next.first_undecided;
  for (std::size_t m = 0; m < next.mutants.size(); ++m) {
    join_mutant(into.mutants.at(m), next.mutants[m]);
  }
}

/// What rows would need that spoke to a claim at least once; empty where some did.
std::string lacking_rows(const ClaimRecord& record) {
  if (record.cases == 0) return {};
  if (record.assumption_not_met == record.cases && !record.unmet.empty()) {
    const auto frequent = std::ranges::max_element(
        record.unmet, {}, &std::pair<const std::string, std::uint64_t>::second);
    return "rows with " + frequent->first;
  }
  const bool only_open = record.assumption_not_met + record.sampled_open == record.cases;
  if (only_open) return "rows on which so many draws can tell";
  const bool says_nothing = record.status == Status::proved && record.max_ratio == 0;
  return says_nothing ? "rows on which its left side is above 0" : "";
}

void expect_windows(bool right, BadInputKind kind, std::string expected, std::string found) {
  if (right) return;
  throw BadInput({.kind = kind,
                  .where = "windows",
                  .expected = std::move(expected),
                  .found = std::move(found),
                  .advice = "give every window of the run once"});
}

/// Why rows of a recorded pattern have no logits.
std::string without_logits(const Measurements& measured) {
  std::string why;
  if (const auto rows = measured.off_sum_rows) {
    why += fmt::format("; {} rows of the pattern have a sum other than 1", *rows);
  }
  if (const auto zeros = measured.zero_weights) {
    why += fmt::format("; {} of its weights are 0", *zeros);
  }
  return why;
}

/// A report without any claim would say nothing, and could be taken for one that found nothing.
void expect_claims(const Report& report) {
  if (!report.claims.empty()) return;
  const Measurements& measured = report.inputs.front();
  const auto needs = std::views::values(measured.not_covered);
  const std::set<std::string> each(needs.begin(), needs.end());
  throw BadInput({.kind = BadInputKind::unsupported,
                  .where = measured.input,
                  .expected = "an input of which some claim can be decided",
                  .found = fmt::format("none: claims need {}{}", fmt::join(each, "; "),
                                       without_logits(measured)),
                  .advice = measured.contradicted_layers.empty()
                                ? "record values and queries and keys, or scores, as well"
                                : "the pattern is read, for it is not softmax of what lies beside "
                                  "it; record values as well, though little is said of weights "
                                  "that no softmax makes"});
}

}  // namespace

std::vector<std::vector<double>> lists_by_head(Measurements& measured,
                                               const ByColumn<std::vector<double>>& by_head) {
  std::vector<std::vector<double>> lists;
  for_each_column(measured.figures, [&](const ColumnName& name, const MaybeSpread& spread) {
    lists.push_back(spread ? by_head.at(name) : std::vector<double>{});
  });
  for (PaperStatement& entry : measured.abstract) {
    lists.push_back(std::exchange(entry.by_head, {}));
    for (AbstractPoint& point : entry.points) lists.push_back(std::exchange(point.by_head, {}));
  }
  return lists;
}

void WindowFold::CriticalNs::add(const std::optional<double>& n) {
  if (n) {
    ++windows[*n];
  } else {
    ++without;
  }
}

/// The lower one of two in the middle; windows without one stand above all others.
std::optional<double> WindowFold::CriticalNs::median() const {
  std::uint64_t all = without;
  for (const auto& [n, count] : windows) all += count;
  std::uint64_t rank = (all - 1) / 2;
  for (const auto& [n, count] : windows) {
    if (rank < count) return n;
    rank -= count;
  }
  return std::nullopt;
}

void WindowFold::check_shape(const WindowResult& result) const {
  const Measurements& measured = result.measured;
  std::size_t lists = 0;
  for_each_column(measured.figures, [&](const ColumnName&, const MaybeSpread&) { ++lists; });
  for (const PaperStatement& entry : measured.abstract) lists += 1 + entry.points.size();
  const bool has_lists = lists == result.by_head.size() &&
                         std::ranges::all_of(result.by_head, [&](const std::vector<double>& list) {
                           return list.empty() || list.size() == measured.heads.size();
                         });
  const std::vector<ColumnName> names = names_of(measured.figures);
  const bool is_whole =
      has_lists && are_distinct(names) && std::ranges::all_of(measured.abstract, has_numbers);
  const bool is_alike =
      measured.heads.size() == total_.heads.size() && names == names_of(total_.figures);
  if (!is_whole || (windows_ > 0 && !is_alike)) {
    refuse(result.window, "the points and heads");
  }
  for (const ClaimRecord& record : result.claims) {
    const auto at = std::ranges::find(claims_, record.id, &ClaimRecord::id);
    if (at != claims_.end() && lists_of(record) != lists_of(*at)) {
      refuse(result.window, "the classes, mutants and bins of " + record.id);
    }
  }
}

void WindowFold::add_measured(const WindowResult& result) {
  if (windows_ == 1) {
    total_ = result.measured;
    resampling_.emplace(seed_, total_.heads.size());
  } else {
    join_next(result.measured);
  }
  const Resampling::Weights window = resampling_->of_window(result.window - 1);
  add_figures(result, window);
  add_abstract(result, window);
}

void WindowFold::join_next(const Measurements& next) {
  join(total_.figures, next.figures, windows_);
  for (std::size_t p = 0; p < next.figures.gradient.size(); ++p) {
    join_mean(total_.figures.gradient[p], next.figures.gradient[p]);
  }
  join(total_.heads, next.heads, windows_);
  total_.not_covered.insert(next.not_covered.begin(), next.not_covered.end());
}

void WindowFold::add_figures(const WindowResult& result, const Resampling::Weights& window) {
  const Figures& figures = result.measured.figures;
  auto list = result.by_head.begin();  // they are in the order of report.json
  for_each_column(figures, [&](const ColumnName& name, const MaybeSpread&) {
    spreads_[name].add(*resampling_, window, *list++);
  });
  for_each_critical_n(figures, [&](const ColumnName& name, const std::optional<double>& n) {
    critical_[name].add(n);
  });
  for (const CriticalPoint& point : figures.critical_n) {
    if (point.n && point.fraction)
      critical_.at(name_of(point)).fractions[*point.n] = *point.fraction;
  }
}

void WindowFold::add_abstract(const WindowResult& result, const Resampling::Weights& window) {
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

void WindowFold::finish(Figures& figures) const {
  for_each_column(figures, [&](const ColumnName& name, MaybeSpread& spread) {
    spread = spreads_.at(name).spread();
  });
  for_each_critical_n(figures, [&](const ColumnName& name, std::optional<double>& n) {
    n = critical_.at(name).median();
  });
  // Their spreads have intervals over the windows.
  for (auto* const points : {&figures.distance_by_length, &figures.distance_by_n}) {
    for (DistancePoint& point : *points) {
      point.low = point.high = point.expected_low = point.expected_high = std::nullopt;
    }
  }
  for (CriticalPoint& point : figures.critical_n) {
    const CriticalNs& found = critical_.at(name_of(point));
    point.fraction.reset();
    if (point.n) point.fraction = found.fractions.at(*point.n);
    for (auto* const of_one : {&point.statistic, &point.p, &point.low, &point.high}) {
      of_one->reset();
    }
    CriticalWindows& windows = point.windows.emplace();
    windows.without = found.without;
    if (found.windows.empty()) continue;
    windows.min = found.windows.begin()->first;
    windows.max = found.windows.rbegin()->first;
  }
}

void WindowFold::finish(PaperStatement& entry) const {
  const auto interval_of = [](const SpreadAccumulator& cells, std::optional<double>& low,
                              std::optional<double>& high) {
    const MaybeSpread spread = cells.spread();
    if (!spread) return;
    low = spread->windows->low;
    high = spread->windows->high;
  };
  const std::vector<SpreadAccumulator>& cells = statements_.at(entry.id);
  entry.slope.reset();
  entry.over_key_heads.reset();
  entry.by_row.clear();
  const MaybeSpread all = cells.front().spread();
  if (!all || !all->windows->low) {
    if (entry.why_not.empty()) entry.why_not = "it is not measured over several windows of a text";
    entry.estimate = entry.low = entry.high = entry.confidence = std::nullopt;
    entry.agrees.reset();
    return put_into_words(entry);
  }
  entry.estimate = all->mean;
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
  if (!is_too_short(entry) && entry.low && entry.high) {
    entry.agrees = agreement(entry.id, {*entry.low, *entry.high}, largest_of(entry.points));
  }
  put_into_words(entry, "the heads of all windows");
}

void WindowFold::add_claims(std::vector<ClaimRecord> claims, std::uint64_t window) {
  for (ClaimRecord& record : claims) {
    const auto at = std::ranges::find(claims_, record.id, &ClaimRecord::id);
    if (at == claims_.end()) {
      claims_.push_back(std::move(record));
      continue;
    }
    join_claim(*at, record, window);
    if (record.max_ratio > at->max_ratio) {
      at->max_ratio = record.max_ratio;
      at->worst = record.worst;
    }
  }
}

void WindowFold::add_comparisons(const WindowResult& result) {
  for (const WindowComparison& next : result.comparisons) {
    const auto at = std::ranges::find_if(comparisons_, [&](const FoldedComparison& folded) {
      return folded.record.sharp == next.sharp && folded.record.printed == next.printed;
    });
    const Quantiles sharp(next.sharp_ratios), printed(next.printed_ratios);
    if (at == comparisons_.end()) {
      comparisons_.push_back({next, sharp, printed});
      continue;
    }
    join<ComparisonRecord>(at->record, next, result.window);
    at->sharp.merge(sharp);
    at->printed.merge(printed);
    at->record.median_sharp = at->sharp.quantile(0.5);
    at->record.median_printed = at->printed.quantile(0.5);
  }
}

void WindowFold::add(WindowResult result) {
  expect_windows(result.window == windows_ + 1, BadInputKind::inconsistent,
                 fmt::format("window {} next", windows_ + 1),
                 fmt::format("window {}", result.window));
  check_shape(result);
  ++windows_;
  add_measured(result);
  add_claims(std::move(result.claims), result.window);
  add_comparisons(result);
}

std::vector<ClaimRecord> WindowFold::judged(ByName<std::string>& not_covered) const {
  std::vector<ClaimRecord> records;
  for (const ClaimRecord& record : claims_) {
    not_covered.erase(record.id);
    if (std::string lacks = lacking_rows(record); !lacks.empty()) {
      not_covered.emplace(record.id, std::move(lacks));
      continue;
    }
    records.push_back(record);
    rejudge(records.back());
  }
  return records;
}

Report WindowFold::report() const {
  Report report;
  Measurements& measured = report.inputs.emplace_back(total_);
  std::optional<WindowsRecord>& windows = measured.windows;
  const std::uint64_t all = windows ? windows->count : 1;
  expect_windows(windows_ == all, BadInputKind::missing, fmt::format("all {} of the run", all),
                 fmt::format("{}", windows_));
  report.claims = judged(measured.not_covered);
  for (const FoldedComparison& folded : comparisons_) report.comparisons.push_back(folded.record);
  expect_claims(report);
  if (windows_ == 1) return report;
  finish(measured.figures);
  for (PaperStatement& entry : measured.abstract) finish(entry);
  windows->quantile_error = kQuantileError;
  windows->confidence = kWindowConfidence;
  windows->replicates = kReplicates;
  return report;
}

void name_window(WindowResult& result, std::uint64_t window, const WindowsRecord& all) {
  result.window = window;
  result.measured.windows = all;
  if (all.count == 1) return;
  for_each_value<CaseRecord>(result.claims, [&](CaseRecord& kept) {
    kept.where = fmt::format("window {}, {}", window, kept.where);
  });
}

}  // namespace attn::report
