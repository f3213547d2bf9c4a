#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/record/measurements.hpp"

namespace attn::report {

/// One number measured on real input.
struct MeasuredValue {
  std::string measure;          ///< what it measures: "distance by length: bound"
  std::string place;            ///< where, in no other value of the measure: "L 32, N 5"
  std::optional<double> value;  ///< of a spread over the heads its mean
};

/// The numbers of the figures, in their order.
std::vector<MeasuredValue> figure_values(const Figures& figures);

/// What was measured on each head, and the claims on its rows, in the order of the heads.
std::vector<MeasuredValue> head_values(const std::vector<HeadRecord>& heads);

}  // namespace attn::report
