// Recordings that are not what they are named, or lack what says how they are meant: each is
// refused, or read as it was meant, with a near miss that is read.
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/einsum.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/full.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/quantile.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/randn_like.h>
#include <ATen/ops/randperm.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <vector>

#include "gpt2_check/tests/all_heads.hpp"
#include "gpt2_check/tests/recording_file.hpp"

namespace attn::gpt2 {
namespace {

using test::all_remarks;
using test::kInfinity;
using test::later_keys;
using test::Metadata;
using test::Tensors;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;
using enum BadInputKind;

using Mistakes = test::WithRecording;

constexpr std::int64_t kHeads = 4, kPositions = 24;
const Metadata kFull{{"mask", "full"}};

at::Tensor some_scores() {
  return at::randn({kHeads, kPositions, kPositions}, at::kDouble) * 3;
}

/// [query, key]: what a window of 8 tokens hides.
at::Tensor beyond_window() {
  return later_keys(kPositions).logical_or(at::ones({kPositions, kPositions}, at::kBool).tril(-8));
}

/// [query, key]: what three documents in one sequence hide from each other.
at::Tensor other_documents() {
  at::Tensor document = at::arange(kPositions);
  document = document.ge(7).to(at::kLong) + document.ge(16).to(at::kLong);
  return document.unsqueeze(1).ne(document.unsqueeze(0));
}

at::Tensor weights_of(const at::Tensor& scores, const at::Tensor& hidden) {
  return at::softmax(scores.masked_fill(hidden, -kInfinity), -1);
}

struct Masked {
  const char* name;
  at::Tensor hidden;
};

std::vector<Masked> causal_masks() {
  const at::Tensor later = later_keys(kPositions);
  at::Tensor padded = later.clone();
  padded.slice(1, 0, 4).fill_(true);
  return {{"padding", padded},
          {"window", beyond_window()},
          {"documents", later.logical_or(other_documents())}};
}

/// Where a mask is multiplied, or a number of the range of the scores is put in.
TEST_F(Mistakes, OneValueInThePlaceOfScores) {
  for (const auto& [name, hidden] : causal_masks()) {
    for (const double value : {0.0, -0.0, 1e-9, -2.0}) {
      for (const std::int64_t heads : {std::int64_t{1}, kHeads}) {
        SCOPED_TRACE(fmt::format("{} {} {}", name, value, heads));
        const at::Tensor scores = some_scores().slice(0, 0, heads).masked_fill(hidden, value);
        const Tensors stored{{names::scores(0), scores}};
        expect_refused(stored,
                       {.kind = inconsistent,
                        .where = "hook_attn_scores",
                        .expected = "scores where a query sees a key",
                        .found = fmt::format("{:.6g} in ", std::abs(value) == 0 ? 0 : value),
                        .advice = "'none' says that they are scores"});
        EXPECT_TRUE(layer_of(stored, {{"hidden_below", "none"}}).mask.is_causal());
        Tensors with_mask = stored;
        with_mask[names::mask(0)] = hidden.logical_not();
        EXPECT_NO_THROW(static_cast<void>(opened(with_mask)));
        Tensors with_pattern = stored;
        with_pattern[names::pattern(0)] =
            at::softmax(scores.masked_fill(later_keys(kPositions), -kInfinity), -1);
        EXPECT_TRUE(layer_of(with_pattern).mask.is_causal());
      }
    }
  }
  const at::Tensor documents = other_documents();
  expect_refused({{names::scores(0), some_scores().masked_fill(documents, 0)}},
                 {.kind = inconsistent, .found = "0 in 382 places"}, kFull);
}

/// Windows of another width in every head.
TEST_F(Mistakes, OneValueInThePlaceOfTheScoresOfAHead) {
  for (const double value : {0.0, -50.0}) {
    at::Tensor scores = some_scores();
    for (std::int64_t head = 1; head < kHeads; ++head) {
      const at::Tensor beyond = at::ones({kPositions, kPositions}, at::kBool).tril(-3 - 4 * head);
      scores[head].masked_fill_(beyond, value);
    }
    scores = scores.masked_fill(later_keys(kPositions), -kInfinity);
    expect_refused({{names::scores(0), scores}},
                   {.kind = inconsistent,
                    .where = "hook_attn_scores",
                    .found = "places, of one head, the first at [1, 7, 0]"});
    EXPECT_TRUE(
        layer_of({{names::scores(0), scores}}, {{"hidden_below", "none"}}).mask.is_causal());
    scores[1][20][18] = scores[2][20][18] = scores[3][20][18] = value;  // no mask hides it
    EXPECT_TRUE(layer_of({{names::scores(0), scores}}).mask.is_causal());
  }
}

TEST_F(Mistakes, ScoresWithAFewEqualValuesAreNone) {
  const at::Tensor later = later_keys(kPositions);
  at::Tensor scattered = some_scores();
  scattered.masked_fill_(at::randn_like(scattered).gt(1), 0);  // other places in every head
  at::Tensor one = some_scores();
  one.select(2, 3).select(1, 9).fill_(0);
  at::Tensor two_of_one_head = some_scores().slice(0, 0, 1);
  two_of_one_head.select(1, 9).slice(1, 3, 5).fill_(0);
  for (const at::Tensor& scores : {scattered, one, two_of_one_head}) {
    EXPECT_TRUE(
        layer_of({{names::scores(0), scores.masked_fill(later, -kInfinity)}}).mask.is_causal());
  }
}

TEST_F(Mistakes, ZerosOfDocumentsInOneHead) {
  const at::Tensor later = later_keys(kPositions), documents = other_documents();
  const at::Tensor scores = some_scores().slice(0, 0, 1);
  const Tensors causal{{names::pattern(0), weights_of(scores, later.logical_or(documents))}};
  const Tensors full{{names::pattern(0), weights_of(scores, documents)}};
  expect_refused(causal, {.kind = inconsistent, .found = "zeros in 191 places"});
  expect_refused(full, {.kind = inconsistent, .found = "zeros in 382 places"}, kFull);
  const LayerRows layer = layer_of(causal, {{"zeros", "hidden"}});
  ASSERT_TRUE(layer.seen.defined());
  EXPECT_TRUE(at::equal(layer.seen[0], later.logical_or(documents).logical_not()));
  // A head that leaves keys out anywhere else is sparse.
  at::Tensor sparse = causal.at(names::pattern(0)).clone();
  sparse[0][12][9] = 0;
  EXPECT_TRUE(layer_of({{names::pattern(0), sparse}}).mask.is_causal());
}

TEST_F(Mistakes, KeysBeforeQueries) {
  const at::Tensor scores = some_scores(), later = later_keys(kPositions);
  const BadInputParts refusal{.kind = inconsistent,
                              .found = "is it [head, key, query]?",
                              .advice = "transpose(-2, -1) makes [head, query, key]"};
  const at::Tensor causal = weights_of(scores, later).transpose(1, 2).contiguous();
  expect_refused({{names::pattern(0), causal}}, refusal, {{"mask", "causal"}});
  at::Tensor padded = at::softmax(scores.slice(2, 0, 20), -1);  // rows of padding are 0
  padded = at::constant_pad_nd(padded, {0, 4});
  padded.slice(1, 20).fill_(0);
  const at::Tensor turned = padded.transpose(1, 2).contiguous();
  for (const Metadata& said : {kFull, Metadata{{"mask", "full"}, {"zeros", "hidden"}},
                               Metadata{{"mask", "full"}, {"padding", "[20, 21, 22, 23]"}}}) {
    expect_refused({{names::pattern(0), turned}}, refusal, said);
  }
  EXPECT_EQ(opened({{names::pattern(0), padded}}, {{"mask", "full"}, {"zeros", "hidden"}})
                ->shape()
                .padding,
            4U);
  // Level rows sum to 1 in both directions: what contradicts them is the mask.
  expect_refused({{names::pattern(0), at::full({2, 5, 5}, 0.2, at::kDouble)}},
                 {.kind = inconsistent, .expected = "0 where a query does not see a key"},
                 {{"mask", "causal"}});
  const at::Tensor of_keys = scores.masked_fill(later, -kInfinity).transpose(1, 2).contiguous();
  for (const Metadata& said : {Metadata{}, kFull}) {
    expect_refused({{names::scores(0), of_keys}}, refusal, said);
  }
  at::Tensor nearly = of_keys.clone();
  nearly[0][5][4] = 1;
  EXPECT_NO_THROW(static_cast<void>(opened({{names::scores(0), nearly}}, kFull)));
}

/// Scores of the keys after each query's own alone, as a tour has them that is built from the end.
TEST_F(Mistakes, KeysThatAreAllLaterMayBeMeant) {
  const at::Tensor before = at::ones({kPositions, kPositions}, at::kBool).tril(-1);
  const at::Tensor later = some_scores().masked_fill(before, -kInfinity);
  const BadInputParts refusal{.kind = inconsistent,
                              .found = "a later one: is it [head, key, query]?",
                              .advice = "a tensor hook_mask [query, key] says so"};
  const at::Tensor values = at::randn({kPositions, kHeads, 4});
  const at::Tensor few_before = at::ones({20, kPositions}, at::kBool).tril(kPositions - 20 - 1);
  Tensors stored{
      {names::scores(0), some_scores().slice(1, 0, 20).masked_fill(few_before, -kInfinity)}};
  expect_refused(stored, refusal, kFull);
  stored[names::mask(0)] = few_before.logical_not();
  EXPECT_TRUE(layer_of(stored).seen.defined());
  stored.erase(names::mask(0));
  stored[names::v(0)] = values;  // of the keys
  EXPECT_TRUE(layer_of(stored, kFull).seen.defined());
  // Of as many queries as keys their sizes show nothing, and outputs do.
  stored = {{names::scores(0), later}, {names::v(0), values}};
  expect_refused(stored, refusal, kFull);
  stored[names::z(0)] = at::einsum("hqk,khd->qhd", {at::softmax(later, -1).to(at::kFloat), values});
  EXPECT_TRUE(layer_of(stored, kFull).seen.defined());
  stored[names::scores(0)] = later.transpose(1, 2).contiguous();
  expect_refused(stored, {.kind = inconsistent, .where = "hook_z"}, kFull);
}

/// Flash attention returns weights for debugging with the sign of what dropout left out.
TEST_F(Mistakes, SignsOfDropoutAreNamed) {
  const at::Tensor weights = weights_of(some_scores(), later_keys(kPositions));
  at::Tensor signs = at::randn(weights.sizes(), at::kDouble).sign();
  signs[0][0][0] = -1;
  Tensors stored{{names::pattern(0), weights * signs}};
  expect_refused(stored,
                 {.kind = out_of_range,
                  .found = "-1 at [0, 0, 0], and sizes that sum to 1 in every row",
                  .advice = "Record the absolute values, of the model in eval()"},
                 {{"mask", "causal"}});
  stored[names::pattern(0)][3][23].mul_(1.1);
  expect_refused(stored,
                 {.kind = out_of_range, .found = "-1 at [0, 0, 0]", .advice = "no softmax's"},
                 {{"mask", "causal"}});
}

/// Several patterns added, shares in per cent, or weights of a model that was not in eval().
TEST_F(Mistakes, WeightsByAFactorOrAfterDropout) {
  const at::Tensor later = later_keys(kPositions);
  const at::Tensor weights = weights_of(some_scores(), later);
  for (const double factor : {2.0, 100.0}) {
    for (const double fill : {0.0, -kInfinity}) {
      expect_refused({{names::scores(0), (weights * factor).masked_fill(later, fill)}},
                     {.kind = inconsistent,
                      .where = "hook_attn_scores",
                      .expected = "logits",
                      .found = fmt::format("weights: none is below 0, and all rows of a head have "
                                           "one sum, {:.6g} in head 0",
                                           factor),
                      .advice = "hook_pattern"});
    }
  }
  const at::Tensor dropped =
      (weights / 0.9).masked_fill(at::rand({kHeads, kPositions, kPositions}).lt(0.1), 0);
  const Tensors stored{{names::scores(0), dropped.masked_fill(later, -kInfinity)}};
  expect_refused(
      stored,
      {.kind = inconsistent, .found = "with zeros as dropout leaves them", .advice = "in eval()"});
  // One number below 0, rows of other sums, rows that are level.
  at::Tensor below = weights * 2;
  below[2][20][3] = -1;
  const at::Tensor others = some_scores().abs();
  const at::Tensor level = at::full({kHeads, kPositions, kPositions}, 2.0, at::kDouble);
  EXPECT_TRUE(
      layer_of({{names::scores(0), below.masked_fill(later, -kInfinity)}}).mask.is_causal());
  EXPECT_TRUE(
      layer_of({{names::scores(0), others.masked_fill(later, -kInfinity)}}).mask.is_causal());
  EXPECT_TRUE(layer_of({{names::scores(0), level}}, kFull).mask.full);
}

/// Scores, and what hides keys of them, as a causal model with padding on the left, and as a full
/// one.
struct Hidden {
  const char* name;
  at::Tensor keys;
  Metadata said;
};

std::vector<Hidden> some_masks() {
  at::Tensor padded = later_keys(kPositions);
  padded.slice(1, 0, 4).fill_(true);
  at::Tensor of_end = at::zeros({kPositions, kPositions}, at::kBool);
  of_end.slice(1, 20).fill_(true);
  return {{"causal", later_keys(kPositions), {}},
          {"full", at::zeros({kPositions, kPositions}, at::kBool), kFull},
          {"padding on the left", padded, {}},
          {"padding on the right", of_end, kFull}};
}

constexpr at::ScalarType kTypes[] = {at::kFloat, at::kHalf, at::kBFloat16};

/// Logarithms of weights, minus infinity where there is none, also of padding.
at::Tensor logarithms_of(const at::Tensor& scores, const at::Tensor& hidden, at::ScalarType type,
                         double base) {
  const at::Tensor weights = weights_of(scores, hidden).to(type).to(at::kDouble);
  const at::Tensor logarithms = (weights.log() / std::log(base)).to(type);
  return logarithms.masked_fill(logarithms.isnan(), -kInfinity);
}

TEST_F(Mistakes, LogarithmsOfWeightsToAnotherBase) {
  for (const auto& [name, hidden, said] : some_masks()) {
    for (const at::ScalarType type : kTypes) {
      SCOPED_TRACE(fmt::format("{} {}", name, at::toString(type)));
      const auto stored = [&](double base) {
        return Tensors{{names::scores(0), logarithms_of(some_scores(), hidden, type, base)}};
      };
      Tensors turned = stored(2);
      turned[names::scores(0)] = -turned[names::scores(0)];
      turned[names::scores(0)].masked_fill_(turned[names::scores(0)].eq(kInfinity), -kInfinity);
      expect_refused(turned,
                     {.kind = inconsistent, .found = "of 2^-x", .advice = "turn their sign"}, said);
      for (const auto& [base, word] : {std::pair{2.0, "2^x"}, {10.0, "10^x"}, {0.5 + 4, "^x"}}) {
        expect_refused(stored(base),
                       {.kind = inconsistent,
                        .where = "hook_attn_scores",
                        .expected = "scores x of which softmax reads e^x",
                        .found = word,
                        .advice = "metadata 'temperatures' says the T of each layer"},
                       said);
      }
      Metadata with_temperature = said;
      with_temperature["temperatures"] = fmt::format("[{:.17g}]", 1 / std::log(2));
      EXPECT_NO_THROW(static_cast<void>(opened(stored(2), with_temperature)));
      EXPECT_NO_THROW(static_cast<void>(opened(stored(std::exp(1)), said)));
      // A pattern beside them decides.
      Tensors beside = stored(2);
      beside[names::pattern(0)] = at::softmax(beside[names::scores(0)].to(at::kDouble), -1);
      beside[names::pattern(0)].masked_fill_(beside[names::pattern(0)].isnan(), 0);
      EXPECT_NO_THROW(static_cast<void>(opened(beside, said)));
    }
  }
  // Where a mask is multiplied, and of few rows.
  const at::Tensor later = later_keys(kPositions);
  const at::Tensor causal = logarithms_of(some_scores(), later, at::kFloat, 2);
  expect_refused({{names::scores(0), causal.masked_fill(later, 0)}},
                 {.kind = inconsistent, .found = "sums of 1 of 2^x in every row"});
  const at::Tensor few = logarithms_of(some_scores() / 3, later, at::kFloat, 2);
  expect_refused(
      {{names::scores(0), few.slice(0, 0, 1).slice(1, 0, 4).slice(2, 0, 4).contiguous()}},
      {.kind = inconsistent, .found = "sums of 1 of 2^x in every row"});
}

TEST_F(Mistakes, ScoresBelowZeroAreNoLogarithms) {
  const at::Tensor later = later_keys(kPositions);
  at::Tensor one_row = logarithms_of(some_scores(), later, at::kFloat, 2);
  one_row[3][20].sub_(0.1);
  const at::Tensor scores = some_scores().masked_fill(later, -kInfinity);
  const at::Tensor of_largest = scores - scores.amax(-1, true);
  const at::Tensor level = at::full({kHeads, kPositions, kPositions}, -5.0);
  for (const at::Tensor& square : {one_row, of_largest, scores - 30, level}) {
    for (const at::ScalarType type : kTypes) {
      EXPECT_NO_THROW(static_cast<void>(
          opened({{names::scores(0), square.masked_fill(later, -kInfinity).to(type)}})));
    }
  }
  // Rows of many keys differ little.
  const at::Tensor many = at::randn({2, 256, 256}) * 3 - 30;
  EXPECT_NO_THROW(static_cast<void>(opened({{names::scores(0), many.to(at::kBFloat16)}}, kFull)));
}

TEST_F(Mistakes, ExponentialsOfScores) {
  for (const auto& [name, hidden, said] : some_masks()) {
    for (const at::ScalarType type : kTypes) {
      SCOPED_TRACE(fmt::format("{} {}", name, at::toString(type)));
      const at::Tensor scores = some_scores().masked_fill(hidden, -1e9);
      const at::Tensor exponentials = (scores - scores.amax(-1, true)).exp();
      for (const double fill : {0.0, -kInfinity}) {
        const Tensors stored{{names::scores(0), exponentials.masked_fill(hidden, fill).to(type)}};
        expect_refused(stored,
                       {.kind = inconsistent,
                        .where = "hook_attn_scores",
                        .expected = "logits",
                        .found = "1 for the largest of every row: are they e^(l - max)",
                        .advice = "metadata 'temperatures' says that they are logits"},
                       said);
        if (fill == 0) continue;
        Metadata with_temperature = said;
        with_temperature["temperatures"] = "[1]";
        EXPECT_NO_THROW(static_cast<void>(opened(stored, with_temperature)));
        Tensors near = stored;
        near[names::scores(0)][1][20][17].fill_(type == at::kFloat ? 1.5 : 2);
        EXPECT_NO_THROW(static_cast<void>(opened(near, said)));
      }
    }
  }
  const at::Tensor ones = at::ones({kHeads, kPositions, kPositions});
  EXPECT_NO_THROW(static_cast<void>(opened({{names::scores(0), ones}}, kFull)));
}

/// Weights of a sigmoid.
TEST_F(Mistakes, ScoresFromZeroToOne) {
  for (const auto& [name, hidden, said] : some_masks()) {
    for (const at::ScalarType type : kTypes) {
      SCOPED_TRACE(fmt::format("{} {}", name, at::toString(type)));
      const auto remarks = [&](const at::Tensor& scores) {
        return opened({{names::scores(0), scores.masked_fill(hidden, -kInfinity).to(type)}}, said)
            ->shape()
            .remarks;
      };
      at::Tensor weights = (some_scores() * 2).sigmoid();
      EXPECT_THAT(remarks(weights), ElementsAre(StartsWith("layer 0: all scores lie from 0 to 1")));
      weights[2][20][18] = 1.01;
      EXPECT_THAT(remarks(weights), IsEmpty());
      weights[2][20][18] = -0.01;
      EXPECT_THAT(remarks(weights), IsEmpty());
      EXPECT_THAT(remarks(at::ones({kHeads, kPositions, kPositions})),
                  ElementsAre(StartsWith("layer 0: all scores are one number")));
    }
  }
}

/// Weights of a row by the number of its keys, and their roots.
TEST_F(Mistakes, MultiplesAndRootsOfWeights) {
  for (const auto& [name, hidden, said] : some_masks()) {
    for (const at::ScalarType type : kTypes) {
      SCOPED_TRACE(fmt::format("{} {}", name, at::toString(type)));
      const at::Tensor weights = weights_of(some_scores(), hidden).nan_to_num(0);
      const at::Tensor keys = hidden.logical_not().sum(-1, true);
      const auto stored = [&](const at::Tensor& scores) {
        return Tensors{{names::scores(0), scores.masked_fill(hidden, -kInfinity).to(type)}};
      };
      expect_refused(stored(weights.sqrt()),
                     {.kind = inconsistent, .found = "roots of weights: none is below 0"}, said);
      if (!said.contains("mask")) {
        expect_refused(stored(weights * keys),
                       {.kind = inconsistent, .found = "weights by the number of keys"}, said);
      }
      at::Tensor near = weights.sqrt().clamp_max(0.995);
      near[2][20] *= 1.1;
      EXPECT_NO_THROW(static_cast<void>(opened(stored(near), said)));
      near = weights * keys;
      near[2][20] *= 1.1;
      EXPECT_NO_THROW(static_cast<void>(opened(stored(near), said)));
      // Small scores, and scores that a pattern beside them confirms.
      const at::Tensor small = at::rand({kHeads, kPositions, 1}) * 0.3;
      EXPECT_NO_THROW(static_cast<void>(opened(stored(weights * small), said)));
      Tensors beside = stored(weights);
      beside[names::pattern(0)] =
          weights_of(beside[names::scores(0)].to(at::kDouble), hidden).nan_to_num(0);
      EXPECT_FALSE(opened(beside, said)->shape().layers.front().is_contradicted);
    }
  }
}

TEST_F(Mistakes, TheGreatestNumberOfAType) {
  for (const double greatest : {65504.0, 0x1.fep127, 0x1.fffffep127}) {
    at::Tensor scores = some_scores().masked_fill(later_keys(kPositions), -kInfinity);
    scores[1][5][2] = greatest;
    expect_refused({{names::scores(0), scores}}, {.kind = out_of_range,
                                                  .found = "at [1, 5, 2], the greatest number",
                                                  .advice = "compute it in float32"});
    scores[1][5][2] = greatest / 2;
    EXPECT_NO_THROW(static_cast<void>(opened({{names::scores(0), scores}})));
  }
}

/// [query, head, key] of as many heads as queries.
TEST_F(Mistakes, QueriesBeforeHeads) {
  const at::Tensor scores = at::randn({8, 8, 8}, at::kDouble), later = later_keys(8);
  const BadInputParts refusal{.kind = inconsistent,
                              .found = "those up to the number of the head",
                              .advice = "transpose(0, 1) makes [head, query, key]"};
  const at::Tensor causal = scores.masked_fill(later, -kInfinity);
  const at::Tensor pattern = at::softmax(causal, -1);
  const auto turned = [](const at::Tensor& square) { return square.transpose(0, 1).contiguous(); };
  for (const Metadata& said : {Metadata{}, Metadata{{"zeros", "hidden"}}}) {
    expect_refused({{names::pattern(0), turned(pattern)}}, refusal, said);
    EXPECT_NO_THROW(static_cast<void>(opened({{names::pattern(0), pattern}}, said)));
  }
  expect_refused({{names::scores(0), turned(causal)}}, refusal);
  EXPECT_NO_THROW(static_cast<void>(opened({{names::scores(0), causal}})));
}

/// Squares of as many heads as queries, in other orders of the axes: how these are permuted, and
/// what makes them [head, query, key] again.
TEST_F(Mistakes, OtherOrdersOfTheAxes) {
  struct Order {
    std::vector<std::int64_t> axes;
    const char *found, *advice;
  };
  const Order orders[] = {{{1, 2, 0}, "is it [query, key, head]?", "permute(2, 0, 1) makes"},
                          {{2, 1, 0}, "is it [key, query, head]?", "permute(2, 1, 0) makes"},
                          {{2, 0, 1}, "is it [key, head, query]?", "permute(1, 2, 0) makes"}};
  const at::Tensor causal =
      at::randn({8, 8, 8}, at::kDouble).masked_fill(later_keys(8), -kInfinity);
  for (const auto& [axes, found, advice] : orders) {
    SCOPED_TRACE(found);
    const BadInputParts refusal{.kind = inconsistent, .found = found, .advice = advice};
    const at::Tensor pattern = at::softmax(causal, -1).permute(axes).contiguous();
    expect_refused({{names::pattern(0), pattern}}, refusal);
    expect_refused({{names::scores(0), causal.permute(axes).contiguous()}}, refusal);
    expect_refused(
        {{names::pattern(0), pattern.unsqueeze(0)}},
        {.kind = inconsistent, .found = found, .advice = fmt::format("tensor[0].{}", advice)});
  }
  const at::Tensor full = at::softmax(at::randn({8, 8, 8}, at::kDouble), -1);
  for (const at::Tensor& stored : {full.transpose(1, 2), full.permute({1, 2, 0})}) {
    expect_refused({{names::pattern(0), stored.contiguous()}},
                   {.kind = inconsistent,
                    .found = "is it [head, key, query], or [query, key, head]?",
                    .advice = "of the first, permute(2, 0, 1) of the second"},
                   kFull);
  }
}

/// A column of scores beside those of the keys, as GPT-OSS has it.
TEST_F(Mistakes, ASinkAmongTheKeys) {
  const at::Tensor later = later_keys(kPositions);
  at::Tensor scores = at::constant_pad_nd(some_scores().masked_fill(later, -kInfinity), {0, 1});
  scores.select(2, kPositions).copy_(at::randn({kHeads, 1}, at::kDouble).expand({-1, kPositions}));
  const Tensors stored{{names::scores(0), scores}};
  expect_refused(stored, {.kind = inconsistent,
                          .found = "one score of the last key in all rows of each head",
                          .advice = "record it as hook_sink [head]"});
  EXPECT_NO_THROW(static_cast<void>(opened(stored, {{"hidden_below", "none"}})));
  scores[2][9][kPositions] = 0.5;
  EXPECT_NO_THROW(static_cast<void>(opened({{names::scores(0), scores}})));
}

/// Weights that were kept from 0 where a mask hides keys.
TEST_F(Mistakes, TheLeastWeightInThePlaceOfZeros) {
  at::Tensor hidden = at::zeros({kPositions, kPositions}, at::kBool);
  hidden.slice(1, 20).fill_(true);
  for (const at::ScalarType type : kTypes) {
    for (const std::int64_t heads : {std::int64_t{1}, kHeads}) {
      SCOPED_TRACE(fmt::format("{} {}", at::toString(type), heads));
      const at::Tensor pattern =
          weights_of(some_scores().slice(0, 0, heads) / 3, hidden).clamp_min(1e-6).to(type);
      Tensors stored{{names::pattern(0), pattern}};
      expect_refused(stored,
                     {.kind = inconsistent,
                      .where = "hook_pattern",
                      .found = "places, the same of every head, the first at [0, 0, 20]: do they",
                      .advice = "'zeros': 'weights' says that they are weights"},
                     kFull);
      EXPECT_NO_THROW(static_cast<void>(opened(stored, {{"mask", "full"}, {"zeros", "weights"}})));
      stored[names::pattern(0)] = pattern.clone();
      stored[names::pattern(0)].slice(2, 20).mul_(
          at::rand({heads, kPositions, 4}, at::kDouble).add(1).to(type));
      EXPECT_NO_THROW(static_cast<void>(opened(stored, kFull)));
    }
  }
}

/// Small weights of float16 are 0, in other places of every head.
TEST_F(Mistakes, SmallWeightsThatWereRoundedToZero) {
  const at::Tensor later = later_keys(kPositions);
  const at::Tensor pattern = weights_of(some_scores() * 3, later).to(at::kHalf);
  const Metadata hidden{{"zeros", "hidden"}};
  const auto remarks = [&](const Tensors& stored) { return all_remarks(*opened(stored, hidden)); };
  EXPECT_THAT(remarks({{names::pattern(0), pattern}}),
              StartsWith("layer 0: weights of 0 or NaN hide keys of some heads that others see"));
  EXPECT_THAT(remarks({{names::pattern(0), pattern}, {names::mask(0), pattern.ne(0)}}), IsEmpty());
  EXPECT_THAT(remarks({{names::pattern(0), weights_of(some_scores(), later)}}), IsEmpty());
  EXPECT_THAT(remarks({{names::pattern(0), weights_of(some_scores(), beyond_window())}}),
              IsEmpty());
}

/// Keys of a cache that is not filled, or of padding, are 0 in every head, and so are small weights
/// in some.
TEST_F(Mistakes, HiddenKeysBesideSmallWeights) {
  constexpr std::int64_t kSteps = 11, kPlaces = 16;
  const at::Tensor later = at::ones({kSteps, kPlaces}, at::kBool).triu(1);
  const at::Tensor columns = at::arange(kPlaces).ge(kSteps).expand({kPositions, -1});
  const auto small = [](const at::Tensor& hidden) {
    const at::Tensor scores = at::randn({kHeads, hidden.size(0), hidden.size(1)}, at::kDouble);
    return weights_of(scores * 60, hidden).to(at::kFloat);
  };
  struct Case {
    at::Tensor hidden;
    Metadata metadata;
    const char* first;
  };
  const Case cases[] = {{later, {}, "[0, 0, 1]"},
                        {later, {{"mask", "causal"}}, "[0, 0, 1]"},
                        {later, kFull, "[0, 0, 1]"},
                        {later_keys(kPositions), kFull, "[0, 0, 1]"},
                        {columns, kFull, "[0, "}};
  for (const auto& [hidden, metadata, first] : cases) {
    Tensors stored{{names::pattern(0), small(hidden)}};
    const at::Tensor zeros = stored[names::pattern(0)].eq(0);
    ASSERT_TRUE(zeros.any(0).logical_and(zeros.all(0).logical_not()).any().item<bool>());
    expect_refused(stored,
                   {.kind = inconsistent,
                    .where = "hook_pattern",
                    .expected = "weights where a query sees a key",
                    .found = fmt::format("the same of every head, the first at {}", first),
                    .advice = "a tensor hook_mask [query, key] says which keys a query sees"},
                   metadata);
    Metadata weights = metadata;
    weights["zeros"] = "weights";
    EXPECT_NO_THROW(static_cast<void>(opened(stored, weights)));
    stored[names::mask(0)] = hidden.logical_not();
    const auto keys = hidden.logical_not().any(0).sum().item<std::int64_t>();
    EXPECT_EQ(opened(stored)->shape().layers.front().keys, keys);
  }
  const at::Tensor last = at::ones({kSteps, kPlaces}, at::kBool).triu(1 + kPlaces - kSteps);
  EXPECT_TRUE(layer_of({{names::pattern(0), small(last)}}).mask.is_causal());
  const at::Tensor none = at::zeros({kPositions, kPositions}, at::kBool);
  EXPECT_NO_THROW(static_cast<void>(opened({{names::pattern(0), small(none)}}, kFull)));
  // The first key has nearly all the weight: what is left of the others ends somewhere.
  at::Tensor sunk = at::randn({12, kPositions, kPositions}, at::kDouble) * 8;
  sunk.select(2, 0).add_(40);
  sunk = weights_of(sunk, later_keys(kPositions)).to(at::kHalf);
  EXPECT_TRUE(layer_of({{names::pattern(0), sunk}}).mask.is_causal());
}

/// What hides keys is the least score that a row has, or less.
TEST_F(Mistakes, EachRowsLeastScoreInThePlaceOfScores) {
  const at::Tensor later = later_keys(kPositions);
  std::vector<Hidden> masks = some_masks();
  masks.erase(masks.begin(), masks.begin() + 2);
  for (const auto& [name, hidden] : causal_masks()) masks.push_back({name, hidden, {}});
  for (const auto& [name, hidden, said] : masks) {
    const bool is_padding = std::string_view(name).starts_with("padding");
    for (const at::ScalarType type : kTypes) {
      for (const double below : is_padding ? std::vector{0.0, 1.0} : std::vector{1.0}) {
        for (const std::int64_t heads : {std::int64_t{1}, kHeads}) {
          SCOPED_TRACE(fmt::format("{} {} {} {}", name, at::toString(type), below, heads));
          const bool is_full = said.contains("mask");
          const at::Tensor scores = some_scores().slice(0, 0, heads).to(type).to(at::kDouble);
          const at::Tensor seen = is_full ? scores : scores.masked_fill(later, kInfinity);
          const at::Tensor filled = at::where(hidden, seen.amin(-1, true) - below, scores);
          const at::Tensor square =
              (is_full ? filled : filled.masked_fill(later, -kInfinity)).to(type);
          Tensors stored{{names::scores(0), square}};
          expect_refused(stored,
                         {.kind = inconsistent,
                          .where = "hook_attn_scores",
                          .expected = "scores where a query sees a key",
                          .found = "each row's least score, such as ",
                          .advice = "'none' says that they are scores"},
                         said);
          Metadata scores_alone = said;
          scores_alone["hidden_below"] = "none";
          EXPECT_NO_THROW(static_cast<void>(opened(stored, scores_alone)));
          // In one of the last rows another score is less.
          Tensors near = stored;
          near[names::scores(0)][0][kPositions - 2][19].fill_(-20);
          EXPECT_NO_THROW(static_cast<void>(opened(near, said)));
          stored[names::mask(0)] = (is_full ? hidden : hidden.logical_or(later)).logical_not();
          EXPECT_NO_THROW(static_cast<void>(opened(stored)));
        }
      }
    }
  }
}

/// [head, query, key]: what Swin's shifted windows hide, its windows recorded as heads. The tokens
/// of a window that lie on one side of the image's edges see each other.
at::Tensor across_edges() {
  constexpr std::int64_t kSide = 4;
  const at::Tensor token = at::arange(kSide * kSide);
  const at::Tensor right = token.remainder(kSide).ge(kSide / 2).to(at::kLong);
  const at::Tensor below = token.ge(kSide * kSide / 2).to(at::kLong);
  const at::Tensor groups = at::stack({at::zeros_like(token), right, below, right + 2 * below});
  return groups.unsqueeze(2).ne(groups.unsqueeze(1));
}

/// A mask of -100 is added: it leaves scores and weights that are numbers.
TEST_F(Mistakes, WhatAnAddedMaskLeavesOfGroups) {
  const at::Tensor hidden = across_edges();
  const at::Tensor scores = at::randn(hidden.sizes(), at::kDouble) * 2;
  const at::Tensor masked = (scores - 100 * hidden.to(at::kDouble)).to(at::kFloat);
  const at::Tensor pattern = at::softmax(masked.to(at::kDouble), -1).to(at::kFloat);
  ASSERT_TRUE(pattern.gt(0).logical_and(hidden).any().item<bool>());
  expect_refused({{names::scores(0), masked}},
                 {.kind = inconsistent, .found = "in 448 places, of all heads"}, kFull);
  expect_refused({{names::scores(0), masked.slice(0, 3)}},
                 {.kind = inconsistent, .found = "in 192 places, the same of every head"}, kFull);
  const LayerRows of_scores =
      layer_of({{names::scores(0), masked}}, {{"mask", "full"}, {"hidden_below", "-50"}});
  EXPECT_TRUE(at::equal(of_scores.seen, hidden.logical_not()));
  Tensors stored{{names::pattern(0), pattern}};
  expect_refused(stored,
                 {.kind = inconsistent,
                  .where = "hook_pattern",
                  .expected = "0, or weights of ",
                  .found = "of all heads: did a mask leave them?",
                  .advice = "'zeros': 'weights' says that they are weights"},
                 kFull);
  EXPECT_TRUE(layer_of(stored, {{"mask", "full"}, {"zeros", "weights"}}).mask.full);
  const Tensors without{{names::pattern(0), pattern.masked_fill(hidden, 0)}};
  EXPECT_TRUE(at::equal(layer_of(without, {{"mask", "full"}, {"zeros", "hidden"}}).seen,
                        hidden.logical_not()));
  stored[names::mask(0)] = hidden.logical_not();
  const LayerRows of_weights = layer_of(stored);
  EXPECT_TRUE(at::equal(of_weights.seen, hidden.logical_not()));
  EXPECT_TRUE(all_heads(of_weights.weights).masked_select(hidden).eq(0).all().item<bool>());
  stored[names::scores(0)] = scores.to(at::kFloat);
  EXPECT_EQ(layer_of(stored).scores.heads(), 4);
  EXPECT_FALSE(opened(stored)->shape().layers.front().is_contradicted);
  // A token that sees one of another group: no mask hides the others.
  at::Tensor nearly = scores.clone();
  nearly.masked_fill_(hidden, -80);
  for (std::int64_t head = 1; head < 4; ++head) nearly[head][0][15] = 1;
  nearly += at::randn(nearly.sizes(), at::kDouble);
  EXPECT_TRUE(layer_of({{names::scores(0), nearly}}, kFull).mask.full);
  EXPECT_TRUE(layer_of({{names::pattern(0), at::softmax(nearly, -1)}}, kFull).mask.full);
}

/// Numbers that softmax leaves of a causal mask of -50, and a weight that is none of these.
TEST_F(Mistakes, WeightsThatAnAddedMaskLeaves) {
  const at::Tensor later = later_keys(kPositions), scores = some_scores();
  const auto left_by = [&](double mask) {
    return Tensors{{names::pattern(0), at::softmax(scores + mask * later.to(at::kDouble), -1)}};
  };
  expect_refused(left_by(-90), {.kind = inconsistent, .found = "the same of every head: did a"});
  EXPECT_TRUE(layer_of(left_by(-90), {{"mask", "causal"}}).mask.is_causal());
  expect_refused(left_by(-20),
                 {.kind = inconsistent,
                  .expected = "0 where a query does not see a key",
                  .advice = "or record 0 there"},
                 {{"mask", "causal"}});
}

/// Cross attention on as many keys as queries: those that no query sees are padding of the keys.
TEST_F(Mistakes, PaddingOfKeysAlone) {
  at::Tensor hidden = at::zeros({kPositions, kPositions}, at::kBool);
  hidden.slice(1, 18).fill_(true);
  const Tensors stored{{names::pattern(0), weights_of(some_scores(), hidden)}};
  Metadata said{{"mask", "full"}, {"zeros", "hidden"}};
  EXPECT_EQ(opened(stored, said)->shape().padding, 6U);
  said["padding"] = "[]";
  const auto source = opened(stored, said);
  EXPECT_EQ(source->shape().padding, 0U);
  const LayerRows layer = layers_of(*source).front();
  EXPECT_TRUE(at::equal(layer.seen[0], hidden.logical_not()));
}

TEST_F(Mistakes, WordsThatFitTheShapeAndWhatIsSaid) {
  const at::Tensor few = at::softmax(at::randn({2, 24, 9}), -1);
  expect_refused({{names::pattern(0), few}},
                 {.kind = inconsistent, .expected = "which are more than its keys"});
  at::Tensor tokens = at::zeros({kPositions}, at::kLong);
  tokens.slice(0, 20).fill_(1);  // 1 of padding, as torch's key_padding_mask has it
  at::Tensor hidden = at::zeros({kPositions, kPositions}, at::kBool);
  hidden.slice(1, 20).fill_(true);
  expect_refused(
      {{names::pattern(0), weights_of(some_scores(), hidden)}, {names::kAttentionMask, tokens}},
      {.kind = inconsistent, .advice = "attention_mask is 1 of a token"}, kFull);
}

TEST_F(Mistakes, MeansOfHeads) {
  const at::Tensor pattern = weights_of(some_scores(), later_keys(kPositions));
  const at::Tensor v = at::randn({kPositions, kHeads, 8});
  const at::Tensor mean = pattern.mean(0);
  expect_refused({{names::pattern(0), mean}},
                 {.kind = malformed, .found = "[24, 24]", .advice = "averaged over the heads"});
  expect_refused({{names::pattern(0), mean.unsqueeze(0)}, {names::v(0), v}},
                 {.kind = inconsistent,
                  .where = "hook_pattern",
                  .expected = "of several heads",
                  .found = "[1, 24, 24]",
                  .advice = "average_attn_weights=False"});
  EXPECT_EQ(opened({{names::pattern(0), mean.unsqueeze(0)}, {names::v(0), v.slice(1, 0, 1)}})
                ->shape()
                .layers.front()
                .heads,
            1);
}

TEST_F(Mistakes, HeadsThatDoNotGoTogether) {
  const at::Tensor pattern = weights_of(some_scores(), later_keys(kPositions));
  expect_refused({{names::pattern(0), pattern}, {names::v(0), at::randn({kPositions, 3, 8})}},
                 {.kind = inconsistent,
                  .where = "hook_v",
                  .expected = "as many heads as there are of queries, 4",
                  .found = "3"});
}

/// A learned sink beside weights that have no place for it.
TEST_F(Mistakes, ASinkThatHasNoWeight) {
  const at::Tensor scores = some_scores(), later = later_keys(kPositions);
  const at::Tensor sink = at::ones({kHeads}, at::kDouble);
  Tensors stored{{names::pattern(0), weights_of(scores, later)}, {names::sink(0), sink}};
  const BadInputParts refusal{.kind = inconsistent,
                              .where = "hook_pattern",
                              .expected = "leave weight to the learned sink",
                              .found = "none of a sum below 1",
                              .advice = "leave hook_sink out"};
  expect_refused(stored, refusal);
  Tensors beside = stored;
  beside[names::scores(0)] = scores.masked_fill(later, -kInfinity);
  expect_refused(beside, refusal);
  stored[names::pattern(0)] = weights_of(scores, later) * 0.9;
  EXPECT_TRUE(opened(stored)->shape().layers.front().has_sink);
  // Beside scores that say the same, a sink may be too weak to show.
  beside[names::sink(0)] = sink - 60;
  EXPECT_FALSE(opened(beside)->shape().layers.front().is_contradicted);
}

/// A learned sink is what a pattern leaves of 1, which its rounding may hide.
TEST_F(Mistakes, ASinkThatIsLostInRounding) {
  const at::Tensor later = later_keys(kPositions);
  const at::Tensor sink = at::zeros({kHeads}, at::kDouble);
  const at::Tensor column = at::zeros({kHeads, kPositions, 1}, at::kDouble);
  const auto stored = [&](const at::Tensor& scores) {
    const at::Tensor all = at::cat({scores.masked_fill(later, -kInfinity), column}, -1);
    return Tensors{{names::pattern(0), at::softmax(all, -1).slice(2, 0, kPositions)},
                   {names::sink(0), sink}};
  };
  const at::Tensor soft = at::randn({kHeads, kPositions, kPositions}, at::kDouble) / 4;
  at::Tensor peaked = soft.clone();
  const auto remarks = [&](at::ScalarType type, at::ScalarType saved) {
    Tensors all = stored(peaked);
    all[names::pattern(0)] = all[names::pattern(0)].to(type).to(saved);
    return all_remarks(*opened(all));
  };
  for (const auto type : {at::kDouble, at::kFloat, at::kHalf, at::kBFloat16}) {
    EXPECT_EQ(remarks(type, type), "") << "heads that leave it some weight";
  }
  // The sink's weights are e^-14 and e^-30: in float32 the one is above 2^-24, and not the other.
  peaked[1][20][3] = 14;
  peaked[2][17][9] = 30;
  peaked[2][18][0] = 30;
  EXPECT_EQ(remarks(at::kDouble, at::kDouble), "");
  EXPECT_THAT(remarks(at::kFloat, at::kFloat),
              StartsWith("layer 0: the sink's weight of 2 rows is lost in rounding"));
  for (const auto saved : {at::kBFloat16, at::kFloat}) {
    EXPECT_THAT(remarks(at::kBFloat16, saved),
                StartsWith("layer 0: the sink's weight of 3 rows is lost in rounding"));
  }
  peaked = soft.clone();
  peaked[0][9][3] = 30;
  EXPECT_THAT(remarks(at::kFloat, at::kFloat),
              AllOf(StartsWith("layer 0: the sink's weight of 1 row is lost"),
                    EndsWith("record hook_attn_scores, or q and k, beside hook_sink")));
}

/// Zeros of keys that each head has dropped from its cache, and zeros that rounding makes.
TEST_F(Mistakes, ZerosThatAreNoSmallWeights) {
  const at::Tensor later = later_keys(kPositions), scores = some_scores();
  const at::Tensor own = at::eye(kPositions, at::kBool);
  const at::Tensor is_dropped = at::rand({kHeads, kPositions, kPositions})
                                    .lt(0.3)
                                    .logical_and(own.logical_or(later).logical_not());
  const at::Tensor dropped = weights_of(scores, later.logical_or(is_dropped));
  const auto rows = is_dropped.any(-1).sum().item<std::int64_t>();
  ASSERT_GT(rows, kHeads);
  for (const auto type : {at::kDouble, at::kFloat}) {
    const Tensors stored{{names::pattern(0), dropped.to(type)}};
    EXPECT_THAT(all_remarks(*opened(stored)),
                AllOf(StartsWith("layer 0: no weight of the pattern lies between 0 and "),
                      EndsWith(fmt::format("leave {} rows without logits", rows))));
    for (const char* word : {"hidden", "weights"}) {
      EXPECT_THAT(all_remarks(*opened(stored, {{"zeros", word}})), Not(HasSubstr("lies between")));
    }
    Tensors masked = stored;
    masked[names::mask(0)] = is_dropped.logical_or(later).logical_not();
    EXPECT_EQ(all_remarks(*opened(masked)), "");
  }
  // Zeros of dropout leave other sums, but for a row by chance.
  const at::Tensor left = weights_of(scores, later).masked_fill(is_dropped, 0);
  const at::Tensor is_first = at::arange(kPositions).eq(5).unsqueeze(-1);
  EXPECT_EQ(all_remarks(*opened({{names::pattern(0), at::where(is_first, dropped, left)}})), "");
  // Softmax of numbers so far apart that some of its weights are 0 has small ones too.
  const at::Tensor far = weights_of(scores * 20, later);
  for (const auto type : {at::kFloat, at::kHalf}) {
    for (const auto saved : {type, at::kDouble}) {
      const at::Tensor rounded = far.to(type).to(saved);
      ASSERT_TRUE(rounded.masked_select(later.logical_not()).eq(0).any().item<bool>());
      EXPECT_EQ(all_remarks(*opened({{names::pattern(0), rounded}})), "");
    }
  }
}

/// Keys of a prefix or a cache, whose values were not recorded, or keys that were put together.
TEST_F(Mistakes, ValuesThatAreThoseOfQueries) {
  constexpr std::int64_t kPrefix = 16;
  const at::Tensor long_rows =
      at::softmax(at::randn({kHeads, kPositions, kPositions + kPrefix}), -1);
  const at::Tensor short_rows = at::softmax(at::randn({kHeads, kPositions, kPrefix}), -1);
  for (const std::int64_t value_heads : {kHeads, kHeads / 2}) {
    const at::Tensor v = at::randn({kPositions, value_heads, 8});
    expect_refused({{names::pattern(0), long_rows}, {names::v(0), v}},
                   {.kind = inconsistent,
                    .where = "hook_v",
                    .expected = "[40, key head, d_head], a value a key",
                    .advice = "a prefix, a cache) has a value too"},
                   kFull);
    expect_refused({{names::pattern(0), short_rows}, {names::v(0), v}},
                   {.kind = inconsistent,
                    .where = "hook_v",
                    .expected = "[16, key head, d_head], a value a key",
                    .advice = "where keys were put together"},
                   kFull);
    // Rows over another axis that sum to 1 say that the axes are in another order.
    expect_refused({{names::pattern(0), at::softmax(long_rows, 1)}, {names::v(0), v}},
                   {.kind = inconsistent,
                    .where = "hook_pattern",
                    .advice = "permute(2, 0, 1) makes [head, query, key]"},
                   kFull);
    at::Tensor mixed = short_rows.clone();
    mixed[3][20][1] = -0.25;
    expect_refused({{names::pattern(0), mixed}, {names::v(0), v}},
                   {.kind = out_of_range,
                    .where = "hook_pattern",
                    .expected = "weights of at least 0",
                    .found = "-0.25",
                    .advice = "weights of linear, differential or mixed attention"},
                   kFull);
  }
}

TEST_F(Mistakes, FourAxesThatAreNoBatch) {
  const at::Tensor q = at::randn({kPositions, 2, 2, 8});
  expect_refused({{names::q(0), q}, {names::k(0), at::randn({kPositions, 2, 8})}},
                 {.kind = unsupported, .where = "hook_q", .advice = "flatten(1, 2)"});
  const at::Tensor pages = at::randn({3, 8, 2, 8});
  expect_refused({{names::q(0), q.flatten(1, 2)}, {names::k(0), pages}},
                 {.kind = unsupported, .where = "hook_k", .advice = "pages of positions"});
}

TEST_F(Mistakes, WhatIsNoLogitAndNoWeight) {
  const at::Tensor later = later_keys(kPositions);
  at::Tensor scores = some_scores().masked_fill(later, -kInfinity);
  const at::Tensor logarithms = weights_of(scores, later).log();
  expect_refused({{names::pattern(0), logarithms}},
                 {.kind = out_of_range, .found = "-inf", .advice = "hook_attn_scores"});
  expect_refused({{names::pattern(0), at::softmax(scores, -1) - 0.01}},
                 {.kind = out_of_range, .advice = "differential or mixed attention"});
  scores[2][9][3] = kInfinity;
  expect_refused({{names::scores(0), scores}},
                 {.kind = out_of_range, .found = "inf at [2, 9, 3]", .advice = "overflowed"});
  scores[2][9][3] = std::nan("");
  expect_refused({{names::scores(0), scores}},
                 {.kind = out_of_range, .found = "nan at [2, 9, 3]", .advice = "attention_mask"});
  at::Tensor pruned = weights_of(some_scores(), later);
  pruned[1].fill_(0);
  expect_refused(
      {{names::pattern(0), pruned}},
      {.kind = out_of_range, .found = "zeros alone in head 1", .advice = "'zeros': 'hidden'"});
}

/// Hard attention puts all weight on one key.
TEST_F(Mistakes, ZerosOfHardAttention) {
  const at::Tensor scores = some_scores().masked_fill(later_keys(kPositions), -kInfinity);
  const at::Tensor pattern = scores.eq(scores.amax(-1, true)).to(at::kDouble);
  const Tensors stored{{names::scores(0), scores}, {names::pattern(0), pattern}};
  expect_refused(stored,
                 {.kind = out_of_range,
                  .expected = "a query that sees two keys",
                  .advice = "'zeros': 'weights' says so"},
                 {{"zeros", "hidden"}});
  EXPECT_TRUE(opened(stored)->shape().layers.front().is_contradicted);
  EXPECT_TRUE(opened(stored, {{"zeros", "weights"}})->shape().layers.front().is_contradicted);
}

/// The scale by which transformers multiplies the scores.
TEST_F(Mistakes, AFactorInThePlaceOfT) {
  const at::Tensor q = at::randn({kPositions, 2, 16}, at::kDouble);
  const at::Tensor k = at::randn({kPositions, 2, 16}, at::kDouble);
  Tensors stored{{names::q(0), q}, {names::k(0), k}};
  const Metadata factor{{"temperatures", "[0.25]"}};
  expect_refused(stored,
                 {.kind = inconsistent,
                  .where = "metadata 'temperatures'",
                  .expected = "divided by, as 4",
                  .found = "0.25 of layer 0",
                  .advice = "hook_pattern"},
                 factor);
  expect_refused(stored,
                 {.kind = inconsistent,
                  .found = "0.0625 of layer 0, which is 1 over d_head",
                  .advice = "say 16"},
                 {{"temperatures", "[0.0625]"}});
  for (const char* other : {"[0.2501]", "[0.063]", "[4]", "[1]"}) {
    EXPECT_NO_THROW(static_cast<void>(opened(stored, {{"temperatures", other}})));
  }
  const at::Tensor scores = at::matmul(q.transpose(0, 1), k.permute({1, 2, 0})) * 4;
  stored[names::pattern(0)] = weights_of(scores, later_keys(kPositions));
  EXPECT_FALSE(opened(stored, factor)->shape().layers.front().is_contradicted);
}

Tensors queries_and_keys(std::int64_t queries = kPositions, std::int64_t keys = kPositions) {
  return {{names::q(0), at::randn({queries, kHeads, 16}, at::kDouble)},
          {names::k(0), at::randn({keys, 2, 16}, at::kDouble)},
          {names::v(0), at::randn({keys, 2, 16}, at::kDouble)}};
}

/// Kernels for texts of several lengths put zeros where a text has ended, and a cache has them
/// where it was not filled.
TEST_F(Mistakes, QueriesAndKeysOfZeros) {
  Tensors stored = queries_and_keys();
  for (auto& [name, tensor] : stored) tensor.slice(0, 20).fill_(0);
  expect_refused(stored, {.kind = inconsistent,
                          .where = "hook_k",
                          .expected = "keys of tokens",
                          .found = "zeros in every head at 4 positions, the first of them 20",
                          .advice = "metadata 'padding'"});
  EXPECT_EQ(opened(stored, {{"padding", "[20, 21, 22, 23]"}})->shape().padding, 4U);
  EXPECT_EQ(opened(stored, {{"padding", "[]"}})->shape().padding, 0U);
  for (const char* name : {"k", "v"}) {
    stored[names::Hook{name}(0)] = queries_and_keys()[names::Hook{name}(0)];
  }
  expect_refused(stored, {.kind = inconsistent, .where = "hook_q", .expected = "queries of"},
                 kFull);
  stored[names::q(0)].slice(0, 20).select(1, 2).fill_(1);  // one head has numbers
  EXPECT_NO_THROW(static_cast<void>(opened(stored)));
  stored[names::q(0)].fill_(0);  // as where training begins
  EXPECT_NO_THROW(static_cast<void>(opened(stored)));

  Tensors cache = queries_and_keys(kPositions, 32);
  for (const char* name : {"k", "v"}) cache[names::Hook{name}(0)].slice(0, kPositions).fill_(0);
  expect_refused(cache,
                 {.kind = inconsistent,
                  .found = "8 positions, the first of them 24",
                  .advice = "record the others alone"},
                 {{"mask", "causal"}});
  cache[names::mask(0)] = at::constant_pad_nd(later_keys(kPositions).logical_not(), {0, 8});
  EXPECT_TRUE(layer_of(cache).mask.is_causal());
  cache.erase(names::mask(0));
  const at::Tensor k = cache[names::k(0)].slice(0, 0, kPositions).repeat_interleave(2, 1);
  const at::Tensor scores =
      at::matmul(cache[names::q(0)].transpose(0, 1), k.permute({1, 2, 0})) / 4;
  cache[names::pattern(0)] =
      at::constant_pad_nd(weights_of(scores, later_keys(kPositions)), {0, 8});
  EXPECT_TRUE(layer_of(cache).mask.is_causal());
}

/// That none is padding can be said of any layer.
TEST_F(Mistakes, ValuesOfZerosOfOtherKeys) {
  at::Tensor values = at::randn({kPositions, kHeads, 4});
  values.slice(0, 0, 3).fill_(0);
  const at::Tensor scores = some_scores().slice(1, 0, 8);
  const Tensors stored{{names::scores(0), scores}, {names::v(0), values}};
  expect_refused(stored,
                 {.kind = inconsistent,
                  .found = "zeros in every head at 3 positions, the first of them 0",
                  .advice = "metadata 'padding': '[]' says that they are seen"},
                 kFull);
  const Metadata none{{"mask", "full"}, {"padding", "[]"}};
  EXPECT_EQ(layer_of(stored, none).v.size(0), kPositions);
  expect_refused(stored, {.kind = unsupported, .expected = "as many queries as keys"},
                 {{"mask", "full"}, {"padding", "[1]"}});
  // One more key than queries may be a learned sink.
  at::Tensor of_sink = at::randn({kPositions, kHeads, 4});
  of_sink[kPositions - 1].fill_(0);
  expect_refused({{names::scores(0), some_scores().slice(1, 1)}, {names::v(0), of_sink}},
                 {.kind = inconsistent,
                  .found = "at position 23: padding, a learned sink, or a cache",
                  .advice = "and a learned sink as hook_sink [head]"},
                 kFull);
}

/// Padding whose values alone were set to 0.
TEST_F(Mistakes, ValuesOfZeros) {
  const at::Tensor later = later_keys(kPositions);
  for (const at::ScalarType type : kTypes) {
    for (const std::int64_t first : {0, 20}) {
      SCOPED_TRACE(fmt::format("{} {}", at::toString(type), first));
      Tensors rows = queries_and_keys();
      for (auto& [name, tensor] : rows) tensor = tensor.to(type);
      rows[names::v(0)].slice(0, first, first + 4).fill_(0);
      const at::Tensor v = rows[names::v(0)];
      const Tensors scores{
          {names::scores(0), some_scores().masked_fill(later, -kInfinity).to(type)},
          {names::v(0), v}};
      Tensors pattern{{names::pattern(0), weights_of(some_scores(), later).to(type)},
                      {names::v(0), v}};
      pattern[names::pattern(0)].masked_fill_(
          pattern[names::pattern(0)].eq(0).logical_and(later.logical_not()), 1e-7);
      for (Tensors stored : {rows, scores, pattern}) {
        expect_refused(stored, {.kind = inconsistent,
                                .where = "hook_v",
                                .expected = "values of tokens",
                                .found = fmt::format("4 positions, the first of them {}", first),
                                .advice = "metadata 'padding'"});
        EXPECT_EQ(opened(stored, {{"padding", "[]"}})->shape().padding, 0U);
        stored[names::v(0)] = v.clone();
        stored[names::v(0)].slice(0, first, first + 4).select(1, 1).fill_(1);  // one head has some
        EXPECT_NO_THROW(static_cast<void>(opened(stored)));
        stored[names::v(0)] = at::zeros_like(v);
        EXPECT_NO_THROW(static_cast<void>(opened(stored)));
      }
      EXPECT_EQ(opened(rows, {{"padding", fmt::format("[{}, {}, {}, {}]", first, first + 1,
                                                      first + 2, first + 3)}})
                    ->shape()
                    .padding,
                4U);
    }
  }
  // What the numbers hide is padding, or was added.
  at::Tensor hidden = at::zeros({kPositions, kPositions}, at::kBool);
  hidden.slice(1, 20).fill_(true);
  at::Tensor v = queries_and_keys()[names::v(0)];
  v.slice(0, 20).fill_(0);
  const at::Tensor weights = weights_of(some_scores(), hidden);
  const Metadata zeros_hide{{"mask", "full"}, {"zeros", "hidden"}};
  EXPECT_EQ(opened({{names::pattern(0), weights}, {names::v(0), v}}, zeros_hide)->shape().padding,
            4U);
  const at::Tensor added = at::softmax(some_scores().slice(1, 0, 20), -1);
  EXPECT_NO_THROW(static_cast<void>(opened({{names::pattern(0), added}, {names::v(0), v}}, kFull)));
}

/// Queries that see others' keys but not their own are what padding shows, and a mask by mistake:
/// the one of the largest scores alone, or one that is 1 of padding.
TEST_F(Mistakes, QueriesThatDoNotSeeTheirOwnKey) {
  Tensors stored = queries_and_keys();
  at::Tensor& mask = stored[names::mask(0)];
  mask = later_keys(kPositions).logical_not();
  mask[kPositions - 1][kPositions - 1] = false;
  EXPECT_EQ(opened(stored)->shape().padding_that_sees, 1U);
  mask = at::zeros({kPositions, kPositions}, at::kBool);
  mask.slice(1, 20).fill_(true);
  EXPECT_EQ(opened(stored)->shape().padding, 20U);
  EXPECT_EQ(opened(stored)->shape().padding_that_sees, 20U);
  mask = at::eye(kPositions, at::kBool);
  mask.slice(0, 0, 20).slice(1, 0, 20).fill_(true);
  EXPECT_EQ(opened(stored)->shape().padding, 4U);
  EXPECT_EQ(opened(stored)->shape().padding_that_sees, 0U);
}

/// A query that sees its own key alone, or none, weighs what hides keys, and a pattern beside it
/// shows so.
TEST_F(Mistakes, WhatHidesKeysOfAQueryThatSeesNoOther) {
  const at::Tensor scores = some_scores(), later = later_keys(kPositions);
  const at::Tensor own = at::eye(kPositions, at::kBool);
  const auto beside_pattern = [](const at::Tensor& of, const at::Tensor& hidden) {
    return Tensors{{names::scores(0), of}, {names::pattern(0), weights_of(of, hidden)}};
  };
  const auto asks = [](const char* found) {
    return BadInputParts{.kind = inconsistent,
                         .where = "hook_attn_scores",
                         .found = found,
                         .advice = "metadata 'hidden_below'"};
  };
  const Metadata causal{{"mask", "causal"}}, sees_all{{"padding", "[]"}};
  for (const double fill : {-1e4, -1e5}) {
    expect_refused(beside_pattern(scores.masked_fill(own, fill), later),
                   asks("no greater in 96 places, the same of every head: do they hide keys?"),
                   causal);
    const at::Tensor strict = scores.masked_fill(later.logical_or(own), fill);
    expect_refused(beside_pattern(strict, at::zeros_like(own)), asks("do they hide keys?"),
                   sees_all);
    expect_refused(beside_pattern(strict, at::zeros_like(own)), asks("do they hide keys?"));
  }
  // One score of the first token alone is one, however low.
  at::Tensor first = scores.clone();
  first.select(1, 0).select(1, 0).fill_(-2000);
  EXPECT_NO_THROW(static_cast<void>(opened(beside_pattern(first, later), causal)));
  EXPECT_NO_THROW(static_cast<void>(
      opened({{names::scores(0), first.masked_fill(later, -kInfinity)}}, causal)));
}

/// Where no token sees itself, a mask is 0 all along its diagonal: so it is turned round where no
/// numbers show that it is right.
TEST_F(Mistakes, MasksOfTokensThatDoNotSeeThemselves) {
  const at::Tensor own = at::eye(kPositions, at::kBool), others = own.logical_not();
  const at::Tensor scores = some_scores();
  const at::Tensor pattern = weights_of(scores, own), hiding = scores.masked_fill(own, -kInfinity);
  const auto seen = [&](Tensors stored, const at::Tensor& mask) {
    stored[names::mask(0)] = mask;
    return layer_of(stored).seen;
  };
  Tensors beside = queries_and_keys();
  const BadInputParts question{
      .kind = inconsistent,
      .where = "hook_mask",
      .expected = "1 where a query sees a key",
      .found = "no query that sees its own: is it 1 where a key is hidden?",
      .advice = "a pattern beside it, or scores that are lowest of the keys it hides"};
  beside[names::mask(0)] = others;
  expect_refused(beside, question);
  beside[names::pattern(0)] = pattern;
  for (const Tensors& stored :
       {Tensors{{names::pattern(0), pattern}}, beside, Tensors{{names::scores(0), hiding}},
        Tensors{{names::scores(0), scores.masked_fill(own, -1e5)}}}) {
    EXPECT_TRUE(at::equal(seen(stored, others)[0], others));
    EXPECT_TRUE(at::equal(seen(stored, others.expand({kHeads, -1, -1}).contiguous())[0], others));
  }
  expect_refused({{names::scores(0), scores}, {names::mask(0), others}}, question);
  const at::Tensor later = later_keys(kPositions), causal = weights_of(scores, later);
  expect_refused(
      {{names::pattern(0), weights_of(scores, at::zeros_like(own))}, {names::mask(0), others}},
      question);
  const BadInputParts opposite{.kind = inconsistent,
                               .where = "hook_mask",
                               .found = "0 there, and 1 of the keys that are hidden",
                               .advice = "record its opposite"};
  expect_refused({{names::pattern(0), causal}, {names::mask(0), later}}, opposite);
  expect_refused(
      {{names::scores(0), scores.masked_fill(later, -kInfinity)}, {names::mask(0), later}},
      opposite);
}

/// Zeros of the own keys alone leave open what is seen after them.
TEST_F(Mistakes, ZerosThatDoNotSettleWhatIsSeen) {
  const auto message = [&](const at::Tensor& hidden) {
    try {
      static_cast<void>(opened({{names::pattern(0), weights_of(some_scores(), hidden)}}));
    } catch (const BadInput& refusal) {
      return refusal.parts().advice;
    }
    return std::string("none");
  };
  at::Tensor hidden = at::eye(kPositions, at::kBool);
  EXPECT_THAT(message(hidden), EndsWith("hook_mask says which keys a query sees"));
  hidden[3][7] = true;
  EXPECT_THAT(message(hidden), EndsWith("that it sees those whose weight is not 0"));
}

/// Softmax makes the rows of padding on the left level over what is hidden and what is not.
TEST_F(Mistakes, LevelRowsOfPaddingBesideAMask) {
  const at::Tensor hidden = later_keys(kPositions).logical_or(at::arange(kPositions).lt(4));
  at::Tensor pattern = weights_of(some_scores(), hidden);
  pattern.slice(1, 0, 4).fill_(0);
  pattern.slice(1, 0, 4).slice(2, 0, 10).fill_(0.1);
  const Metadata causal{{"mask", "causal"}};
  expect_refused({{names::pattern(0), pattern}},
                 {.kind = inconsistent,
                  .where = "hook_pattern",
                  .expected = "rows of one kind",
                  .found = "4 queries, the first of them 0, whose row is level over 10 keys",
                  .advice = "metadata 'padding'"},
                 causal);
  const Metadata padded{{"mask", "causal"}, {"padding", "[0, 1, 2, 3]"}};
  EXPECT_EQ(opened({{names::pattern(0), pattern}}, padded)->shape().padding, 4U);
  const BadInputParts hidden_weight{.kind = inconsistent,
                                    .expected = "0 where a query does not see a key"};
  expect_refused({{names::pattern(0), pattern}}, hidden_weight,
                 {{"mask", "causal"}, {"padding", "[0, 1, 2]"}});
  pattern[1][0][2] = 0.2;
  expect_refused({{names::pattern(0), pattern}}, hidden_weight, causal);
}

/// Values of 0 that others attend to are no padding: as a window of an image has them.
TEST_F(Mistakes, ValuesOfZerosThatHaveWeights) {
  const at::Tensor none = at::zeros({kPositions, kPositions}, at::kBool);
  at::Tensor v = at::randn({kPositions, kHeads, 8}, at::kDouble);
  v.slice(0, 20).fill_(0);
  const Tensors stored{{names::pattern(0), weights_of(some_scores(), none)}, {names::v(0), v}};
  expect_refused(stored,
                 {.kind = inconsistent,
                  .where = "hook_v",
                  .found = "zeros in every head at 4 positions, the first of them 20, which have "
                           "weights in the rows of others",
                  .advice = "metadata 'padding': '[]' says that it does"},
                 kFull);
  EXPECT_EQ(opened(stored, {{"mask", "full"}, {"padding", "[]"}})->shape().layers.front().keys,
            kPositions);
}

/// A pattern of zeros and ones agrees with any logits of what it weighs.
TEST_F(Mistakes, HardHeadsThatContradict) {
  const at::Tensor later = later_keys(kPositions);
  Tensors stored = queries_and_keys();
  const at::Tensor scores =
      at::matmul(stored[names::q(0)].transpose(0, 1),
                 stored[names::k(0)].repeat_interleave(2, 1).permute({1, 2, 0})) /
      4;
  at::Tensor pattern = weights_of(scores, later);
  const at::Tensor least = scores[2].masked_fill(later, kInfinity);
  pattern[2].copy_(least.eq(least.amin(-1, true)));
  stored[names::pattern(0)] = pattern;
  EXPECT_TRUE(opened(stored)->shape().layers.front().is_contradicted);
  EXPECT_FALSE(opened(stored)->shape().layers.front().fitting_temperature);
  stored[names::scores(0)] = scores.masked_fill(later, -kInfinity);
  EXPECT_TRUE(opened(stored)->shape().layers.front().is_contradicted);
  stored[names::pattern(0)] = weights_of(scores, beyond_window());
  stored.erase(names::scores(0));
  EXPECT_FALSE(opened(stored)->shape().layers.front().is_contradicted);
}

/// Small weights of float16 are 0, and said to be hidden: q and k beside them tell otherwise.
TEST_F(Mistakes, ZerosThatQueriesAndKeysExplain) {
  const at::Tensor later = later_keys(kPositions);
  const at::Tensor q = (at::randn({kPositions, kHeads, 16}) * 4).to(at::kHalf);
  const at::Tensor k = at::randn({kPositions, kHeads, 16}).to(at::kHalf);
  const at::Tensor scores =
      at::matmul(q.to(at::kDouble).transpose(0, 1), k.to(at::kDouble).permute({1, 2, 0})) / 4;
  const Tensors stored{{names::q(0), q},
                       {names::k(0), k},
                       {names::pattern(0), weights_of(scores, later).to(at::kHalf)}};
  const auto source = opened(stored, {{"zeros", "hidden"}});
  EXPECT_EQ(source->shape().mask_words, "");
  EXPECT_FALSE(source->shape().layers.front().is_contradicted);
  EXPECT_EQ(source->shape().rows_left_out, 0U);
}

TEST_F(Mistakes, TheRotatedPartAlone) {
  Tensors stored = queries_and_keys();
  stored[names::rotary_q(0)] = stored[names::q(0)].slice(2, 0, 4).contiguous();
  stored[names::rotary_k(0)] = stored[names::k(0)].slice(2, 0, 4).contiguous();
  expect_refused(stored, {.kind = inconsistent,
                          .where = "hook_rot_q",
                          .expected = "the 16 numbers of d_head that 'blocks.0.attn.hook_q' has",
                          .found = "4: is it the part that is rotated?"});
  stored[names::rotary_q(0)] = stored[names::q(0)];
  stored[names::rotary_k(0)] = stored[names::k(0)];
  EXPECT_EQ(layer_of(stored).temperature, 4);
}

/// Padding hides keys, so that keys alone that others see are queries turned round.
TEST_F(Mistakes, QueriesThatSeeNoKeyThoughOthersSeeTheirs) {
  at::Tensor hidden = at::zeros({kPositions, kPositions}, at::kBool);
  hidden.slice(0, 20).fill_(true);
  const at::Tensor scores = some_scores();
  for (const at::ScalarType type : kTypes) {
    const Tensors stored{{names::scores(0), scores.masked_fill(hidden, -kInfinity).to(type)}};
    expect_refused(stored,
                   {.kind = inconsistent,
                    .where = "hook_attn_scores",
                    .found = "query 20: is it [head, key, query], or padding?",
                    .advice = "transpose(-2, -1)"},
                   kFull);
    EXPECT_EQ(opened(stored, {{"mask", "full"}, {"padding", "[20, 21, 22, 23]"}})->shape().padding,
              4U);
    const Tensors turned{{names::scores(0), scores.masked_fill(hidden.t(), -kInfinity).to(type)}};
    EXPECT_EQ(opened(turned, kFull)->shape().padding, 4U);
    const Tensors both{
        {names::scores(0), scores.masked_fill(hidden.logical_or(hidden.t()), -kInfinity).to(type)}};
    EXPECT_EQ(opened(both, kFull)->shape().padding, 4U);
  }
}

/// Kernels fill the width of a head with zeros.
TEST_F(Mistakes, WidthsThatWereFilled) {
  for (const at::ScalarType type : kTypes) {
    Tensors stored = queries_and_keys();
    for (const char* name : {"q", "k"}) {
      at::Tensor& rows = stored[names::Hook{name}(0)];
      rows = at::constant_pad_nd(rows, {0, 4}).to(type);
    }
    expect_refused(stored, {.kind = inconsistent,
                            .where = "hook_q",
                            .found = "4 of these that are 0 in all queries and keys",
                            .advice = "metadata 'temperatures'"});
    EXPECT_EQ(layer_of(stored, {{"temperatures", "[4]"}}).temperature, 4);
    stored[names::q(0)].select(2, 17).select(0, 3).fill_(1);
    expect_refused(stored, {.kind = inconsistent, .found = "3 of these"});
    stored[names::q(0)].slice(2, 16).fill_(1);
    EXPECT_NO_THROW(static_cast<void>(opened(stored)));
  }
}

TEST_F(Mistakes, TensorsOfALayerElsewhere) {
  Tensors stored = queries_and_keys();
  EXPECT_EQ(all_remarks(*opened(stored)), "");
  for (const char* name : {"blocks.0.cross_attn.hook_pattern", "decoder.0.attn.hook_q"}) {
    Tensors other = stored;
    other[name] = at::zeros({3});
    EXPECT_THAT(all_remarks(*opened(other)),
                StartsWith(fmt::format("tensor '{}' is not read: those of a layer are", name)));
  }
  stored["blocks.0.attn.hook_result"] = stored["blocks.0.hook_resid_post"] = at::zeros({3});
  EXPECT_EQ(all_remarks(*opened(stored)), "");
}

/// A buffer that is used again, or was never filled, and heads that fill a group.
TEST_F(Mistakes, NumbersThatStandThereTwice) {
  const Tensors rows = queries_and_keys();
  const at::Tensor later = later_keys(kPositions);
  const at::Tensor pattern = weights_of(some_scores(), later);
  const auto with = [&](Tensors stored, const char* name, const at::Tensor& tensor) {
    stored[names::Hook{name}(0)] = tensor;
    return all_remarks(*opened(stored));
  };
  const at::Tensor zero_head = rows.at(names::v(0)).clone();
  zero_head.select(1, 1).fill_(0);
  at::Tensor zero_end = rows.at(names::v(0)).clone();
  zero_end.slice(0, 20).select(1, 1).fill_(0);
  const at::Tensor q = rows.at(names::k(0)).repeat_interleave(2, 1);
  EXPECT_THAT(with(rows, "v", at::zeros_like(zero_head)),
              StartsWith("layer 0: the values are 0 everywhere"));
  EXPECT_THAT(with(rows, "v", zero_head),
              StartsWith("layer 0: the values are 0 at every position of heads 1:"));
  EXPECT_THAT(with(rows, "v", zero_end),
              StartsWith("layer 0: the values are 0 at positions of heads 1 and of no others"));
  EXPECT_THAT(with(rows, "v", rows.at(names::v(0))[0].expand({kPositions, 2, 16}).contiguous()),
              StartsWith("layer 0: the values are the same at all positions"));
  EXPECT_THAT(with(rows, "k", (rows.at(names::k(0)) * 50).round()),
              StartsWith("layer 0: the keys are whole numbers"));
  EXPECT_THAT(with(rows, "v", rows.at(names::k(0)).clone()),
              StartsWith("layer 0: keys and values have the same numbers"));
  EXPECT_THAT(with({}, "pattern", pattern), IsEmpty());
  EXPECT_THAT(with({}, "pattern", pattern.slice(0, 0, 1)), IsEmpty());
  EXPECT_THAT(with({}, "pattern", pattern.mean(0).expand_as(pattern).contiguous()),
              StartsWith("layer 0: all heads of hook_pattern have the same numbers"));
  at::Tensor near = pattern.mean(0).expand_as(pattern).contiguous();
  near[2][20][3].add_(1e-6);
  EXPECT_THAT(with({}, "pattern", near),
              StartsWith("layer 0: heads 0, 1, 3 of hook_pattern have the same numbers"));
  const at::Tensor level = weights_of(at::zeros_like(pattern), later);
  EXPECT_THAT(with({}, "pattern", level), IsEmpty());  // as where training begins
  const Tensors layers{{names::pattern(0), pattern},
                       {names::pattern(3), pattern},
                       {names::pattern(4), weights_of(some_scores(), later)}};
  EXPECT_THAT(all_remarks(*opened(layers)), StartsWith("layers 0, 3 have the same numbers"));
  Tensors of_values{{names::v(0), rows.at(names::v(0))}, {names::v(1), rows.at(names::v(0))}};
  for (const int layer : {0, 1}) {
    of_values[names::pattern(layer)] =
        weights_of(at::randn({kHeads, kPositions, kPositions}, at::kDouble), later);
  }
  EXPECT_THAT(all_remarks(*opened(of_values)), StartsWith("layers 0, 1 have the same values"));
  of_values[names::pattern(1)] = of_values[names::pattern(0)];
  EXPECT_THAT(all_remarks(*opened(of_values)),
              AllOf(StartsWith("layers 0, 1 have the same numbers"), Not(HasSubstr("values"))));
  const at::Tensor products =
      at::matmul(rows.at(names::q(0)).transpose(0, 1),
                 rows.at(names::k(0)).repeat_interleave(2, 1).permute({1, 2, 0}));
  const at::Tensor scores = products.masked_fill(later, -kInfinity);
  EXPECT_THAT(with(rows, "attn_scores", scores),
              StartsWith("layer 0: the scores are the products of queries and keys, not divided"));
  EXPECT_THAT(with(rows, "attn_scores", scores / 4), IsEmpty());
  EXPECT_THAT(with({}, "attn_scores", at::full_like(scores, 3).masked_fill(later, -kInfinity)),
              StartsWith("layer 0: all scores are one number"));
}

/// Rows of padding that see no key are NaN, and all that is made of them.
TEST_F(Mistakes, WhatIsNotFiniteInPadding) {
  Tensors stored = queries_and_keys();
  const at::Tensor scores =
      at::matmul(stored[names::q(0)].transpose(0, 1),
                 stored[names::k(0)].repeat_interleave(2, 1).permute({1, 2, 0})) /
      4;
  for (auto& [name, tensor] : stored) tensor.slice(0, 0, 3).fill_(std::nan(""));
  expect_refused(stored, {.kind = out_of_range,
                          .where = "hook_k",
                          .found = "nan at [0, 0, 0]",
                          .advice = "is it padding? metadata 'padding'"});
  const Metadata padding{{"padding", "[0, 1, 2]"}};
  const LayerRows layer = layer_of(stored, padding);
  EXPECT_EQ(layer.v.size(0), kPositions - 3);
  EXPECT_TRUE(layer.q.isfinite().all().item<bool>());
  at::Tensor hidden = later_keys(kPositions);
  hidden.slice(1, 0, 3).fill_(true);
  stored[names::pattern(0)] = weights_of(scores, hidden);  // NaN in the rows of padding
  EXPECT_FALSE(opened(stored, padding)->shape().layers.front().is_contradicted);
  const Tensors weights{{names::pattern(0), stored[names::pattern(0)]},
                        {names::v(0), stored[names::v(0)]}};
  EXPECT_EQ(layer_of(weights, {{"zeros", "hidden"}}).v.size(0), kPositions - 3);
  stored[names::v(0)][9][1][2] = kInfinity;
  EXPECT_BAD_INPUT(layer_of(stored, padding),
                   {.kind = out_of_range, .where = "hook_v", .found = "inf at [9, 1, 2]"});
}

TEST_F(Mistakes, AMaskOfKeysAndQueriesWithAPrefix) {
  at::Tensor seen = later_keys(kPositions).logical_not();
  seen.slice(0, 0, 8).slice(1, 0, 8).fill_(true);
  Tensors stored = queries_and_keys();
  stored[names::mask(0)] = seen.t().contiguous();
  expect_refused(stored, {.kind = inconsistent,
                          .where = "hook_mask",
                          .found = "queries that see all later keys",
                          .advice = "is it [key, query]?"});
  stored[names::mask(0)] = seen;
  EXPECT_TRUE(at::equal(layer_of(stored).seen[0], seen));
  // Padding of one key; one that no query sees.
  for (const std::int64_t key : {0, 9}) {
    stored[names::mask(0)] = at::ones({kPositions, kPositions}, at::kBool);
    stored[names::mask(0)].select(1, key).fill_(false);
    stored[names::mask(0)][0][0].fill_(true);
    EXPECT_NO_THROW(static_cast<void>(opened(stored)));
  }
}

/// Attention by the cosine has a factor of its own.
TEST_F(Mistakes, QueriesAndKeysOfLengthOne) {
  Tensors stored = queries_and_keys();
  for (const char* name : {"q", "k"}) {
    at::Tensor& rows = stored[names::Hook{name}(0)];
    rows = (rows / rows.norm(2, 2, true)).to(at::kBFloat16);
  }
  expect_refused(stored, {.kind = inconsistent,
                          .where = "hook_q",
                          .found = "length 1 of one of them or both in every head",
                          .advice = "metadata 'temperatures'"});
  EXPECT_EQ(layer_of(stored, {{"temperatures", "[0.1]"}}).temperature, 0.1);
  stored[names::q(0)][5][1] *= 1.1;
  expect_refused(stored, {.kind = inconsistent, .found = "length 1 of one of them"});
  stored[names::k(0)][5][1] *= 1.1;
  EXPECT_EQ(layer_of(stored).temperature, 4);
}

/// Scores of before a mask is added may be of before they are scaled.
TEST_F(Mistakes, ScoresOfBeforeTheMask) {
  const at::Tensor later = later_keys(kPositions), scores = some_scores();
  const auto remarks = [&](const at::Tensor& numbers, const Metadata& metadata,
                           const Tensors& beside = {}) {
    Tensors stored = beside;
    stored[names::scores(0)] = numbers;
    return all_remarks(*opened(stored, metadata));
  };
  const Metadata causal{{"mask", "causal"}};
  const auto asks = StartsWith("layer 0: scores that the mask hides are numbers like the others");
  EXPECT_THAT(remarks(scores, causal), asks);
  EXPECT_THAT(remarks(scores, {{"mask", "causal"}, {"padding", "[0, 1]"}}), asks);
  EXPECT_THAT(remarks(scores, {}, {{names::mask(0), later.logical_not()}}), asks);
  EXPECT_THAT(remarks(scores, {{"mask", "causal"}, {"temperatures", "[4]"}}), IsEmpty());
  EXPECT_THAT(remarks(scores, causal, {{names::pattern(0), weights_of(scores, later)}}), IsEmpty());
  EXPECT_THAT(remarks(scores.masked_fill(later, -kInfinity), causal), IsEmpty());
  EXPECT_THAT(remarks(scores.masked_fill(later, 0), causal), IsEmpty());
  EXPECT_THAT(remarks(scores - later.to(at::kDouble) * 1e4, causal), IsEmpty());
  EXPECT_THAT(remarks(scores, {{"mask", "full"}, {"padding", "[0, 1]"}}), IsEmpty());
}

/// What is said already is not advised.
TEST_F(Mistakes, AdviceOnWhatIsLeftToSay) {
  constexpr std::int64_t kRows = 9;
  at::Tensor scores = at::randn({kHeads, kRows, kPositions}, at::kDouble) * 3;
  scores.slice(2, kRows).fill_(0);
  for (const Metadata& metadata : {Metadata{}, Metadata{{"mask", "causal"}}}) {
    const bool is_said = !metadata.empty();
    try {
      static_cast<void>(opened({{names::scores(0), scores}}, metadata));
      FAIL();
    } catch (const BadInput& refusal) {
      EXPECT_THAT(refusal.parts().found, StartsWith("0 in "));
      EXPECT_THAT(refusal.parts().advice,
                  StartsWith(is_said ? "a tensor hook_mask [query, key]" : "metadata 'mask'"));
      EXPECT_EQ(refusal.parts().advice.find("padding"), std::string::npos);
    }
  }
}

/// Multi-head latent attention reads one tensor as keys and, without what is rotated, as values.
TEST_F(Mistakes, KeysThatHoldTheirValues) {
  Tensors stored = queries_and_keys();
  const at::Tensor k = stored.at(names::k(0));
  for (const bool is_first : {true, false}) {
    stored[names::v(0)] = k.slice(2, is_first ? 0 : 4, is_first ? 12 : 16).contiguous();
    expect_refused(stored, {.kind = inconsistent,
                            .where = "hook_q",
                            .expected = "divided by the root of d_head",
                            .found = "values that are 12 of the 16 numbers of the keys",
                            .advice = "metadata 'temperatures' says the T of each layer"});
    EXPECT_EQ(layer_of(stored, {{"temperatures", "[2.5]"}}).temperature, 2.5);
  }
  stored[names::v(0)] = k.slice(2, 1, 13).contiguous();
  EXPECT_EQ(layer_of(stored).temperature, 4);
  stored[names::v(0)] = at::randn({kPositions, 2, 12});
  EXPECT_EQ(layer_of(stored).temperature, 4);
}

/// Eight bits with an exponent have three or four that are significant.
TEST_F(Mistakes, CodesOfEightBitsWithAnExponent) {
  for (const char* name : {"k", "v"}) {
    for (const int bits : {2, 3}) {  // beside the first one
      Tensors stored = queries_and_keys();
      at::Tensor& rows = stored[names::Hook{name}(0)];
      const at::Tensor step = at::pow(2, rows.abs().log2().floor() - bits);
      const at::Tensor codes = (rows / step).round() * step;
      rows = codes.to(at::kHalf);
      EXPECT_THAT(all_remarks(*opened(stored)),
                  StartsWith(fmt::format("layer 0: the {} have at most four significant bits",
                                         name[0] == 'k' ? "keys" : "values")));
      rows = codes * 0.3;
      EXPECT_THAT(all_remarks(*opened(stored)), IsEmpty());
    }
  }
  Tensors few = queries_and_keys();
  few[names::k(0)] = few.at(names::k(0)).round();
  EXPECT_THAT(all_remarks(*opened(few)), IsEmpty());
}

/// A cache has its keys and values heads first.
TEST_F(Mistakes, KeysAndValuesOfACache) {
  const auto turned = [](Tensors stored) {
    for (const char* name : {"k", "v"}) {
      at::Tensor& rows = stored[names::Hook{name}(0)];
      rows = rows.transpose(0, 1).unsqueeze(0).contiguous();
    }
    return stored;
  };
  const BadInputParts refusal{
      .kind = inconsistent,
      .where = "hook_k",
      .found = "shape [1, 2, 24, 16]: as [head, position, d_head] 4 heads of ",
      .advice =
          "tensor[0].transpose(0, 1) makes [position, head, d_head], "
          "of k and v"};
  Tensors stored = turned(queries_and_keys());
  expect_refused(stored, refusal);
  stored[names::pattern(0)] = weights_of(some_scores(), later_keys(kPositions));
  expect_refused(stored, refusal);
  const Metadata causal{{"mask", "causal"}};
  expect_refused(turned(queries_and_keys(1)), refusal, causal);
  // 4 keys of 2 heads, or 2 keys of 4: what lies beside them tells.
  stored = turned(queries_and_keys(1, 4));
  expect_refused(stored,
                 {.kind = inconsistent,
                  .where = "hook_k",
                  .found = "4 heads of 1 queries and 2 keys, or as",
                  .advice = "record tokens [position] or hook_mask"},
                 causal);
  stored[names::kTokens] = at::zeros({2}, at::kLong);
  EXPECT_EQ(opened(stored, causal)->shape().layers.front().keys, 2);
}

TEST_F(Mistakes, WhatSaysItInAnotherForm) {
  Tensors stored = queries_and_keys();
  const auto with = [&](const std::string& name, const at::Tensor& tensor) {
    Tensors changed = stored;
    changed[name] = tensor;
    return changed;
  };
  expect_refused(stored, {.kind = malformed, .advice = "record hook_attn_scores"},
                 {{"temperatures", "[[4, 4, 8, 8]]"}});
  const at::Tensor added = at::zeros({kPositions, kPositions});
  expect_refused(with(names::mask(0), added), {.kind = malformed, .advice = "mask == 0"});
  const std::string padding = names::kAttentionMask;
  expect_refused(with(padding, at::ones({2, kPositions}, at::kLong)),
                 {.kind = malformed, .advice = "attention_mask[0]"});
  expect_refused(with(padding, at::ones({1, 1, kPositions, kPositions}, at::kLong)),
                 {.kind = malformed, .advice = "hook_mask [query, key]"});
  expect_refused(with(padding, at::ones({9}, at::kLong)),
                 {.kind = inconsistent, .advice = "sequences of several lengths"});
  expect_refused(with(padding, at::full({kPositions}, 2, at::kLong)),
                 {.kind = out_of_range, .found = "2", .advice = "of documents in one sequence"});
  expect_refused(with(names::rotary_k(0), stored[names::k(0)]),
                 {.kind = missing,
                  .where = "hook_rot_q",
                  .expected = "it beside 'blocks.0.attn.hook_rot_k'",
                  .advice = "not rotated"});
  expect_refused(with(names::q(0), stored[names::q(0)].unsqueeze(1)),
                 {.kind = unsupported, .where = "hook_q", .advice = "record tensor[:, 0]"});
  for (auto& [name, rows] : stored) rows = rows.flatten(1).unsqueeze(0);
  expect_refused(stored, {.kind = inconsistent, .advice = "unflatten(-1, (heads, -1))"});
}

/// Far logits make weights of 0, which are not what a window hides.
TEST_F(Mistakes, ZerosOfFarLogitsBesideAWindow) {
  const at::Tensor q = (at::randn({kPositions, kHeads, 16}) * 12).to(at::kBFloat16);
  const at::Tensor k = (at::randn({kPositions, kHeads, 16}) * 12).to(at::kBFloat16);
  const at::Tensor scores =
      at::matmul(q.to(at::kDouble).transpose(0, 1), k.to(at::kDouble).permute({1, 2, 0})) / 4;
  for (const at::Tensor& hidden : {beyond_window(), later_keys(kPositions)}) {
    const at::Tensor pattern = weights_of(scores, hidden).to(at::kBFloat16);
    ASSERT_TRUE(pattern.eq(0).logical_and(hidden.logical_not()).any().item<bool>());
    const LayerRows layer =
        layer_of({{names::q(0), q}, {names::k(0), k}, {names::pattern(0), pattern}});
    EXPECT_FALSE(layer.seen.defined());
    EXPECT_EQ(layer.mask.is_causal(), hidden.equal(later_keys(kPositions)));
  }
}

/// Weights by a factor of each head, less their mean, less those of another softmax, or ln of their
/// odds; whatever is read of them has the order of the weights.
TEST_F(Mistakes, WeightsThatWereNormalised) {
  const at::Tensor later = later_keys(kPositions);
  const at::Tensor factors = at::arange(1, kHeads + 1).reshape({kHeads, 1, 1}) * 0.7;
  const at::Tensor causal = weights_of(some_scores(), later);
  const at::Tensor full = at::softmax(some_scores(), -1);
  const at::Tensor less = causal * 2 - weights_of(some_scores(), later) * 0.5;
  struct Case {
    at::Tensor scores;
    const char* found;
    Metadata said;
  };
  const Case cases[] = {
      {(causal * factors).masked_fill(later, -kInfinity),
       "weights: none is below 0, and all rows of a head have one sum, 0.",
       {}},
      {causal * factors, "weights: none is below 0, and all rows of a head have one sum", {}},
      {(full * factors).transpose(1, 2).contiguous(),
       "weights: none is below 0, and all columns of a head have one sum", kFull},
      {less.masked_fill(later, -kInfinity), "one sum of all rows of a head, 1.5", {}},
      {less * -1, "one sum of all rows of a head, -1.5", {}},
      {full - 1.0 / kPositions, "sums of 0 in all rows", kFull},
      {causal - 1.0 / kPositions, "sums of 0 in all rows", {}},
      {full.log() - (-full).log1p(), "sums of 1 of 1/(1 + e^-x) in every row", kFull}};
  for (const auto& [scores, found, said] : cases) {
    for (const at::ScalarType type : kTypes) {
      SCOPED_TRACE(fmt::format("{} {}", found, at::toString(type)));
      Tensors stored{{names::scores(0), scores.to(type)}};
      expect_refused(stored,
                     {.kind = inconsistent,
                      .where = "hook_attn_scores",
                      .expected = "logits",
                      .found = found,
                      .advice = "hook_pattern"},
                     said);
      stored[names::pattern(0)] =
          at::softmax(stored[names::scores(0)]
                          .to(at::kDouble)
                          .masked_fill(said.empty() ? later : at::zeros_like(later), -kInfinity),
                      -1);
      EXPECT_NO_THROW(static_cast<void>(opened(stored, said)));
    }
  }
  // `temperatures` say that they are logits; of weights they do not.
  const Metadata said{{"mask", "full"}, {"temperatures", "[1]"}};
  EXPECT_NO_THROW(static_cast<void>(opened({{names::scores(0), cases[5].scores}}, said)));
  expect_refused({{names::scores(0), full * factors}},
                 {.kind = inconsistent, .found = "weights: none is below 0"}, said);
}

TEST_F(Mistakes, ScoresThatWereNormalised) {
  const at::Tensor scores = some_scores(), later = later_keys(kPositions);
  const auto standard = [](const at::Tensor& numbers, at::IntArrayRef axes, bool unbiased) {
    return (numbers - numbers.mean(axes, true)) / numbers.std(axes, unbiased, true);
  };
  struct Case {
    at::Tensor scores;
    const char* found;
  };
  const Case cases[] = {
      {standard(scores, -1, false), "the mean 0 and the deviation 1 in all rows"},
      {standard(scores, -1, true), "the mean 0 and the deviation 1 in all rows"},
      {standard(scores, -2, true), "the mean 0 and the deviation 1 in all columns"},
      {standard(scores, {-2, -1}, false), "the mean 0 and the deviation 1 in all heads"},
      {scores / scores.norm(2, -1, true), "1 for the sum or the mean of the squares in all rows"},
      {scores / scores.square().mean(-1, true).sqrt(),
       "1 for the sum or the mean of the squares in all rows"},
      {scores / scores.abs().amax(-1, true), "1 for the largest absolute value in all rows"},
      {scores / scores.abs().amax(-2, true), "1 for the largest absolute value in all columns"},
      {scores / scores.abs().amax({-2, -1}, true),
       "1 for the largest absolute value in all heads"}};
  for (const auto& [numbers, found] : cases) {
    for (const at::ScalarType type : kTypes) {
      const Tensors stored{{names::scores(0), numbers.to(type)}};
      expect_refused(stored,
                     {.kind = inconsistent,
                      .where = "hook_attn_scores",
                      .expected = "logits",
                      .found = found,
                      .advice = "metadata 'temperatures' says that they are logits"},
                     kFull);
      const Metadata said{{"mask", "full"}, {"temperatures", "[1]"}};
      EXPECT_EQ(layer_of(stored, said).temperature, 1);
    }
  }
  // Of a causal model a row has the keys that it sees: one alone is no number.
  at::Tensor causal = at::zeros_like(scores);
  for (std::int64_t row = 1; row < kPositions; ++row) {
    const at::Tensor seen = scores.select(1, row).slice(1, 0, row + 1);
    causal.select(1, row).slice(1, 0, row + 1).copy_(standard(seen, -1, true));
  }
  for (const double fill : {0.0, -kInfinity}) {
    expect_refused({{names::scores(0), causal.masked_fill(later, fill)}},
                   {.kind = inconsistent, .found = "the deviation 1 in all rows"});
  }
}

/// As RobustScaler scales: less the median, by what lies between the quartiles.
TEST_F(Mistakes, ScoresByTheirQuartiles) {
  const auto scaled = [](const at::Tensor& numbers) {
    const at::Tensor parts =
        at::quantile(numbers, at::tensor({0.25, 0.5, 0.75}, at::kDouble), -1, true);
    return (numbers - parts[1]) / (parts[2] - parts[0]);
  };
  const at::Tensor scores = some_scores(), rows = scaled(scores);
  const at::Tensor heads = scaled(scores.flatten(1)).view_as(scores);
  for (const auto type : {at::kDouble, at::kFloat}) {
    for (const auto& [numbers, of] : {std::pair{rows, "rows"}, {heads, "heads"}}) {
      expect_refused(
          {{names::scores(0), numbers.to(type)}},
          {.kind = inconsistent,
           .found = fmt::format("the median 0, and 1 between the quartiles, in all {}", of),
           .advice = "metadata 'temperatures'"},
          kFull);
      EXPECT_NO_THROW(static_cast<void>(opened({{names::scores(0), numbers.to(type)}},
                                               {{"mask", "full"}, {"temperatures", "[1]"}})));
    }
  }
  at::Tensor near = rows.clone();
  near[3][20] += 1e-4;
  EXPECT_THAT(all_remarks(*opened({{names::scores(0), near}}, kFull)), IsEmpty());
  // Of few different numbers chance has such quartiles.
  const at::Tensor few =
      at::tensor({-2., -1., -1., -.5, 0., 0., 0., 0., 0., .5, 1., 1., 2.}, at::kDouble);
  ASSERT_TRUE(scaled(few).equal(few));
  at::Tensor shuffled = at::stack({few, few, few, few});
  shuffled.select(1, 12).copy_(at::tensor({2., 3., 4., 5.}, at::kDouble));  // of other sums
  EXPECT_NO_THROW(static_cast<void>(opened({{names::scores(0), shuffled.repeat({2, 4, 1})}},
                                           {{"mask", "full"}, {"hidden_below", "none"}})));
}

/// Each key's scores of all heads and queries, as StandardScaler takes columns, or all scores, as
/// of a heat map.
TEST_F(Mistakes, ScoresThatWereNormalisedOverHeads) {
  const at::Tensor scores = some_scores(), later = later_keys(kPositions);
  const at::Tensor bias = at::arange(kHeads, at::kDouble).view({-1, 1, 1});
  const auto standard = [](const at::Tensor& numbers, at::IntArrayRef axes, bool unbiased) {
    return (numbers - numbers.mean(axes, true)) / numbers.std(axes, unbiased, true);
  };
  struct Case {
    at::Tensor scores;
    const char* found;
  };
  const at::Tensor uneven = scores + bias;
  const Case cases[] = {
      {standard(uneven, {0, 1}, false), "the deviation 1 in all columns, each over all heads"},
      {standard(uneven, {0, 1}, true), "the deviation 1 in all columns, each over all heads"},
      {standard(uneven, {0, 1, 2}, false), "the deviation 1 in all heads together"},
      {standard(uneven, {0, 1, 2}, true), "the deviation 1 in all heads together"},
      {uneven / uneven.abs().amax({0, 1}, true), "value in all columns, each over all heads"},
      {uneven / uneven.abs().max(), "1 for the largest absolute value in all heads together"}};
  for (const auto& [numbers, found] : cases) {
    for (const at::ScalarType type : {at::kDouble, at::kFloat}) {
      const Tensors stored{{names::scores(0), numbers.to(type)}};
      expect_refused(stored, {.kind = inconsistent, .expected = "logits", .found = found}, kFull);
      const Metadata said{{"mask", "full"}, {"temperatures", "[1]"}};
      EXPECT_EQ(layer_of(stored, said).temperature, 1);
    }
  }
  // Of a causal model all that is seen.
  const at::Tensor seen = later.logical_not().expand_as(scores), of = uneven.masked_select(seen);
  const at::Tensor causal = ((uneven - of.mean()) / of.std()).masked_fill(later, -kInfinity);
  expect_refused({{names::scores(0), causal}},
                 {.kind = inconsistent, .found = "the deviation 1 in all heads together"});
}

TEST_F(Mistakes, ScoresThatWereNearlyNormalisedOverHeads) {
  const at::Tensor scores = some_scores();
  const at::Tensor standard = (scores - scores.mean()) / scores.std();
  const at::Tensor signs = at::randperm(scores.numel(), at::kDouble)
                                   .lt(static_cast<double>(scores.numel()) / 2)
                                   .view(scores.sizes())
                                   .to(at::kDouble) *
                               2 -
                           1;
  at::Tensor twice = scores / scores.abs().max();
  twice[2][5][7] = -1;
  twice[0][3][2] = 1;
  const std::vector<std::int64_t> all{0, 1};  // the axes of a key
  at::Tensor keys = (scores - scores.mean(all, true)) / scores.std(all, false, true);
  keys.select(2, 3) *= 1.1;
  for (const at::Tensor& numbers :
       {standard * 1.001, standard + 0.001, signs, twice, keys, scores / scores.abs().max() * 1.001,
        (scores / scores.abs().max()).to(at::kBFloat16)}) {
    EXPECT_NO_THROW(static_cast<void>(opened({{names::scores(0), numbers}}, kFull)));
  }
  const at::Tensor few = standard.slice(0, 0, 1).slice(1, 0, 3).slice(2, 0, 3);
  EXPECT_NO_THROW(
      static_cast<void>(opened({{names::scores(0), (few - few.mean()) / few.std()}}, kFull)));
}

/// Softmax reads the same of scores less the mean of their row, as smoothed keys make them.
TEST_F(Mistakes, CentredScoresAreAskedAbout) {
  const at::Tensor scores = some_scores();
  const auto of = [&](std::int64_t axis) {
    return all_remarks(*opened({{names::scores(0), scores - scores.mean(axis, true)}}, kFull));
  };
  EXPECT_THAT(of(-1), StartsWith("layer 0: the scores of every row of a head sum to 0"));
  EXPECT_THAT(of(-2), StartsWith("layer 0: the scores of every column of a head sum to 0"));
}

/// The largest score so far, as flash attention takes it off, is not one number of a row.
TEST_F(Mistakes, ScoresLessTheLargestSoFar) {
  constexpr std::int64_t kBlock = 8;
  const auto taken_off = [&](const at::Tensor& scores) {
    at::Tensor most = at::full({kHeads, kPositions, 1}, -kInfinity, at::kDouble);
    std::vector<at::Tensor> blocks;
    for (std::int64_t begin = 0; begin < kPositions; begin += kBlock) {
      const at::Tensor block = scores.slice(2, begin, begin + kBlock);
      most = at::maximum(most, block.amax(-1, true));
      blocks.push_back(block - most);
    }
    return at::cat(blocks, -1);
  };
  const auto remarks = [&](const at::Tensor& of, const Metadata& said) {
    return all_remarks(*opened({{names::scores(0), of.to(at::kFloat)}}, said));
  };
  const at::Tensor scores = some_scores(), later = later_keys(kPositions);
  const at::Tensor causal = scores.masked_fill(later, -kInfinity);
  const char* const by_block =
      "rows or more have several times: was the largest so far taken off block";
  const char* const by_row = "the largest score of every row is 0: was it taken off?";
  EXPECT_THAT(remarks(taken_off(scores), kFull), HasSubstr(by_block));
  EXPECT_THAT(remarks(taken_off(causal), {}), HasSubstr(by_block));
  // Tokens that come again, or numbers of few bits, have the same scores.
  at::Tensor again = scores.clone();
  again.select(2, 7).copy_(again.select(2, 3).fill_(9));
  for (const at::Tensor& sound : {scores, again, (scores * 4).round() / 4}) {
    EXPECT_THAT(remarks(sound - sound.amax(-1, true), kFull), HasSubstr(by_row));
  }
}

/// Logarithms of weights divided by those of a level row.
TEST_F(Mistakes, LogarithmsOfWeightsByLevelOnes) {
  const at::Tensor scores = some_scores(), later = later_keys(kPositions);
  const at::Tensor keys = at::arange(1, kPositions + 1).unsqueeze(1);
  const auto says = HasSubstr("e^x of the scores has the mean 1 over the keys of every row");
  const at::Tensor causal = at::log_softmax(scores.masked_fill(later, -kInfinity), -1) + keys.log();
  for (const auto type : {at::kDouble, at::kFloat, at::kHalf}) {
    EXPECT_THAT(all_remarks(*opened({{names::scores(0), causal.to(type)}})), says);
    // Scores near 0 have nearly this mean.
    const at::Tensor small = (scores / 1000).masked_fill(later, -kInfinity);
    EXPECT_THAT(all_remarks(*opened({{names::scores(0), small.to(type)}})), Not(says));
  }
  at::Tensor near = causal.clone();
  near[2][20] += 0.1;
  EXPECT_THAT(all_remarks(*opened({{names::scores(0), near}})), Not(says));
}

/// Softmax reads the same of scores less a number of their row; a bound that reads their size does
/// not.
TEST_F(Mistakes, ShiftedScoresAreTold) {
  const at::Tensor scores = some_scores(), later = later_keys(kPositions);
  const at::Tensor causal = scores.masked_fill(later, -kInfinity);
  const char* const largest = "the largest score of every row is 0: was it taken off?";
  const char* const logarithms = "e^x of the scores sums to 1 in every row";
  const auto remarks = [&](const at::Tensor& of, const Metadata& said) {
    return all_remarks(*opened({{names::scores(0), of}}, said));
  };
  for (const auto& [of, said] : {std::pair{scores, kFull}, std::pair{causal, Metadata{}}}) {
    EXPECT_THAT(remarks(of - of.amax(-1, true), said), HasSubstr(largest));
    EXPECT_THAT(remarks(at::log_softmax(of, -1), said), HasSubstr(logarithms));
    EXPECT_THAT(remarks(at::log_softmax(of, -1).to(at::kFloat), said), HasSubstr(logarithms));
    EXPECT_EQ(remarks(of, said), "");
    const Tensors beside{{names::scores(0), of - of.amax(-1, true)},
                         {names::pattern(0), at::softmax(of, -1)}};
    EXPECT_THAT(all_remarks(*opened(beside, said)), HasSubstr(largest));
    const Tensors by_pattern{{names::scores(0), of - of.amax(-1, true)},
                             {names::pattern(0), at::softmax(of / 3, -1)}};
    EXPECT_THAT(all_remarks(*opened(by_pattern, said)), Not(HasSubstr(largest)));
  }
  at::Tensor shifted = scores - scores.amax(-1, true);
  EXPECT_EQ(remarks(shifted.slice(0, 0, 1).slice(1, 0, 7), kFull), "") << "seven rows";
  EXPECT_THAT(remarks(shifted.slice(0, 0, 1).slice(1, 0, 8), kFull), HasSubstr(largest));
  shifted[3][23].add_(0.125);
  EXPECT_EQ(remarks(shifted, kFull), "");
  at::Tensor logs = at::log_softmax(scores, -1);
  logs[3][23].add_(0.125);
  EXPECT_EQ(remarks(logs, kFull), "");
  at::Tensor level = at::zeros_like(scores);  // of which each is the largest
  level.select(0, 0).slice(0, 0, 7).copy_(scores[0].slice(0, 0, 7));
  EXPECT_THAT(remarks(level, {{"mask", "full"}, {"padding", "[]"}}), Not(HasSubstr(largest)));
}

/// Decibels below the largest weight, and logarithms less another number.
TEST_F(Mistakes, LogarithmsLessOneNumber) {
  const at::Tensor scores = some_scores(), later = later_keys(kPositions);
  const at::Tensor causal = weights_of(scores, later).log(), full = at::log_softmax(scores, -1);
  const auto expect_asked = [&](const at::Tensor& of, const Metadata& said, const char* found) {
    for (const auto type : {at::kDouble, at::kFloat}) {
      expect_refused({{names::scores(0), of.to(type)}},
                     {.kind = inconsistent, .expected = "softmax reads e^x", .found = found}, said);
    }
  };
  const double decibels = 10 / std::log(10), moved = std::log(1.25);
  for (const auto& [of, said] : {std::pair{full, kFull}, std::pair{causal, Metadata{}}}) {
    expect_asked((of + moved) * decibels, said, "sums of 1.25 of 1.25893^x in every row");
    expect_asked((of + moved) / std::log(10), said, "sums of 1.25 of 10^x in every row");
    expect_asked((of + moved) / std::log(2), said, "sums of 1.25 of 2^x in every row");
    EXPECT_THAT(all_remarks(*opened({{names::scores(0), of + moved}}, said)),
                HasSubstr("e^x of the scores sums to 1.25 in every row"));
  }
  const auto remarks = [&](const at::Tensor& of) {
    return all_remarks(*opened({{names::scores(0), of}}, kFull));
  };
  at::Tensor near = (full + moved) * decibels;
  near[3][20] += 0.1;
  EXPECT_EQ(remarks(near), "");
  near = full + moved;
  near[3][20] += 0.1;
  EXPECT_EQ(remarks(near), "");
  // Rows that are nearly level, or have the same numbers.
  EXPECT_EQ(remarks(scores / 1e4), "");
  std::vector<at::Tensor> turned;
  for (std::int64_t row = 0; row < kPositions; ++row) {
    turned.push_back(scores.slice(0, 0, 1).select(1, 0).roll(7 * row, -1));
  }
  const auto source = opened({{names::scores(0), at::stack(turned, 1)}},
                             {{"mask", "full"}, {"temperatures", "[1]"}});
  EXPECT_THAT(all_remarks(*source), Not(HasSubstr("in every row")));
}

/// Distances below 0 have their largest, 0, at each query's own key.
TEST_F(Mistakes, DistancesAreNotShifted) {
  const at::Tensor x = at::randn({kHeads, kPositions, 4}, at::kDouble);
  const at::Tensor squares = (x.unsqueeze(2) - x.unsqueeze(1)).square().sum(-1);
  const auto remarks = [&](const at::Tensor& of) {
    return all_remarks(*opened({{names::scores(0), of}}, kFull));
  };
  EXPECT_EQ(remarks(-squares), "");
  at::Tensor moved = -squares;
  moved[2][7].copy_(moved[2][7].flip(0));
  EXPECT_THAT(remarks(moved), HasSubstr("the largest score of every row is 0"));
  const at::Tensor few_keys = squares.slice(2, 0, 20);
  EXPECT_THAT(remarks(few_keys - few_keys.amax(-1, true)),
              HasSubstr("the largest score of every row is 0"));
}

/// Products of codes of 8 bits, before what they are multiplied by.
TEST_F(Mistakes, ScoresInWholeNumbersAreAskedAbout) {
  const at::Tensor scores = some_scores();
  const auto remarks = [&](const at::Tensor& of) {
    return all_remarks(
        *opened({{names::scores(0), of}}, {{"mask", "full"}, {"hidden_below", "none"}}));
  };
  const char* const words = "the scores are whole numbers, and some are large";
  EXPECT_THAT(remarks((scores * 1000).round()), HasSubstr(words));
  EXPECT_THAT(remarks((scores * 10).round()), Not(HasSubstr(words)));
  EXPECT_THAT(remarks(scores.round() * 100), Not(HasSubstr(words)));
  at::Tensor half = (scores * 1000).round();
  half[3][23][23] += 0.5;
  EXPECT_THAT(remarks(half), Not(HasSubstr(words)));
}

/// Codes of 8 bits, before the scale that the largest score is by.
TEST_F(Mistakes, ScoresInCodesAreAskedAbout) {
  const at::Tensor scores = some_scores();
  const auto remarks = [&](const at::Tensor& of) {
    return all_remarks(
        *opened({{names::scores(0), of}}, {{"mask", "full"}, {"hidden_below", "none"}}));
  };
  const char* const words = "are they codes of 8 bits, without their scale?";
  const at::Tensor codes = (scores / scores.abs().max() * 127).round();
  EXPECT_THAT(remarks(codes), HasSubstr(words));
  EXPECT_THAT(remarks(codes.neg()), HasSubstr(words));
  EXPECT_THAT(remarks((scores / scores.min() * -128).round().clamp(-128, 127)), HasSubstr(words));
  EXPECT_THAT(remarks((scores / scores.abs().max() * 126).round()), Not(HasSubstr(words)));
  EXPECT_THAT(remarks((scores / scores.max() * 128).round()), Not(HasSubstr(words)));
  EXPECT_THAT(remarks((scores / scores.min() * -129).round()), Not(HasSubstr(words)));
  at::Tensor half = codes.clone();
  half[3][23][23] += 0.5;
  EXPECT_THAT(remarks(half), Not(HasSubstr(words)));
  // Few of them.
  at::Tensor counts = scores.round().clamp(-6, 6);
  counts[1][4][9] = 127;
  EXPECT_THAT(remarks(counts), Not(HasSubstr(words)));
}

/// The farthest of 128 tokens is 127 tokens away.
TEST_F(Mistakes, DistancesOfTokensAreNoCodes) {
  const at::Tensor place = at::arange(128, at::kDouble);
  const at::Tensor distances = -(place.unsqueeze(1) - place).abs();
  const at::Tensor heads = distances.expand({kHeads, -1, -1});
  EXPECT_THAT(all_remarks(*opened({{names::scores(0), heads.contiguous()}},
                                  {{"mask", "full"}, {"hidden_below", "none"}})),
              Not(HasSubstr("codes of 8 bits")));
}

TEST_F(Mistakes, ClippedScoresAreAskedAbout) {
  const at::Tensor scores = some_scores(), later = later_keys(kPositions);
  const auto remarks = [&](const at::Tensor& of) {
    return all_remarks(*opened({{names::scores(0), of}}, kFull));
  };
  const char* const largest = "the largest score, 4, comes often, and others are hardly the same";
  const char* const least = "the least score, -4, comes often";
  EXPECT_THAT(remarks(scores.clamp(-4, 4)), AllOf(HasSubstr(largest), Not(HasSubstr(least))));
  EXPECT_THAT(remarks(scores.clamp_min(-4)), HasSubstr(least));
  EXPECT_THAT(remarks(scores.clamp(-4, 4).masked_fill(later, -kInfinity)), HasSubstr(largest));
  EXPECT_EQ(remarks(scores), "");
  const auto at_limit = [&](std::int64_t times, double limit) {
    at::Tensor of = scores.clone();
    for (std::int64_t i = 0; i < times; ++i) of[i % kHeads][(5 * i) % kPositions][i] = limit;
    return remarks(of);
  };
  const double most = scores.max().item<double>();
  EXPECT_EQ(at_limit(7, most + 0.5), "");
  EXPECT_THAT(at_limit(8, most + 0.5), HasSubstr("the largest score, "));
  EXPECT_THAT(at_limit(8, -most - 2), HasSubstr("the least score, "));
  EXPECT_EQ(at_limit(8, 2 * most), "") << "far from all others";
  // Numbers that are all often the same have no limit.
  EXPECT_EQ(remarks((scores * 4).round().clamp(-16, 16) / 4), "");
}

/// A number far from all others, in each row as a mask puts it there or in one, is all that sums
/// show.
TEST_F(Mistakes, SumsOfAFarNumberAreNoSumsOfWeights) {
  const at::Tensor own = at::eye(kPositions, at::kBool), later = later_keys(kPositions);
  at::Tensor far = some_scores().masked_fill(own, -1e5).masked_fill(later, -kInfinity);
  EXPECT_THAT(all_remarks(*opened({{names::scores(0), far}},
                                  {{"mask", "causal"}, {"hidden_below", "none"}})),
              IsEmpty());
  Tensors stored{{names::scores(0), far}};
  stored[names::mask(0)] = later.logical_not().logical_and(own.logical_not());
  stored[names::mask(0)][0][0] = true;
  EXPECT_THAT(all_remarks(*opened(stored, {{"padding", "[]"}, {"hidden_below", "none"}})),
              IsEmpty());
  const at::Tensor centred = some_scores();
  EXPECT_THAT(all_remarks(*opened({{names::scores(0), centred - centred.mean(-1, true)}}, kFull)),
              StartsWith("layer 0: the scores of every row of a head sum to 0"));
}

/// Numbers that sums, means or deviations have nearly alike without being made so.
TEST_F(Mistakes, ScoresThatWereNotNormalised) {
  const at::Tensor scores = some_scores(), later = later_keys(kPositions);
  const at::Tensor of_keys = at::randn({kHeads, 1, kPositions}, at::kDouble) * 50;
  const at::Tensor small = at::randn({kHeads, kPositions, kPositions}, at::kDouble);
  at::Tensor one_row = (scores - scores.mean(-1, true)) / scores.std(-1, false, true);
  one_row[3][20] += 1;
  at::Tensor one_head = weights_of(scores, later) * 2;
  one_head[2][20].mul_(1.5);
  const at::Tensor signs = scores.sign();
  const at::Tensor alike[] = {scores,
                              scores / 3,
                              420 + small,
                              of_keys + small,
                              one_row,
                              signs,
                              of_keys.transpose(1, 2) + small,
                              small.abs() + 30,
                              scores.eq(scores.amax(-1, true)).to(at::kDouble) * 5};
  for (const at::Tensor& numbers : alike) {
    for (const at::ScalarType type : kTypes) {
      EXPECT_THAT(all_remarks(*opened({{names::scores(0), numbers.to(type)}}, kFull)), IsEmpty());
    }
  }
  for (const at::Tensor& numbers : {scores, small / 100, one_head}) {
    EXPECT_NO_THROW(
        static_cast<void>(opened({{names::scores(0), numbers.masked_fill(later, -kInfinity)}})));
  }
}

TEST_F(Mistakes, KeysThatWereSorted) {
  const at::Tensor scores = some_scores(), later = later_keys(kPositions);
  const auto sorted = [](const at::Tensor& numbers, bool falls) {
    return std::get<0>(numbers.sort(-1, falls)).contiguous();
  };
  const at::Tensor causal = weights_of(scores, later), full = at::softmax(scores, -1);
  const auto remarks = [&](const char* name, const at::Tensor& numbers, const Metadata& said) {
    return all_remarks(*opened({{names::Hook{name}(0), numbers}}, said));
  };
  EXPECT_THAT(remarks("pattern", sorted(causal, true), {}),
              StartsWith("layer 0: the weights fall from key to key in every row"));
  EXPECT_THAT(remarks("pattern", sorted(full, true).slice(2, 0, 8).contiguous(), kFull),
              StartsWith("layer 0: the weights fall from key to key in every row"));
  EXPECT_THAT(remarks("pattern", sorted(full, false), kFull),
              StartsWith("layer 0: the weights rise from key to key in every row"));
  EXPECT_THAT(remarks("attn_scores", sorted(scores, true), kFull),
              StartsWith("layer 0: the scores fall from key to key in every row"));
  EXPECT_THAT(remarks("attn_scores", sorted(scores.masked_fill(later, -kInfinity), true), {}),
              StartsWith("layer 0: the scores fall from key to key in every row"));
  at::Tensor near = sorted(causal, true);
  near[3][20][4] = near[3][20][2] + 0.01;
  EXPECT_THAT(remarks("pattern", near, {}), IsEmpty());
  const at::Tensor level = weights_of(at::zeros_like(scores), later);
  EXPECT_THAT(remarks("pattern", level, {}), IsEmpty());
}

/// A learned sink's column beside those of the tokens: GPT-OSS has it as the last one.
TEST_F(Mistakes, TheColumnOfASink) {
  const at::Tensor scores = some_scores().masked_fill(later_keys(kPositions), -kInfinity);
  const at::Tensor sink =
      at::arange(kHeads).reshape({kHeads, 1, 1}).expand({kHeads, kPositions, 1}).to(at::kDouble);
  const at::Tensor last = at::cat({scores, sink}, -1), first = at::cat({sink, scores}, -1);
  const Metadata none{{"hidden_below", "none"}};
  expect_refused({{names::scores(0), last}},
                 {.kind = inconsistent, .found = "one score of the last key in all rows"});
  expect_refused({{names::scores(0), first}},
                 {.kind = inconsistent, .found = "one score of the first key in all rows"});
  EXPECT_NO_THROW(static_cast<void>(opened({{names::scores(0), last}}, none)));
  EXPECT_NO_THROW(static_cast<void>(opened({{names::scores(0), first}}, none)));
  // Beside the sink itself, which would be in the sum twice.
  Tensors twice{{names::scores(0), last}, {names::sink(0), at::arange(kHeads).to(at::kDouble)}};
  EXPECT_NO_THROW(static_cast<void>(opened(twice, none)));
  const BadInputParts of_twice{.kind = inconsistent,
                               .found = "is it the learned sink beside it?",
                               .advice = "record the scores of the other keys alone"};
  expect_refused(twice, of_twice);
  twice[names::mask(0)] = last[0].isfinite();
  expect_refused(twice, of_twice);
  const at::Tensor pattern = at::softmax(last, -1);
  const BadInputParts refusal{.kind = inconsistent,
                              .where = "hook_pattern",
                              .found = "a last key with a weight in every row",
                              .advice = "record the other keys alone"};
  for (const Metadata& said : {Metadata{}, Metadata{{"zeros", "hidden"}}, kFull}) {
    expect_refused({{names::pattern(0), pattern}}, refusal, said);
  }
  Tensors stored{{names::pattern(0), pattern}, {names::mask(0), pattern.select(0, 0).gt(0)}};
  EXPECT_NO_THROW(static_cast<void>(opened(stored)));
  // A key that has a value, as add_bias_kv has one.
  stored = {{names::pattern(0), pattern}, {names::v(0), at::randn({kPositions + 1, 2, 8})}};
  EXPECT_NO_THROW(static_cast<void>(opened(stored, {{"zeros", "hidden"}})));
  at::Tensor near = pattern.clone();
  near[2][5][9] = 0.01;
  EXPECT_NO_THROW(static_cast<void>(opened({{names::pattern(0), near}}, {{"zeros", "hidden"}})));
}

/// Rows of a cache that grows, padded before their keys and not after them.
TEST_F(Mistakes, RowsThatWereWrittenFromTheEnd) {
  const at::Tensor later = later_keys(kPositions);
  const auto at_the_end = [&](const at::Tensor& square, double blank) {
    at::Tensor turned = at::full_like(square, blank);
    for (std::int64_t row = 0; row < kPositions; ++row) {
      turned.select(1, row)
          .slice(1, kPositions - 1 - row)
          .copy_(square.select(1, row).slice(1, 0, row + 1));
    }
    return turned;
  };
  const at::Tensor scores = some_scores(), pattern = weights_of(scores, later);
  const Metadata hidden{{"zeros", "hidden"}};
  const at::Tensor v = at::randn({kPositions, kHeads, 8}, at::kDouble);
  const BadInputParts refusal{.kind = inconsistent,
                              .expected = "the keys up to a query's own",
                              .found = "as many of every query, but the last of all",
                              .advice = "write each row from key 0 on"};
  Tensors stored{{names::pattern(0), at_the_end(pattern, 0)}, {names::v(0), v}};
  for (const Metadata& said : {hidden, Metadata{}, kFull}) expect_refused(stored, refusal, said);
  expect_refused({{names::scores(0), at_the_end(scores, -kInfinity)}}, refusal);
  // Some may be so small that they are 0.
  stored[names::pattern(0)][1][9].slice(0, 0, 17).fill_(0);
  expect_refused(stored, refusal, hidden);
  stored[names::pattern(0)][1][9][3] = 0.01;
  EXPECT_NO_THROW(static_cast<void>(opened(stored, hidden)));
  // Keys that do lie so.
  const at::Tensor turned = weights_of(scores, later.flip(1));
  stored = {{names::pattern(0), turned}, {names::v(0), v}};
  expect_refused(stored, refusal, hidden);
  stored[names::mask(0)] = later.flip(1).logical_not();
  EXPECT_NO_THROW(static_cast<void>(opened(stored)));
  stored.erase(names::mask(0));
  stored[names::z(0)] = at::einsum("hqk,khd->qhd", {turned, v});
  EXPECT_NO_THROW(static_cast<void>(opened(stored, hidden)));
}

/// Zeros of a window are asked about with the word that says it.
TEST_F(Mistakes, ZerosOfAWindowNameIt) {
  const at::Tensor window = weights_of(some_scores(), beyond_window());
  expect_refused({{names::pattern(0), window}},
                 {.kind = inconsistent,
                  .found = "the same of every head",
                  .advice = "metadata 'mask': 'window:8' says that a window hides these"});
  EXPECT_EQ(layer_of({{names::pattern(0), window}}, {{"mask", "window:8"}}).mask.window, 8);
  at::Tensor padded = later_keys(kPositions);
  padded.slice(1, 0, 4).fill_(true);
  expect_refused({{names::pattern(0), weights_of(some_scores(), padded).nan_to_num(0)}},
                 {.kind = out_of_range, .found = "a row of zeros"});
}

/// [head, query, key]: q.k/sqrt(d) of what is stored.
at::Tensor scores_of(const Tensors& stored) {
  const at::Tensor k = stored.at(names::k(0)).repeat_interleave(kHeads / 2, 1);
  return at::matmul(stored.at(names::q(0)).transpose(0, 1), k.permute({1, 2, 0})) / 4;
}

/// [position, head, d]: rows turned by rotary embedding, the halves of d together.
at::Tensor rotated(const at::Tensor& rows) {
  const std::int64_t half = rows.size(2) / 2;
  const at::Tensor rates = at::pow(1e4, -at::arange(half, at::kDouble) / half);
  const at::Tensor angles =
      (at::arange(rows.size(0), at::kDouble).unsqueeze(1) * rates).unsqueeze(1);
  const at::Tensor a = rows.slice(2, 0, half), b = rows.slice(2, half);
  return at::cat({a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()}, 2);
}

TEST_F(Mistakes, ScoresOfOtherQueriesAndKeys) {
  const Tensors stored = queries_and_keys();
  const at::Tensor later = later_keys(kPositions), scores = scores_of(stored);
  const auto remarks = [&](const at::Tensor& recorded) {
    Tensors with = stored;
    with[names::scores(0)] = recorded.masked_fill(later, -kInfinity);
    return all_remarks(*opened(with));
  };
  const auto are_others = StartsWith("layer 0: the scores have nothing to do with the products");
  EXPECT_THAT(remarks(scores_of(queries_and_keys())), are_others);
  EXPECT_THAT(remarks(scores.roll(1, 0)), are_others);
  EXPECT_THAT(remarks(-scores), are_others);
  const at::Tensor common = at::randn({kHeads, 1, kPositions}, at::kDouble) * 3;
  EXPECT_THAT(remarks(scores_of(queries_and_keys()) + common), are_others);
  // What models change between q and k and their scores.
  const at::Tensor distance =
      at::arange(kPositions).unsqueeze(0) - at::arange(kPositions).unsqueeze(1);
  const at::Tensor slopes = at::pow(2, -at::arange(kHeads)).reshape({kHeads, 1, 1});
  const at::Tensor by_distance = (at::randn({kHeads, kPositions}, at::kDouble) * 4)
                                     .index_select(1, distance.abs().flatten())
                                     .reshape({kHeads, kPositions, kPositions});
  Tensors turned = stored;
  for (const char* name : {"q", "k"}) {
    turned[names::Hook{name}(0)] = rotated(stored.at(names::Hook{name}(0)));
  }
  for (const at::Tensor& sound :
       {scores, scores * 0.01, scores * 7, scores + common, scores + slopes * distance,
        scores + by_distance, by_distance, at::tanh(scores / 2) * 2, scores_of(turned)}) {
    EXPECT_THAT(remarks(sound), IsEmpty()) << sound[0];
  }
}

/// What models make of queries and keys before their scores: rotations of pairs of neighbours too,
/// of a part, after a norm with weights or before it, in few bits.
TEST_F(Mistakes, RotatedRowsOfOtherQueriesAndKeys) {
  const Tensors stored = queries_and_keys(), others = queries_and_keys();
  using Change = std::function<at::Tensor(const at::Tensor&)>;
  const auto remarks = [&](const Tensors& of, const Change& change) {
    Tensors with = stored;
    for (const auto& [plain, turned] :
         {std::pair{names::q(0), names::rotary_q(0)}, {names::k(0), names::rotary_k(0)}}) {
      with[turned] = change(of.at(plain));
    }
    return all_remarks(*opened(with, {{"temperatures", "[4]"}}));
  };
  const auto of_neighbours = [](const at::Tensor& rows) {
    const auto order = [&](at::IntArrayRef pairs) {
      return rows.reshape({rows.size(0), rows.size(1), pairs[0], pairs[1]});
    };
    const std::int64_t half = rows.size(2) / 2;
    const at::Tensor apart = order({half, 2}).transpose(2, 3).reshape(rows.sizes());
    return rotated(apart)
        .reshape({rows.size(0), rows.size(1), 2, half})
        .transpose(2, 3)
        .reshape(rows.sizes());
  };
  const auto of_a_part = [](const at::Tensor& rows) {
    const std::int64_t part = rows.size(2) / 2;
    return at::cat({rotated(rows.slice(2, 0, part)), rows.slice(2, part)}, 2);
  };
  const at::Tensor weights = at::rand({16}, at::kDouble) * 1.5 + 0.3;
  const auto normed = [&](const at::Tensor& rows) {
    return rows / rows.norm(2, 2, true) * weights;
  };
  const Change sound[] = {
      [](const at::Tensor& rows) { return rows; },
      rotated,
      of_neighbours,
      of_a_part,
      [&](const at::Tensor& rows) { return rotated(normed(rows)); },
      [&](const at::Tensor& rows) { return normed(rotated(rows)); },
      [&](const at::Tensor& rows) { return of_a_part(normed(rows)) * 3; },
      [&](const at::Tensor& rows) { return of_neighbours(normed(rows)); },
      [](const at::Tensor& rows) { return rotated(rows).to(at::kBFloat16); },
  };
  for (const Change& change : sound) {
    EXPECT_THAT(remarks(stored, change), IsEmpty());
    EXPECT_THAT(remarks(others, change),
                StartsWith("layer 0: the rotated queries and keys have nothing to do with the "
                           "queries and keys beside them, which are not read"));
  }
}

TEST_F(Mistakes, KeysThatWereNotRotated) {
  Tensors stored = queries_and_keys();
  const at::Tensor q = stored[names::q(0)], k = stored[names::k(0)];
  const auto remarks = [&](const at::Tensor& rot_q, const at::Tensor& rot_k) {
    stored[names::rotary_q(0)] = rot_q;
    stored[names::rotary_k(0)] = rot_k;
    return all_remarks(*opened(stored, {{"temperatures", "[4]"}}));
  };
  EXPECT_THAT(remarks(rotated(q), k),
              StartsWith("layer 0: the rotated keys are the keys beside them, and the queries were "
                         "changed: were the keys not rotated?"));
  EXPECT_THAT(remarks(q, rotated(k)),
              StartsWith("layer 0: the rotated queries are the queries beside them, and the keys "
                         "were changed: were the queries not rotated?"));
  EXPECT_THAT(remarks(q, k), IsEmpty());
  EXPECT_THAT(remarks(rotated(q), rotated(k)), IsEmpty());
}

TEST_F(Mistakes, GroupsOfKeysAndOfValues) {
  const at::Tensor q = at::randn({kPositions, 4, 8}), k = at::randn({kPositions, 2, 8}),
                   v = at::randn({kPositions, 2, 8});
  const auto tiled = [](const at::Tensor& of) { return of.repeat({1, 2, 1}); };
  const auto repeated = [](const at::Tensor& of) { return of.repeat_interleave(2, 1); };
  const auto remarks = [&](const at::Tensor& keys, const at::Tensor& values) {
    return all_remarks(*opened({{names::q(0), q}, {names::k(0), keys}, {names::v(0), values}}));
  };
  const auto says =
      HasSubstr("heads of keys are the same in pairs in which heads of values are not");
  EXPECT_THAT(remarks(tiled(k), repeated(v)), says);
  EXPECT_THAT(remarks(repeated(k), tiled(v)), says);
  EXPECT_THAT(remarks(tiled(k), tiled(v)), Not(says));
  EXPECT_THAT(remarks(repeated(k), repeated(v)), Not(says));
  // Heads that are the same at the first position alone, and of one of the two.
  at::Tensor near = at::randn({kPositions, 4, 8});
  EXPECT_THAT(remarks(repeated(k), near), Not(says));
  near[0] = tiled(v)[0];
  EXPECT_THAT(remarks(repeated(k), near), Not(says));
}

/// Beams, or sequences of a batch, one after the other.
TEST_F(Mistakes, NumbersThatComeAgain) {
  Tensors stored = queries_and_keys(kPositions / 4, kPositions / 4);
  for (auto& [name, rows] : stored) rows = rows.repeat({4, 1, 1});
  EXPECT_THAT(all_remarks(*opened(stored)),
              StartsWith("layer 0: the queries, keys, values repeat after 6 positions"));
  const at::Tensor scores = scores_of(stored);
  EXPECT_THAT(all_remarks(*opened({{names::pattern(0), at::softmax(scores, -1)}}, kFull)),
              StartsWith("layer 0: the rows of hook_pattern repeat after 6:"));
  EXPECT_THAT(all_remarks(*opened({{names::scores(0), scores}}, kFull)),
              StartsWith("layer 0: the rows of hook_attn_scores repeat after 6:"));
  for (auto& [name, rows] : stored) rows[23][0][0] += 1;
  EXPECT_THAT(all_remarks(*opened(stored)), IsEmpty());
  const at::Tensor two = some_scores().slice(0, 0, 2), later = later_keys(kPositions);
  const at::Tensor heads = two.repeat({2, 1, 1});
  EXPECT_THAT(all_remarks(*opened({{names::scores(0), heads.masked_fill(later, -kInfinity)}})),
              StartsWith("layer 0: heads 0, 2 of hook_attn_scores have the same numbers"));
  EXPECT_THAT(all_remarks(*opened({{names::pattern(0), weights_of(heads, later)}})),
              StartsWith("layer 0: heads 0, 2 of hook_pattern have the same numbers"));
  // Heads that look at one key have the same weights.
  at::Tensor sharp = some_scores();
  sharp.slice(0, 0, 3).fill_(-50).select(2, 0).fill_(50);
  EXPECT_THAT(all_remarks(*opened({{names::pattern(0), weights_of(sharp, later).to(at::kHalf)}})),
              IsEmpty());
}

/// The key heads alone tell the axes of cross attention.
TEST_F(Mistakes, QueriesBeforeHeadsOfCrossAttention) {
  const at::Tensor pattern = at::softmax(at::randn({4, 20, 16}, at::kDouble), -1);
  const at::Tensor turned = pattern.transpose(0, 1).contiguous();
  Tensors stored{{names::pattern(0), turned}, {names::v(0), at::randn({16, 4, 8})}};
  expect_refused(stored,
                 {.kind = inconsistent,
                  .where = "hook_pattern",
                  .found = "20 heads of 4 queries and 16 keys, or as [query, head, key] 4 heads of "
                           "20 queries and 16 keys",
                  .advice = "if it is the first, record hook_mask [query, key] beside it"},
                 kFull);
  stored[names::mask(0)] = at::ones({4, 16}, at::kBool);
  EXPECT_EQ(opened(stored)->shape().layers.front().heads, 20);
  stored = {{names::pattern(0), pattern}, {names::v(0), at::randn({16, 4, 8})}};
  EXPECT_EQ(opened(stored, kFull)->shape().layers.front().heads, 4);
  // A step of a model of grouped heads.
  for (const std::int64_t queries : {1, 3}) {
    stored = {{names::pattern(0), turned.slice(1, 0, queries).contiguous()},
              {names::v(0), at::randn({16, queries == 1 ? 1 : 2, 8})}};
    EXPECT_EQ(opened(stored, kFull)->shape().layers.front().heads, 20);
  }
}

/// What the pattern of one layer shows of another, which has none.
TEST_F(Mistakes, OneLayerOfTwoHasAPattern) {
  const Tensors stored = queries_and_keys(), others = queries_and_keys();
  Tensors two = stored;
  for (const char* name : {"q", "k", "v"}) {
    two[names::Hook{name}(1)] = others.at(names::Hook{name}(0));
  }
  const auto with = [&](const at::Tensor& pattern) {
    Tensors all = two;
    all[names::pattern(0)] = pattern;
    return all;
  };
  const at::Tensor later = later_keys(kPositions), scores = scores_of(stored);
  EXPECT_THAT(all_remarks(*opened(with(weights_of(scores, later)))), IsEmpty());
  for (const auto& [word, hidden] :
       {std::pair{"full", at::zeros_like(later)}, {"window:8", beyond_window()}}) {
    const Tensors of_mask = with(weights_of(scores, hidden));
    expect_refused(of_mask, {.kind = inconsistent,
                             .where = "layer 1",
                             .expected = "a pattern, or a word on what its queries see",
                             .found = fmt::format("in layer 0 a pattern of the mask {}", word),
                             .advice = "metadata 'mask'"});
    const std::string said = fmt::format(R"(["{}", "causal"])", word);
    EXPECT_THAT(all_remarks(*opened(of_mask, {{"mask", said}})), IsEmpty());
  }
  const Tensors of_one = with(weights_of(scores * 4, later));
  expect_refused(of_one, {.kind = inconsistent,
                          .where = "layer 1",
                          .expected = "a pattern, or a word on its T",
                          .found = "in layer 0 a pattern of T = 1",
                          .advice = "metadata 'temperatures'"});
  EXPECT_THAT(all_remarks(*opened(of_one, {{"temperatures", "[1, 4]"}})), IsEmpty());
  EXPECT_THAT(all_remarks(*opened(with(weights_of(at::tanh(scores), later)))),
              StartsWith("the patterns of layers 0 contradict the logits beside them: are those of "
                         "layers 1, which have no pattern, as wrong?"));
}

}  // namespace
}  // namespace attn::gpt2
