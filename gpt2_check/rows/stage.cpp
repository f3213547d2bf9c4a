#include "gpt2_check/rows/stage.hpp"

#include <atomic>
#include <deque>
#include <utility>
#include <vector>

#include "gpt2_check/parallel/task_queue.hpp"
#include "gpt2_check/rows/all_heads.hpp"
#include "gpt2_check/rows/head_result.hpp"
#include "reports/windows/fold.hpp"

namespace attn::gpt2 {
namespace {

/// The stage, as its layers come in.
class WindowChecker {
 public:
  WindowChecker(const CheckPlan& plan, const ActivationShape& shape, const Progress& progress)
      : plan_(plan), shape_(shape), progress_(progress), joined_(plan, shape) {}

  /// Its last heads may still be at work when this returns, while the next layer is prepared; those
  /// of the layers before it are done.
  void add(const LayerRows& layer) {
    joined_.begin(layer);
    LayerRows rows = layer;
    rows.pattern = at::Tensor();  // is not read again
    begin(layers_.emplace_back(std::move(rows), shape_.heads));
    queue_.help();
    while (layers_.size() > 1) join_first();
  }

  report::WindowResult result(const ActivationSource& source) {
    while (!layers_.empty()) join_first();
    return joined_.result(source.model_name());
  }

 private:
  /// A layer whose heads are at work.
  struct Layer {
    Layer(LayerRows of, std::int64_t count)
        : rows(std::move(of)), heads(static_cast<std::size_t>(count)), open(count) {}

    LayerRows rows;
    std::vector<HeadResult> heads;
    std::atomic<std::int64_t> open;  ///< heads that are not done
  };

  void begin(Layer& layer) {
    for (std::int64_t head = 0; head < shape_.heads; ++head) {
      queue_.add([this, &layer, head] {
        layer.heads[static_cast<std::size_t>(head)] =
            check_head(layer.rows, head, plan_, joined_.claims());
        progress_(++done_, shape_.layers * shape_.heads);
        --layer.open;
      });
    }
  }

  void join_first() {
    Layer& layer = layers_.front();
    queue_.wait([&] { return layer.open == 0; });
    for (HeadResult& head : layer.heads) joined_.join(std::move(head), layer.rows.temperature);
    layers_.pop_front();
  }

  const CheckPlan& plan_;
  ActivationShape shape_;
  const Progress& progress_;
  AllHeads joined_;
  std::atomic<std::int64_t> done_{0};
  std::deque<Layer> layers_;  ///< in order
  TaskQueue queue_;           // last: its tasks use all of the above
};

}  // namespace

report::WindowResult check_window(ActivationSource& source, const CheckPlan& plan,
                                  const Progress& progress) {
  WindowChecker stage(plan, source.shape(), progress);
  source.for_each_layer(plan.embedding, [&](const LayerRows& layer) { stage.add(layer); });
  return stage.result(source);
}

report::Report check_source(ActivationSource& source, const CheckPlan& plan,
                            const Progress& progress) {
  report::WindowFold fold(plan.measures.seed);
  fold.add(check_window(source, plan, progress));
  return fold.report();
}

}  // namespace attn::gpt2
