#include "gpt2_check/bench/scaling_measures.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/randn.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <limits>
#include <memory>
#include <string>

#include "gpt2_check/parallel/parallel.hpp"
#include "gpt2_check/rows/run.hpp"
#include "gpt2_check/rows/window_by_layers.hpp"
#include "reports/windows/fold.hpp"
#include "reports/windows/window_json.hpp"

namespace attn::gpt2 {
namespace {

constexpr std::int64_t kHeadWidths[] = {16, 64};
constexpr std::int64_t kHeadCounts[] = {4, 12};  // 12 of width 64: a layer of GPT-2 124M
constexpr double kNone = std::numeric_limits<double>::infinity();

void lower(double& least, double value) {
  least = std::min(least, value);
}

/// What a window of one shape took at least.
struct Timed {
  RandomInput input;
  double run_seconds{kNone};   ///< the program's, from its start to its end
  double fold_seconds{kNone};  ///< the part of them in which the result is read and folded
  double bytes{};              ///< of the result

  [[nodiscard]] WindowShape shape() const {
    return {static_cast<double>(input.tokens), static_cast<double>(input.head_width),
            static_cast<double>(input.heads)};
  }
};

double cpu_seconds_of(const std::function<void()>& work) {
  const std::clock_t begun = std::clock();
  work();
  return static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
}

/// As rank 0 does it.
double fold_seconds(const std::string& result) {
  return cpu_seconds_of([&] { report::WindowFold(0).add(report::window_from(result)); });
}

void measure(const BenchRuns& runs, Timed& timed) {
  const ProgramRun run = runs.of_random(timed.input);
  const std::string& result = run.results.at(0);
  lower(timed.run_seconds, run.cpu_seconds);
  lower(timed.fold_seconds, fold_seconds(result));
  timed.bytes = static_cast<double>(result.size());
}

/// One layer of random heads.
class RandomLayer : public ActivationSource {
 public:
  explicit RandomLayer(const RandomInput& input) : input_(input) {}
  [[nodiscard]] ActivationShape shape() const override {
    return {.layers = 1,
            .heads = input_.heads,
            .positions = input_.tokens,
            .head_width = input_.head_width,
            .key_heads = input_.heads,
            .temperatures = {std::sqrt(static_cast<double>(input_.head_width))}};
  }
  [[nodiscard]] std::string model_name() const override { return "random"; }
  [[nodiscard]] std::string sha256() const override { return {}; }
  [[nodiscard]] const std::vector<std::int64_t>& tokens() const override { return tokens_; }
  void for_each_layer(Embedding /*embedding*/,
                      const std::function<void(const LayerRows&)>& visit) override {
    at::Generator generator = at::detail::createCPUGenerator(1);
    const auto rows = [&] {
      return at::randn({input_.tokens, input_.heads, input_.head_width}, generator, at::kDouble);
    };
    LayerRows layer;
    layer.temperature = shape().temperatures.front();
    layer.q = rows();
    layer.k = rows();
    layer.v = rows();
    visit(layer);
  }

 private:
  RandomInput input_;
  std::vector<std::int64_t> tokens_;
};

ProgramRun shortest_run(const BenchRuns& runs, const BenchRuns::Words& launcher = {}) {
  return runs.of_random({.tokens = 4, .head_width = 4, .heads = 1}, launcher, {"--rows", "last"});
}

BenchRuns::Words mpirun(const char* ranks) {
  return {ATTN_MPIRUN, "--quiet", "--bind-to", "none", "-n", ranks};
}

double least(const std::vector<ProgramRun>& runs, double ProgramRun::*seconds) {
  return std::invoke(seconds, std::ranges::min(runs, {}, seconds));
}

}  // namespace

WindowCosts measure_windows(const BenchRuns& runs, std::int64_t tokens, int repetitions) {
  std::vector<Timed> all;
  for (const std::int64_t length : {tokens / 4, tokens / 2, tokens}) {
    for (const std::int64_t width : kHeadWidths) {
      for (const std::int64_t heads : kHeadCounts) all.push_back({{length, width, heads}});
    }
  }
  double start = kNone;
  for (int r = 0; r < repetitions; ++r) {
    lower(start, shortest_run(runs).cpu_seconds);
    for (Timed& timed : all) measure(runs, timed);
  }
  WindowCosts costs{.seconds = {}, .bytes = {}, .start_seconds = start};
  double folds = 0;
  double bytes = 0;
  for (const Timed& timed : all) {
    costs.seconds.push_back({timed.shape(), timed.run_seconds - start - timed.fold_seconds});
    costs.bytes.push_back({timed.shape(), timed.bytes});
    folds += timed.fold_seconds;
    bytes += timed.bytes;
  }
  costs.fold_seconds_of_byte = folds / bytes;
  return costs;
}

LayerTimes measure_layer(const RandomInput& input) {
  set_threads(1);
  const auto source = [&] { return std::make_unique<RandomLayer>(input); };
  const CheckPlan plan = plan_of({}, source()->shape());
  LayerChecks checks(source(), plan);
  JoinedLayers joined(source(), plan);
  std::string text;
  LayerTimes times{.input = input};
  times.check_seconds = cpu_seconds_of([&] { text = checks.check(0, [](auto, auto) {}); });
  times.join_seconds = cpu_seconds_of([&] { joined.add(text); });
  times.bytes = static_cast<double>(text.size());
  return times;
}

double RankTimes::efficiency() const {
  return least(one, &ProgramRun::wall_seconds) / (2 * least(two, &ProgramRun::wall_seconds));
}

double RankTimes::share_of_work() const {
  return least(one, &ProgramRun::cpu_seconds) / least(two, &ProgramRun::cpu_seconds);
}

RankTimes measure_ranks(const BenchRuns& runs, const RandomInput& input, int pairs) {
  // As root too, and with more ranks than processors.
  ::setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  ::setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  ::setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
  RankTimes times{.input = input, .alone = kNone, .launched = kNone};
  for (int p = 0; p < pairs; ++p) {
    times.one.push_back(runs.of_random(input, mpirun("1")));
    times.two.push_back(runs.of_random(input, mpirun("2")));
    lower(times.alone, shortest_run(runs).wall_seconds);
    lower(times.launched, shortest_run(runs, mpirun("1")).wall_seconds);
  }
  return times;
}

}  // namespace attn::gpt2
