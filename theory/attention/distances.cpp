#include "theory/attention/distances.hpp"

#include <cmath>

#include "theory/base/processor.hpp"

namespace attn {
namespace {

using Eigen::Index;

/// So many tokens at once keep their sums in registers.
constexpr Index kBlock = 32;

/// y: [coordinate][token], the tokens in whole blocks; squares: ||y_i||^2.
struct Tokens {
  const double* y;
  const double* squares;
  Index width, count;
};

/// Where rounding has put a square below zero, its size is as near to the true square as zero is.
/// Each token has its own sum, so that the width of the vectors changes no digit.
ATTN_EACH_VECTOR_WIDTH void distances_from(const double* s, double s_square, Tokens of,
                                           double* distances) {
  for (Index first = 0; first < of.count; first += kBlock) {
    double along[kBlock] = {};
    for (Index k = 0; k < of.width; ++k) {
      const double* const y = of.y + k * of.count + first;
#pragma omp simd
      for (Index i = 0; i < kBlock; ++i) along[i] += s[k] * y[i];
    }
    const double* const squares = of.squares + first;
    double* const distance = distances + first;
#pragma omp simd
    for (Index i = 0; i < kBlock; ++i) {
      distance[i] = std::sqrt(std::abs(squares[i] + s_square - 2 * along[i]));
    }
  }
}

}  // namespace

Distances::Distances(const Eigen::Ref<const Eigen::MatrixXd>& y) : count_(y.rows()) {
  const Index filled = (count_ + kBlock - 1) / kBlock * kBlock;
  y_ = Eigen::MatrixXd::Zero(filled, y.cols());
  y_.topRows(count_) = y;
  squares_ = y_.rowwise().squaredNorm();
  distances_.resize(filled);
}

Eigen::Ref<Eigen::ArrayXd> Distances::from(const Eigen::VectorXd& s) {
  distances_from(s.data(), s.squaredNorm(), {y_.data(), squares_.data(), y_.cols(), y_.rows()},
                 distances_.data());
  return distances_.head(count_);
}

}  // namespace attn
