// Weights that one softmax over the keys did not make as they are: each is read, and one line asks
// what they are, with a near miss that is read without one.
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/full.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros_like.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "gpt2_check/tests/recording_file.hpp"

namespace attn::gpt2 {
namespace {

using test::kInfinity;
using test::later_keys;
using test::Metadata;
using test::Tensors;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::int64_t kHeads = 3, kPositions = 24;
constexpr at::ScalarType kTypes[] = {at::kDouble, at::kFloat, at::kHalf, at::kBFloat16};
const Metadata kFull{{"mask", "full"}};

class OtherWeights : public test::WithRecording {
 protected:
  /// The remarks on a pattern [head, query, key], a line each.
  [[nodiscard]] std::string remarks(const at::Tensor& pattern, const Metadata& said = {}) const {
    const auto source = opened({{names::pattern(0), pattern}}, said);
    return test::all_remarks(*source);
  }
};

at::Tensor scores_of(std::int64_t queries, std::int64_t keys) {
  return at::randn({kHeads, queries, keys}, at::kDouble) * 2;
}

/// Softmax of scores under a causal mask.
at::Tensor causal(const at::Tensor& scores) {
  return at::softmax(scores.masked_fill(later_keys(scores.size(1)), -kInfinity), -1);
}

TEST_F(OtherWeights, AddedToTheIdentity) {
  const at::Tensor scores = scores_of(kPositions, kPositions), pattern = causal(scores);
  const at::Tensor identity = at::eye(kPositions, at::kDouble);
  for (const auto type : kTypes) {
    const auto asks = [](const char* word) {
      return StartsWith(
          fmt::format("layer 0: every query's own key has at least half of the weight "
                      "of its row: are the weights the {} of a pattern",
                      word));
    };
    const at::Tensor sum = pattern.to(type).to(at::kDouble) + identity;
    EXPECT_THAT(remarks((sum / 2).to(type)), asks("mean"));
    EXPECT_THAT(remarks((sum / sum.sum(-1, true)).to(type)), asks("mean"));
    EXPECT_THAT(remarks(sum.to(type)), asks("sum"));
    EXPECT_THAT(remarks(((at::softmax(scores, -1) + identity) / 2).to(type), kFull), asks("mean"));
    EXPECT_THAT(remarks(pattern.to(type)), IsEmpty());
  }
  // With padding, and in one row less than half.
  at::Tensor mean = (pattern + identity) / 2;
  EXPECT_THAT(remarks(mean, {{"padding", "[22, 23]"}}), HasSubstr("as rollout makes it?"));
  mean[2][20] = pattern[2][20] * 0.6 + identity[20] * 0.4;
  mean[2][20][20] = 0.45;
  EXPECT_THAT(remarks(mean), IsEmpty());
  // Sums of other numbers, the identity alone, and few rows.
  EXPECT_THAT(remarks(pattern * 0.25 + identity * 0.5), IsEmpty());
  EXPECT_THAT(remarks(identity.expand({kHeads, -1, -1}).contiguous(), {{"zeros", "weights"}}),
              Not(HasSubstr("rollout")));
  const at::Tensor few = ((pattern + identity) / 2).slice(0, 0, 1).slice(1, 0, 8).slice(2, 0, 8);
  EXPECT_THAT(remarks(few.contiguous()), IsEmpty());
}

/// Softmax over the queries, divided by the sum of each row, as slot attention has it.
at::Tensor over_queries(const at::Tensor& scores) {
  const at::Tensor weights = at::softmax(scores, -2) + 1e-8;
  return weights / weights.sum(-1, true);
}

TEST_F(OtherWeights, OfASoftmaxOverTheQueries) {
  const auto asks = StartsWith("layer 0: rows that are multiplied by one number each add up to 1");
  for (const auto type : kTypes) {
    EXPECT_THAT(remarks(over_queries(scores_of(7, 40)).to(type), kFull), asks);
    EXPECT_THAT(remarks(over_queries(scores_of(2, 5)).to(type), kFull), asks);
    EXPECT_THAT(remarks(at::softmax(scores_of(7, 40), -1).to(type), kFull), IsEmpty());
  }
  at::Tensor one_head = over_queries(scores_of(7, 40));
  one_head[1] = at::softmax(scores_of(7, 40)[0], -1);
  EXPECT_THAT(remarks(one_head, kFull), IsEmpty());
  // Any pattern of as many queries as keys, or nearly, has such factors.
  EXPECT_THAT(remarks(over_queries(scores_of(7, 9)), kFull), IsEmpty());
  // Where not all see every key.
  EXPECT_THAT(remarks(over_queries(scores_of(4, 12)), {{"mask", "full"}, {"zeros", "hidden"}}),
              asks);
  at::Tensor some = over_queries(scores_of(4, 12));
  some[0][2][3] = 0;
  EXPECT_THAT(remarks(some, {{"mask", "full"}, {"zeros", "hidden"}}),
              Not(HasSubstr("over the queries")));
}

/// Weights of one head, of which chance makes most.
TEST_F(OtherWeights, OfASoftmaxOverTheKeysRaiseNoQuestion) {
  for (int run = 0; run < 300; ++run) {
    const std::int64_t queries = 2 + run % 6, keys = queries + 3 + run % 4;
    const double size = std::pow(10, run % 9 - 7);
    const at::Tensor scores = at::randn({1, queries, keys}, at::kDouble) * size;
    EXPECT_THAT(remarks(at::softmax(scores, -1), kFull), IsEmpty()) << run;
    const at::Tensor of_all = at::randn({1, 2 * keys, 2 * keys}, at::kDouble) * size;
    EXPECT_THAT(remarks(at::softmax(of_all, -1), kFull), IsEmpty()) << run;
    EXPECT_THAT(remarks(causal(of_all)), IsEmpty()) << run;
  }
  const at::Tensor level = at::full({kHeads, 6, 16}, 1.0 / 16, at::kDouble);
  EXPECT_THAT(remarks(level, kFull), Not(HasSubstr("was the softmax taken")));
}

/// Divided by the sums of rows and columns in turn, rows last.
at::Tensor both_ways(at::Tensor weights) {
  for (int round = 0; round < 60; ++round) {
    weights = weights / weights.sum(-2, true);
    weights = weights / weights.sum(-1, true);
  }
  return weights;
}

TEST_F(OtherWeights, DividedByTheirSumsInTurn) {
  const auto asks = StartsWith("layer 0: columns of the pattern sum to 1 as rows do");
  const at::Tensor scores = scores_of(kPositions, kPositions);
  for (const auto type : kTypes) {
    EXPECT_THAT(remarks(both_ways(scores.exp()).to(type), kFull), asks);
    EXPECT_THAT(remarks(at::softmax(scores, -1).to(type), kFull), IsEmpty());
  }
  at::Tensor one_head = both_ways(scores.exp());
  one_head[1] = at::softmax(scores[0], -1);
  EXPECT_THAT(remarks(one_head, kFull), IsEmpty());
  // Rows that are nearly level, and few of them.
  EXPECT_THAT(remarks(at::softmax(scores * 1e-4, -1), kFull), IsEmpty());
  EXPECT_THAT(remarks(both_ways(scores_of(6, 6).exp()), kFull), IsEmpty());
}

/// Softmax of each part of the keys that a query sees, all divided by the number of parts.
at::Tensor in_parts(const at::Tensor& scores, std::int64_t size) {
  std::vector<at::Tensor> parts;
  for (std::int64_t first = 0; first < scores.size(2); first += size) {
    const std::int64_t end = std::min(first + size, scores.size(2));
    parts.push_back(at::softmax(scores.slice(2, first, end), -1).nan_to_num(0));
  }
  const at::Tensor all = at::cat(parts, -1);
  return all / all.sum(-1, true);
}

TEST_F(OtherWeights, OfPartsOfTheKeys) {
  const auto asks = [](std::int64_t size) {
    return StartsWith(
        fmt::format("layer 0: parts of {} keys, one after the other, have the same "
                    "weight in every row that sees several",
                    size));
  };
  const at::Tensor later = later_keys(kPositions);
  for (const auto type : kTypes) {
    for (const std::int64_t size : {3, 4, 6, 8, 10, 12, 16, 20}) {
      SCOPED_TRACE(fmt::format("{} {}", at::toString(type), size));
      const at::Tensor scores = scores_of(kPositions, kPositions) * 2;
      EXPECT_THAT(remarks(in_parts(scores, size).to(type), kFull), asks(size));
      if (size <= 12) {
        EXPECT_THAT(remarks(in_parts(scores.masked_fill(later, -kInfinity), size).to(type)),
                    asks(size));
      }
      EXPECT_THAT(remarks(in_parts(scores_of(5, kPositions) * 2, size).to(type), kFull),
                  asks(size));
    }
  }
  at::Tensor near = in_parts(scores_of(kPositions, kPositions), 6);
  near[2][20] = at::softmax(at::randn({kPositions}, at::kDouble), -1);
  EXPECT_THAT(remarks(near, kFull), IsEmpty());
  // Of a window no row sees the first parts.
  const at::Tensor scores = scores_of(kPositions, kPositions);
  const at::Tensor beyond = later.logical_or(at::zeros_like(later).logical_not().tril(-8));
  EXPECT_THAT(remarks(in_parts(scores.masked_fill(beyond, -kInfinity), 6), {{"mask", "window:8"}}),
              IsEmpty());
}

/// Weights that were printed, or written as text.
TEST_F(OtherWeights, RoundedToDecimals) {
  const at::Tensor seen = later_keys(kPositions).logical_not();
  for (const int decimals : {2, 3, 4, 5, 6}) {
    const double scale = std::pow(10, decimals);
    const at::Tensor some = causal(scores_of(kPositions, kPositions) * (2 + decimals));
    const at::Tensor of_decimals = (some * scale).round() / scale;
    const auto rows = of_decimals.eq(0).logical_and(seen).any(-1).sum().item<std::int64_t>();
    ASSERT_GT(rows, 1);
    const auto says =
        HasSubstr(fmt::format("layer 0: the weights are rounded to {} decimals, and so to 0 in {} "
                              "rows, without logits then",
                              decimals, rows));
    for (const auto type : {at::kDouble, at::kFloat}) {
      for (const Metadata& said : {Metadata{}, Metadata{{"zeros", "weights"}}}) {
        EXPECT_THAT(remarks(of_decimals.to(type), said), AllOf(says, Not(HasSubstr("far above"))));
      }
      EXPECT_THAT(remarks(of_decimals.to(type).to(at::kDouble)), says);
      at::Tensor one_more = of_decimals.to(type).clone();
      one_more[2][20][3] = 0.31234567 / scale;
      EXPECT_THAT(remarks(one_more), Not(HasSubstr("decimals")));
    }
  }
}

/// Weights that an image of 8 bits held.
TEST_F(OtherWeights, OfAnImage) {
  const auto says = HasSubstr("layer 0: the weights are all multiples of 1/255");
  const at::Tensor image = (causal(scores_of(kPositions, kPositions)) * 255).round() / 255;
  for (const auto type : {at::kDouble, at::kFloat}) {
    EXPECT_THAT(remarks(image.to(type)), says);
    EXPECT_THAT(remarks(image.to(type), {{"zeros", "weights"}}), says);
    at::Tensor one_more = image.to(type).clone();
    one_more[2][20][3] = 0.31234567;
    EXPECT_THAT(remarks(one_more), Not(says));
  }
}

}  // namespace
}  // namespace attn::gpt2
