#include "gpt2_check/rows/row_mutants.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gpt2_check/heads/arrays.hpp"
#include "reports/judge/case_record.hpp"
#include "reports/judge/judge.hpp"
#include "reports/judge/tally.hpp"
#include "theory/attention/weights.hpp"
#include "theory/claims/decide.hpp"
#include "theory/claims/evaluation.hpp"
#include "theory/claims/evidence.hpp"

namespace attn::gpt2 {
namespace {

/// Small rows are cheap to decide exactly, and nearly all mutants fall on the first few.
constexpr Eigen::Index kMostTokens = 9;
/// The most cases for each mutant: a survivor costs about half a second.
constexpr std::uint64_t kMostCases = 500;

/// Whether a mutant's sides are others than the claim's: a term that is left out may be 0 here.
bool differ(const Claim& mutated, const Claim& original, const CaseContext& context) {
  if (mutated.kind != original.kind) return true;
  const Sides<ErrorDouble> ours = mutated.evaluators->filter(context);
  const Sides<ErrorDouble> theirs = original.evaluators->filter(context);
  return ours.lhs.value() != theirs.lhs.value() || ours.rhs.value() != theirs.rhs.value();
}

}  // namespace

MutantTrial::MutantTrial(const Mutant& mutant)
    : original(&attn::original(catalogue(), mutant)), mutated(as_mutated_claim(*original, mutant)) {
  record.id = mutant.id;
  record.change = mutant.change;
}

bool MutantTrial::open() const {
  return !record.caught && record.cases < kMostCases;
}

void MutantTrial::attempt(const CaseContext& context, const std::string& where) {
  const Decision decision = decide(mutated, context);
  const bool is_violated = decision.verdict == Verdict::violated;
  const bool says_nothing =
      !is_violated && (decision.verdict == Verdict::assumption_not_met || decision.lhs == 0 ||
                       !differ(mutated, *original, context));
  if (says_nothing) return;
  ++record.cases;
  if (!is_violated) return;
  record.caught = true;
  record.witness =
      report::case_record(certified(context.input(), certify(mutated, context.input()), where));
}

namespace {

/// Adds the trials of those mutants of a claim that are meant for rows of attention.
void add_trials(std::vector<MutantTrial>& trials, const Claim& claim) {
  for (const Mutant& mutant : claim.mutants) {
    if (mutant.on_rows) trials.emplace_back(mutant);
  }
}

}  // namespace

RowMutants::RowMutants(const std::vector<const Claim*>& claims) {
  for (const Claim* const claim : claims) add_trials(trials_, *claim);
}

KeptRows RowMutants::first_rows(const RowKeeper& keeper) {
  return keeper.keep(0, kMostTokens + 1);
}

void RowMutants::add(const Head& head, double temperature) {
  if (std::ranges::none_of(trials_, &MutantTrial::open)) return;
  const bool sees_many = head.mask.full || (head.mask.is_causal() && head.mask.shift > 1);
  if (sees_many) return add(cut_to_few_tokens(head, kMostTokens + 1), temperature);
  const Eigen::Index most = std::min(head.queries(), kMostTokens);
  for (Eigen::Index row = 0; row < most; ++row) {
    if (std::ranges::none_of(trials_, &MutantTrial::open)) return;
    try_row(head, {.row = row, .temperature = temperature});
  }
}

void RowMutants::try_row(const Head& head, const Row& row) {
  const Eigen::Index seen = head.tokens(row.row);
  if (seen < 2 || seen > kMostTokens || !head.has_weights(row.row)) return;
  const ExactRow exact(head, row);
  const auto logits = exact.case_of(InputKind::softmax_row, {.row = row});
  if (logits && all_logits_equal(CaseContext(*logits))) return;
  const auto try_case = [&](const InputKind& kind, const RowCase& at) {
    const auto is_tried = [&](const MutantTrial& trial) {
      return trial.mutated.kind == kind && trial.open();
    };
    if (std::ranges::none_of(trials_, is_tried)) return;
    const std::optional<Case> input = exact.case_of(kind, at);
    if (!input) return;
    const CaseContext context(*input);
    const std::string where = at.place(head, "tokens in a row");
    for (MutantTrial& trial : trials_) {
      if (is_tried(trial)) trial.attempt(context, where);
    }
  };
  const auto tokens = static_cast<std::size_t>(head.tokens(row.row));
  for (const InputKind& kind : kinds_without_set()) {
    for (const RowCase& at : variants_of(kind, row)) try_case(kind, at);
  }
  for (std::size_t n = 1; n < tokens; ++n) {
    const RowCase of_largest{.row = row, .n = n};
    for (const auto kind : {InputKind::top_n_embeddings, InputKind::random_set_embeddings,
                            InputKind::sphere_embeddings}) {
      try_case(kind, of_largest);
    }
    for (const InputKind& kind : kinds_with_any_set()) try_case(kind, of_largest);
    for (const std::size_t first : {std::size_t{0}, tokens - n}) {
      const RowCase in_a_row{.row = row, .n = n, .set = tokens_from(first, n)};
      try_case(InputKind::set_embeddings, in_a_row);
      for (const InputKind& kind : kinds_with_any_set()) try_case(kind, in_a_row);
    }
  }
}

std::vector<report::MutantRecord> RowMutants::records(std::string_view claim_id) const {
  std::vector<report::MutantRecord> found;
  for (const MutantTrial& trial : trials_) {
    if (trial.original->id == claim_id) found.push_back(trial.record);
  }
  return found;
}

LargestSteps::Rows LargestSteps::rows_of(const RowKeeper& keeper,
                                         const std::vector<TemperatureGradients>& gradients) {
  Rows rows;
  for (const TemperatureGradients& at : gradients) {
    for (const LargestStep& step : at.top) {
      if (step.quotient > 0) rows.try_emplace(step.row, keeper.keep(step.row, 1));
    }
  }
  return rows;
}

void LargestSteps::add(const Rows& rows, const std::vector<TemperatureGradients>& gradients) {
  for (const TemperatureGradients& at : gradients) {
    if (at.rows == 0) continue;
    for (std::size_t k = 0; k < kStepLengths.size(); ++k) {
      const LargestStep& step = at.top[k];
      if (!(step.quotient > 0)) continue;  // the weights of no row move by a double
      Place& place = places_[{at.temperature, k}];
      if (step.quotient > place.quotient) place = {step.quotient, step.row, rows.at(step.row)};
    }
  }
}

std::vector<report::ClaimRecord> LargestSteps::records(report::Stage stage) const {
  std::vector<report::ClaimRecord> records;
  for (const Claim& claim : catalogue()) {
    if (is_of_largest_steps(claim.kind)) records.push_back(record_of(claim, stage));
  }
  return records;
}

report::ClaimRecord LargestSteps::record_of(const Claim& claim, report::Stage stage) const {
  report::Tally tally(claim, stage);
  std::vector<MutantTrial> trials;
  add_trials(trials, claim);
  for (const auto& [at, place] : places_) {
    const Head head = place.kept.head();
    const Row row{.row = place.row, .temperature = at.first};
    const double epsilon = kStepLengths[at.second];
    const Eigen::VectorXd logits = raw_logits(head, place.row);
    const auto top = largest({logits.data(), static_cast<std::size_t>(logits.size())}, 2);
    const Case input = exact_step(head, row, epsilon, top[0], top[1]);
    const std::string where = fmt::format("layer {}, head {}, row {}, T {}, epsilon {}", head.layer,
                                          head.head, row.row, row.temperature, epsilon);
    const Decision decision = decide_beyond(claim, input, tally.counts().max_ratio);
    tally.add(decision, [&] { return std::pair(input, where); });
    for (MutantTrial& trial : trials) {
      if (trial.open()) trial.attempt(CaseContext(input), where);
    }
  }
  report::ClaimRecord record = tally.record(certify(claim, tally.kept()));
  for (const MutantTrial& trial : trials) record.mutants.push_back(trial.record);
  report::rejudge(record);
  return record;
}

}  // namespace attn::gpt2
