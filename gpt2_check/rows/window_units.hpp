#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpt2_check/rows/check_plan.hpp"
#include "gpt2_check/rows/run.hpp"
#include "gpt2_check/rows/window_by_layers.hpp"
#include "theory/base/progress.hpp"
#include "theory/units/parts.hpp"
#include "theory/units/unit.hpp"

namespace attn::gpt2 {

/// What a source shows, under the name of the input of a run.
report::WindowResult under_the_name(report::WindowResult result, const ActivationSource& source,
                                    const RunOptions& options);

/// The windows of a text, each a unit of work, or as many units as it has layers.
class WindowUnits {
 public:
  /// The first two must outlive it. `windows`: counted from 0, ascending.
  WindowUnits(const RunOptions& options, const CheckPlan& plan, std::vector<std::uint64_t> windows);

  [[nodiscard]] units::Unit of(std::uint64_t window) const;
  [[nodiscard]] units::Unit of(std::uint64_t window, std::int64_t layer) const;

  /// Every window, in order.
  [[nodiscard]] std::vector<units::Unit> whole() const;

  /// The result of a unit: of a layer it is not kept.
  units::Result compute(const std::string& input);

  /// Joins what the next layer of a window showed; the result of the window with its last one.
  std::optional<std::string> join(std::uint64_t window, const std::string& text);

  /// That so many windows are done, by whatever rank.
  void show_done(std::uint64_t windows);

 private:
  [[nodiscard]] CheckPlan plan_of(std::uint64_t window) const;
  [[nodiscard]] std::string text_of(std::uint64_t window, report::WindowResult result,
                                    const ActivationSource& source) const;
  std::string layer_text(std::uint64_t window, std::int64_t layer, const Progress& show);
  void show_heads(std::int64_t done, std::int64_t all);

  struct OpenWindow {
    OpenWindow(std::uint64_t of, std::unique_ptr<ActivationSource> source, CheckPlan plan)
        : window(of), checks(std::move(source), std::move(plan)) {}
    std::uint64_t window;
    LayerChecks checks;
  };

  const RunOptions& options_;
  const CheckPlan& plan_;
  std::vector<std::uint64_t> windows_;
  std::optional<OpenWindow> open_{};  ///< whose layers this rank checks
  std::map<std::uint64_t, std::unique_ptr<JoinedLayers>> joined_{};
  std::atomic<std::uint64_t> done_{0};
  ProgressLine progress_{ProgressUnit::items};
};

/// The windows one after the other, the last `cut` of them as their layers: what rank 0 hands out,
/// and what it gives to `in_order` as a window is whole. What it is made of must outlive it.
class WindowPlan {
 public:
  WindowPlan(WindowUnits& units, const std::vector<std::uint64_t>& windows, std::size_t cut,
             std::int64_t layers, units::Parts& parts, const units::Plan& in_order);

  [[nodiscard]] units::Plan plan();

 private:
  struct Layer {
    std::uint64_t window;
    std::int64_t layer;
  };
  /// The layers of a window that have come and wait for one before them.
  struct Early {
    std::int64_t joined{0};
    std::map<std::int64_t, std::string> texts{};
  };

  void take(const Layer& layer, std::string text);

  WindowUnits& units_;
  units::Parts& parts_;
  const units::Plan& in_order_;
  std::vector<units::Unit> waiting_{};
  std::size_t begun_{0};
  std::map<std::string, Layer> layers_{};
  std::map<std::uint64_t, Early> early_{};
};

}  // namespace attn::gpt2
