#include "theory/attention/distances.hpp"

#include <cmath>

#include "theory/base/processor.hpp"

namespace attn {
namespace {

using Eigen::Index;

constexpr Index kPoints = Distances::kPoints;

/// So many vectors at once keep their sums for all points in registers.
constexpr Index kBlock = 16;

/// Writes the distances of vectors from kPoints points s to `distances` [kPoints][count]. `blocks`:
/// the vectors in whole blocks, as Distances has them; `squares` and `s_squares`: their squared
/// lengths and those of the points. Where rounding has put a square below zero, its size is as near
/// to the true square as zero is. Each vector has its own sum, so that the width of the processor's
/// vectors changes no digit.
ATTN_EACH_VECTOR_WIDTH void measure_all(const double* blocks, const Eigen::ArrayXd& squares,
                                        const Distances::Points& s, const double* s_squares,
                                        double* distances) {
  const Index count = squares.size();
  const Index width = s.cols();
  const double* const point = s.data();
  for (Index first = 0; first < count; first += kBlock) {
    double along[kPoints][kBlock] = {};
    for (Index k = 0; k < width; ++k) {
      const double* const y = blocks + first * width + k * kBlock;
#pragma GCC unroll 4
      for (Index p = 0; p < kPoints; ++p) {
#pragma omp simd
        for (Index i = 0; i < kBlock; ++i) along[p][i] += point[p * width + k] * y[i];
      }
    }
    const double* const square = squares.data() + first;
    for (Index p = 0; p < kPoints; ++p) {
      double* const distance = distances + p * count + first;
#pragma omp simd
      for (Index i = 0; i < kBlock; ++i) {
        distance[i] = std::sqrt(std::abs(square[i] + s_squares[p] - 2 * along[p][i]));
      }
    }
  }
}

}  // namespace

Distances::Distances(const Eigen::Ref<const Points>& y) : count_(y.rows()) {
  const Index filled = (count_ + kBlock - 1) / kBlock * kBlock;
  squares_ = Eigen::ArrayXd::Zero(filled);
  squares_.head(count_) = y.rowwise().squaredNorm();
  blocks_ = Eigen::ArrayXd::Zero(filled * y.cols());
  for (Index i = 0; i < count_; ++i) {
    double* const first = blocks_.data() + (i - i % kBlock) * y.cols() + i % kBlock;
    for (Index k = 0; k < y.cols(); ++k) first[k * kBlock] = y(i, k);
  }
  distances_.resize(filled, kPoints);
}

void Distances::measure(const Points& s) {
  const Eigen::ArrayXd s_squares = s.rowwise().squaredNorm();
  measure_all(blocks_.data(), squares_, s, s_squares.data(), distances_.data());
}

}  // namespace attn
