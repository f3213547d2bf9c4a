#include "gpt2_check/rows/window_by_layers.hpp"

#include <atomic>
#include <utility>
#include <vector>

#include "gpt2_check/parallel/parallel.hpp"
#include "gpt2_check/rows/head_result.hpp"

namespace attn::gpt2 {

LayerChecks::LayerChecks(std::unique_ptr<ActivationSource> source, CheckPlan plan)
    : plan_(std::move(plan)),
      shape_(source->shape()),
      claims_(claims_on_rows(shape_, plan_)),
      layers_(std::move(source), plan_.embedding) {}

std::string LayerChecks::check(std::int64_t layer, const Progress& progress) {
  LayerRows rows = layers_.next();
  for (++next_; next_ <= layer; ++next_) rows = layers_.next();
  std::vector<HeadResult> heads(static_cast<std::size_t>(shape_.heads));
  std::atomic<std::int64_t> done{layer * shape_.heads};
  parallel(shape_.heads, [&](std::int64_t head) {
    heads[static_cast<std::size_t>(head)] = check_head(rows, head, plan_, claims_);
    progress(++done, shape_.layers * shape_.heads);
  });
  return text_of(heads);
}

JoinedLayers::JoinedLayers(std::unique_ptr<ActivationSource> source, CheckPlan plan)
    : plan_(std::move(plan)),
      shape_(source->shape()),
      joined_(plan_, shape_),
      layers_(std::move(source), plan_.embedding) {}

void JoinedLayers::add(const std::string& text) {
  const LayerRows rows = layers_.next();
  joined_.begin(rows);
  for (HeadResult& head : results_from(text, rows, shape_.heads, plan_, joined_.claims())) {
    joined_.join(std::move(head), rows.temperature);
  }
  ++next_;
}

report::WindowResult JoinedLayers::result() {
  return joined_.result(layers_.source().model_name());
}

}  // namespace attn::gpt2
