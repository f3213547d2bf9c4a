#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "gpt2_check/heads/head.hpp"

/// The paper's experiments on one head as its text states them: loops over rows, sets and tokens,
/// each sum taken anew. They share nothing with the measuring code but `Head`, so that one can be
/// held against the other. Row t sees the tokens 0..t, L = t + 1; y_i = a_i x_i.
namespace attn::gpt2::plain {

using Set = std::vector<std::size_t>;  ///< token indices
enum class Rank { weight, contribution };

/// a = softmax(l / T) of the row, l_i = q_t . k_i. [L]
std::vector<double> weights_of(const Head& head, Eigen::Index row);

/// y_i of every token that the weights belong to. [L, d]
Rows outputs(const Head& head, std::span<const double> weights);

/// The N tokens of largest a_i, or of largest a_i ||x_i||; ties to the lower index.
Set top(const Head& head, std::span<const double> weights, std::size_t n, Rank rank);

/// D = sum_{i in O} ||y_i - s||, s = sum_{j in I} y_j.
double distance(const Rows& y, const Set& selected);

/// E = p sum_i ||y_i - factor sum_{j != i} y_j||, p = (L-N)/L.
double expected_distance(const Rows& y, std::size_t n, double factor);

struct Distances {
  std::size_t length{}, n{};
  double distance{};
  double expected_full{};    ///< factor 1
  double expected_factor{};  ///< factor N/(L-1)
};

/// Right-hand sides of Theorem 1, for any set: for the N largest weights the sum over O of |A -
/// a_i| is A (L-N) - (1-A).
struct Bounds {
  double bound{};  ///< (1-A) d1 + X sum_O |A - a_i|
  double sharp{};  ///< ||c|| sum_O |A - a_i| + sum_O a_i ||x_i - c||, c = s/A
};
Bounds theorem1(const Head& head, std::span<const double> weights, const Set& selected);

struct BoundedDistances {
  Distances distances;
  Bounds bounds;
};

/// How the tokens of a row lie about s.
struct Separability {
  double radius{};  ///< r = min_{i in O} ||y_i - s||
  double share{};   ///< #{i in I : ||y_i - s|| <= r} / N
  double precision{}, recall{}, f_score{};
};
Separability separability(const Rows& y, const Set& selected);

/// ||diag(a) - a a^T||, the largest eigenvalue.
double softmax_norm(std::span<const double> weights);

/// ||softmax((l + epsilon v)/T) - softmax(l/T)|| / epsilon.
double step_quotient(std::span<const double> logits, std::span<const double> direction,
                     double temperature, double epsilon);

/// v_i = s_i/sqrt(L) for the signs s, and (e_(1) - e_(2))/sqrt(2) of the two largest logits.
std::vector<double> sign_direction(std::span<const std::uint8_t> plus);
std::vector<double> top_direction(std::span<const double> logits);

/// Experiment 1: one N, the row of each length. Lengths are above N.
std::vector<BoundedDistances> distance_by_length(const Head& head,
                                                 std::span<const std::size_t> lengths,
                                                 std::size_t n, Rank rank);

/// Experiment 2: each N below L, the last row.
std::vector<BoundedDistances> distance_by_n(const Head& head, std::span<const std::size_t> counts,
                                            Rank rank);

/// Experiment 3: every N of the row of one length.
std::vector<Distances> every_n(const Head& head, std::size_t length, Rank rank);

/// Experiment 4: every row from the second on, and each N below its L.
struct RowSeparability {
  std::size_t row{}, n{};
  Separability top;
  double random_share{};  ///< mean over the random sets
};
std::vector<RowSeparability> separability_of_rows(const Head& head,
                                                  std::span<const std::size_t> counts, Rank rank,
                                                  std::size_t draws, std::mt19937_64& stream);

/// Experiment 5: every row from the second on, at each T.
struct RowGradient {
  std::size_t row{};
  double temperature{};
  double norm{};                          ///< ||J||, J = (diag a - a a^T)/T
  std::array<double, 3> random{}, top{};  ///< g(T, epsilon) for 1e-3, 1e-1, 10
};
std::vector<RowGradient> gradient_of_rows(const Head& head, std::span<const double> temperatures,
                                          std::mt19937_64& stream);

}  // namespace attn::gpt2::plain
