#include "gpt2_check/rows/largest_steps.hpp"

#include <fmt/format.h>

#include "gpt2_check/heads/arrays.hpp"
#include "gpt2_check/rows/row_mutants.hpp"
#include "reports/judge/judge.hpp"
#include "reports/judge/tally.hpp"
#include "theory/claims/catalogue.hpp"

namespace attn::gpt2 {

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
