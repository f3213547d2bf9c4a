#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/record/report.hpp"

namespace attn::report {

/// The counts of one claim, added up over the inputs of real attention.
struct Total {
  std::string id;
  Status status;
  std::size_t inputs{};  ///< with at least one case
  std::uint64_t cases{}, violated{}, undecided{}, assumption_not_met{};
  std::optional<double> max_ratio{};  ///< the largest of all inputs
  std::string worst_input{};          ///< whose that is
};

/// Of each claim with a record of real attention, in the report's order. The inputs are counted as
/// they are: one with more rows weighs more.
std::vector<Total> totals_over_inputs(const Report& report);

}  // namespace attn::report
