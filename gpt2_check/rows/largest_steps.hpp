#pragma once

#include <map>
#include <memory>
#include <vector>

#include "gpt2_check/experiments/gradient.hpp"
#include "reports/record/report.hpp"
#include "theory/claims/claim.hpp"

namespace attn::gpt2 {

/// The row of all heads in which a finite step of the logits moves the weights furthest, for each
/// temperature and step length: raised is the largest logit, lowered the second.
class LargestSteps {
 public:
  /// Takes the largest steps of one more head. Of two equal ones the earlier stays.
  void add(const std::shared_ptr<const Head>& head,
           const std::vector<TemperatureGradients>& gradients);

  /// The catalogue's claims on a finite step, decided on those rows, with their mutants.
  [[nodiscard]] std::vector<report::ClaimRecord> records(report::Stage stage) const;

 private:
  struct Place {
    double quotient{};
    std::shared_ptr<const Head> head;
    Eigen::Index row{};
  };
  [[nodiscard]] report::ClaimRecord record_of(const Claim& claim, report::Stage stage) const;
  static Case case_at(const Place& place, double temperature, double epsilon);

  std::map<std::pair<double, std::size_t>, Place> places_;  ///< by T and index of kStepLengths
};

}  // namespace attn::gpt2
