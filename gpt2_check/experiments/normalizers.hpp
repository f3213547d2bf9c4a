#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "gpt2_check/experiments/critical_n.hpp"
#include "gpt2_check/heads/head.hpp"
#include "theory/attention/case.hpp"

namespace attn::gpt2 {

/// ||J|| for a J with n columns, n >= 1, from v -> J^T J v, by the Lanczos iteration with full
/// reorthogonalisation from a fixed start vector.
///
/// It stops where the residual of the largest Ritz value shows an eigenvalue of J^T J within 1e-12
/// of it, relative, or where the space is used up. Ritz values grow towards the largest eigenvalue.
/// 0 where J^T J underflows.
double largest_singular_value(Eigen::Index n,
                              const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& square);

/// What a row that has no logits has no number of.
inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// What is measured of the weights that one normaliser gives one row.
struct NormalizedNumbers {
  double largest{kUnknown};  ///< the largest weight
  double sum{kUnknown};      ///< the sum of the weights
  /// The entropy of the weights over their sum, in nats; NaN where that sum is 0.
  double entropy{kUnknown};
  double norm{kUnknown};  ///< ||J||, J = d weights / d logits
};

/// What one normaliser makes of one row of L tokens.
struct NormalizedRow : NormalizedNumbers {
  std::vector<double> weights;  ///< [L], at least 0
};

/// The weights of the raw logits l, [L], L >= 2, finite, at z = l/T; `attn::Normalizer` has the
/// definitions. For softmax, Scalable-Softmax, sparsemax, 1.5-entmax, Self-Adjusted Softmax,
/// softmax1 and sigmoid attention; throws std::logic_error for the others.
///
/// ||J|| has a relative error of about 1e-12. Where the weights have a kink J is that of one side:
/// a token at the edge of the support of sparsemax is outside, Self-Adjusted Softmax follows the
/// first of several smallest or largest logits and takes a logit of 0 for no extreme. Self-Adjusted
/// Softmax of zeros alone is NaN.
NormalizedRow normalize_row(Normalizer normalizer, std::span<const double> logits,
                            double temperature);

/// What one normaliser makes of one row, and of the geometry of its top N tokens.
struct NormalizerMeasure {
  std::string name;
  NormalizedNumbers row;
  double largest_half{kUnknown};  ///< the largest weight on the first half of the logits, rounded
                                  ///< down; NaN below two tokens there
  double share{};                 ///< N_s/N for the N largest weights; NaN where the weights are
  RowSweep sweep;                 ///< D and E for every N
};

/// What is measured of one row at every N.
struct RowMeasure {
  RowSweep sweep;  ///< the sweep of the row's own weights
  std::vector<NormalizerMeasure> normalizers;
};

/// `weights`: those of the row, which sees the first tokens of the head, L of them. The
/// normalisers: softmax at half, once and twice the head's T; Scalable-Softmax,
/// sparsemax, 1.5-entmax, Self-Adjusted Softmax, sigmoid attention and softmax1 at the head's T, on
/// the row's logits; L >= 2, 1 <= n < L.
RowMeasure measure_row(const Head& head, std::int64_t row, std::size_t n,
                       std::span<const double> weights);

}  // namespace attn::gpt2
