// Distances of many vectors from some points: as the definition gives them, for any count of
// vectors.
#include "theory/attention/distances.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "theory/tests/support.hpp"

namespace attn {
namespace {

using Eigen::Index;

TEST(Distances, AreAsWideAsTheirBoundFromTheDefinition) {
  test::Random random;
  for (const Index count : {1, 2, 31, 32, 33, 70}) {
    for (const Index width : {1, 3, 16}) {
      Eigen::MatrixXd y(count, width);
      Distances::Points s(Distances::kPoints, width);
      for (double& value : y.reshaped()) value = std::ldexp(random.between(-999, 999), -9);
      for (double& value : s.reshaped()) value = std::ldexp(random.between(-999, 999), -9);
      s.row(1) = y.row(0);  // a distance of 0
      Distances distances(y);
      distances.measure(s);
      for (Index point = 0; point < Distances::kPoints; ++point) {
        const Eigen::ArrayXd found = distances.from(point);
        ASSERT_EQ(found.size(), count);
        for (Index i = 0; i < count; ++i) {
          const double expected = (y.row(i) - s.row(point)).norm();
          const double sizes = y.row(i).norm() + s.row(point).norm();
          const auto terms = static_cast<double>(width + 4);
          EXPECT_LE(std::abs(found(i) * found(i) - expected * expected),
                    2.1 * terms * 0x1p-53 * sizes * sizes)
              << count << " vectors of " << width << ", " << i << " from " << point;
        }
      }
    }
  }
}

TEST(Distances, AreNotNumbersWhereSquaresOverflow) {
  Eigen::MatrixXd y = Eigen::MatrixXd::Ones(3, 2);
  y(1, 0) = 1e200;
  Distances distances(y);
  Distances::Points s = Distances::Points::Ones(Distances::kPoints, 2);
  s.row(0).setConstant(1e200);
  distances.measure(s);
  EXPECT_FALSE(std::isfinite(distances.from(0)(1)));
  EXPECT_EQ(distances.from(1)(2), 0);
}

/// The square of a distance of 0 may round to less.
TEST(Distances, AreNumbersWhereAVectorIsThePoint) {
  test::Random random;
  Eigen::MatrixXd y(64, 16);
  for (double& value : y.reshaped()) value = random.normal();
  Distances distances(y);
  for (Index first = 0; first < y.rows(); first += Distances::kPoints) {
    distances.measure(y.middleRows(first, Distances::kPoints));
    for (Index p = 0; p < Distances::kPoints; ++p) {
      EXPECT_LE(distances.from(p)(first + p), 1e-6);
    }
  }
}

}  // namespace
}  // namespace attn
