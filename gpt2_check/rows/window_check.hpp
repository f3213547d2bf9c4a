#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "gpt2_check/activations/source.hpp"
#include "gpt2_check/experiments/head_measures.hpp"
#include "gpt2_check/heads/kept_rows.hpp"
#include "gpt2_check/rows/head_check.hpp"
#include "gpt2_check/rows/row_mutants.hpp"
#include "reports/judge/tally.hpp"
#include "reports/record/report.hpp"

namespace attn::gpt2 {

/// What is checked and measured of every head.
struct CheckSettings {
  report::Stage stage{report::Stage::gpt2};
  MeasureSettings measures;
  std::vector<std::int64_t> lengths;  ///< L of the rows on which claims on an expectation are
                                      ///< decided; those of a head that it has
  /// T at which the claims are decided; the experiments take the first one. Empty: the model's own
  /// T.
  std::vector<double> temperatures;
};

/// Told how many of all heads of a source are done.
using Progress = std::function<void(std::int64_t done, std::int64_t all)>;

/// What one head showed.
struct HeadResult {
  KeptRows first_rows;           ///< the rows on which mutants are searched
  LargestSteps::Rows step_rows;  ///< the rows of the largest steps
  HeadMeasures measures;
  std::vector<report::Tally> tallies;  ///< one for each of the claims
  std::vector<BoundPair> pairs;
};

/// One head of a layer, as the experiments and the checks read it.
Head head_of(const LayerRows& layer, std::int64_t head, double temperature);

/// Checks and measures one head of a layer. `claims`: as row_claims() has them.
HeadResult check_head(const LayerRows& layer, std::int64_t head, const CheckSettings& settings,
                      std::span<const Claim* const> claims);

/// Checks and measures every head of a source, the heads of some layers side by side: no more
/// layers are held than give each thread a few heads, and of [query, key] numbers those of a head
/// for each thread. The result does not depend on the number of threads. The number of the window
/// is the caller's.
report::WindowResult check_window(ActivationSource& source, const CheckSettings& settings,
                                  const Progress& progress);

}  // namespace attn::gpt2
