#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>
#include <ctime>

namespace attn {

/// Measures the processor time of work on state.range(0) things, and, as the counter "of_a_tenth",
/// how many times that of a tenth of them it is: 10 where the work is linear. `make(n)` gives the
/// work on n things, to be called again and again.
template <class Make>
void compare_with_a_tenth(benchmark::State& state, const Make& make) {
  const auto seconds_of = [](auto& work) {
    const std::clock_t begun = std::clock();
    work();
    return static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
  };
  const auto count = static_cast<std::size_t>(state.range(0));
  auto whole = make(count), tenth = make(count / 10);
  double seconds = 0, seconds_of_tenth = 0;
  for (auto _ : state) {
    seconds_of_tenth += seconds_of(tenth);
    const double taken = seconds_of(whole);
    seconds += taken;
    state.SetIterationTime(taken);
  }
  state.counters["of_a_tenth"] = seconds / seconds_of_tenth;
}

}  // namespace attn
