#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "gpt2_check/activations/layer_stream.hpp"
#include "gpt2_check/rows/all_heads.hpp"
#include "gpt2_check/rows/check_plan.hpp"
#include "reports/record/report.hpp"

namespace attn::gpt2 {

// A window whose layers are checked by several processes. Each makes the layers by itself, from the
// model and the tokens; what their heads showed goes as text to the one that joins it.

/// Checks some layers of a window, of ascending numbers.
class LayerChecks {
 public:
  LayerChecks(std::unique_ptr<ActivationSource> source, CheckPlan plan);

  /// The number of the next layer that it can check.
  [[nodiscard]] std::int64_t next_layer() const { return next_; }

  /// What the heads of that layer show, as text for JoinedLayers. `layer`: from next_layer() on.
  /// `progress` is told of the window's heads as if those before were done.
  std::string check(std::int64_t layer, const Progress& progress);

 private:
  CheckPlan plan_;
  ActivationShape shape_;
  std::vector<const Claim*> claims_;
  std::int64_t next_{0};
  LayerStream layers_;
};

/// Joins what all layers of a window showed.
class JoinedLayers {
 public:
  JoinedLayers(std::unique_ptr<ActivationSource> source, CheckPlan plan);

  /// What the next layer showed, as LayerChecks had it. Throws BadInput for another text.
  void add(const std::string& text);

  [[nodiscard]] bool is_complete() const { return next_ == shape_.layers; }

  /// As check_window() has it; all layers are there.
  report::WindowResult result();

  [[nodiscard]] const ActivationSource& source() const { return layers_.source(); }

 private:
  CheckPlan plan_;
  ActivationShape shape_;
  std::int64_t next_{0};
  AllHeads joined_;
  LayerStream layers_;
};

}  // namespace attn::gpt2
