#include "gpt2_check/rows/largest_steps.hpp"

#include <fmt/format.h>

#include "gpt2_check/heads/largest.hpp"
#include "gpt2_check/rows/row.hpp"
#include "reports/judge/tally.hpp"
#include "theory/claims/catalogue.hpp"

namespace attn::gpt2 {

void LargestSteps::add(const std::shared_ptr<const Head>& head,
                       const std::vector<TemperatureGradients>& gradients) {
  for (const TemperatureGradients& at : gradients) {
    for (std::size_t k = 0; k < kStepLengths.size(); ++k) {
      Place& place = places_[{at.temperature, k}];
      if (!place.head || at.top[k].quotient > place.quotient) {
        place = {at.top[k].quotient, head, at.top[k].row};
      }
    }
  }
}

std::vector<report::ClaimRecord> LargestSteps::records(report::Stage stage) const {
  std::vector<report::ClaimRecord> records;
  for (const char* id : {"corollary3.step.printed", "corollary3.step"}) {
    const Claim& claim = find_claim(id);
    report::Tally tally(claim, stage);
    for (const auto& [at, place] : places_) {
      const auto& [temperature, k] = at;
      const Head& head = *place.head;
      const Eigen::VectorXd logits =
          head.k.topRows(place.row + 1) * head.q.row(place.row).transpose();
      const auto top = largest({logits.data(), static_cast<std::size_t>(logits.size())}, 2);
      const Case input = exact_step(head, {.row = place.row, .temperature = temperature},
                                    kStepLengths[k], top[0], top[1]);
      tally.add(decide(claim, input), [&] {
        return std::pair(
            input, fmt::format("layer {}, head {}, row {}, T {}, epsilon {}", head.layer, head.head,
                               place.row, temperature, kStepLengths[k]));
      });
    }
    records.push_back(tally.record());
  }
  return records;
}

}  // namespace attn::gpt2
