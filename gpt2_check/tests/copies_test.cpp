// Keys that were copied to several places: read, and one line asks, with near misses and sound
// recordings that are read without one.
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/tensor.h>
#include <gmock/gmock.h>

#include <string>

#include "gpt2_check/tests/recording_file.hpp"

namespace attn::gpt2 {
namespace {

using test::kInfinity;
using test::later_keys;
using test::Metadata;
using test::Tensors;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::int64_t kHeads = 4, kKeys = 12, kPositions = 24;
constexpr at::ScalarType kTypes[] = {at::kDouble, at::kFloat, at::kHalf, at::kBFloat16};
const Metadata kFull{{"mask", "full"}}, kCausal{{"mask", "causal"}};
const Metadata kAllSeen{{"mask", "full"}, {"padding", "[]"}, {"zeros", "weights"}};
const Metadata kCausalSeen{{"mask", "causal"}, {"padding", "[]"}, {"zeros", "weights"}};
constexpr const char* kCopied = "were fewer keys copied to more places";

class Copies : public test::WithRecording {
 protected:
  [[nodiscard]] std::string remarks(const Tensors& tensors, const Metadata& said) const {
    const auto source = opened(tensors, said);
    return test::all_remarks(*source);
  }
};

/// Scores of so many keys, [head, query, key].
at::Tensor scores_of(std::int64_t keys) {
  return at::randn({kHeads, kPositions, keys}, at::kDouble) * 2;
}

/// Each key twice, side by side.
at::Tensor twice(const at::Tensor& squares) {
  return squares.repeat_interleave(2, 2);
}

at::Tensor causal(const at::Tensor& scores) {
  return at::softmax(scores.masked_fill(later_keys(kPositions), -kInfinity), -1);
}

TEST_F(Copies, OfColumns) {
  const auto says = HasSubstr("layer 0: of 24 keys only 12 are different, in every head and row");
  const at::Tensor scores = scores_of(kKeys), values = at::randn({kPositions, kHeads, 4});
  for (const auto type : kTypes) {
    SCOPED_TRACE(at::toString(type));
    const at::Tensor full = twice(at::softmax(scores, -1) / 2).to(type);
    EXPECT_THAT(remarks({{names::pattern(0), full}}, kFull), says);
    EXPECT_THAT(remarks({{names::pattern(0), full}, {names::v(0), values}}, kFull), says);
    EXPECT_THAT(remarks({{names::pattern(0), causal(twice(scores)).to(type)}}, kCausal), says);
    EXPECT_THAT(remarks({{names::scores(0), twice(scores).to(type)}}, kFull), says);
    const at::Tensor tiled = at::cat({scores, scores}, 2).to(type);
    EXPECT_THAT(remarks({{names::scores(0), tiled}}, kFull), says);
  }
}

TEST_F(Copies, OfKeys) {
  const at::Tensor q = at::randn({kPositions, kHeads, 8}), v = at::randn({kPositions, kHeads, 8});
  const at::Tensor k = at::randn({kKeys, kHeads, 8}).repeat_interleave(2, 0);
  const Tensors tensors{{names::q(0), q}, {names::k(0), k.contiguous()}, {names::v(0), v}};
  EXPECT_THAT(remarks(tensors, kCausal), HasSubstr("layer 0: of 24 keys only 12 are different"));
  at::Tensor other = k.clone();
  other.slice(0, 0, kPositions, 2).select(1, kHeads - 1) += 1;  // in one head
  EXPECT_THAT(remarks({{names::q(0), q}, {names::k(0), other}}, kCausal), Not(HasSubstr(kCopied)));
}

TEST_F(Copies, OfOneRowOrOneHeadLess) {
  const at::Tensor copied = twice(at::softmax(scores_of(kKeys), -1) / 2);
  for (const auto& [head, query] : {std::pair{0, 0}, {3, 23}, {1, 12}}) {
    at::Tensor other = copied.clone();
    other[head][query] = at::softmax(at::randn({kPositions}, at::kDouble), -1);
    EXPECT_THAT(remarks({{names::pattern(0), other}}, kFull), Not(HasSubstr(kCopied)));
  }
}

/// A text without positions, of tokens that come again, not each as often.
TEST_F(Copies, OfTokensThatComeAgain) {
  const at::Tensor token = at::tensor(
      {0, 1, 2, 0, 3, 4, 0, 5, 1, 6, 7, 0, 8, 2, 9, 0, 1, 10, 3, 0, 11, 4, 5, 0}, at::kLong);
  const at::Tensor again = causal(scores_of(kKeys).index_select(2, token));
  const at::Tensor others = causal(scores_of(kPositions));
  EXPECT_THAT(remarks({{names::pattern(0), again}}, kCausal), Not(HasSubstr(kCopied)));
  EXPECT_THAT(remarks({{names::pattern(0), again}, {names::pattern(1), others}}, kCausal),
              Not(HasSubstr(kCopied)));
  EXPECT_THAT(remarks({{names::pattern(0), again}, {names::pattern(1), again.flip(0)}}, kCausal),
              HasSubstr("layers 0, 1: of 24 keys only 12 are different"));
  // Where every token sees all others, those that are the same stay so.
  const at::Tensor scores = scores_of(kKeys).slice(1, 0, kKeys);
  const at::Tensor stay =
      at::softmax(scores.index_select(1, token).index_select(2, token), -1).contiguous();
  EXPECT_THAT(remarks({{names::pattern(1), stay}}, kFull), Not(HasSubstr(kCopied)));
  at::Tensor other = stay.clone();
  other[0][23] = scores_of(kKeys)[0][0].softmax(-1).index_select(0, token);
  EXPECT_THAT(remarks({{names::pattern(1), other}}, kFull), HasSubstr(kCopied));
}

/// Where rows are nearly level few numbers of 16 bits are different.
TEST_F(Copies, OfLevelRows) {
  for (const double size : {1e-3, 1e-2, 0.1}) {
    SCOPED_TRACE(size);
    for (const auto type : kTypes) {
      SCOPED_TRACE(at::toString(type));
      const at::Tensor scores = scores_of(kPositions) * size;
      EXPECT_THAT(remarks({{names::pattern(1), at::softmax(scores, -1).to(type)}}, kAllSeen),
                  Not(HasSubstr(kCopied)));
      EXPECT_THAT(remarks({{names::pattern(1), causal(scores).to(type)}}, kCausalSeen),
                  Not(HasSubstr(kCopied)));
    }
  }
}

}  // namespace
}  // namespace attn::gpt2
