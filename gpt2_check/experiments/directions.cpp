#include "gpt2_check/experiments/directions.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

namespace attn::gpt2 {

Directions directions(const Head& head) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  Rows units(head.x.rows(), head.x.cols());
  Eigen::VectorXd lengths(head.x.rows());
  Eigen::Index count = 0;
  for (const auto& x : head.x.rowwise()) {
    const double length = x.norm();
    if (!(length > 0)) continue;
    lengths(count) = length;
    units.row(count++) = x / length;
  }
  if (count == 0) return {kUnknown, kUnknown, kUnknown};
  units.conservativeResize(count, Eigen::NoChange);
  lengths.conservativeResize(count);
  const double mean = lengths.mean();
  const Eigen::MatrixXd moments = units.transpose() * units / static_cast<double>(count);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(moments, Eigen::EigenvaluesOnly);
  return {.length_spread = std::sqrt((lengths.array() - mean).square().mean()) / mean,
          .mean_direction = units.colwise().mean().norm(),
          .leading_share = solver.eigenvalues().maxCoeff()};
}

}  // namespace attn::gpt2
