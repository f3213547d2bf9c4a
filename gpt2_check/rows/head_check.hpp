#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpt2_check/activations/source.hpp"
#include "reports/tally.hpp"

namespace attn::gpt2 {

/// What is checked of every head.
struct CheckPlan {
  std::string stage;                 ///< "gpt2" or "activations"
  std::vector<std::int64_t> rows;    ///< query positions, each with at least two tokens to see
  std::vector<std::size_t> top_n;    ///< the N; those below a row's token count apply to it
  std::vector<double> temperatures;  ///< empty: the model's own T
  std::uint64_t seed{};              ///< of the random sets of theorem1.fixed.any_set
};

/// One measured row, for the figures.
struct Measure {
  std::int64_t layer{}, head{}, tokens{};
  double temperature{};
  std::size_t n{};
  double distance{};                ///< D of Theorem 1 for the top N
  double bound{};                   ///< right-hand side of theorem1.fixed
  double distinguishable{};         ///< N_s/N, r = min over the others of ||a_i x_i - s||
  double distinguishable_random{};  ///< the same for a random set of N tokens
};

/// The gradient of one head over the checked rows, at one temperature.
struct GradientMeasure {
  std::int64_t layer{}, head{};
  double temperature{};
  std::uint64_t rows{};
  std::uint64_t above_printed{};  ///< rows with ||J|| > min{1/(4T), sqrt 2}
  double largest{};               ///< max of T ||J||
  double sum{};                   ///< sum of T ||J||
};

/// What one head showed.
struct HeadResult {
  std::int64_t layer{}, head{};
  std::vector<report::Tally> tallies;      ///< one for each of row_claims(), in that order
  std::vector<Measure> measures;           ///< rows x temperatures x N
  std::vector<GradientMeasure> gradients;  ///< one for each temperature
};

/// The claims that speak of given weights and vectors, which every row is checked against.
std::vector<const Claim*> row_claims();

/// Checks every planned row of one head: the double filter first, the ladder for what stays open.
/// `layer` is shared because the worst cases are made exact only when the record is written.
HeadResult check_head(const std::shared_ptr<const LayerRows>& layer, std::int64_t head,
                      const CheckPlan& plan);

}  // namespace attn::gpt2
