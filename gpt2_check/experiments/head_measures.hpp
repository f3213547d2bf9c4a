#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "gpt2_check/experiments/critical_n.hpp"
#include "gpt2_check/experiments/gradient.hpp"
#include "gpt2_check/experiments/last_rows.hpp"
#include "gpt2_check/experiments/selection.hpp"
#include "gpt2_check/heads/head.hpp"
#include "reports/record/measurements.hpp"

namespace attn::gpt2 {

/// What is measured of every head.
struct MeasureSettings {
  SelectionSettings selection;        ///< `shown` are the rows of the lengths
  std::vector<std::int64_t> lengths;  ///< L of the figures against L, each at least 2, ascending;
                                      ///< the row of each is among the selection's and sees the
                                      ///< first L tokens
  /// By length, of how many last rows D and E are means: rows that see the first tokens, their own
  /// among them, are all among the selection's. Empty: of the row of each length alone.
  std::vector<std::int64_t> last_rows{};
  std::vector<double> temperatures;  ///< T of experiment 5, ascending
  std::uint64_t seed{};              ///< the seed of random sets and directions
  bool without_first{true};          ///< whether heads are measured without their first token too
};

/// The mean of what was added; NaN where nothing was.
class Mean {
 public:
  void add(double value) {
    sum_ += value;
    ++count_;
  }
  [[nodiscard]] double value() const {
    return sum_ / static_cast<double>(count_);  // 0/0 is NaN
  }

 private:
  double sum_{0};
  std::uint64_t count_{0};
};

/// Experiments 1, 2 and 4 for one N, over the rows of a head that have weights and more than N
/// tokens.
struct SelectionMeans {
  std::size_t n{};
  std::uint64_t rows{};
  Mean distance{};
  /// The mean of D over the bound of Theorem 1, of the rows whose bound is above 0.
  Mean distance_over_bound{};
  Mean share{}, random_share{}, f_score{};
  /// How often the share lies between theorem2.lower.sharp and theorem2.upper.repaired.
  Mean between_bounds{};

  void add(const SelectionMeasure& row);
};

/// Everything that is measured of one head, with its first token and, where it is asked for and the
/// sequence has three tokens or more, without.
struct HeadMeasures {
  report::HeadRecord record;  ///< the record of the head, but for the claims on its rows
  /// The report's figures, each spread of which has the number of this head as
  /// its mean, and nothing else: HeadTable has them by column. Of a gradient's
  /// mean T ||J|| the sum over the rows.
  report::Figures figures;
  /// D and E for every N: kCriticalPoints of figures.critical_n each.
  std::vector<RowSweep> sweeps;
  std::vector<RowSweep> normalizer_sweeps;  ///< by figures.normalizers
  // With the first token:
  std::size_t few{};                            ///< the N of the figures against L; 0: none
  std::vector<std::vector<LastRow>> last_rows;  ///< by length, from its row back
  std::vector<SelectionMeans> means;            ///< by N
  std::vector<TemperatureGradients> gradient;   ///< by T
};

/// The five experiments on one head. `also` is handed every row of the full
/// head as it is measured.
HeadMeasures measure_head(const Head& head, const MeasureSettings& settings,
                          const std::function<void(const RowSelections&)>& also);

/// How far the embeddings of a head are from Assumption 1 of Theorem 2, which has them independent
/// and uniform on a sphere of R^d. Of those that are not 0; NaN where there is none.
struct Directions {
  double length_spread{};   ///< standard deviation of the ||x_i|| over their mean; 0 on a sphere
  double mean_direction{};  ///< length of the mean of the x_i/||x_i||; about 1/sqrt(L) if uniform
  /// The largest eigenvalue of the second moments of x_i/||x_i||, which add up to 1; about 1/d if
  /// uniform, 1 on a line.
  double leading_share{};
};

Directions directions(const Head& head);

/// The random numbers of one head: they depend on nothing but the seed and the
/// place.
std::mt19937_64 stream_of(std::uint64_t seed, const Head& head);

}  // namespace attn::gpt2
