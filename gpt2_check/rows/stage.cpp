#include "gpt2_check/rows/stage.hpp"

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "gpt2_check/rows/figures.hpp"
#include "reports/judge.hpp"

namespace attn::gpt2 {
namespace {

/// Runs task(0..count-1) on `threads` threads. The first exception is thrown again.
void parallel(std::int64_t count, unsigned threads, const std::function<void(std::int64_t)>& task) {
  std::atomic<std::int64_t> next{0};
  std::exception_ptr failure;
  std::mutex guard;
  const auto work = [&] {
    try {
      for (std::int64_t i = next++; i < count; i = next++) task(i);
    } catch (...) {
      const std::lock_guard lock(guard);
      if (!failure) failure = std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> pool;
    for (unsigned t = 1; t < threads; ++t) pool.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

/// The tallies of all heads, in the order of the heads.
std::vector<report::Tally> joined(const std::vector<HeadResult>& heads) {
  std::vector<report::Tally> total = heads.front().tallies;
  for (std::size_t h = 1; h < heads.size(); ++h) {
    for (std::size_t c = 0; c < total.size(); ++c) total[c].merge(heads[h].tallies[c]);
  }
  return total;
}

}  // namespace

report::Report check_source(ActivationSource& source, const CheckPlan& plan,
                            const std::vector<std::int64_t>& lengths, unsigned threads,
                            const Progress& progress) {
  const ActivationShape shape = source.shape();
  const std::int64_t all = shape.layers * shape.heads;
  std::vector<HeadResult> heads(static_cast<std::size_t>(all));
  std::atomic<std::int64_t> done{0};
  nlohmann::json differences = nlohmann::json::array();
  source.for_each_layer([&](const LayerRows& rows) {
    const auto layer = std::make_shared<const LayerRows>(rows);
    if (const auto difference = pattern_difference(rows)) differences.push_back(*difference);
    parallel(shape.heads, threads, [&](std::int64_t head) {
      heads[static_cast<std::size_t>(rows.layer * shape.heads + head)] =
          check_head(layer, head, plan);
      progress(++done, all);
    });
  });

  report::Report report;
  const std::vector<report::Tally> total = joined(heads);
  report.claims.resize(total.size());
  parallel(static_cast<std::int64_t>(total.size()), threads, [&](std::int64_t c) {
    report.claims[static_cast<std::size_t>(c)] = total[static_cast<std::size_t>(c)].record();
  });
  report.gpt2 = nlohmann::json{{"model", source.model_name()},
                               {"layers", shape.layers},
                               {"heads_per_layer", shape.heads},
                               {"positions", shape.positions},
                               {"head_width", shape.head_width},
                               {"rows", plan.rows.size()},
                               {"top_n", plan.top_n},
                               {"figures", figures(heads, lengths)},
                               {"heads", head_records(heads)}};
  // A pattern recorded beside q and k shows whether softmax(q.k/T) is what the model computed.
  if (!differences.empty()) (*report.gpt2)["pattern_difference_by_layer"] = std::move(differences);
  return report;
}

}  // namespace attn::gpt2
