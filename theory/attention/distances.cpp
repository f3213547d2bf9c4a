#include "theory/attention/distances.hpp"

#include <cmath>

#include "theory/base/processor.hpp"

namespace attn {
namespace {

using Eigen::Index;

constexpr Index kPoints = Distances::kPoints;

/// So many vectors at once keep their sums for all points in registers.
constexpr Index kBlock = 16;

/// One block of vectors y_i, as Distances has it.
struct Block {
  const double* y;
  const double* squares;  ///< ||y_i||^2
  Index width;
};

/// Where rounding has put a square below zero, its size is as near to the true square as zero is.
/// Each vector has its own sum, so that the width of the processor's vectors changes no digit.
[[gnu::always_inline]] inline void distances_of(const Block of, const double* s,
                                                const double* s_squares, double* distances,
                                                Index stride) {
  double along[kPoints][kBlock] = {};
  for (Index k = 0; k < of.width; ++k) {
    const double* const y = of.y + k * kBlock;
#pragma GCC unroll 4
    for (Index p = 0; p < kPoints; ++p) {
#pragma omp simd
      for (Index i = 0; i < kBlock; ++i) along[p][i] += s[p * of.width + k] * y[i];
    }
  }
  for (Index p = 0; p < kPoints; ++p) {
    double* const distance = distances + p * stride;
#pragma omp simd
    for (Index i = 0; i < kBlock; ++i) {
      distance[i] = std::sqrt(std::abs(of.squares[i] + s_squares[p] - 2 * along[p][i]));
    }
  }
}

/// Of `count` vectors in whole blocks; `distances`: [kPoints][count].
ATTN_EACH_VECTOR_WIDTH void measure_all(Block first, Index count, const double* s,
                                        const double* s_squares, double* distances) {
  for (Index i = 0; i < count; i += kBlock) {
    const Block block{first.y + i * first.width, first.squares + i, first.width};
    distances_of(block, s, s_squares, distances + i, count);
  }
}

ATTN_EACH_VECTOR_WIDTH void add_rows(const double* y, Index width, const Index* rows,
                                     std::size_t count, double* s) {
  for (std::size_t j = 0; j < count; ++j) {
    const double* const row = y + rows[j] * width;
#pragma omp simd
    for (Index k = 0; k < width; ++k) s[k] += row[k];
  }
}

}  // namespace

void add_rows(const Distances::Points& y, std::span<const Index> rows, double* s) {
  add_rows(y.data(), y.cols(), rows.data(), rows.size(), s);
}

Distances::Distances(const Eigen::Ref<const Eigen::MatrixXd>& y) : count_(y.rows()) {
  const Index filled = (count_ + kBlock - 1) / kBlock * kBlock;
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(filled, y.cols());
  all.topRows(count_) = y;
  squares_ = all.rowwise().squaredNorm();
  blocks_.resize(all.size());
  for (Index i = 0; i < filled; i += kBlock) {
    Eigen::Map<Eigen::MatrixXd>(blocks_.data() + i * y.cols(), kBlock, y.cols()) =
        all.middleRows(i, kBlock);
  }
  distances_.resize(filled, kPoints);
}

void Distances::measure(const Points& s) {
  double squares[kPoints];
  for (Index p = 0; p < kPoints; ++p) squares[p] = Eigen::VectorXd(s.row(p)).squaredNorm();
  measure_all({blocks_.data(), squares_.data(), s.cols()}, squares_.size(), s.data(), squares,
              distances_.data());
}

}  // namespace attn
