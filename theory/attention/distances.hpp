#pragma once

#include <Eigen/Core>

namespace attn {

/// Vectors, and how far they lie from one point after another, in double arithmetic:
/// ||y_i - s||^2 = ||y_i||^2 + ||s||^2 - 2 y_i . s, each with an error of 2 (d+4) u of
/// (||y_i|| + ||s||)^2 at most.
class Distances {
 public:
  /// y: [L][d].
  explicit Distances(const Eigen::Ref<const Eigen::MatrixXd>& y);

  /// ||y_i - s||; [L], to change as one likes until the next call. s: [d].
  Eigen::Ref<Eigen::ArrayXd> from(const Eigen::VectorXd& s);

 private:
  Eigen::Index count_;
  // Filled with zeros to whole blocks of tokens.
  Eigen::MatrixXd y_;  ///< a coordinate of all side by side
  Eigen::ArrayXd squares_;
  Eigen::ArrayXd distances_;
};

}  // namespace attn
