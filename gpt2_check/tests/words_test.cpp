// Words of a recording that are not read, that nothing can follow, or that contradict each other.
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <limits>
#include <utility>

#include "gpt2_check/tests/recording_file.hpp"

namespace attn::gpt2 {
namespace {

using test::kInfinity;
using test::later_keys;
using test::Metadata;
using test::Tensors;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using enum BadInputKind;

using Words = test::WithRecording;

constexpr std::int64_t kHeads = 3, kPositions = 12;

Tensors queries_and_keys() {
  return {{names::q(0), at::randn({kPositions, kHeads, 4})},
          {names::k(0), at::randn({kPositions, kHeads, 4})}};
}

at::Tensor some_scores() {
  return at::randn({kHeads, kPositions, kPositions}, at::kDouble)
      .masked_fill(later_keys(kPositions), -kInfinity);
}

TEST_F(Words, OtherNamesOfMetadata) {
  const Tensors stored = queries_and_keys();
  const Metadata others{{"temperature", "temperatures"},
                        {"Temperatures", "temperatures"},
                        {"softmax_scale", "temperatures"},
                        {"Mask", "mask"},
                        {"is_causal", "mask"},
                        {"attn_mask", "mask"},
                        {"pad", "padding"},
                        {"padding_positions", "padding"},
                        {"zero", "zeros"},
                        {"hidden-below", "hidden_below"}};
  for (const auto& [written, read] : others) {
    expect_refused(stored,
                   {.kind = unknown_name,
                    .where = fmt::format("metadata '{}'", written),
                    .expected = fmt::format("'{}', ", read),
                    .found = "a name that is not read"},
                   {{written, "x"}});
  }
  // Whatever the name, these are words of `mask`.
  for (const char* word : {"causal", "full", "window:4"}) {
    expect_refused(stored, {.kind = unknown_name, .expected = "'mask', causal, full or window:K"},
                   {{"attention", word}});
    EXPECT_NO_THROW(static_cast<void>(opened(stored, {{"attention", word}, {"mask", "full"}})));
  }
  // What is said beside the name that is read is not asked about.
  EXPECT_EQ(layer_of(stored, {{"scale", "0.5"}, {"temperatures", "[2.5]"}}).temperature, 2.5);
  const Metadata of_recorders{{"format", "pt"},           {"model_sha256", "x"},
                              {"attention", "eager"},     {"attn_implementation", "sdpa"},
                              {"hidden_size", "32"},      {"token_texts", "[]"},
                              {"modules", "[]"},          {"padding_side", "left"},
                              {"task", "text-generation"}};
  EXPECT_NO_THROW(static_cast<void>(opened(stored, of_recorders)));
}

TEST_F(Words, OtherNamesOfTensors) {
  const Metadata others{{"blocks.0.attn.hook_attn_mask", "'blocks.0.attn.hook_mask', "},
                        {"blocks.0.attn.hook_Mask", "'blocks.0.attn.hook_mask', "},
                        {"blocks.0.attn.hook_sinks", "'blocks.0.attn.hook_sink', "},
                        {"blocks.0.attn.hook_attn_probs", "'blocks.0.attn.hook_pattern', "},
                        {"blocks.0.attn.hook_scores", "'blocks.0.attn.hook_attn_scores', "},
                        {"blocks.0.attn.hook_rotary_q", "'blocks.0.attn.hook_rot_q', "},
                        {"attn_mask", "'attention_mask', "}};
  for (const auto& [written, read] : others) {
    Tensors stored = queries_and_keys();
    stored[written] = at::zeros({3});
    expect_refused(stored, {.kind = unknown_name, .where = written, .expected = read});
  }
  Tensors stored = queries_and_keys();
  stored["blocks.0.attn.hook_attn_mask"] = later_keys(kPositions);
  stored[names::mask(0)] = at::ones({kPositions, kPositions}, at::kBool);
  EXPECT_TRUE(layer_of(stored).mask.full);
  for (const char* name : {"blocks.0.attn.hook_z", "blocks.0.attn.hook_result", "position_ids",
                           "blocks.0.hook_resid_post", "model.layers.0.self_attn.q_proj.bias"}) {
    stored[name] = at::zeros({3});
  }
  EXPECT_NO_THROW(static_cast<void>(opened(stored)));
}

TEST_F(Words, OfWhatWasNotRecorded) {
  Tensors stored = queries_and_keys();
  const BadInputParts no_pattern{
      .kind = inconsistent, .where = "metadata 'zeros'", .expected = "a pattern", .found = "none"};
  const BadInputParts no_scores{.kind = inconsistent,
                                .where = "metadata 'hidden_below'",
                                .expected = "hook_attn_scores",
                                .found = "none"};
  expect_refused(stored, no_pattern, {{"zeros", "hidden"}});
  expect_refused(stored, no_scores, {{"hidden_below", "-1000"}});
  const Metadata none{{"hidden_below", "none"}, {"zeros", "weights"}};
  EXPECT_NO_THROW(static_cast<void>(opened(stored, none)));
  stored[names::pattern(1)] = at::softmax(some_scores(), -1);
  EXPECT_NO_THROW(static_cast<void>(opened(stored, {{"zeros", "hidden"}})));
  expect_refused(stored, no_scores, {{"hidden_below", "2e-6"}});
  stored[names::scores(2)] = some_scores();
  EXPECT_NO_THROW(static_cast<void>(opened(stored, {{"hidden_below", "-1000"}})));
}

TEST_F(Words, MasksOfWordAndTensor) {
  Tensors stored = queries_and_keys();
  const at::Tensor causal = later_keys(kPositions).logical_not();
  stored[names::mask(0)] = causal;
  EXPECT_TRUE(layer_of(stored, {{"mask", "causal"}}).mask.is_causal());
  EXPECT_TRUE(layer_of(stored, {{"mask", "recorded"}}).mask.is_causal());
  expect_refused(stored,
                 {.kind = inconsistent,
                  .where = "hook_mask",
                  .expected = "the keys that metadata 'mask' says, full",
                  .found = "others, first of query 0 at key 1",
                  .advice = "recorded"},
                 {{"mask", "full"}});
  stored[names::mask(0)] = at::ones({kHeads, kPositions, kPositions}, at::kBool);
  expect_refused(stored, {.kind = inconsistent, .expected = "says, window:4"},
                 {{"mask", "window:4"}});
  EXPECT_TRUE(layer_of(stored, {{"mask", "full"}}).mask.full);
  // What is said to be padding is no contradiction.
  stored[names::mask(0)] = causal.clone();
  stored[names::mask(0)].slice(1, 0, 2).fill_(false);
  const Metadata padded{{"mask", "causal"}, {"padding", "[0, 1]"}};
  EXPECT_EQ(opened(stored, padded)->shape().layers.front().keys, kPositions - 2);
  expect_refused(stored, {.kind = inconsistent, .found = "others, first of query 0 at key 0"},
                 {{"mask", "causal"}});
}

/// Values or keys may be repeated for each head of queries.
TEST_F(Words, AdviceOnRepeatedHeads) {
  Tensors stored{{names::q(0), at::randn({kPositions, 4, 8})},
                 {names::k(0), at::randn({kPositions, 2, 8})},
                 {names::v(0), at::randn({kPositions, 4, 8})}};
  expect_refused(stored, {.kind = inconsistent,
                          .where = names::v(0),
                          .expected = "2 heads as 'blocks.0.attn.hook_k' has",
                          .advice = "v[:, ::2] takes one of each; else repeat k too"});
  std::swap(stored[names::k(0)], stored[names::v(0)]);
  expect_refused(stored, {.kind = inconsistent,
                          .where = names::v(0),
                          .advice = "k[:, ::2] takes one of each; else repeat v too"});
  at::Tensor& keys = stored[names::k(0)];
  const at::Tensor two = keys.slice(1, 0, 2);
  keys = two.repeat_interleave(2, 1);
  expect_refused(stored, {.kind = inconsistent, .advice = "k[:, ::2] takes one of each"});
  keys = two.repeat({1, 2, 1});
  expect_refused(stored, {.kind = inconsistent,
                          .advice = "the heads of k come again after 2: if the heads of queries "
                                    "read them in groups, k[:, :2] takes one of each"});
  std::swap(stored[names::k(0)], stored[names::v(0)]);
  expect_refused(stored, {.kind = inconsistent,
                          .advice = "v[:, :2] takes one of each; if head h reads h % 2, tile k "
                                    "too, repeat(1, 2, 1)"});
}

/// The logarithm of the sum of exponentials, which flash attention hands out.
TEST_F(Words, ScoresOfOneKey) {
  Tensors stored{{names::scores(0), at::randn({kHeads, kPositions, 1})}};
  expect_refused(stored, {.kind = malformed,
                          .where = names::scores(0),
                          .expected = "two keys or more",
                          .found = "shape [3, 12, 1]: is it the logarithm of the sum"});
  stored[names::scores(0)] = at::randn({kHeads, kPositions, 2});
  EXPECT_NO_THROW(static_cast<void>(layer_of(stored, {{"mask", "full"}})));
  stored[names::scores(0)] = at::randn({kHeads, 1, 1});
  stored[names::scores(1)] = at::randn({kHeads, 1, 5});
  EXPECT_NO_THROW(static_cast<void>(opened(stored)));
}

TEST_F(Words, SoftmaxOverHeads) {
  const at::Tensor scores = at::randn({kHeads, kPositions, kPositions}, at::kDouble);
  const at::Tensor later = later_keys(kPositions);
  const at::Tensor over_all =
      at::softmax(scores.masked_fill(later, -kInfinity).permute({1, 0, 2}).flatten(1), -1)
          .unflatten(1, {kHeads, kPositions})
          .permute({1, 0, 2})
          .contiguous();
  const BadInputParts of_each{.kind = inconsistent,
                              .where = "hook_pattern",
                              .found = "over the heads, of each query and key"};
  const BadInputParts of_all{.kind = inconsistent,
                             .where = "hook_pattern",
                             .found = "over the heads and keys of each query"};
  expect_refused({{names::pattern(0), at::softmax(scores, 0)}}, of_each, {{"mask", "full"}});
  expect_refused({{names::pattern(0), at::softmax(scores, 0).masked_fill(later, 0)}}, of_each);
  expect_refused({{names::pattern(0), over_all}}, of_all);
  at::Tensor near = over_all.clone();
  near[1][5] *= 1.5;
  EXPECT_NO_THROW(static_cast<void>(opened({{names::pattern(0), near}})));
  // One head, and rows of 1, are what softmax makes.
  EXPECT_NO_THROW(static_cast<void>(opened({{names::pattern(0), over_all.slice(0, 0, 1)}})));
  const at::Tensor level = at::ones({kPositions, kPositions, kPositions}) / kPositions;
  EXPECT_NO_THROW(static_cast<void>(opened({{names::pattern(0), level}}, {{"mask", "full"}})));
}

TEST_F(Words, AHeadOfZeros) {
  at::Tensor pattern = at::softmax(some_scores(), -1);
  pattern[1][5].fill_(0);
  const Metadata causal{{"mask", "causal"}};
  expect_refused({{names::pattern(0), pattern}},
                 {.kind = out_of_range,
                  .found = "a row of zeros at [1, 5], which other heads have not",
                  .advice = "record what the model weighs by in every row"},
                 causal);
  at::Tensor of_all = pattern.clone();
  of_all.select(1, 5).fill_(0);
  expect_refused({{names::pattern(0), of_all}},
                 {.kind = out_of_range,
                  .found = "a row of zeros at [0, 5]",
                  .advice = "is it padding? metadata 'padding'"},
                 causal);
  pattern[1].fill_(0);
  expect_refused({{names::pattern(0), pattern}},
                 {.kind = out_of_range,
                  .where = "hook_pattern",
                  .expected = "a weight above 0 in every head",
                  .found = "zeros alone in head 1",
                  .advice = "record the other heads"},
                 causal);
  EXPECT_NO_THROW(static_cast<void>(opened({{names::pattern(0), pattern}}, {{"zeros", "hidden"}})));
}

TEST_F(Words, OfAnotherText) {
  Tensors stored = queries_and_keys();
  const auto remarks = [&](const Metadata& said = {}) {
    return opened(stored, said)->shape().remarks;
  };
  stored["tokens"] = at::zeros({kPositions}, at::kLong);
  EXPECT_THAT(remarks(), IsEmpty());
  stored["tokens"] = at::zeros({1, kPositions + 1}, at::kLong);
  EXPECT_THAT(remarks(), ElementsAre("tensor 'tokens' has 13, and layer 0 12 queries and 12 keys: "
                                     "are they of another text?"));
  stored.erase("tokens");
  for (const char* name : {"q", "k"}) {
    stored[names::Hook{name}(3)] = at::randn({kPositions - 2, kHeads, 4});
  }
  EXPECT_THAT(remarks(),
              ElementsAre("layer 0 has 12 positions and layer 3 10: are they of two runs?"));
  EXPECT_THAT(remarks({{"modules", "[]"}}), IsEmpty());
  stored[names::k(3)] = at::randn({kPositions, kHeads, 4});
  EXPECT_THAT(remarks({{"mask", "full"}}), IsEmpty());
}

TEST_F(Words, ABoundThatHidesKeysOfSomeHeads) {
  at::Tensor scores = some_scores().clamp(-3, 3).masked_fill(later_keys(kPositions), -50);
  const Metadata bound{{"hidden_below", "-10"}};
  const auto remarks = [&] { return opened({{names::scores(0), scores}}, bound)->shape().remarks; };
  EXPECT_THAT(remarks(), IsEmpty());
  scores[1][9][4] = scores[1][7][2] = scores[0][7][2] = -20;
  EXPECT_THAT(
      remarks(),
      ElementsAre("layer 0: the metadata `hidden_below`, -10, hide 201 scores, 3 of them of "
                  "keys that other heads see"));
}

/// Documents in one sequence, another window, or keys in the order of ranks that share a sequence.
TEST_F(Words, MasksThatScoresContradict) {
  const at::Tensor scores = at::randn({kHeads, kPositions, kPositions}, at::kDouble);
  const at::Tensor later = later_keys(kPositions);
  at::Tensor documents = later.clone();
  documents.slice(0, 7).slice(1, 0, 7).fill_(true);
  const at::Tensor beyond = later.logical_or(at::ones_like(later).tril(-4));
  const at::Tensor order = at::tensor({0, 1, 10, 11, 2, 3, 8, 9, 4, 5, 6, 7}, at::kLong);
  const at::Tensor of_ranks = later.index_select(0, order).index_select(1, order);
  const auto hiding = [&](const at::Tensor& hidden, double value = -kInfinity) {
    return Tensors{{names::scores(0), scores.masked_fill(hidden, value)}};
  };
  const auto refusal = [](const char* found) {
    return BadInputParts{.kind = inconsistent,
                         .where = "hook_attn_scores",
                         .expected = "scores of the keys that metadata 'mask' says",
                         .found = found,
                         .advice = "leave 'mask' out"};
  };
  const Metadata causal{{"mask", "causal"}}, window{{"mask", "window:5"}};
  for (const double fill : {-kInfinity, -std::numeric_limits<double>::max()}) {
    expect_refused(hiding(documents, fill),
                   refusal(" at [0, 7, 0], and so in every head: is the mask another"), causal);
  }
  expect_refused(hiding(beyond), refusal("-inf at [0, 4, 0]"), window);
  expect_refused(hiding(of_ranks), refusal("-inf at [0, 4, 2]"), causal);
  Tensors beside = hiding(documents);
  beside[names::pattern(0)] = at::softmax(beside[names::scores(0)], -1);
  expect_refused(beside, refusal("-inf at [0, 7, 0]"), causal);
  EXPECT_THAT(
      opened(hiding(documents), {{"mask", "full"}})->shape().remarks,
      ElementsAre("layer 0: scores hide keys in every head that the mask full shows, and are read "
                  "so: is the mask another, or the order of the keys?"));
  // What is not said so, what another head sees, and padding on either side.
  EXPECT_NO_THROW(static_cast<void>(opened(hiding(documents))));
  Tensors with_mask = hiding(documents);
  with_mask[names::mask(0)] = documents.logical_not();
  EXPECT_NO_THROW(static_cast<void>(opened(with_mask)));
  Tensors of_heads = hiding(later);
  of_heads[names::scores(0)].slice(0, 0, 2).masked_fill_(documents, -kInfinity);
  EXPECT_NO_THROW(static_cast<void>(opened(of_heads, causal)));
  for (const std::int64_t first : {0, 9}) {
    for (const bool sees_own : {true, false}) {
      for (const auto& [mask, said] : {std::pair{later, "causal"}, {later.ne(later), "full"}}) {
        at::Tensor hidden = mask.clone();
        hidden.slice(1, first, first + 3).fill_(true);
        if (sees_own) hidden = hidden.logical_and(at::eye(kPositions, at::kBool).logical_not());
        EXPECT_THAT(opened(hiding(hidden), {{"mask", said}})->shape().remarks, IsEmpty())
            << first << sees_own << said;
      }
    }
  }
}

TEST_F(Words, OnePatternRowExpanded) {
  const at::Tensor row = at::softmax(at::randn({kHeads, 1, kPositions}), -1);
  at::Tensor pattern = row.expand({kHeads, kPositions, kPositions}).contiguous();
  const auto remarks = [&] {
    return opened({{names::pattern(0), pattern}}, {{"mask", "full"}})->shape().remarks;
  };
  EXPECT_THAT(remarks(),
              ElementsAre("layer 0: all rows of hook_pattern have the same numbers: is it "
                          "one query's, expanded?"));
  pattern[2][3] = pattern[1][3];
  EXPECT_THAT(remarks(), IsEmpty());
  pattern.fill_(1.0 / kPositions);
  EXPECT_THAT(remarks(), IsEmpty());
}

}  // namespace
}  // namespace attn::gpt2
