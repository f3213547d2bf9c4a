#include "theory/attention/sinkhorn.hpp"

#include <gtest/gtest.h>

#include "theory/tests/scalar_support.hpp"
#include "theory/tests/support.hpp"

namespace attn {
namespace {

using Plan = std::vector<std::vector<Rational>>;

Plan uniform(std::size_t n) {
  return {n, std::vector<Rational>(n, Rational(1, n))};
}

/// (1 - share) of the uniform plan and a share of the identity.
Plan mixed(std::size_t n, const Rational& share) {
  Plan plan = uniform(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (Rational& p : plan[i]) p *= 1 - share;
    plan[i][i] += share;
  }
  return plan;
}

TEST(IsSinkhornNorm, OfPlansWhoseNormIsKnown) {
  for (std::size_t n = 2; n <= 6; ++n) {
    EXPECT_TRUE(is_sinkhorn_norm(uniform(n), Rational(1, n))) << n;
  }
  const Plan two = {test::rationals({"3/10", "7/10"}), test::rationals({"7/10", "3/10"})};
  EXPECT_TRUE(is_sinkhorn_norm(two, Rational(42, 100)));
}

TEST(IsSinkhornNorm, OfNoNumberBesideTheNorm) {
  const Rational little(1, 1'000'000'000);
  for (std::size_t n = 2; n <= 4; ++n) {
    for (const Rational& off : {little, Rational(-little), Rational(1)}) {
      EXPECT_FALSE(is_sinkhorn_norm(uniform(n), Rational(1, n) + off)) << n;
    }
  }
}

/// A number that the enclosure of the norm holds, and another eigenvalue, which is none.
TEST(IsSinkhornNorm, AgreesWithTheEnclosure) {
  const Plan plan = mixed(3, Rational(1, 2));  // rows of 2/3, 1/6, 1/6
  const Rational norm = Rational(2, 3) * Rational(1, 2);
  const Case input{.kind = InputKind::transport_plan, .plan = plan};
  EXPECT_TRUE(is_sinkhorn_norm(plan, norm));
  EXPECT_TRUE(test::overlap(sinkhorn_norm<Interval>(CaseContext(input)), from<Interval>(norm)));
  EXPECT_FALSE(is_sinkhorn_norm(plan, Rational(1, 6)));
}

}  // namespace
}  // namespace attn
