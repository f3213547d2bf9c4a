#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gpt2_check/heads/head.hpp"

/// The paper's experiments on one head as its text states them: loops over
/// rows, sets and tokens, each sum taken anew. They share nothing with the
/// measuring code but `Head`, so that one can be held against the other. Row t
/// sees the tokens 0..t, L = t + 1; y_i = a_i x_i.
namespace attn::gpt2::plain {

using Set = std::vector<std::size_t>;  ///< token indices

/// a = softmax(l / T) of the row, l_i = q_t . k_i. [L]
std::vector<double> weights_of(const Head& head, Eigen::Index row);

/// y_i of every token that the weights belong to. [L, d]
Rows outputs(const Head& head, std::span<const double> weights);

/// The N tokens of largest a_i; ties to the lower index.
Set top(std::span<const double> weights, std::size_t n);

/// D = sum_{i in O} ||y_i - s||, s = sum_{j in I} y_j.
double distance(const Rows& y, const Set& selected);

/// E = p sum_i ||y_i - factor sum_{j != i} y_j||, p = (L-N)/L.
double expected_distance(const Rows& y, std::size_t n, double factor);

/// p sum_i sqrt(V_i), V_i the variance of s where N of the tokens but i are drawn: N (L-1-N)/(L-2)
/// times that of one y_j, j != i.
double residual(const Rows& y, std::size_t n);

/// Right-hand sides of Theorem 1, for any set: for the N largest weights the
/// sum over O of |A - a_i| is A (L-N) - (1-A).
struct Bounds {
  double bound{};  ///< (1-A) d1 + X sum_O |A - a_i|
  double sharp{};  ///< ||c|| sum_O |A - a_i| + sum_O a_i ||x_i - c||, c = s/A
};
Bounds theorem1(const Head& head, std::span<const double> weights, const Set& selected);

/// How the tokens of a row lie about s.
struct Separability {
  double radius{};  ///< r = min_{i in O} ||y_i - s||
  double share{};   ///< #{i in I : ||y_i - s|| <= r} / N
  double precision{}, recall{}, f_score{};
};
Separability separability(const Rows& y, const Set& selected);

}  // namespace attn::gpt2::plain
