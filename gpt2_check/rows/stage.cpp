#include "gpt2_check/rows/stage.hpp"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "gpt2_check/experiments/abstract.hpp"
#include "gpt2_check/experiments/figures.hpp"
#include "gpt2_check/parallel/parallel.hpp"
#include "gpt2_check/parallel/task_queue.hpp"
#include "gpt2_check/rows/head_check.hpp"
#include "gpt2_check/rows/largest_steps.hpp"
#include "gpt2_check/rows/row_mutants.hpp"
#include "reports/judge/judge.hpp"
#include "reports/text/abstract.hpp"
#include "reports/windows/fold.hpp"
#include "reports/windows/spreads.hpp"
#include "theory/claims/catalogue.hpp"

namespace attn::gpt2 {
namespace {

/// [position, head, width] of one head.
Rows rows_of(const at::Tensor& tensor, std::int64_t head) {
  using Strided = Eigen::Map<const Rows, 0, Eigen::OuterStride<>>;
  const std::int64_t width = tensor.size(-1);
  const std::int64_t stride = tensor.numel() / tensor.size(0);
  return Strided(tensor.data_ptr<double>() + head * width, tensor.size(0), width,
                 Eigen::OuterStride<>(stride));
}

/// [query, key] of one head, of [head, query, key].
Rows square_of(const at::Tensor& tensor, std::int64_t head) {
  return rows_of(tensor.select(0, head).unsqueeze(1), 0);
}

/// Which head of the keys or values a head of queries reads.
std::int64_t key_head(const LayerRows& layer, const at::Tensor& keys, std::int64_t head) {
  const std::int64_t heads = layer.q.defined()        ? layer.q.size(1)
                             : layer.scores.defined() ? layer.scores.size(0)
                                                      : layer.weights.size(0);
  return head / (heads / keys.size(1));
}

Known known_of(const ActivationShape& shape, const CheckPlan& plan) {
  return {.queries = shape.has_queries,
          .embeddings = shape.has_values || plan.embedding == Embedding::hidden};
}

/// The claims on rows that an input cannot speak to -> what it would need.
std::map<std::string, std::string> not_covered(const Known& known) {
  std::map<std::string, std::string> claims;
  for (const Claim* const claim : row_claims()) {
    if (const auto lacks = lacking(*claim, known); !lacks.empty()) {
      claims.emplace(claim->id, lacks);
    }
  }
  return claims;
}

/// What the rows would need of which there were none; empty where there were some.
std::string lacking_rows(const report::ClaimRecord& record) {
  const bool is_sparse = kernel_of(find_claim(record.id)) == nullptr;
  return record.cases == 0 && is_sparse ? "rows of at most 64 tokens with logits" : "";
}

/// What the report calls a mask; empty for the causal one.
std::string mask_words(const Mask& mask) {
  if (mask.is_causal()) return {};
  return mask.full ? std::string(report::kFullMask)
                   : std::string(report::kWindowMask) + std::to_string(mask.window);
}

/// What one head showed.
struct HeadResult {
  std::shared_ptr<const Head> head;
  HeadMeasures measures;
  std::vector<report::Tally> tallies;  ///< by the claims
  std::vector<BoundPair> pairs;
};

HeadResult check_head(const LayerRows& layer, std::int64_t index, const CheckPlan& plan,
                      std::span<const Claim* const> claims) {
  std::vector<double> temperatures = plan.temperatures;
  if (temperatures.empty()) temperatures = {layer.temperature};
  HeadResult result;
  result.head =
      std::make_shared<const Head>(head_of(layer, index, plan.embedding, temperatures.front()));
  HeadCheck check(result.head, plan.stage, claims, plan.measures.lengths);
  result.measures = measure_head(*result.head, plan.measures, [&](const RowSelections& row) {
    check.check(row, temperatures.front());
  });
  SelectionPlan others = plan.measures.selection;
  others.draws = 1;
  others.for_claims = true;
  std::mt19937_64 stream = stream_of(plan.measures.seed, *result.head);
  for (std::size_t t = 1; t < temperatures.size(); ++t) {
    for_each_row(*result.head, temperatures[t], others, stream,
                 [&](const RowSelections& row) { check.check(row, temperatures[t]); });
  }
  result.tallies = check.tallies();
  result.pairs = check.pairs();
  return result;
}

/// What one head shows in the report.
report::HeadRecord record_of(const HeadResult& result) {
  report::HeadRecord record = head_record(result.measures);
  for (const report::Tally& tally : result.tallies) {
    const report::ClaimRecord& counts = tally.counts();
    record.claims[counts.id] = {
        .cases = counts.cases, .violated = counts.violated, .max_ratio = counts.max_ratio};
  }
  return record;
}

/// The stage, as its layers come in.
class Stage {
 public:
  Stage(const CheckPlan& plan, ActivationShape shape, const Progress& progress)
      : plan_(plan),
        shape_(std::move(shape)),
        progress_(progress),
        claims_(row_claims(known_of(shape_, plan))),
        mutants_(claims_) {}

  /// Its last heads may still be at work when this returns, while the next layer is prepared; those
  /// of the layers before it are done.
  void add(const LayerRows& layer) {
    if (const auto difference = pattern_difference(layer)) differences_.push_back(*difference);
    LayerRows rows = layer;
    rows.pattern = at::Tensor();  // is not read again
    begin(layers_.emplace_back(std::move(rows), shape_.heads));
    queue_.help();
    while (layers_.size() > 1) join_first();
  }

