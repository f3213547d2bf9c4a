#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "gpt2_check/activations/evidence.hpp"
#include "theory/number/elementary.hpp"

namespace attn::gpt2 {

/// Negative scores by the power of two below their absolute value.
class Octaves {
 public:
  void add(double score);

  struct Gap {
    double above{}, below{};  ///< the scores on both sides
    double spread{};          ///< the spread of the scores above the gap
  };
  /// The gaps between octaves that are twice as wide as the spread of what is above, and wider than
  /// `least`, from the top.
  [[nodiscard]] std::vector<Gap> gaps(double least) const;

 private:
  double least_{kInfinity}, largest_{-kInfinity};  ///< the least of those of at least 0; of all
  std::map<int, std::pair<double, double>> octaves_;
};

/// The scores of a layer that are no greater than a bound, if these are a fill: their places are
/// those of a mask. They are the same in every head, or let each head see its tokens in groups, as
/// windows of an image do that are heads here; or the gap is more than `far` times the spread.
std::optional<Evidence::Fill> fill_below(const LayerNumbers& layer, const Octaves::Gap& gap,
                                         double far);

/// Weights above 0 that are a fill as the logarithms of them are: what is left of keys by a mask
/// that was added. The weights are finite and at least 0.
std::optional<Evidence::Fill> fill_of_weights(const LayerNumbers& layer);

}  // namespace attn::gpt2
