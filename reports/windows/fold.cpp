#include "reports/windows/fold.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>
#include <set>

#include "reports/judge/judge.hpp"
#include "reports/record/walk.hpp"
#include "theory/base/bad_input.hpp"

namespace attn::report {
namespace {

/// A mutant that was caught is searched no further.
void join_mutant(MutantRecord& into, const MutantRecord& next) {
  if (into.caught) return;
  into.cases += next.cases;
  into.caught = next.caught;
  into.witness = next.witness;
}

/// All but the worst case.
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

/// A report without any claim would say nothing, and could be taken for one that found nothing.
void expect_claims(const Report& report) {
  if (!report.claims.empty()) return;
  const Measurements& measured = report.inputs.front();
  const auto needs = std::views::values(measured.not_covered);
  const std::set<std::string> each(needs.begin(), needs.end());
  throw BadInput({.kind = BadInputKind::unsupported,
                  .where = measured.input,
                  .expected = "an input of which some claim can be decided",
                  .found = fmt::format("none: claims need {}", fmt::join(each, "; ")),
                  .advice = "record values and queries and keys, or scores, as well"});
}

}  // namespace

void FoldedClaims::add(const WindowResult& result) {
  for (const ClaimRecord& record : result.claims) {
    const auto at = std::ranges::find(
        claims_, record.id, [](const Folded& folded) -> const auto& { return folded.record.id; });
    if (at == claims_.end()) {
      claims_.push_back({record, result.window, result.words});
      continue;
    }
    join_claim(at->record, record, result.window);
    if (record.max_ratio && (!at->record.max_ratio || *record.max_ratio > *at->record.max_ratio)) {
      at->record.max_ratio = record.max_ratio;
      at->record.worst = record.worst;
      at->worst_window = result.window;
      at->worst_words = result.words;
    }
  }
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
    at->is_one = false;
  }
}

std::vector<ClaimRecord> FoldedClaims::records(
    std::map<std::string, std::string>& not_covered) const {
  std::vector<ClaimRecord> records;
  for (const Folded& folded : claims_) {
    not_covered.erase(folded.record.id);
    if (std::string lacks = lacking_rows(folded.record); !lacks.empty()) {
      not_covered.emplace(folded.record.id, std::move(lacks));
      continue;
    }
    records.push_back(folded.record);
    rejudge(records.back());
  }
  return records;
}

std::vector<ComparisonRecord> FoldedClaims::comparisons() const {
  std::vector<ComparisonRecord> records;
  for (const FoldedComparison& folded : comparisons_) {
    ComparisonRecord& record = records.emplace_back(folded.record);
    if (folded.is_one) continue;
    record.median_sharp = folded.sharp.quantile(0.5);
    record.median_printed = folded.printed.quantile(0.5);
  }
  return records;
}

std::vector<NamedWindow> FoldedClaims::worst() const {
  std::map<std::uint64_t, NamedWindow> by_window;
  for (const auto& [record, window, words] : claims_) {
    if (!record.max_ratio) continue;
    NamedWindow& named = by_window[window];
    named.window = window;
    named.words = words;
    named.claims.push_back(record.id);
  }
  const auto values = std::views::values(by_window);
  std::vector<NamedWindow> found(values.begin(), values.end());
  std::ranges::stable_sort(found, std::ranges::greater{},
                           [](const NamedWindow& window) { return window.claims.size(); });
  return found;
}

void WindowFold::add(const WindowResult& result) {
  expect_windows(result.window == windows_ + 1, BadInputKind::inconsistent,
                 fmt::format("window {} next", windows_ + 1),
                 fmt::format("window {}", result.window));
  measurements_.add(result);
  claims_.add(result);
  ++windows_;
}

Report WindowFold::report() const {
  Report report;
  Measurements& measured = report.inputs.emplace_back(measurements_.measurements());
  report.claims = claims_.records(measured.not_covered);
  report.comparisons = claims_.comparisons();
  std::optional<WindowsRecord>& windows = measured.windows;
  const std::uint64_t all = windows ? windows->count : 1;
  expect_windows(windows_ == all, BadInputKind::missing, fmt::format("all {} of the run", all),
                 fmt::format("{}", windows_));
  expect_claims(report);
  if (windows_ > 1) {
    windows->quantile_error = kQuantileError;
    windows->confidence = kWindowConfidence;
    windows->replicates = kReplicates;
    windows->worst = claims_.worst();
  }
  return report;
}

void name_window(WindowResult& result, std::uint64_t window, std::string words,
                 const WindowsRecord& all) {
  result.window = window;
  result.words = std::move(words);
  result.measured.windows = all;
  if (all.count == 1) return;
  for_each_value<CaseRecord>(result.claims, [&](CaseRecord& kept) {
    kept.where = fmt::format("window {}, {}", window, kept.where);
  });
}

}  // namespace attn::report
