#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "gpt2_check/heads/set_terms.hpp"

namespace attn::gpt2 {

/// How well a set of N tokens is told from the rest, after the follow-up work on token selection
/// (arXiv 2602.01893): of the ball about s that holds all selected tokens, the share that was
/// selected; of the selected tokens, the share nearer to s than every other token.
struct Scores {
  double share{};      ///< N_s/N, with <=
  double precision{};  ///< N / (N + #{j in O : D_j <= max_I D})
  double recall{};     ///< N_s/N, with <
  double f_score{};    ///< the harmonic mean of precision and recall; 0 where both are 0
};

Scores scores(const Neighbourhood& near, std::size_t n);

/// The bounds of Theorem 2 on E[N_s]/N for a row's own selected weights, cut to [0, 1].
struct ShareBounds {
  double lower{};        ///< claim theorem2.lower, delta = 0
  double lower_sharp{};  ///< claim theorem2.lower.sharp
  double upper{};        ///< claim theorem2.upper.repaired
};

/// `weights`: a_j of the selected tokens, N >= 1. `sphere_radius` R > 0, `radius` r >= 0, d the
/// dimension. Theorem 2 assumes independent directions, uniform on a sphere; real values have
/// neither, so that these bounds say what they would do under its assumption.
ShareBounds theorem2_bounds(std::span<const double> weights, double sphere_radius, double radius,
                            std::size_t dimension);

/// N_s/N of one set, among all tokens of the row and where the first one is not there.
struct NearShares {
  double all{};
  std::optional<double> without_first;  ///< nothing for a set that holds the first token
};

/// N_s/N of any sets of one row.
class DistinguishableShare {
 public:
  /// Arrays by token, [L]: a_i, which must outlive it, and a_i^2 ||x_i||^2.
  DistinguishableShare(std::span<const double> weights, Eigen::ArrayXd own)
      : weights_(weights), own_(std::move(own)) {}

  /// N_s/N of the set `selected`, which leaves out a token; `along`: x_i . s of every token.
  /// Leaving out the first token scales all other weights alike, which moves no share.
  NearShares of(std::span<const std::size_t> selected, std::span<const double> along);

 private:
  std::span<const double> weights_;
  Eigen::ArrayXd own_;  ///< a_i^2 ||x_i||^2
  std::vector<double> kept_;
};

}  // namespace attn::gpt2