  report::WindowResult result(const ActivationSource& source) {
    while (!layers_.empty()) join_first();
    report::WindowResult result;
    result.claims.resize(total_.size());
    parallel(static_cast<std::int64_t>(total_.size()), [&](std::int64_t c) {
      report::Tally& tally = total_[static_cast<std::size_t>(c)];
      tally.prefer_worst();
      result.claims[static_cast<std::size_t>(c)] = with_mutants(tally.record());
    });
    for (report::ClaimRecord& record : steps_.records(plan_.stage)) {
      result.claims.push_back(std::move(record));
    }
    for (const BoundPair& pair : pairs_) {
      if (auto record = pair.record()) result.comparisons.push_back(*record);
    }
    result.measured = measurements(source.model_name());
    result.by_head = report::take_by_head(result.measured);
    std::erase_if(result.claims, [&](const report::ClaimRecord& record) {
      std::string lacks = lacking_rows(record);
      return !lacks.empty() &&
             result.measured.not_covered.emplace(record.id, std::move(lacks)).second;
    });
    return result;
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
        layer.heads[static_cast<std::size_t>(head)] = check_head(layer.rows, head, plan_, claims_);
        progress_(++done_, shape_.layers * shape_.heads);
        --layer.open;
      });
    }
  }

  void join_first() {
    Layer& layer = layers_.front();
    queue_.wait([&] { return layer.open == 0; });
    for (HeadResult& head : layer.heads) {
      mutants_.add(*head.head, layer.rows.temperature);
      join(std::move(head));
    }
    layers_.pop_front();
  }

  [[nodiscard]] report::ClaimRecord with_mutants(report::ClaimRecord record) const {
    record.mutants = mutants_.records(record.id);
    report::rejudge(record);
    return record;
  }

  report::Measurements measurements(std::string model) {
    const SelectionPlan& selection = plan_.measures.selection;
    report::Measurements measured{.model = std::move(model),
                                  .layers = static_cast<std::uint64_t>(shape_.layers),
                                  .heads_per_layer = static_cast<std::uint64_t>(shape_.heads),
                                  .positions = static_cast<std::uint64_t>(shape_.positions),
                                  .head_width = {},
                                  .rows = selection.rows.size(),
                                  .top_n = {selection.counts.begin(), selection.counts.end()},
                                  .embedding = {},
                                  .rank = selection.rank,
                                  .temperatures = plan_.temperatures,
                                  .draws = selection.draws,
                                  .draws_at_lengths = selection.shown_draws,
                                  .not_covered = not_covered(known_of(shape_, plan_)),
                                  .pattern_difference_by_layer = std::move(differences_),
                                  .figures = figures(measures_),
                                  .abstract = {},
                                  .heads = std::move(records_)};
    if (shape_.has_weights_alone) {
      measured.in_place_of_queries = report::Stead::weights;
    } else if (!shape_.has_queries) {
      measured.in_place_of_queries = report::Stead::scores;
    }
    measured.mask = mask_words(shape_.mask);
    if (shape_.head_width > 0) measured.head_width = static_cast<std::uint64_t>(shape_.head_width);
    if (known_of(shape_, plan_).embeddings) measured.embedding = plan_.embedding;
    measured.abstract = abstract_statements(
        measures_, is_papers_model(measured.model, shape_.layers, shape_.heads, shape_.head_width));
    for (report::AbstractEntry& entry : measured.abstract) report::put_into_words(entry);
    return measured;
  }

  void join(HeadResult head) {
    steps_.add(head.head, head.measures.full.gradient);
    records_.push_back(record_of(head));
    measures_.push_back(std::move(head.measures));
    if (total_.empty()) {
      total_ = std::move(head.tallies);
      pairs_ = std::move(head.pairs);
    } else {
      for (std::size_t c = 0; c < total_.size(); ++c) total_[c].merge(head.tallies[c]);
      for (std::size_t p = 0; p < pairs_.size(); ++p) pairs_[p].merge(head.pairs[p]);
    }
  }

  const CheckPlan& plan_;
  ActivationShape shape_;
  const Progress& progress_;
  std::vector<const Claim*> claims_;  ///< that the input can speak to
  std::atomic<std::int64_t> done_{0};
  std::vector<report::Tally> total_;
  std::vector<BoundPair> pairs_;
  LargestSteps steps_;
  RowMutants mutants_;  ///< at the model's own temperature, which no option changes
  std::vector<HeadMeasures> measures_;
  std::vector<report::HeadRecord> records_;
  /// A pattern recorded beside q and k shows whether softmax(q.k/T) is what the model computed.
  std::vector<double> differences_;
  std::deque<Layer> layers_;  ///< in order
  TaskQueue queue_;           // last: its tasks use all of the above
};

}  // namespace

Head head_of(const LayerRows& layer, std::int64_t head, Embedding embedding, double temperature) {
  Head result{.layer = layer.layer, .head = head, .temperature = temperature, .mask = layer.mask};
  if (layer.scores.defined()) {
    result.scores = square_of(layer.scores, head);
  } else if (layer.weights.defined()) {
    result.pattern = square_of(layer.weights, head);
    result.pattern_temperature = layer.temperature;
    result.scores = scores_of(result.pattern, layer.temperature);
  } else {
    result.q = rows_of(layer.q, head);
    result.k = rows_of(layer.k, key_head(layer, layer.k, head));
  }
  if (embedding == Embedding::hidden) {
    result.x = rows_of(layer.hidden, 0);
  } else if (layer.v.defined()) {
    result.x = rows_of(layer.v, key_head(layer, layer.v, head));
  } else {
    result.x = Rows::Zero(raw_logits(result).rows(), 0);
  }
  return result;
}

report::WindowResult check_window(ActivationSource& source, const CheckPlan& plan,
                                  const Progress& progress) {
  Stage stage(plan, source.shape(), progress);
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
