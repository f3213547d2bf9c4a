#pragma once

#include <string>
#include <vector>

#include "reports/record/report.hpp"

namespace attn::report {

/// Where cases are from: a stage and, of real input, which one.
struct Source {
  Stage stage{};
  std::string input{};
  // NOLINTNEXTLINE(modernize-use-nullptr): a defaulted comparison compares with 0, not this code
  auto operator<=>(const Source&) const = default;
};

Source source_of(const ClaimRecord& record);

/// The stages that left a record, in their order.
std::vector<Stage> stages_of(const Report& report);

/// The sources that left a record: stages in their order, the inputs of each as the report has
/// them.
std::vector<Source> sources_of(const Report& report);

/// "synthetic", "gpt2, tiny".
std::string source_words(const Source& source);

}  // namespace attn::report
