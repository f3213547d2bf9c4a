#include <gtest/gtest.h>

#include "gpt2_check/bench/random_head.hpp"
#include "gpt2_check/heads/row_weights.hpp"

namespace attn::gpt2 {
namespace {

void expect_rows(const Head& head, Eigen::Index step) {
  LogitRows rows(head);
  for (Eigen::Index row = 0; row < head.positions(); row += step) {
    const std::span<const double> found = rows.at(row);
    const Eigen::VectorXd expected = raw_logits(head, row);
    ASSERT_EQ(found.size(), static_cast<std::size_t>(expected.size())) << row;
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_NEAR(found[i], expected[static_cast<Eigen::Index>(i)], 1e-13) << row << ", " << i;
    }
  }
}

TEST(LogitRows, AreThoseOfTheHead) {
  for (const Mask& mask : {Mask{}, Mask{.full = true}, Mask{.window = 1}, Mask{.window = 50}}) {
    Head head = random_head(100, 4, 3, 1, 32);
    head.mask = mask;
    for (const Eigen::Index step : {1, 7, 40}) expect_rows(head, step);
    head.scores = raw_logits(head);
    head.q = head.k = Rows();
    for (const Eigen::Index step : {1, 7, 40}) expect_rows(head, step);
  }
}

TEST(LogitRows, DoNotDependOnTheRowsBefore) {
  const Head head = random_head(100, 4, 3, 1, 33);
  LogitRows in_order(head);
  for (Eigen::Index row = 0; row < 100; ++row) {
    const std::span<const double> found = in_order.at(row);
    LogitRows alone(head);
    const std::span<const double> expected = alone.at(row);
    EXPECT_TRUE(std::ranges::equal(found, expected)) << row;
  }
  LogitRows back(head);
  const double last = back.at(99).front();
  back.at(3);
  EXPECT_EQ(back.at(99).front(), last);
}

}  // namespace
}  // namespace attn::gpt2
