#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "gpt2_check/experiments/held.hpp"
#include "gpt2_check/experiments/selection.hpp"
#include "gpt2_check/heads/head.hpp"
#include "reports/record/measurements.hpp"

namespace attn::gpt2 {

/// A column of one number.
report::MaybeSpread number(double value);

/// D of one row at two N.
struct LastRow {
  double tokens{};            ///< that the row sees
  double few{};               ///< D at the N of LastRows::few; NaN where that does not apply
  double quarter{};           ///< D at N = tokens/4, rounded down; NaN below four tokens
  double expected_quarter{};  ///< E there, sampled
};

/// D and E, and how few tokens hold most of the weight, on the last rows of some lengths of one
/// head.
class LastRows {
 public:
  /// `head` must outlive it. `lengths`: L, `missing` tokens more than the head has; `rows`: how
  /// many of each. `counts`: the N. `stream` draws the random sets of E.
  LastRows(const Head& head, std::span<const std::int64_t> lengths,
           std::span<const std::int64_t> rows, std::span<const std::size_t> counts,
           std::int64_t missing, std::mt19937_64 stream);

  /// A row of the head, if it is one of the last of a length or of several, and sees the first
  /// tokens. Rows come in order. `measures`: by N, as far as they apply.
  void add(const RowSelections& row, std::span<const SelectionMeasure> measures);

  /// The N of the figures against L: the paper's 5 where it is one, else the smallest; 0 of none.
  [[nodiscard]] std::size_t few() const;

  /// The last rows of the length at place `length` of the settings, from its last row back.
  [[nodiscard]] std::vector<LastRow> of_length(std::size_t length) const;

  /// Adds a point, in means over the rows of a length, where all of them have the N.
  void add_point(std::vector<report::DistancePoint>& points, std::size_t length,
                 std::size_t n) const;

  /// Adds a point for each share of kHeldPercents, in means over the rows of a length; none where
  /// no row was added.
  void add_held(std::vector<report::HeldPoint>& points, std::size_t length) const;

 private:
  /// D and what it is compared with, of one row at one N.
  struct Numbers {
    std::size_t n{};
    double distance{}, expected{}, factor{}, full{}, bound{}, sharp_bound{};
    double share{};     ///< E by (N + 1) max ||x_i||
    double residual{};  ///< by the lower bound of E
  };
  struct Measured {
    std::vector<Numbers> by_count{};
    LastRow last{};
    bool has_weights{};
    std::vector<TokensHolding> held{};  ///< by kHeldPercents
  };
  [[nodiscard]] Measured measured(const RowWeights& row,
                                  std::span<const SelectionMeasure> measures);

  const Head& head_;
  std::span<const std::int64_t> lengths_, rows_;
  std::span<const std::size_t> counts_;
  std::int64_t missing_;
  std::mt19937_64 stream_;
  std::vector<std::vector<Measured>> measured_;  ///< by length, as the rows come
};

}  // namespace attn::gpt2
