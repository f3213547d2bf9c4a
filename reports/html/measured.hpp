#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace attn::report {

/// The figures that a real-input stage supplies, each an array of points: drawn where the points
/// have series summed up as {"mean", "q1", "q3"}, else the table of their plain values.
std::string measured_figures(const nlohmann::json& figures);

/// A plain JSON value as a reader wants it: numbers grouped or rounded, null as "-".
std::string scalar_text(const nlohmann::json& value);

}  // namespace attn::report
