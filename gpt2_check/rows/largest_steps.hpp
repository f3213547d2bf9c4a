#pragma once

#include <map>
#include <memory>
#include <vector>

#include "gpt2_check/experiments/gradient.hpp"
#include "reports/record/report.hpp"

namespace attn::gpt2 {

/// The row of all heads in which a finite step of the logits moves the weights furthest, for each
/// temperature and step length: raised is the largest logit, lowered the second.
class LargestSteps {
 public:
  /// Takes the largest steps of one more head. Of two equal ones the earlier stays.
  void add(const std::shared_ptr<const Head>& head,
           const std::vector<TemperatureGradients>& gradients);

  /// The claims on a finite step, corollary3.step.printed and corollary3.step, decided on those
  /// rows.
  [[nodiscard]] std::vector<report::ClaimRecord> records(report::Stage stage) const;

 private:
  struct Place {
    double quotient{};
    std::shared_ptr<const Head> head;
    Eigen::Index row{};
  };
  std::map<std::pair<double, std::size_t>, Place> places_;  ///< by T and index of kStepLengths
};

}  // namespace attn::gpt2
