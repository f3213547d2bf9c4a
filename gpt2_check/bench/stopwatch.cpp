#include "gpt2_check/bench/stopwatch.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>

namespace attn::gpt2 {
namespace {

/// Keeps the least time a call of each name and prints nothing.
class Least : public benchmark::BenchmarkReporter {
 public:
  explicit Least(std::map<std::string, double>& seconds) : seconds_(&seconds) {}
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      const double seconds = run.real_accumulated_time / static_cast<double>(run.iterations);
      const auto [at, first] = seconds_->emplace(run.run_name.function_name, seconds);
      if (!first) at->second = std::min(at->second, seconds);
    }
  }

 private:
  std::map<std::string, double>* seconds_;
};

}  // namespace

void Stopwatch::add(const std::string& name, std::function<void()> body) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [body = std::move(body)](benchmark::State& state) {
                                 for (auto _ : state) body();
                               })
      ->UseRealTime()
      ->MinTime(0.05)
      ->Repetitions(3);
}

void Stopwatch::run() {
  Least least(seconds_);
  benchmark::RunSpecifiedBenchmarks(&least);
}

}  // namespace attn::gpt2
