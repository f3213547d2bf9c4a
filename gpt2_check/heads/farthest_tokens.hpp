#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gpt2_check/heads/geometry.hpp"

namespace attn::gpt2 {

/// d1 = max_{i in O, j in I} ||x_i - x_j|| of any set I of the tokens that a row sees.
///
/// Each token keeps the few that lie farthest from it. The first of them outside I is its part of
/// d1. Where all of them are selected, or no longer seen, its distances are computed anew, unless
/// another token has farther ones. So memory is linear in the number of tokens, and time quadratic.
class FarthestTokens {
 public:
  /// `geometry` must outlive it.
  explicit FarthestTokens(const Geometry& geometry);

  /// From here on the tokens first..end-1 are seen. Neither falls from call to call.
  void see(Eigen::Index first, Eigen::Index end);

  /// d1^2 as computed; 0 where the set leaves no token out. `selected`: counted from the first
  /// token that is seen.
  [[nodiscard]] double largest_square(std::span<const std::size_t> selected);

 private:
  static constexpr std::size_t kKept = 16;

  /// The tokens farthest from one token that it keeps, the farthest first.
  struct Others {
    std::array<double, kKept> squares;
    std::array<Eigen::Index, kKept> tokens;
    std::size_t count{};
  };

  void compare(Eigen::Index token);
  void keep(Eigen::Index of, Eigen::Index token, double square);
  [[nodiscard]] double kept_outside(Eigen::Index token) const;
  [[nodiscard]] double computed_outside(Eigen::Index token) const;

  const Geometry* geometry_;
  Eigen::Index first_{0}, end_{0};
  std::vector<Others> others_;
  std::vector<double> least_;      ///< by token, the number that a square must exceed to be kept
  std::vector<double> distances_;  ///< the squared distances of the token at hand from each token
  std::vector<std::uint8_t> selected_;  ///< whether a token is selected, by token
  Rows products_;                       ///< x_t . x_i of a block of tokens t
  Eigen::Index block_{0};               ///< the first token t of the block
  Eigen::Index from_{0};                ///< the first i in products_
};

}  // namespace attn::gpt2
