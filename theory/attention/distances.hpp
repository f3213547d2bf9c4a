#pragma once

#include <Eigen/Core>

namespace attn {

/// Vectors, and how far they lie from some points after others, in double arithmetic:
/// ||y_i - s||^2 = ||y_i||^2 + ||s||^2 - 2 y_i . s, each with an error of 2 (d+4) u of
/// (||y_i|| + ||s||)^2 at most.
class Distances {
 public:
  using Points = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  /// So many points are measured from at once, which reads each vector once.
  static constexpr Eigen::Index kPoints = 4;

  /// y: [L][d].
  explicit Distances(const Eigen::Ref<const Points>& y);

  /// Measures from the points `s`: [kPoints][d].
  void measure(const Points& s);

  /// ||y_i - s|| for the point at `point`; [L], to change as one likes until the next call of
  /// measure().
  Eigen::Ref<Eigen::ArrayXd> from(Eigen::Index point) { return distances_.col(point).head(count_); }

 private:
  Eigen::Index count_;
  // Filled with zeros to whole blocks of vectors; of a block, each coordinate of all side by side.
  Eigen::ArrayXd blocks_, squares_;
  Eigen::ArrayXXd distances_;  ///< a point's side by side
};

}  // namespace attn
