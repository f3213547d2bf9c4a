#include "gpt2_check/experiments/directions.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>
#include <vector>

namespace attn::gpt2 {

namespace {

constexpr double kTolerance = 1e-12;

/// No entry is zero and no pattern repeats, so that no singular vector is likely to be orthogonal.
Eigen::VectorXd start(Eigen::Index n) {
  Eigen::VectorXd v(n);
  constexpr double kGoldenRatio = 0x1.9e3779b97f4a8p0;
  for (Eigen::Index i = 0; i < n; ++i) {
    const double turns = static_cast<double>(i + 1) * kGoldenRatio;
    v[i] = turns - std::floor(turns) - 0.5;
  }
  return v.normalized();
}

}  // namespace

double largest_singular_value(
    Eigen::Index n, const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& square) {
  std::vector<Eigen::VectorXd> basis{start(n)};
  std::vector<double> diagonal;
  std::vector<double> beside;
  for (;;) {
    Eigen::VectorXd next = square(basis.back());
    diagonal.push_back(basis.back().dot(next));
    // Twice is enough.
    for (int pass = 0; pass < 2; ++pass) {
      for (const Eigen::VectorXd& v : basis) next -= v.dot(next) * v;
    }
    const double residual = next.norm();
    const auto size = static_cast<Eigen::Index>(basis.size());
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> ritz;
    ritz.computeFromTridiagonal(Eigen::Map<const Eigen::VectorXd>(diagonal.data(), size),
                                Eigen::Map<const Eigen::VectorXd>(beside.data(), size - 1));
    const double largest = ritz.eigenvalues()[size - 1];
    const double off = residual * std::abs(ritz.eigenvectors()(size - 1, size - 1));
    if (!(off > kTolerance * largest) || size == n) return std::sqrt(std::max(largest, 0.0));
    beside.push_back(residual);
    basis.push_back(next / residual);
  }
}

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
  const double largest = largest_singular_value(
      units.cols(),
      [&](const Eigen::VectorXd& v) -> Eigen::VectorXd { return units.transpose() * (units * v); });
  return {.length_spread = std::sqrt((lengths.array() - mean).square().mean()) / mean,
          .mean_direction = units.colwise().mean().norm(),
          .leading_share = largest * largest / static_cast<double>(count)};
}

}  // namespace attn::gpt2
