#include "reports/record/source.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace attn::report {

Source source_of(const ClaimRecord& record) {
  return {record.stage, record.input};
}

std::vector<Stage> stages_of(const Report& report) {
  std::vector<Stage> stages;
  for (const auto& [stage, word] : Words<Stage>::kTable) {
    const auto is_of_stage = [stage = stage](const ClaimRecord& record) {
      return record.stage == stage;
    };
    if (std::ranges::any_of(report.claims, is_of_stage)) stages.push_back(stage);
  }
  return stages;
}

std::vector<Source> sources_of(const Report& report) {
  std::vector<Source> sources;
  for (const ClaimRecord& record : report.claims) {
    const Source source = source_of(record);
    if (std::ranges::find(sources, source) == sources.end()) sources.push_back(source);
  }
  std::ranges::stable_sort(sources, {}, &Source::stage);
  return sources;
}

std::string source_words(const Source& source) {
  const std::string stage(to_string(source.stage));
  return source.input.empty() ? stage : fmt::format("{}, {}", stage, source.input);
}

}  // namespace attn::report
