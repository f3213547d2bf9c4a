#pragma once

#include <nlohmann/json.hpp>

#include "reports/record/report.hpp"

namespace attn::report {

/// A real-input block with every figure of the contract, for so many layers and heads a layer. The
/// numbers are made up but have the shape of measured ones: ranges in order, shares in [0, 1],
/// lengths without a critical N, lower bounds below 0.
nlohmann::json sample_measurements(unsigned layers, unsigned heads);

/// The block of a report that has it as `gpt2`. Throws BadInput as reading the report does.
Measurements measurements_from(const nlohmann::json& block);

}  // namespace attn::report
