// Scores, keys or values from which one number was taken off: they are read, and a line says so.
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>

#include <string>
#include <tuple>

#include "gpt2_check/tests/recording_file.hpp"

namespace attn::gpt2 {
namespace {

using test::kInfinity;
using test::later_keys;
using test::Metadata;
using test::Tensors;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::int64_t kHeads = 4, kPositions = 24;
const Metadata kFull{{"mask", "full"}};
/// Zeros in the same places of all heads are asked about before.
const Metadata kFullOfScores{{"mask", "full"}, {"hidden_below", "none"}};
constexpr const char* kOne = "one score of every row, ";

struct Reference : test::WithRecording {
  std::string remarks(const Tensors& tensors, const Metadata& said) {
    return test::all_remarks(*opened(tensors, said));
  }
  std::string of_scores(const at::Tensor& scores, const Metadata& said = kFullOfScores) {
    return remarks({{names::scores(0), scores}}, said);
  }
};

at::Tensor some_scores() {
  return at::randn({kHeads, kPositions, kPositions}, at::kDouble) * 3;
}

at::Tensor less_key(const at::Tensor& scores, std::int64_t key) {
  return scores - scores.slice(2, key, key + 1);
}

TEST_F(Reference, IsAScoreOfEachRow) {
  const at::Tensor scores = some_scores();
  const at::Tensor own = scores.diagonal(0, 1, 2).unsqueeze(-1);
  const at::Tensor middle = std::get<0>(scores.sort(-1)).slice(2, 11, 12);
  for (const auto type : {at::kDouble, at::kFloat, at::kBFloat16}) {
    const auto of = [&](const at::Tensor& shifted) { return of_scores(shifted.to(type)); };
    EXPECT_THAT(of(less_key(scores, 0)), HasSubstr("row, that of key 0, is exactly 0: was it"));
    EXPECT_THAT(of(less_key(scores, 23)), HasSubstr("row, that of key 23, is exactly 0"));
    EXPECT_THAT(of(scores - own), HasSubstr("row, that of its own key, is exactly 0"));
    EXPECT_THAT(of(scores - scores.amin(-1, true)), HasSubstr("row, its least one, is exactly 0"));
    EXPECT_THAT(of(scores), Not(HasSubstr(kOne)));
  }
  EXPECT_THAT(of_scores(scores - middle),
              HasSubstr("the one in the middle of its row, is exactly"));
  const at::Tensor next = std::get<0>(scores.sort(-1)).slice(2, 9, 10);
  EXPECT_THAT(of_scores(scores - next), Not(HasSubstr(kOne))) << "9 below and 14 above";
  const at::Tensor causal = scores.masked_fill(later_keys(kPositions), -kInfinity);
  EXPECT_THAT(of_scores(less_key(causal, 0), {{"hidden_below", "none"}}),
              HasSubstr("row, that of key 0, is exactly 0"));
}

TEST_F(Reference, IsNoneOfSoundScores) {
  const at::Tensor scores = some_scores();
  // The distance of each token to itself is 0.
  const at::Tensor distances = scores.abs().triu(1) + scores.abs().tril(-1) + 0.0;
  EXPECT_THAT(of_scores(-distances), Not(HasSubstr(kOne)));
  EXPECT_THAT(of_scores(distances), Not(HasSubstr(kOne)));
  // Two zeros in one row, none in one, and too few rows.
  at::Tensor two = less_key(scores, 0);
  two[2][5][7] = 0;
  EXPECT_THAT(of_scores(two), Not(HasSubstr(kOne)));
  at::Tensor none = less_key(scores, 0);
  none[2][5][0] = 0.5;
  EXPECT_THAT(of_scores(none), Not(HasSubstr(kOne)));
  const at::Tensor one_head = less_key(scores, 0).slice(0, 0, 1);
  EXPECT_THAT(of_scores(one_head.slice(1, 0, 8)), HasSubstr(kOne));
  EXPECT_THAT(of_scores(one_head.slice(1, 0, 7)), Not(HasSubstr(kOne)));
  // Of other keys by head it is no one in particular.
  const at::Tensor other =
      at::cat({less_key(scores, 0).slice(0, 0, 2), less_key(scores, 1).slice(0, 2, 4)});
  EXPECT_THAT(of_scores(other), Not(HasSubstr(kOne)));
}

TEST_F(Reference, IsTheLargestOrTheLeastOfAll) {
  const at::Tensor scores = some_scores();
  const auto says = [](const char* above, const char* largest) {
    return HasSubstr(
        fmt::format("no score is {} 0, and no head has more than one of 0: was the {} "
                    "of a head or of the layer taken off?",
                    above, largest));
  };
  const auto most = says("above", "largest"), least = says("below", "least");
  EXPECT_THAT(of_scores(scores - scores.max(), kFull), most);
  EXPECT_THAT(of_scores(scores - scores.amax({1, 2}, true), kFull), most);
  EXPECT_THAT(of_scores((scores - scores.max()).to(at::kFloat), kFull), most);
  EXPECT_THAT(of_scores(scores - scores.min(), kFull), least);
  EXPECT_THAT(of_scores(scores - scores.amin({1, 2}, true), kFull), least);
  // Of a causal mask, under which the largest of other heads may be hidden.
  at::Tensor seen = scores.clone();
  seen[0][23][0] = 50;
  EXPECT_THAT(
      of_scores((seen - seen.amax({1, 2}, true)).masked_fill(later_keys(kPositions), -kInfinity),
                {}),
      most);
  EXPECT_THAT(of_scores(scores, kFull), AllOf(Not(most), Not(least)));
  // A second one of 0 in a head, numbers on both sides, no 0, and few numbers.
  at::Tensor two = scores - scores.max();
  two[1][3][4] = two[1][7][9] = 0;
  EXPECT_THAT(of_scores(two, kFull), Not(most));
  at::Tensor both = scores - scores.max();
  both[1][3][4] = 0.5;
  EXPECT_THAT(of_scores(both, kFull), Not(most));
  EXPECT_THAT(of_scores(scores - scores.max() - 1, kFull), Not(most));
  const at::Tensor corner = scores.slice(0, 0, 1).slice(1, 0, 8).slice(2, 0, 8);
  EXPECT_THAT(of_scores(corner - corner.max(), kFull), Not(most)) << "63 others";
}

TEST_F(Reference, IsTheMeanOfKeysOrValues) {
  const at::Tensor q = at::randn({kPositions, kHeads, 16}, at::kDouble) * 3;
  const at::Tensor k = at::randn({kPositions, 2, 16}, at::kDouble) + 5;
  const at::Tensor v = at::randn({kPositions, 2, 16}, at::kDouble) - 2;
  const auto of = [&](const at::Tensor& keys, const at::Tensor& values) {
    return remarks({{names::q(0), q}, {names::k(0), keys}, {names::v(0), values}}, {});
  };
  const auto says = [](const char* words) {
    return HasSubstr(
        fmt::format("every number of the {} has the mean 0 over the positions", words));
  };
  for (const auto type : {at::kDouble, at::kFloat, at::kBFloat16}) {
    EXPECT_THAT(of((k - k.mean(0)).to(type), v), AllOf(says("keys"), Not(says("values"))));
    EXPECT_THAT(of(k, (v - v.mean(0)).to(type)), AllOf(says("values"), Not(says("keys"))));
  }
  EXPECT_THAT(of(k, v), AllOf(Not(says("values")), Not(says("keys"))));
  // All but one number, and too few numbers or positions to tell.
  at::Tensor but_one = v - v.mean(0);
  but_one.select(1, 1).select(1, 3) += 1;
  EXPECT_THAT(of(k, but_one), Not(says("values")));
  const at::Tensor narrow = v.slice(2, 0, 8), few = v.slice(2, 0, 7);
  EXPECT_THAT(of(k, narrow - narrow.mean(0)), says("values"));
  EXPECT_THAT(of(k, few - few.mean(0)), Not(says("values")));
}

TEST_F(Reference, SharedKeysAndValuesOfLayers) {
  const auto rows = [](std::int64_t heads) {
    return at::randn({kPositions, heads, 16}, at::kDouble) * 2;
  };
  const at::Tensor k = rows(2), v = rows(2);
  Tensors shared{{names::k(0), k}, {names::k(1), k}, {names::v(0), v}, {names::v(1), v}};
  for (const int layer : {0, 1}) shared[names::q(layer)] = rows(kHeads);
  EXPECT_THAT(remarks(shared, {}),
              AllOf(HasSubstr("layers 0, 1 have the same keys: does the model share them, or"),
                    HasSubstr("layers 0, 1 have the same values: does the model share them, or"),
                    Not(HasSubstr("same numbers"))));
  // What a pattern and outputs confirm is shared.
  for (const int layer : {0, 1}) {
    const at::Tensor logits = at::matmul(shared.at(names::q(layer)).transpose(0, 1),
                                         k.repeat_interleave(2, 1).permute({1, 2, 0})) /
                              4;
    const at::Tensor pattern =
        at::softmax(logits.masked_fill(later_keys(kPositions), -kInfinity), -1);
    shared[names::pattern(layer)] = pattern;
    shared[names::z(layer)] =
        at::matmul(pattern, v.repeat_interleave(2, 1).transpose(0, 1)).transpose(0, 1).contiguous();
  }
  EXPECT_THAT(remarks(shared, {}), Not(HasSubstr("have the same")));
  shared[names::q(1)] = shared.at(names::q(0));
  shared[names::pattern(1)] = shared.at(names::pattern(0));
  shared[names::z(1)] = shared.at(names::z(0));
  EXPECT_THAT(remarks(shared, {}), HasSubstr("layers 0, 1 have the same numbers"));
}

/// Each query's own key may have the largest score of all, as its distance to itself is 0.
TEST_F(Reference, IsNoLimitOfClippedScores) {
  const at::Tensor points = at::randn({kHeads, kPositions, 4}, at::kDouble);
  const at::Tensor distances = (points.unsqueeze(2) - points.unsqueeze(1)).norm(2, {-1});
  const at::Tensor causal = (-distances).masked_fill(later_keys(kPositions), -kInfinity);
  EXPECT_THAT(of_scores(causal, {{"hidden_below", "none"}}), Not(HasSubstr("clipped")));
}

TEST_F(Reference, IsTheFactorOfAPattern) {
  const at::Tensor pattern = at::softmax(some_scores(), -1);
  const at::Tensor v = at::randn({kPositions, kHeads, 16}, at::kDouble);
  const auto of = [&](const char* temperatures) {
    return remarks({{names::pattern(0), pattern}, {names::v(0), v}},
                   {{"mask", "full"}, {"temperatures", temperatures}});
  };
  EXPECT_THAT(of("[0.25]"), HasSubstr("layer 0: its T, 0.25, is 1 over the root of the width of "
                                      "its values: is it what q.k is multiplied by?"));
  for (const char* const sound : {"[4]", "[1]", "[0.250001]", "[0.5]"}) {
    EXPECT_THAT(of(sound), Not(HasSubstr("its T")));
  }
}

}  // namespace
}  // namespace attn::gpt2
