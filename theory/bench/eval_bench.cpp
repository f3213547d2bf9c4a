// What `claims eval` costs on many cases: the column of_a_tenth is about 10 where ten times as many
// take ten times as long.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <string>

#include "theory/bench/tenfold.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/cli/commands.hpp"

namespace attn {
namespace {

void eval(benchmark::State& state) {
  compare_with_a_tenth(state, [](std::size_t count) {
    std::string cases = "[";
    for (std::size_t i = 0; i < count; ++i) {
      cases += fmt::format(R"({}{{"claim": "corollary3", "case": {{"logits": ["0", "{}"]}}}})",
                           i == 0 ? "" : ",\n", i % 9);
    }
    cases += "]";
    return [cases] { benchmark::DoNotOptimize(evaluate_cases(catalogue(), cases, "cases", 200)); };
  });
}
BENCHMARK(eval)->Arg(10'000)->Arg(100'000)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace attn

BENCHMARK_MAIN();
