#include "gpt2_check/rows/row_mutants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "gpt2_check/heads/arrays.hpp"
#include "reports/judge/judge.hpp"
#include "reports/judge/tally.hpp"
#include "theory/attention/case_context.hpp"
#include "theory/claims/decide.hpp"
#include "theory/claims/evaluation.hpp"

namespace attn::gpt2 {
namespace {

/// Small rows are cheap to decide exactly, and nearly all mutants fall on the first few.
constexpr Eigen::Index kMostTokens = 9;
/// For each mutant: a survivor costs about half a second.
constexpr std::uint64_t kMostCases = 500;

bool all_equal(const std::vector<Rational>& values) {
  return std::ranges::adjacent_find(values, std::not_equal_to<>()) == values.end();
}

std::vector<std::size_t> tokens_from(std::size_t first, std::size_t count) {
  std::vector<std::size_t> tokens(count);
  std::iota(tokens.begin(), tokens.end(), first);
  return tokens;
}

}  // namespace

MutantTrial::MutantTrial(const Mutant& mutant)
    : original_(&original(catalogue(), mutant)), mutated_(as_mutated_claim(*original_, mutant)) {
  record_.id = mutant.id;
  record_.change = mutant.change;
}

/// Whether its sides are others than the claim's: a term that is left out may be 0 here.
bool MutantTrial::differs_from_claim(const CaseContext& problem) const {
  if (mutated_.kind != original_->kind) return true;
  const Sides<ErrorDouble> ours = mutated_.evaluators->filter(problem);
  const Sides<ErrorDouble> theirs = original_->evaluators->filter(problem);
  return ours.lhs.value() != theirs.lhs.value() || ours.rhs.value() != theirs.rhs.value();
}

bool MutantTrial::open() const {
  return !record_.caught && record_.cases < kMostCases;
}

void MutantTrial::attempt(const Case& input, const std::string& where) {
  const CaseContext problem(input);
  const Decision decision = decide(mutated_, problem);
  const bool is_violated = decision.verdict == Verdict::violated;
  const bool says_nothing = !is_violated && (decision.verdict == Verdict::assumption_not_met ||
                                             decision.lhs == 0 || !differs_from_claim(problem));
  if (says_nothing) return;
  ++record_.cases;
  if (!is_violated) return;
  record_.caught = true;
  record_.witness = report::case_record(input, certify(mutated_, input), where);
}

std::vector<MutantTrial> row_trials(const Claim& claim) {
  std::vector<MutantTrial> trials;
  for (const Mutant& mutant : claim.mutants) {
    if (mutant.on_rows) trials.emplace_back(mutant);
  }
  return trials;
}

RowMutants::RowMutants(const std::vector<const Claim*>& claims) {
  for (const Claim* const claim : claims) {
    for (MutantTrial& trial : row_trials(*claim)) trials_.push_back(std::move(trial));
  }
}

void RowMutants::add(const Head& head, double temperature) {
  if (std::ranges::none_of(trials_, &MutantTrial::open)) return;
  if (head.mask.full) return add(cut_to_own_token(head), temperature);
  const Eigen::Index most = std::min(head.positions(), kMostTokens);
  for (Eigen::Index row = 1; row < most; ++row) {
    if (std::ranges::none_of(trials_, &MutantTrial::open)) return;
    try_row(head, {.row = row, .temperature = temperature});
  }
}

void RowMutants::try_row(const Head& head, const Row& row) {
  const Eigen::Index seen = head.tokens(row.row);
  if (seen < 2 || seen > kMostTokens || !head.has_weights(row.row)) return;
  if (head.has_logits(row.row) && all_equal(exact_logits(head, row).logits)) return;
  const auto tokens = static_cast<std::size_t>(head.tokens(row.row));
  for (const InputKind& kind : kinds_without_set()) {
    try_case(head, kind, {.row = row, .n = 0, .set = {}});
  }
  for (std::size_t n = 1; n < tokens; ++n) {
    const RowCase of_largest{.row = row, .n = n, .set = {}};
    for (const auto kind : {InputKind::top_n_embeddings, InputKind::random_set_embeddings,
                            InputKind::sphere_embeddings}) {
      try_case(head, kind, of_largest);
    }
    for (const InputKind& kind : kinds_with_any_set()) try_case(head, kind, of_largest);
    for (const std::size_t first : {std::size_t{0}, tokens - n}) {
      const RowCase in_a_row{.row = row, .n = n, .set = tokens_from(first, n)};
      try_case(head, InputKind::set_embeddings, in_a_row);
      for (const InputKind& kind : kinds_with_any_set()) try_case(head, kind, in_a_row);
    }
  }
}

bool RowMutants::any_open(const InputKind& kind) const {
  return std::ranges::any_of(
      trials_, [&](const MutantTrial& trial) { return trial.kind() == kind && trial.open(); });
}

void RowMutants::try_case(const Head& head, const InputKind& kind, const RowCase& at) {
  if (!any_open(kind) || !gives_case(head, kind, at)) return;
  const Case input = exact_case(head, kind, at);
  const std::string where = at.place(head, "tokens in a row");
  for (MutantTrial& trial : trials_) {
    if (trial.kind() == kind && trial.open()) trial.attempt(input, where);
  }
}

std::vector<report::MutantRecord> RowMutants::records(std::string_view claim_id) const {
  std::vector<report::MutantRecord> found;
  for (const MutantTrial& trial : trials_) {
    if (trial.claim_id() == claim_id) found.push_back(trial.record());
  }
  return found;
}

void LargestSteps::add(const std::shared_ptr<const Head>& head,
                       const std::vector<TemperatureGradients>& gradients) {
  for (const TemperatureGradients& at : gradients) {
    if (at.rows == 0) continue;
    for (std::size_t k = 0; k < kStepLengths.size(); ++k) {
      const LargestStep& step = at.top[k];
      if (!(step.quotient > 0)) continue;  // the weights of no row move by a double
      Place& place = places_[{at.temperature, k}];
      if (!place.head || step.quotient > place.quotient) place = {step.quotient, head, step.row};
    }
  }
}

std::vector<report::ClaimRecord> LargestSteps::records(report::Stage stage) const {
  std::vector<report::ClaimRecord> records;
  for (const Claim& claim : catalogue()) {
    if (claim.kind == InputKind::softmax_direction) records.push_back(record_of(claim, stage));
  }
  return records;
}

report::ClaimRecord LargestSteps::record_of(const Claim& claim, report::Stage stage) const {
  report::Tally tally(claim, stage);
  std::vector<MutantTrial> trials = row_trials(claim);
  for (const auto& [at, place] : places_) {
    const auto& [temperature, k] = at;
    const Case input = case_at(place, temperature, kStepLengths[k]);
    const std::string where =
        fmt::format("layer {}, head {}, row {}, T {}, epsilon {}", place.head->layer,
                    place.head->head, place.row, temperature, kStepLengths[k]);
    tally.add(decide(claim, input), [&] { return std::pair(input, where); });
    for (MutantTrial& trial : trials) {
      if (trial.open()) trial.attempt(input, where);
    }
  }
  report::ClaimRecord record = tally.record();
  for (const MutantTrial& trial : trials) record.mutants.push_back(trial.record());
  report::rejudge(record);
  return record;
}

Case LargestSteps::case_at(const Place& place, double temperature, double epsilon) {
  const Head& head = *place.head;
  const Eigen::VectorXd logits = raw_logits(head, place.row);
  const auto top = largest({logits.data(), static_cast<std::size_t>(logits.size())}, 2);
  return exact_step(head, {.row = place.row, .temperature = temperature}, epsilon, top[0], top[1]);
}

}  // namespace attn::gpt2
