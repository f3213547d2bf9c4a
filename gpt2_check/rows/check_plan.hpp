#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "gpt2_check/activations/source.hpp"
#include "gpt2_check/experiments/head_measures.hpp"
#include "reports/record/report.hpp"

namespace attn::gpt2 {

/// What is checked and measured of every head.
struct CheckPlan {
  report::Stage stage{report::Stage::gpt2};
  Embedding embedding{Embedding::value};
  MeasurePlan measures;
  std::vector<double> temperatures;  ///< at which the claims are decided; the experiments take the
                                     ///< first one. Empty: the model's own T
};

/// Told how many of all heads of a source are done.
using Progress = std::function<void(std::int64_t done, std::int64_t all)>;

}  // namespace attn::gpt2
