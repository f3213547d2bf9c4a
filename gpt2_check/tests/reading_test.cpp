// How recordings are read that leave something open: each question with what raises it, what
// settles it, and a near miss that raises none.
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <fstream>
#include <sstream>

#include "gpt2_check/activations/questions.hpp"
#include "gpt2_check/tests/all_heads.hpp"
#include "gpt2_check/tests/recording_file.hpp"

namespace attn::gpt2 {
namespace {

using test::kInfinity;
using test::later_keys;
using test::Metadata;
using test::Tensors;

using Reading = test::WithRecording;

constexpr std::int64_t kHeads = 2, kPositions = 12, kPadding = 3, kTokens = kPositions - kPadding;

at::Tensor some_scores(std::int64_t positions = kPositions) {
  return at::randn({kHeads, positions, positions}, at::kDouble) * 3;
}

/// [query, key]: what a causal model hides of a sequence with padding on one side.
at::Tensor hidden_of(bool on_the_left) {
  at::Tensor hidden = later_keys(kPositions);
  const std::int64_t first = on_the_left ? 0 : kTokens;
  hidden.slice(1, first, first + kPadding).fill_(true);
  return hidden;
}

std::string scores_place() {
  return "tensor 'blocks.0.attn.hook_attn_scores'";
}
std::string pattern_place() {
  return "tensor 'blocks.0.attn.hook_pattern'";
}

struct Fill {
  const char* name;
  double value;
  at::ScalarType type;
  /// Whether it is the least number of the type of the file, or of float32: it is read as what it
  /// is.
  bool is_least;
};

constexpr double kLeastFloat = -std::numeric_limits<float>::max();
const Fill kFills[] = {{"Hundred", -100, at::kFloat, false},
                       {"E4", -1e4, at::kFloat, false},
                       {"E5", -1e5, at::kFloat, false},
                       {"E9", -1e9, at::kFloat, false},
                       {"E18", -1e18, at::kFloat, false},
                       {"E20", -1e20, at::kFloat, false},
                       {"E30", -1e30, at::kFloat, false},
                       {"LeastOfFloat16Widened", -65504, at::kFloat, false},
                       {"ThreeE4", -3e4, at::kFloat, false},
                       {"E4InFloat16", -1e4, at::kHalf, false},
                       {"ThreeE4InFloat16", -3e4, at::kHalf, false},
                       {"E9InBfloat16", -1e9, at::kBFloat16, false},
                       {"E9InFloat64", -1e9, at::kDouble, false},
                       {"Jax", 0.7 * kLeastFloat, at::kFloat, true},
                       {"LeastOfFloat16", -65504, at::kHalf, true},
                       {"LeastOfFloat32", kLeastFloat, at::kFloat, true},
                       {"LeastOfBfloat16", -0x1.fep127, at::kBFloat16, true},
                       {"LeastOfFloat64", -std::numeric_limits<double>::max(), at::kDouble, true},
                       {"Infinity", -kInfinity, at::kFloat, true}};

class Fills : public ::testing::WithParamInterface<Fill>, public Reading {};

/// Added, twice where two masks meet, or put in the place of scores.
TEST_P(Fills, AreAskedForUnlessTheyAreLeastNumbers) {
  const Fill& fill = GetParam();
  for (const bool on_the_left : {true, false}) {
    for (const int way : {0, 1, 2}) {
      SCOPED_TRACE(fmt::format("{} {}", on_the_left, way));
      const at::Tensor hidden = hidden_of(on_the_left);
      at::Tensor scores = some_scores();
      const at::Tensor real = scores.to(fill.type).to(at::kDouble);
      if (way == 0) {
        scores = scores.masked_fill(hidden, fill.value);
      } else {
        scores = scores + hidden.to(at::kDouble) * std::max(fill.value, -1e300);
        if (way == 2 && !fill.is_least) {
          scores = scores + later_keys(kPositions).to(at::kDouble) * fill.value;
        }
        if (fill.value == -kInfinity) scores = real.masked_fill(hidden, fill.value);
      }
      if (fill.type == at::kHalf) scores = scores.clamp_min(-65504);
      if (fill.type == at::kFloat)
        scores = scores.clamp_min(fill.value < -1e38 ? -kInfinity : -1e38);
      const Tensors stored{{names::scores(0), scores.to(fill.type)}};
      const Metadata bound{{"hidden_below", fmt::format("{}", std::max(fill.value / 2, -1e300))}};
      if (!fill.is_least) {
        expect_refused(stored, {.kind = BadInputKind::inconsistent,
                                .where = scores_place(),
                                .found = "the same of every head: do they hide keys?",
                                .advice = "metadata 'hidden_below'"});
      }
      const auto source = opened(stored, fill.is_least ? Metadata{} : bound);
      EXPECT_EQ(source->shape().mask_words, "");
      const std::int64_t first = on_the_left ? kPadding : 0;
      const LayerRows layer = layers_of(*source).front();
      const at::Tensor seen = hidden.logical_not();
      if (on_the_left) {
        EXPECT_EQ(source->shape().padding, 3U);
        const at::Tensor tokens =
            real.slice(1, first, first + kTokens).slice(2, first, first + kTokens).tril();
        EXPECT_TRUE(at::equal(all_heads(layer.scores).to(at::kDouble), tokens));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Each, Fills, ::testing::ValuesIn(kFills),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_F(Reading, AsksForNoFarLogits) {
  const at::Tensor later = later_keys(kPositions);
  const auto causal = [&](const at::Tensor& scores) {
    return Tensors{{names::scores(0), scores.masked_fill(later, -kInfinity)}};
  };
  const at::Tensor far = some_scores() / 0.001;
  at::Tensor sink = far.clone();
  sink.select(2, 0).add_(2e4);
  at::Tensor one_hot = at::zeros({kHeads, kPositions, kPositions}, at::kDouble);
  one_hot.select(2, 0).fill_(1e6);
  const at::Tensor tied = at::full({kHeads, kPositions, kPositions}, -1e6, at::kDouble);
  for (const at::Tensor& scores : {far, sink, one_hot, tied, some_scores(2) / 0.001}) {
    const at::Tensor hidden = later_keys(scores.size(1));
    const auto source = opened({{names::scores(0), scores.masked_fill(hidden, -kInfinity)}});
    EXPECT_EQ(source->shape().padding, 0U);
    EXPECT_EQ(source->shape().mask_words, "");
    EXPECT_EQ(source->shape().layers.front().keys, scores.size(1));
  }
  const auto said = opened(causal(some_scores()), {{"temperatures", "[0.001]"}});
  EXPECT_EQ(said->shape().padding, 0U);
}

TEST_F(Reading, TakesAFillThatIsSaidToBeScores) {
  at::Tensor scores = some_scores().masked_fill(later_keys(kPositions), -kInfinity);
  scores.select(2, 4).slice(1, 4).fill_(-1e4);
  const Tensors stored{{names::scores(0), scores}};
  expect_refused(stored, {.kind = BadInputKind::inconsistent, .found = "-10000 at [0, 4, 4]"});
  EXPECT_TRUE(at::equal(all_heads(layer_of(stored, {{"hidden_below", "none"}}).scores),
                        scores.masked_fill(later_keys(kPositions), 0)));
  expect_refused(stored, {.kind = BadInputKind::inconsistent, .found = "-10000 at [0, 4, 4]"},
                 {{"hidden_below", "-1e9"}});
  for (const char* word : {"", "None", "[1]", "1e999", "x"}) {
    expect_refused(stored, {.kind = BadInputKind::malformed, .where = "metadata 'hidden_below'"},
                   {{"hidden_below", word}});
  }
}

TEST_F(Reading, AsksForAMaskWhereLaterScoresAreThere) {
  at::Tensor scores = some_scores();
  const Tensors stored{{names::scores(0), scores}};
  expect_refused(stored, {.kind = BadInputKind::inconsistent,
                          .where = scores_place(),
                          .expected = "nothing after a query's own key",
                          .found = " at [0, 0, 1]",
                          .advice = "metadata 'mask'"});
  EXPECT_TRUE(layer_of(stored, {{"mask", "full"}}).mask.full);
  EXPECT_TRUE(layer_of(stored, {{"mask", "causal"}}).mask.is_causal());
  EXPECT_EQ(layer_of(stored, {{"mask", "window:4"}}).mask.window, 4);
  // One value is no score.
  for (const double value : {0.0, -100.0}) {
    const Tensors lower{{names::scores(0), scores.masked_fill(later_keys(kPositions), value)}};
    EXPECT_TRUE(layer_of(lower).mask.is_causal());
  }
  // With a batch dimension the place is that of the file.
  expect_refused({{names::scores(0), scores.unsqueeze(0)}},
                 {.kind = BadInputKind::inconsistent, .found = " at [0, 0, 0, 1]"});
}

TEST_F(Reading, RefusesScoresThatAreWeights) {
  const at::Tensor scores = some_scores();
  const at::Tensor causal = scores.masked_fill(later_keys(kPositions), -kInfinity);
  for (const auto type : {at::kDouble, at::kFloat, at::kHalf, at::kBFloat16}) {
    for (const at::Tensor& of_mask : {scores, causal}) {
      for (const char* mask : {"full", "causal", ""}) {
        Metadata said;
        if (*mask != '\0') said["mask"] = mask;
        if (of_mask.equal(scores) && mask == std::string_view("causal")) continue;
        expect_refused({{names::scores(0), at::softmax(of_mask, -1).to(type)}},
                       {.kind = BadInputKind::inconsistent,
                        .where = scores_place(),
                        .expected = "logits",
                        .found = "weights: none is below 0",
                        .advice = "hook_pattern"},
                       said);
      }
    }
  }
  // With a sink the rows are short of 1.
  expect_refused({{names::scores(0), at::softmax(scores, -1) * 0.6}},
                 {.kind = BadInputKind::inconsistent, .found = "weights"}, {{"mask", "full"}});
  const Metadata full{{"mask", "full"}};
  at::Tensor near = at::softmax(scores, -1);
  near[1][3][5] = -1;
  EXPECT_TRUE(layer_of({{names::scores(0), near}}, full).mask.full);
  near = at::softmax(scores, -1);
  near[1][3] *= 1.5;
  EXPECT_TRUE(layer_of({{names::scores(0), near}}, full).mask.full);
  EXPECT_TRUE(layer_of({{names::scores(0), at::zeros({2, 5, 5})}}, full).mask.full);
}

/// A pattern of a causal model with padding on the left, whose rows are level over all keys.
at::Tensor padded_pattern(bool of_pad_is_level) {
  const at::Tensor hidden = hidden_of(true);
  at::Tensor pattern = at::softmax(some_scores().masked_fill(hidden, -kInfinity), -1);
  pattern.slice(1, 0, kPadding).fill_(of_pad_is_level ? 1.0 / kPositions : 0.0);
  return pattern;
}

TEST_F(Reading, AsksForPaddingWhereRowsAreLevel) {
  const Tensors stored{{names::pattern(0), padded_pattern(true)}};
  const Metadata hidden{{"zeros", "hidden"}};
  for (const Metadata& said : {Metadata{}, hidden}) {
    expect_refused(stored,
                   {.kind = BadInputKind::inconsistent,
                    .where = pattern_place(),
                    .found = "3 queries, the first of them 0, whose row is level over 12 keys",
                    .advice = "metadata 'padding'"},
                   said);
  }
  const auto source = opened(stored, {{"padding", "[0, 1, 2]"}});
  EXPECT_EQ(source->shape().padding, 3U);
  EXPECT_EQ(source->shape().layers.front().keys, kTokens);
  EXPECT_EQ(source->shape().mask_words, "");
  Tensors with_mask = stored;
  at::Tensor tokens = at::ones({kPositions}, at::kLong);
  tokens.slice(0, 0, kPadding).zero_();
  with_mask[names::kAttentionMask] = tokens;
  const auto by_tensor = opened(with_mask);
  EXPECT_EQ(by_tensor->shape().padding, 3U);
}

/// The scores beside the pattern hide all keys of padding, whose rows softmax makes level.
TEST_F(Reading, LeavesPaddingOutThatScoresHide) {
  const at::Tensor hidden = hidden_of(true);
  const at::Tensor scores = some_scores().masked_fill(hidden, -std::numeric_limits<float>::max());
  const auto source =
      opened({{names::scores(0), scores}, {names::pattern(0), at::softmax(scores, -1)}});
  EXPECT_EQ(source->shape().padding, 3U);
  EXPECT_FALSE(source->shape().layers.front().is_contradicted);
}

/// A single query of padding, the last, has no key after its own.
TEST_F(Reading, AsksForPaddingWhereTheLastRowIsLevel) {
  const at::Tensor later = later_keys(kPositions);
  at::Tensor scores = some_scores().masked_fill(later, -kInfinity);
  scores.select(1, kPositions - 1).fill_(0);
  const at::Tensor pattern = at::softmax(scores, -1);
  for (const auto& [name, square] :
       Tensors{{names::scores(0), scores}, {names::pattern(0), pattern}}) {
    const Tensors stored{{name, square}};
    expect_refused(stored, {.kind = BadInputKind::inconsistent,
                            .found = "query 11, whose row is level over 12 keys",
                            .advice = "metadata 'padding'"});
    EXPECT_EQ(opened(stored, {{"padding", "[11]"}})->shape().layers.front().keys, kPositions - 1);
    EXPECT_EQ(opened(stored, {{"padding", "[]"}})->shape().layers.front().keys, kPositions);
  }
  // In one head alone it is a row.
  const at::Tensor other = pattern.clone();
  other[1][kPositions - 1] = pattern[1][kPositions - 2] * 0.5 + 0.5 / kPositions;
  EXPECT_EQ(opened({{names::pattern(0), other}})->shape().layers.front().keys, kPositions);
  // Two numbers are equal by chance.
  const at::Tensor two = at::tensor({1.0, 0.0, 0.5, 0.5}).reshape({1, 2, 2});
  EXPECT_EQ(opened({{names::pattern(0), two}})->shape().layers.front().keys, 2);
}

TEST_F(Reading, RefusesAPatternWhoseColumnsAreRows) {
  const at::Tensor scores = some_scores();
  const at::Tensor causal = at::softmax(scores.masked_fill(later_keys(kPositions), -kInfinity), -1);
  const BadInputParts refusal{.kind = BadInputKind::inconsistent,
                              .where = pattern_place(),
                              .expected = "[head, query, key], whose rows sum to 1",
                              .found = "columns that do",
                              .advice = "transpose(-2, -1) makes [head, query, key]"};
  const auto turned = [](const at::Tensor& pattern) {
    return Tensors{{names::pattern(0), pattern.transpose(1, 2).contiguous()}};
  };
  expect_refused(turned(causal), refusal);
  const Metadata full{{"mask", "full"}};
  const at::Tensor pattern = at::softmax(scores, -1);
  expect_refused(turned(pattern), refusal, full);
  expect_refused(turned(pattern.slice(1, 0, 5)), refusal, full);  // of cross attention
  // One column that sums to something else, and rows that sum to 1 too.
  at::Tensor near = pattern.transpose(1, 2).clone();
  near[1].select(1, 3).mul_(1.05);
  EXPECT_TRUE(layer_of({{names::pattern(0), near}}, full).mask.full);
  const at::Tensor both = at::full({2, 5, 5}, 0.2, at::kDouble);
  EXPECT_TRUE(layer_of({{names::pattern(0), both}}, full).mask.full);
}

TEST_F(Reading, AsksForNoPaddingWhereRowsAreTied) {
  // Of a causal mask, one row of each head over its own keys; of a full one over all.
  const at::Tensor scores = some_scores();
  at::Tensor tied = scores.clone();
  tied.select(1, 5).fill_(2);
  const at::Tensor causal = at::softmax(tied.masked_fill(later_keys(kPositions), -kInfinity), -1);
  EXPECT_EQ(opened({{names::pattern(0), causal}})->shape().padding, 0U);
  const Metadata full{{"mask", "full"}};
  EXPECT_EQ(opened({{names::pattern(0), at::softmax(tied, -1)}}, full)->shape().padding, 0U);
  const at::Tensor all = at::full({2, 5, 5}, 0.2, at::kDouble);
  EXPECT_EQ(opened({{names::pattern(0), all}}, full)->shape().padding, 0U);
}

TEST_F(Reading, AsksWhatCommonZerosAre) {
  const at::Tensor later = later_keys(kPositions);
  const at::Tensor beyond = at::ones({kPositions, kPositions}, at::kBool).tril(-4);
  const at::Tensor windowed =
      at::softmax(some_scores().masked_fill(later.logical_or(beyond), -kInfinity), -1);
  for (const std::int64_t heads : {1, 2}) {
    const Tensors stored{{names::pattern(0), windowed.slice(0, 0, heads)}};
    expect_refused(stored, {.kind = BadInputKind::inconsistent,
                            .where = pattern_place(),
                            .found = "zeros in 36 places, the same of every head, the first at "
                                     "[0, 4, 0]",
                            .advice = "metadata 'mask': 'window:4' says that a window hides "
                                      "these; metadata 'zeros'"});
    EXPECT_EQ(layer_of(stored, {{"zeros", "hidden"}}).mask.window, 4);
    EXPECT_EQ(layer_of(stored, {{"mask", "window:4"}}).mask.window, 4);
    EXPECT_TRUE(layer_of(stored, {{"zeros", "weights"}}).mask.is_causal());
  }
  // Beside many that rounding makes.
  at::Tensor rounded = windowed.clone();
  rounded[0].masked_fill_(at::randn({kPositions, kPositions}).gt(0.5), 0).fill_diagonal_(0.5);
  expect_refused({{names::pattern(0), rounded}},
                 {.kind = BadInputKind::inconsistent, .found = "zeros in 36 places"});
  // Zeros of rounding are elsewhere in every head.
  const at::Tensor sharp =
      at::softmax((some_scores() / 0.001).masked_fill(later, -kInfinity), -1).to(at::kFloat);
  const auto source = opened({{names::pattern(0), sharp}});
  EXPECT_EQ(source->shape().mask_words, "");
}

TEST_F(Reading, RefusesWeightsOfWhatIsSaidToBeHidden) {
  const at::Tensor full = at::softmax(some_scores(), -1);
  const BadInputParts refusal{.kind = BadInputKind::inconsistent,
                              .where = pattern_place(),
                              .expected = "0 where a query does not see a key",
                              .advice = "metadata 'mask'"};
  expect_refused({{names::pattern(0), full}}, refusal, {{"mask", "causal"}});
  expect_refused({{names::pattern(0), full}}, refusal, {{"mask", "full"}, {"padding", "[11]"}});
  BadInputParts of_padding = refusal;  // as where positions are counted from 1
  of_padding.advice = "metadata 'padding' lists positions from 0 on";
  expect_refused({{names::pattern(0), full}}, of_padding, {{"mask", "full"}, {"padding", "[11]"}});
  at::Tensor seen = at::ones({kPositions, kPositions}, at::kBool);
  seen[2][5] = false;
  expect_refused({{names::pattern(0), full}, {names::mask(0), seen}},
                 {.kind = BadInputKind::inconsistent, .found = " at [0, 2, 5]"});
}

TEST_F(Reading, SeesWhatAHookMaskShows) {
  at::Tensor seen = at::ones({kPositions, kPositions}, at::kBool).tril();
  seen[7][2] = false;
  const at::Tensor q = at::randn({kPositions, kHeads, 4}), k = at::randn({kPositions, kHeads, 4});
  Tensors stored{{names::q(0), q}, {names::k(0), k}};
  const auto with = [&](const at::Tensor& mask) {
    stored[names::mask(0)] = mask;
    return stored;
  };
  for (const at::Tensor& mask : {seen, seen.to(at::kByte), seen.unsqueeze(0).unsqueeze(0),
                                 seen.unsqueeze(0).expand({kHeads, -1, -1}).contiguous()}) {
    const LayerRows layer = layer_of(with(mask), {{"mask", "recorded"}});
    ASSERT_TRUE(layer.seen.defined());
    EXPECT_TRUE(at::equal(layer.seen[0], seen));
  }
  expect_refused(with(seen.to(at::kFloat)),
                 {.kind = BadInputKind::malformed, .expected = "BOOL or U8", .found = "F32"});
  expect_refused(with(seen.to(at::kByte) * 2),
                 {.kind = BadInputKind::out_of_range, .expected = "zeros and ones", .found = "2"});
  expect_refused(with(at::ones({3, kPositions}, at::kBool)),
                 {.kind = BadInputKind::inconsistent,
                  .expected = "shape [12, 12] or [2, 12, 12]",
                  .found = "[3, 12]"});
  expect_refused(with(seen.logical_not()), {.kind = BadInputKind::inconsistent,
                                            .where = "hook_mask",
                                            .found = "no query that sees its own",
                                            .advice = "opposite"});
  expect_refused(with(seen.t().contiguous()), {.kind = BadInputKind::inconsistent,
                                               .where = "hook_mask",
                                               .found = "no query that sees a key before its own",
                                               .advice = "is it [key, query]? transpose it"});
  stored.erase(names::mask(0));
  expect_refused(stored, {.kind = BadInputKind::malformed, .where = "metadata 'mask'"},
                 {{"mask", "recorded"}});
}

TEST_F(Reading, ChecksWhatIsSaidOfPadding) {
  Tensors stored{{names::q(0), at::randn({5, 1, 2})}, {names::k(0), at::randn({5, 1, 2})}};
  EXPECT_EQ(opened(stored, {{"padding", "[4, 0]"}})->shape().layers.front().keys, 3);
  EXPECT_EQ(opened(stored, {{"padding", "[]"}})->shape().layers.front().keys, 5);
  for (const char* list : {"", "4", "[-1]", "[0, 0]", "[\"1\"]", "[1.5]", "[99999999999]"}) {
    expect_refused(stored, {.kind = BadInputKind::malformed, .where = "metadata 'padding'"},
                   {{"padding", list}});
  }
  expect_refused(stored,
                 {.kind = BadInputKind::inconsistent,
                  .where = "metadata 'padding'",
                  .expected = "5 positions",
                  .found = "position 5"},
                 {{"padding", "[5]"}});
  stored[names::kAttentionMask] = at::tensor({0, 1, 1, 1, 1}, at::kLong).unsqueeze(0);
  EXPECT_EQ(opened(stored)->shape().padding, 1U);
  EXPECT_EQ(opened(stored, {{"padding", "[0]"}})->shape().padding, 1U);
  expect_refused(stored, {.kind = BadInputKind::inconsistent, .where = "metadata 'padding'"},
                 {{"padding", "[1]"}});
  for (const at::Tensor& none :
       {at::tensor({0.0, 1.0, -1e4, 1.0, 1.0}), at::zeros({5}), at::ones({1, 1, 5, 5})}) {
    stored[names::kAttentionMask] = none;
    EXPECT_THROW(static_cast<void>(opened(stored)), BadInput);
  }
}

/// Queries and keys of another number.
TEST_F(Reading, AsksWhatOtherQueriesSee) {
  const Tensors stored{{names::q(0), at::randn({3, 2, 4})}, {names::k(0), at::randn({7, 2, 4})}};
  expect_refused(stored, {.kind = BadInputKind::inconsistent,
                          .where = "layer 0",
                          .found = "3 and 7",
                          .advice = "full, or causal: its 3 queries are the last of 7 tokens"});
  EXPECT_TRUE(layer_of(stored, {{"mask", "full"}}).mask.full);
  const at::Tensor cross = at::softmax(at::randn({2, 3, 7}), -1);
  expect_refused({{names::pattern(0), cross}},
                 {.kind = BadInputKind::inconsistent, .found = " at [0, 0, 5]"});
  EXPECT_TRUE(layer_of({{names::pattern(0), cross}}, {{"mask", "full"}}).mask.full);
  // More queries than keys.
  const at::Tensor few = at::softmax(at::randn({2, 7, 3}), -1);
  expect_refused({{names::pattern(0), few}},
                 {.kind = BadInputKind::inconsistent, .found = " at [0, 0, 0]"});
  expect_refused({{names::pattern(0), few}},
                 {.kind = BadInputKind::inconsistent,
                  .where = "metadata 'mask' of layer 0",
                  .found = "causal, of 7 queries and 3 keys"},
                 {{"mask", "causal"}});
  EXPECT_TRUE(layer_of({{names::pattern(0), few}}, {{"mask", "full"}}).mask.full);
}

/// The scores of a head hide other keys than those of the next.
TEST_F(Reading, SeesWhatEachHeadSees) {
  at::Tensor scores = some_scores().masked_fill(later_keys(kPositions), -kInfinity);
  scores[1][9][3] = -kInfinity;
  const LayerRows layer = layer_of({{names::scores(0), scores}});
  ASSERT_TRUE(layer.seen.defined());
  EXPECT_TRUE(at::equal(layer.seen, scores.ne(-kInfinity)));
}

TEST_F(Reading, NamesThePlaceOfWhatIsNotFinite) {
  at::Tensor v = at::randn({8, 2, 4});
  v[6][1][1] = v[5][1][2] = kInfinity;
  expect_refused({{names::q(0), at::randn({8, 2, 4})},
                  {names::k(0), at::randn({8, 2, 4})},
                  {names::v(0), at::ones({8, 2, 4})},
                  {names::scores(0), at::full({2, 8, 8}, std::nan(""))}},
                 {.kind = BadInputKind::out_of_range, .found = "nan at [0, 0, 0]"});
  const auto source = opened(
      {{names::q(0), at::randn({8, 2, 4})}, {names::k(0), at::randn({8, 2, 4})}, {names::v(0), v}});
  EXPECT_BAD_INPUT(layers_of(*source),
                   {.kind = BadInputKind::out_of_range, .found = "inf at [5, 1, 2]"});
}

TEST_F(Reading, NamesLayersAndTypesThatAreNotRead) {
  const at::Tensor rows = at::randn({5, 2, 4});
  expect_refused({{names::q(7), rows}, {"blocks.007.attn.hook_k", rows}},
                 {.kind = BadInputKind::malformed,
                  .where = "tensor 'blocks.007.attn.hook_k'",
                  .expected = "layer 7 without zeros before it",
                  .found = "007"});
  expect_refused({{names::q(0), rows}, {names::k(0), rows.to(at::kChar)}},
                 {.kind = BadInputKind::malformed,
                  .where = "tensor 'blocks.0.attn.hook_k'",
                  .expected = "F64, F32, F16 or BF16",
                  .found = "I8",
                  .advice = "dequantised"});
  expect_refused({{names::v(0), rows}}, {.kind = BadInputKind::missing,
                                         .where = "layer 0",
                                         .found = "'blocks.0.attn.hook_v' alone",
                                         .advice = "attn_implementation='eager'"});
  std::string header = R"({"blocks.0.attn.hook_q":{"dtype":"F8_E4M3","shape":[2,1,2],)"
                       R"("data_offsets":[0,4]}})";
  header.resize(88, ' ');
  const std::string bytes = std::string("\x58\0\0\0\0\0\0\0", 8) + header + "1234";
  EXPECT_BAD_INPUT(open_recording(write("f8.safetensors", bytes)),
                   {.kind = BadInputKind::malformed, .found = "F8_E4M3"});
}

TEST(Rules, AreTheTableOfTheReadme) {
  std::stringstream text;
  text << std::ifstream(ATTN_README).rdbuf();
  EXPECT_NE(text.str().find(table_of_rules()), std::string::npos) << table_of_rules();
}

}  // namespace
}  // namespace attn::gpt2
