// Words of a recording that are not read, that nothing can follow, or that contradict each other.
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>

#include "gpt2_check/tests/recording_file.hpp"

namespace attn::gpt2 {
namespace {

using test::kInfinity;
using test::later_keys;
using test::Metadata;
using test::Tensors;
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

}  // namespace
}  // namespace attn::gpt2
