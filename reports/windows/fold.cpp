#include "reports/windows/fold.hpp"

#include <fmt/format.h>

#include "theory/base/bad_input.hpp"

namespace attn::report {

void WindowFold::add(const WindowResult& result) {
  if (result.window != windows_ + 1) {
    throw BadInput({.kind = BadInputKind::inconsistent,
                    .where = "windows",
                    .expected = fmt::format("window {} next", windows_ + 1),
                    .found = fmt::format("window {}", result.window),
                    .advice = "give every window of the run once"});
  }
  measurements_.add(result);
  claims_.add(result);
  ++windows_;
}

Report WindowFold::report() const {
  Report report;
  report.gpt2 = measurements_.measurements();
  report.claims = claims_.records(report.gpt2->not_covered);
  report.comparisons = claims_.comparisons();
  std::optional<WindowsRecord>& windows = report.gpt2->windows;
  const std::uint64_t all = windows ? windows->count : 1;
  if (windows_ != all) {
    throw BadInput({.kind = BadInputKind::missing,
                    .where = "windows",
                    .expected = fmt::format("all {} of the run", all),
                    .found = fmt::format("{}", windows_),
                    .advice = "give every window of the run once"});
  }
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
  const auto name = [&](std::optional<CaseRecord>& kept) {
    if (kept) kept->where = fmt::format("window {}, {}", result.window, kept->where);
  };
  for (ClaimRecord& record : result.claims) {
    name(record.worst);
    name(record.smallest_witness);
    name(record.first_undecided);
    for (MutantRecord& mutant : record.mutants) name(mutant.witness);
  }
}

}  // namespace attn::report
