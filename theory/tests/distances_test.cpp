// Distances of many vectors from one point: as the definition gives them, for any count of vectors.
#include "theory/attention/distances.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "theory/tests/support.hpp"

namespace attn {
namespace {

using Eigen::Index;

TEST(Distances, AreAsWideAsTheirBoundFromTheDefinition) {
  test::Random random;
  for (const Index count : {1, 2, 31, 32, 33, 70}) {
    for (const Index width : {1, 3, 16}) {
      Eigen::MatrixXd y(count, width);
      Eigen::VectorXd s(width);
      for (double& value : y.reshaped()) value = std::ldexp(random.between(-999, 999), -9);
      for (double& value : s) value = std::ldexp(random.between(-999, 999), -9);
      s = count == 1 ? y.row(0).transpose() : s;  // a distance of 0
      Distances distances(y);
      const Eigen::ArrayXd found = distances.from(s);
      ASSERT_EQ(found.size(), count);
      for (Index i = 0; i < count; ++i) {
        const double expected = (y.row(i).transpose() - s).norm();
        const double sizes = y.row(i).norm() + s.norm();
        const auto terms = static_cast<double>(width + 4);
        EXPECT_LE(std::abs(found(i) * found(i) - expected * expected),
                  2.1 * terms * 0x1p-53 * sizes * sizes)
            << count << " vectors of " << width << ", " << i;
      }
    }
  }
}

TEST(Distances, AreNotNumbersWhereSquaresOverflow) {
  Eigen::MatrixXd y = Eigen::MatrixXd::Ones(3, 2);
  y(1, 0) = 1e200;
  Distances distances(y);
  EXPECT_FALSE(std::isfinite(distances.from(Eigen::VectorXd::Constant(2, 1e200))(1)));
  EXPECT_EQ(distances.from(Eigen::VectorXd::Ones(2))(2), 0);
}

}  // namespace
}  // namespace attn
