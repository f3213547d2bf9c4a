#pragma once

#include <string>
#include <vector>

#include "gpt2_check/activations/source.hpp"
#include "gpt2_check/rows/check_plan.hpp"
#include "gpt2_check/rows/head_result.hpp"
#include "gpt2_check/rows/largest_steps.hpp"
#include "gpt2_check/rows/row_mutants.hpp"
#include "reports/record/report.hpp"

namespace attn::gpt2 {

/// The claims on rows that a source of this shape can speak to.
std::vector<const Claim*> claims_on_rows(const ActivationShape& shape, const CheckPlan& plan);

/// What the heads of a source show together, joined one after the other in their order.
class AllHeads {
 public:
  /// `plan` must outlive it.
  AllHeads(const CheckPlan& plan, ActivationShape shape);

  /// claims_on_rows() of its source.
  [[nodiscard]] const std::vector<const Claim*>& claims() const { return claims_; }

  /// A layer, before its heads.
  void begin(const LayerRows& layer);

  /// The next head; `temperature`: the model's own in its layer.
  void join(HeadResult head, double temperature);

  /// Of all heads. The number of the window and its words are the caller's.
  report::WindowResult result(const std::string& model);

 private:
  [[nodiscard]] report::ClaimRecord with_mutants(report::ClaimRecord record) const;
  report::Measurements measurements(std::string model);

  const CheckPlan& plan_;
  ActivationShape shape_;
  std::vector<const Claim*> claims_;
  std::vector<report::Tally> total_;
  std::vector<BoundPair> pairs_;
  LargestSteps steps_;
  RowMutants mutants_;  ///< at the model's own temperature, which no option changes
  std::vector<HeadMeasures> measures_;
  std::vector<report::HeadRecord> records_;
  /// A pattern recorded beside q and k shows whether softmax(q.k/T) is what the model computed.
  std::vector<double> differences_;
  RecordedWeights recorded_;
};

}  // namespace attn::gpt2
