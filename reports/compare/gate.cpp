#include "reports/compare/gate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>

#include "reports/text/format.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/claims/coq.hpp"

namespace attn::report {
namespace {

/// `report` without its undecided cases, wherever others were decided.
Report without_undecided(Report report) {
  for (ClaimRecord& record : report.claims) {
    if (decided_cases(record) == 0) continue;
    record.undecided = record.sampled_open;
    rejudge(record);
  }
  return report;
}

void check_stage(const Report& report, Stage stage, std::vector<Failure>& found) {
  const auto of_stage = [&](const ClaimRecord& record) {
    return record.stage == stage && record.outcome != Outcome::missing;
  };
  if (std::ranges::any_of(report.claims, of_stage)) return;
  found.push_back({"every claim", Source{.stage = stage}, Outcome::missing,
                   "the stage is required, but the report has no record of it"});
}

/// Without mutants on rows of real input none of them could survive.
void check_rows(const Report& report, std::vector<Failure>& found) {
  const auto of_rows = [](const ClaimRecord& record) {
    return record.stage != Stage::synthetic && !record.mutants.empty();
  };
  if (std::ranges::any_of(report.claims, of_rows)) return;
  found.push_back({"every claim", Source{.stage = Stage::gpt2}, Outcome::missing,
                   "mutants are to be caught on real rows, but the report has none of those"});
}

/// One failure for each input whose pattern is not what its logits make.
void check_patterns(const Report& report, std::vector<Failure>& found) {
  for (const Measurements& measured : report.inputs) {
    if (measured.contradicted_layers.empty()) continue;
    found.push_back({"every claim", Source{.stage = Stage::activations, .input = measured.input},
                     Outcome::unexpected,
                     fmt::format("the recorded pattern differs from softmax(l/T) in layers {}: "
                                 "--allow-mismatch lets verdicts on the pattern pass",
                                 fmt::join(measured.contradicted_layers, ", "))});
  }
}

/// One failure for each claim with a verdict whose status no theorem of theory/proofs states. A
/// claim of another catalogue than the paper's has none.
void check_proofs(const Report& report, std::vector<Failure>& found) {
  std::set<std::string_view> without;
  for (const ClaimRecord& record : report.claims) {
    const bool is_checked = !report.catalogue && coq_proof(record.id, record.status);
    if (decided_cases(record) == 0 || is_checked) continue;
    if (!without.insert(record.id).second) continue;
    found.push_back({record.id,
                     {},
                     Outcome::unexpected,
                     "a proof checked by Coq is required, but people alone have read it",
                     record.replay});
  }
}

}  // namespace

std::uint64_t undecided_cases(const Report& report) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t cases = 0;
  for (const ClaimRecord& record : report.claims) {
    cases += std::min(undecided_cases(record), kMost - cases);  // never around to a small number
  }
  return cases;
}

std::vector<Failure> gate_failures(const Report& report, const Conditions& conditions) {
  const std::uint64_t undecided = undecided_cases(report);
  const auto& most = conditions.most_undecided;
  const bool tolerated = most && undecided <= *most;
  const Report judged = tolerated ? without_undecided(report) : report;

  std::vector<Failure> found = failures(judged);
  for (Failure& failure : found) {
    if (!most || failure.outcome != Outcome::undecided) continue;
    failure.reason += tolerated ? "; tolerated only where other cases are decided"
                                : fmt::format("; {} in all, at most {} are tolerated",
                                              grouped(undecided), grouped(*most));
  }
  for (const Stage stage : conditions.stages) check_stage(report, stage, found);
  if (!conditions.mismatch_allowed) check_patterns(report, found);
  if (conditions.caught_on_rows) {
    check_rows(report, found);
    std::ranges::move(survivors_on_rows(report), std::back_inserter(found));
  }
  if (conditions.proofs_checked) check_proofs(report, found);
  if (conditions.baseline) {
    std::ranges::move(worse_than(*conditions.baseline, judged), std::back_inserter(found));
  }
  std::ranges::stable_partition(found, is_grave, &Failure::outcome);
  return found;
}

}  // namespace attn::report
