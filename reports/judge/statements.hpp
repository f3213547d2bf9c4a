#pragma once

#include <optional>
#include <string_view>

namespace attn::report {

/// The interval of an estimate.
struct Found {
  double low{}, high{};
};

/// Whether what was measured agrees with a statement of the abstract, by the statement's id: true
/// where the whole interval lies in what is stated, false where it lies wholly outside, empty where
/// it does neither or has a NaN. `largest`: of the gradient, which says something of every row, the
/// largest value of all; one above what is stated does not agree.
std::optional<bool> agreement(std::string_view id, const Found& found,
                              std::optional<double> largest = {});

}  // namespace attn::report
