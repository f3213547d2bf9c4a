#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "theory/attention/bounded_draws.hpp"
#include "theory/attention/distances.hpp"
#include "theory/number/error_double.hpp"

namespace attn {

/// The least probability with which all intervals of one sampled expectation hold the exact value.
inline constexpr double kConfidence = 1 - 1e-9;

/// More sets than this are sampled, not enumerated.
inline constexpr std::size_t kMostSets = 20'000;

/// Nor are sets of tokens of this many coordinates in all together.
inline constexpr std::size_t kMostAdded = 5'000'000;

/// C(n, k), or any number above kMostSets where it is larger.
std::size_t sets_of(std::size_t n, std::size_t k);

/// Whether the mean over all sets of `count` of L tokens is taken set by set. `width`: d.
bool is_enumerated(std::size_t tokens, std::size_t count, std::size_t width);

/// Calls visit(selected) for every set of `count` of the tokens 0..n-1, as flags.
template <class Visit>
void for_each_set(std::size_t n, std::size_t count, Visit visit) {
  std::vector<bool> selected(n);
  std::fill_n(selected.begin(), count, true);
  do {
    visit(selected);
  } while (std::prev_permutation(selected.begin(), selected.end()));
}

/// y_i = a_i x_i of L tokens, in double arithmetic.
struct Contributions {
  /// rows: [L][d].
  explicit Contributions(const std::vector<std::vector<ErrorDouble>>& rows);

  Distances::Points y;               ///< the middles
  std::vector<ErrorDouble> lengths;  ///< ||y_i||
  ErrorDouble length;                ///< the sum of them
  ErrorDouble error;                 ///< of all coordinates together
};

/// The mean of D over all sets of `count` tokens, set by set: fewer than 2^20 sets.
ErrorDouble enumerated_distance(const Contributions& of, std::size_t count);

/// E[D] = E sum_{i not in I} ||y_i - s||, s = sum_{j in I} y_j, for I uniform over the sets of
/// `count` = N tokens, from what two intervals of the same draws have in common:
/// - of D, which is between 0 and the sum of all ||y_i|| and of L-N times the N largest;
/// - of how far D is below C = sum_{i not in I} ||y_i|| + (L-N) sum_{j in I} ||y_j||, of which the
///   mean is known: (L-N)(N+1)/L sum_i ||y_i||. By the triangle inequality it is between 0 and
///   twice the sum of all ||y_i|| but the largest, h, and of L-N times the N largest but h. So one
///   token of nearly all the weight leaves little to be drawn.
/// Each ||y_i - s||^2 is ||y_i||^2 + ||s||^2 - 2 y_i . s: what that cancels is far below what so
/// many draws can see. The draws depend on the number of tokens and on N alone.
class SampledDistance {
 public:
  /// L >= 2. 1 <= count < L. Has the first draws.
  SampledDistance(std::shared_ptr<const Contributions> of, std::size_t count);

  /// Has twice as many draws; false where there are no more.
  bool draw_more();

  [[nodiscard]] const ConfidenceInterval& interval() const { return interval_; }

  /// About what the interval would be after all draws: whether it is worth while to draw more.
  [[nodiscard]] ConfidenceInterval foreseen() const;

 private:
  void bound();
  void draw(std::size_t draws);
  [[nodiscard]] ConfidenceInterval within(const ConfidenceInterval& distance,
                                          const ConfidenceInterval& below_most) const;

  std::shared_ptr<const Contributions> of_;
  std::size_t count_;
  Distances distances_from_;
  std::vector<double> of_set_;  ///< D of each token alone, or of each draw; NaN before it is known
  ErrorDouble mean_of_most_;    ///< E[C]
  std::optional<BoundedDraws> distances_;   ///< D
  std::optional<BoundedDraws> below_most_;  ///< C - D
  std::size_t drawn_{0};
  ConfidenceInterval interval_{};
};

/// The mean over i of P(||sum_{j != i} radii_j u_j|| <= r), u_j independent and uniform on the unit
/// sphere of R^d, from draws of a token i and of directions: a Clopper-Pearson interval. A draw
/// whose length double arithmetic cannot tell from r counts on both sides.
///
/// By symmetry only the angle of each step to the sum so far matters: of a uniform direction one
/// coordinate is drawn. Its distribution differs from the exact one by rounding only, which is far
/// below what so many draws can see. The directions of the j-th step depend on d and j alone.
class SampledShare {
 public:
  /// dimension >= 1. Draws the first stage.
  SampledShare(const std::vector<ErrorDouble>& radii, const ErrorDouble& r, std::size_t dimension);

  /// Draws the next stage; false where there is none.
  bool draw_more();

  [[nodiscard]] const ConfidenceInterval& interval() const { return interval_; }

 private:
  void draw();

  std::mt19937_64 random_;
  std::vector<double> radii_;  ///< their middles, the largest first
  std::vector<double> rest_;   ///< of those that follow, the sum at most
  double error_{};             ///< what a sum of such steps is off by at most, but for rounding
  double least_reach_, most_reach_;  ///< r
  std::size_t dimension_;
  std::size_t certainly_{0}, possibly_{0};  ///< draws within r
  std::size_t drawn_{0};
  std::size_t stage_{0};
  ConfidenceInterval interval_{};
};

}  // namespace attn
