#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "gpt2_check/experiments/critical_n.hpp"
#include "gpt2_check/experiments/directions.hpp"
#include "gpt2_check/experiments/gradient.hpp"
#include "gpt2_check/experiments/normalizers.hpp"
#include "gpt2_check/experiments/selection.hpp"

namespace attn::gpt2 {

/// What is measured of every head.
struct MeasurePlan {
  SelectionPlan selection;            ///< `shown` are the rows of the lengths
  std::vector<std::int64_t> lengths;  ///< L of the figures against L, each at least 2, ascending;
                                      ///< row L - 1 is among the selection's rows and sees L tokens
  std::vector<double> temperatures;   ///< T of experiment 5, ascending
  std::uint64_t seed{};               ///< of random sets and directions
};

/// Experiments 1, 2 and 4 for one N, meaned over the rows of a head that have weights and more than
/// N tokens; NaN where no row counts.
struct SelectionMeans {
  std::size_t n{};
  std::uint64_t rows{};
  double distance{};
  double distance_over_bound{};
  double share{}, random_share{}, f_score{};
  /// How often the share lies between theorem2.lower.sharp and theorem2.upper.repaired.
  double between_bounds{};
};

/// The row of a head that belongs to a length L.
struct LengthMeasures {
  std::int64_t length{};                    ///< L, the first token included
  std::vector<SelectionMeasure> selection;  ///< by N, as far as they apply
  RowSweep sweep;                           ///< D and E for every N
};

/// The experiments on one head, with or without its first token.
struct HeadVariant {
  std::vector<LengthMeasures> lengths;
  std::vector<SelectionMeans> means;  ///< by N
  std::vector<TemperatureGradients> gradient;
  std::vector<LengthNormalizers> normalizers;  ///< by length, the first token included
  Directions directions;                       ///< of all tokens
};

/// Everything that is measured of one head.
struct HeadMeasures {
  std::int64_t layer{}, head{};
  double temperature{};  ///< T of the weights, but in experiment 5
  HeadVariant full;
  HeadVariant without_first;       ///< empty where the sequence has fewer than three tokens
  std::vector<double> sink_share;  ///< a_0 at each length
  double mean_sink_share{};        ///< over the plan's rows
  double mean_next_sink_share{};   ///< of the second token, where the first is not there
};

/// The five experiments on one head. `also` is handed every row of the full head as it is measured.
HeadMeasures measure_head(const Head& head, const MeasurePlan& plan,
                          const std::function<void(const RowSelections&)>& also);

/// The random numbers of one head: they depend on nothing but the seed and the place.
std::mt19937_64 stream_of(std::uint64_t seed, const Head& head);

}  // namespace attn::gpt2
