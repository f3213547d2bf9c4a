#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "gpt2_check/rows/check_plan.hpp"
#include "gpt2_check/rows/run.hpp"
#include "theory/base/progress.hpp"
#include "theory/units/unit.hpp"

namespace attn::gpt2 {

/// What a source shows, under the name of the input of a run.
report::WindowResult under_the_name(report::WindowResult result, const ActivationSource& source,
                                    const RunOptions& options);

/// The windows of a text, each a unit of work.
class WindowUnits {
 public:
  /// The first two must outlive it. `windows`: counted from 0, ascending.
  WindowUnits(const RunOptions& options, const CheckPlan& plan, std::vector<std::uint64_t> windows);

  [[nodiscard]] units::Unit of(std::uint64_t window) const;

  /// Every window, in order.
  [[nodiscard]] std::vector<units::Unit> whole() const;

  /// The result of a unit.
  units::Result compute(const std::string& input);

  /// That so many windows are done, by whatever rank.
  void show_done(std::uint64_t windows);

 private:
  [[nodiscard]] CheckPlan plan_of(std::uint64_t window) const;
  [[nodiscard]] std::string text_of(std::uint64_t window, report::WindowResult result,
                                    const ActivationSource& source) const;
  void show_heads(std::int64_t done, std::int64_t all);

  const RunOptions& options_;
  const CheckPlan& plan_;
  std::vector<std::uint64_t> windows_;
  std::atomic<std::uint64_t> done_{0};
  ProgressLine progress_;
};

}  // namespace attn::gpt2
