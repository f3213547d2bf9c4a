#include "reports/windows/folded_claims.hpp"

#include <algorithm>

#include "reports/judge/judge.hpp"
#include "reports/judge/tally.hpp"

namespace attn::report {
namespace {

/// A mutant that was caught is searched no further.
void join(MutantRecord& into, const MutantRecord& next) {
  if (into.caught) return;
  into.cases += next.cases;
  into.caught = next.caught;
  into.witness = next.witness;
}

/// All but the worst case.
void join(ClaimRecord& into, const ClaimRecord& next) {
  add_counts(into, next);
  if (!into.smallest_witness) into.smallest_witness = next.smallest_witness;
  if (!into.first_undecided) into.first_undecided = next.first_undecided;
  for (std::size_t m = 0; m < next.mutants.size(); ++m) {
    join(into.mutants.at(m), next.mutants[m]);
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

}  // namespace

void FoldedClaims::add(const WindowResult& result) {
  for (const ClaimRecord& record : result.claims) {
    const auto at = std::ranges::find(
        claims_, record.id, [](const Folded& folded) -> const auto& { return folded.record.id; });
    if (at == claims_.end()) {
      claims_.push_back({record, result.window, result.words});
      continue;
    }
    join(at->record, record);
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
    const Quantiles sharp(next.sharp_ratios);
    const Quantiles printed(next.printed_ratios);
    if (at == comparisons_.end()) {
      comparisons_.push_back({next, sharp, printed});
      continue;
    }
    at->record.cases += next.cases;
    at->record.tighter += next.tighter;
    at->record.as_tight += next.as_tight;
    at->record.looser += next.looser;
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
    record.median_sharp = folded.sharp.at(folded.sharp.count() / 2);
    record.median_printed = folded.printed.at(folded.printed.count() / 2);
  }
  return records;
}

std::vector<NamedWindow> FoldedClaims::worst() const {
  std::map<std::uint64_t, NamedWindow> by_window;
  for (const Folded& folded : claims_) {
    if (!folded.record.max_ratio) continue;
    NamedWindow& window = by_window[folded.worst_window];
    window.window = folded.worst_window;
    window.words = folded.worst_words;
    window.claims.push_back(folded.record.id);
  }
  std::vector<NamedWindow> found;
  found.reserve(by_window.size());
  for (auto& [number, window] : by_window) found.push_back(std::move(window));
  std::ranges::stable_sort(found, std::ranges::greater{},
                           [](const NamedWindow& window) { return window.claims.size(); });
  return found;
}

}  // namespace attn::report
