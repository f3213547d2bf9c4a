// The rows of a long layer that are asked how they were made.
#include "gpt2_check/activations/first_rows.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

namespace attn::gpt2 {
namespace {

constexpr std::int64_t kLong = kShowingQueries + 300;

/// Numbers that tell their place.
at::Tensor places(std::int64_t heads, std::int64_t queries, std::int64_t keys) {
  return at::arange(heads * queries * keys).reshape({heads, queries, keys});
}

/// The part of a layer of as many keys as queries from (first, first) on.
void expect_part(const at::Tensor& seen, std::int64_t first, std::int64_t keys) {
  const at::Tensor numbers = places(2, kLong, kLong);
  const SeenSquares part = first_rows(numbers, seen);
  ASSERT_EQ(part.numbers.heads(), 2);
  for (std::int64_t head = 0; head < 2; ++head) {
    const at::Tensor wanted =
        numbers[head].slice(0, first, first + kShowingQueries).slice(1, first, first + keys);
    EXPECT_TRUE(part.numbers[head].equal(wanted)) << "head " << head;
    EXPECT_TRUE(part.numbers[head].is_contiguous());
  }
  EXPECT_TRUE(
      part.seen.equal(seen.slice(1, first, first + kShowingQueries).slice(2, first, first + keys)));
}

TEST(FirstRows, OfACausalLayerAreASquare) {
  expect_part(at::ones({1, kLong, kLong}, at::kBool).tril(), 0, kShowingQueries);
}

TEST(FirstRows, OfAFullLayerHaveAllKeys) {
  expect_part(at::ones({1, kLong, kLong}, at::kBool), 0, kLong);
}

TEST(FirstRows, BeginAfterPadding) {
  at::Tensor seen = at::ones({2, kLong, kLong}, at::kBool).tril();
  seen.slice(1, 0, 200).fill_(false);
  seen.slice(2, 0, 200).fill_(false);
  expect_part(seen, 200, kShowingQueries);
  // As far as some head sees.
  seen[1].slice(0, 0, 100).fill_(false);
  seen[0][150][199] = true;
  const SeenSquares part = first_rows(places(2, kLong, kLong), seen);
  EXPECT_TRUE(part.seen.equal(
      seen.slice(1, 150, 150 + kShowingQueries).slice(2, 199, 150 + kShowingQueries)));
}

TEST(FirstRows, OfAShortLayerAreAll) {
  const at::Tensor seen = at::ones({1, kShowingQueries, kLong}, at::kBool).tril();
  const at::Tensor numbers = places(1, kShowingQueries, kLong);
  const SeenSquares part = first_rows(numbers, seen);
  EXPECT_TRUE(part.seen.equal(seen));
  EXPECT_TRUE(part.numbers[0].equal(numbers[0]));
}

TEST(FirstRows, ThatSeeNothingAreTheFirst) {
  const at::Tensor seen = at::ones({1, kLong, kLong}, at::kBool).logical_not();
  EXPECT_EQ(first_rows(places(1, kLong, kLong), seen).seen.size(1), kShowingQueries);
}

}  // namespace
}  // namespace attn::gpt2
