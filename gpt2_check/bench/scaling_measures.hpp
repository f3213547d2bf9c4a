#pragma once

#include <cstdint>
#include <vector>

#include "gpt2_check/bench/bench_runs.hpp"
#include "gpt2_check/bench/cost_model.hpp"

namespace attn::gpt2 {

/// What windows cost on one core: the least of several runs, as other work on a machine only adds
/// time.
struct WindowCosts {
  std::vector<MeasuredWindow> seconds;  ///< CPU time that a rank is at work for one
  std::vector<MeasuredWindow> bytes;    ///< of its result, which the rank sends
  double start_seconds{};               ///< CPU time of the shortest run
  double fold_seconds_of_byte{};        ///< CPU time that rank 0 takes for a byte of a result
};

/// Of random models of one layer, with 4 and 12 heads of 16 and 64, on windows of `tokens` tokens,
/// of half and of a quarter. `tokens`: at least 64.
WindowCosts measure_windows(const BenchRuns& runs, std::int64_t tokens, int repetitions);

/// What a layer costs that is checked by one rank and joined by another.
struct LayerTimes {
  RandomInput input;
  double check_seconds{}, join_seconds{};  ///< CPU time
  double bytes{};                          ///< of the text between them
};

/// Of random heads.
LayerTimes measure_layer(const RandomInput& input);

/// Runs under mpirun, one thread a rank.
struct RankTimes {
  RandomInput input;
  std::vector<ProgramRun> one{}, two{};  ///< the same windows on one rank and on two, in turn
  double alone{}, launched{};  ///< least wall-clock time of the shortest run, without mpirun and
                               ///< with it

  /// Wall-clock time on one rank over twice that on two, by the least of each.
  [[nodiscard]] double efficiency() const;
  /// CPU time on one rank over that of both: below 1 by what ranks do beside the windows. Unlike
  /// the efficiency it does not count waiting, for each other and for a processor.
  [[nodiscard]] double share_of_work() const;
};

RankTimes measure_ranks(const BenchRuns& runs, const RandomInput& input, int pairs);

}  // namespace attn::gpt2
