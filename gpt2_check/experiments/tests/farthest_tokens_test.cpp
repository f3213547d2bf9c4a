#include "gpt2_check/heads/farthest_tokens.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "gpt2_check/bench/random_head.hpp"

namespace attn::gpt2 {
namespace {

using Set = std::vector<std::size_t>;

/// By the definition. `set` is counted from `first`.
double largest_square(const Rows& x, Eigen::Index first, Eigen::Index end, const Set& set) {
  double largest = 0;
  for (Eigen::Index i = first; i < end; ++i) {
    if (std::ranges::find(set, static_cast<std::size_t>(i - first)) != set.end()) continue;
    for (const std::size_t j : set) {
      const Eigen::Index token = first + static_cast<Eigen::Index>(j);
      largest = std::max(largest, (x.row(i) - x.row(token)).squaredNorm());
    }
  }
  return largest;
}

Set random_set(std::size_t tokens, std::size_t n, std::mt19937_64& stream) {
  Set all(tokens);
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::ranges::shuffle(all, stream);
  all.resize(n);
  return all;
}

/// The tokens with the longest embeddings: what lies far from any token is among them.
Set longest(const Rows& x, Eigen::Index first, Eigen::Index end, std::size_t n) {
  Set all(static_cast<std::size_t>(end - first));
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::ranges::sort(all, std::greater(), [&](std::size_t i) {
    return x.row(first + static_cast<Eigen::Index>(i)).norm();
  });
  all.resize(n);
  return all;
}

/// `stride`: 0 for steps of 1 to 3 rows.
void expect_definition(const Mask& mask, Eigen::Index stride = 0) {
  Head head = random_head(90, 4, 3, 1, 31);
  for (Eigen::Index i = 0; i < 90; i += 3) head.x.row(i) *= 20;  // outliers, 30 of them
  head.x.row(41) = head.x.row(7);
  const Geometry geometry(head);
  FarthestTokens farthest(geometry);
  std::mt19937_64 stream(1);
  for (Eigen::Index row = 1; row<90; row += stride> 0 ? stride : 1 + row % 3) {
    const Eigen::Index first = mask.first(row), end = mask.end(row, 90);
    farthest.see(first, end);
    const auto tokens = static_cast<std::size_t>(end - first);
    for (const std::size_t n : {std::size_t{1}, tokens / 3, tokens / 2, tokens - 1, tokens}) {
      if (n == 0) continue;
      for (const Set& set : {random_set(tokens, n, stream), longest(head.x, first, end, n)}) {
        const double expected = largest_square(head.x, first, end, set);
        EXPECT_NEAR(farthest.largest_square(set), expected, 1e-10 * expected)
            << "row " << row << ", N = " << n;
      }
    }
  }
}

TEST(FarthestTokens, FollowTheDefinition) {
  expect_definition({});
}

TEST(FarthestTokens, FollowTheDefinitionWhereAllAreSeen) {
  expect_definition({.full = true});
}

TEST(FarthestTokens, FollowTheDefinitionInWindowsFarApart) {
  for (const std::int64_t window : {2, 5, 40}) expect_definition({.window = window}, 44);
}

TEST(FarthestTokens, FollowTheDefinitionInAWindow) {
  for (const std::int64_t window : {2, 5, 40}) expect_definition({.window = window});
}

}  // namespace
}  // namespace attn::gpt2
