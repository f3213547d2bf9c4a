#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <vector>

#include "properties/generators/classes.hpp"
#include "reports/record/report.hpp"

namespace attn::properties {

/// Counts how many of the cases drawn belong to each input class.
class Coverage {
 public:
  explicit Coverage(std::span<const InputClass> classes)
      : classes_(classes), counts_(classes.size()) {}

  void add(const CaseFeatures& profile);

  /// Adds the counts of `other`, of other cases and the same classes.
  void merge(const Coverage& other);

  /// The counts as JSON, and the coverage that wrote `json`. Throws BadInput for what none of these
  /// classes wrote.
  [[nodiscard]] nlohmann::json to_json() const;
  static Coverage from_json(std::span<const InputClass> classes, const nlohmann::json& json);

  /// One record a class: its share of all cases, with its Clopper-Pearson interval at
  /// report::kClassConfidence. A class is covered where the lower end is at least its least share.
  [[nodiscard]] std::vector<report::ClassRecord> records() const;

 private:
  std::span<const InputClass> classes_;
  std::vector<std::uint64_t> counts_;
  std::uint64_t cases_{0};
};

}  // namespace attn::properties
