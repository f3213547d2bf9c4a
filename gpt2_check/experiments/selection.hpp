#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <vector>

#include "gpt2_check/experiments/row_measures.hpp"
#include "gpt2_check/heads/set_terms.hpp"

namespace attn::gpt2 {

/// Random sets for each row and N, beside the top N. What is shown is a mean over the rows, which
/// so many tell no worse than more; but the last row of a length is shown by itself.
inline constexpr std::size_t kDraws = 2, kShownDraws = 16;

/// What is measured of every row.
struct SelectionSettings {
  std::vector<std::int64_t> rows;     ///< queries that see two tokens or more, ascending
  std::vector<std::size_t> counts;    ///< the N, ascending; those below a row's tokens apply to it
  std::size_t draws{};                ///< random sets a row and N
  std::vector<std::int64_t> shown{};  ///< rows that are shown each by itself, ascending
  /// Random sets of the rows that are shown, where that is more than `draws`.
  std::size_t shown_draws{};
  bool for_claims{};  ///< whether the top N and the first random sets of each row,
                      ///< which then have to be drawn, get all their terms

  [[nodiscard]] std::size_t draws_of(std::int64_t row) const;
};

/// Experiments 1, 2 and 4 on one row, for one N, but for E, which RowSweep has: the set is the top
/// N.
struct SelectionMeasure {
  std::size_t n{};
  double distance{};     ///< D
  double bound{};        ///< Theorem 1
  double sharp_bound{};  ///< ||c|| sum_O |A - a_i| + sum_O a_i ||x_i - c||
  Scores scores;
  double random_share{};  ///< N_s/N, mean over the random sets; NaN without any
  /// N_s/N where the first token is not there, mean over the random sets: the first N tokens of the
  /// same orders without it; NaN without any.
  double random_share_without_first{};
  ShareBounds bounds;  ///< Theorem 2 for the set's weights
};

/// One row with all its sets. Vectors by the counts of the settings, as far as they apply to the
/// row. Tokens are counted from the first one that the row sees.
struct RowSelections {
  std::int64_t row{};
  const RowWeights* weights{};
  // The next four are empty but for claims.
  OutputTerms output{};                       ///< the terms of sum_i a_i x_i
  std::span<const SetTerms> top;              ///< the N largest weights: weights->order()
  std::span<const SetTerms> random;           ///< the first N of random_order
  std::span<const std::size_t> random_order;  ///< empty where none is drawn
  std::vector<SelectionMeasure> measures;
};

/// Goes over the rows of a head in order and hands each to `visit`; what it is handed lives until
/// `visit` returns. `stream` draws the random sets.
void for_each_row(const Head& head, double temperature, const SelectionSettings& settings,
                  std::mt19937_64& stream, const std::function<void(const RowSelections&)>& visit);

}  // namespace attn::gpt2
