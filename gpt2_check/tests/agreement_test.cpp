// Patterns beside logits: which are what softmax makes of them, and what decides where they are
// not.
#include "gpt2_check/activations/agreement.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/einsum.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/tensor.h>
#include <fmt/format.h>

#include <cmath>

#include "gpt2_check/tests/all_heads.hpp"
#include "gpt2_check/tests/recording_file.hpp"

namespace attn::gpt2 {
namespace {

using test::kInfinity;
using test::later_keys;
using test::Metadata;
using test::Tensors;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

using Arbiter = test::WithRecording;

constexpr std::int64_t kHeads = 4, kPositions = 48, kWidth = 32;

/// [head, query, key]: q.k/sqrt(d) in the type of q and k, rounded twice as a model rounds it.
at::Tensor scores_of(const at::Tensor& q, const at::Tensor& k) {
  const at::Tensor products =
      at::einsum("qhd,khd->hqk", {q.to(at::kDouble), k.to(at::kDouble)}).to(q.scalar_type());
  return (products.to(at::kFloat) / std::sqrt(static_cast<float>(kWidth))).to(q.scalar_type());
}

at::Tensor pattern_of(const at::Tensor& scores) {
  const at::Tensor hidden = later_keys(scores.size(1));
  return at::softmax(scores.to(at::kFloat).masked_fill(hidden, -kInfinity), -1)
      .to(scores.scalar_type());
}

/// What a model of that type computes, with logits of some `size`.
Tensors recorded(at::ScalarType type, double size) {
  const at::Tensor q = (at::randn({kPositions, kHeads, kWidth}) * size).to(type);
  const at::Tensor k = at::randn({kPositions, kHeads, kWidth}).to(type);
  return {{names::q(0), q}, {names::k(0), k}, {names::pattern(0), pattern_of(scores_of(q, k))}};
}

/// A number that all keys have in common, as a bias of the keys makes it, may be large: there
/// rounding explains what another layer's pattern has too.
TEST_F(Arbiter, SaysWhereRoundingExplainsTooMuch) {
  for (const auto type : {at::kFloat, at::kBFloat16}) {
    Tensors stored = recorded(type, 0.3);
    const at::Tensor q = stored[names::q(0)].to(at::kDouble);
    const auto remarks = [&] { return opened(stored)->shape().remarks.size(); };
    EXPECT_EQ(remarks(), 0U);
    stored[names::k(0)] =
        (stored[names::k(0)].to(at::kDouble) + 40 * at::ones({kWidth}, at::kDouble)).to(type);
    stored[names::q(0)] = (q + 2).to(type);
    stored[names::pattern(0)] = pattern_of(scores_of(stored[names::q(0)], stored[names::k(0)]));
    EXPECT_EQ(remarks(), type == at::kBFloat16 ? 1U : 0U);
  }
}

/// Sharp ones in bfloat16 too, also where they were widened since.
TEST_F(Arbiter, TakesWhatRoundingExplains) {
  for (const auto type : {at::kBFloat16, at::kHalf, at::kFloat}) {
    for (const double size : {0.1, 1.0, 10.0, 100.0}) {
      for (const auto widened : {type, at::kFloat}) {
        Tensors stored = recorded(type, size);
        for (auto& [name, tensor] : stored) tensor = tensor.to(widened);
        const auto source = opened(stored);
        EXPECT_FALSE(source->shape().layers.front().is_contradicted) << type << " " << size;
      }
    }
  }
}

/// What a model changes between q and k and its pattern: each is seen in float32, and the larger
/// ones in bfloat16.
TEST_F(Arbiter, DecidesOnThePattern) {
  for (const auto type : {at::kFloat, at::kBFloat16}) {
    Tensors stored = recorded(type, 3);
    const at::Tensor scores = scores_of(stored[names::q(0)], stored[names::k(0)]).to(at::kFloat);
    const at::Tensor sink = at::full({kHeads, kPositions, 1}, 2.0);
    const at::Tensor hidden = later_keys(kPositions);
    const at::Tensor with_sink =
        at::softmax(at::cat({scores.masked_fill(hidden, -kInfinity), sink}, -1), -1)
            .slice(-1, 0, kPositions);
    for (const at::Tensor& pattern :
         {pattern_of(at::tanh(scores / 5) * 5), pattern_of(scores * 0.8),
          pattern_of(scores.flip(0)), with_sink}) {
      stored[names::pattern(0)] = pattern.to(type);
      const auto source = opened(stored);
      const LayerShape shape = source->shape().layers.front();
      EXPECT_TRUE(shape.is_contradicted);
      EXPECT_GT(shape.difference.value(), 0.01);
      EXPECT_EQ(shape.source, LogitSource::weights);
      EXPECT_EQ(shape.temperature, 1);
      const LayerRows layer = layers_of(*source).front();
      EXPECT_FALSE(layer.q.defined());
      EXPECT_TRUE(at::equal(all_heads(layer.weights), pattern.to(type)));
    }
  }
}

/// Scores from before the scale, or after it twice, and q and k of which one has it already.
TEST_F(Arbiter, NamesTheTemperatureThatFits) {
  for (const auto type : {at::kFloat, at::kHalf, at::kBFloat16}) {
    for (const double size : {0.5, 3.0}) {
      for (const double factor : {std::sqrt(kWidth), 1 / std::sqrt(kWidth), 8.0, 0.73}) {
        SCOPED_TRACE(fmt::format("{} {} {}", at::toString(type), size, factor));
        Tensors stored = recorded(type, size);
        const at::Tensor scores = scores_of(stored[names::q(0)], stored[names::k(0)]);
        const auto fitting = [&](const Tensors& tensors) {
          return opened(tensors)->shape().layers.front().fitting_temperature.value_or(0);
        };
        const Tensors scaled{{names::scores(0), (scores * factor).to(type)},
                             {names::pattern(0), stored[names::pattern(0)]}};
        EXPECT_NEAR(fitting(scaled), factor, 0.01 * factor);
        if (factor == 8) {
          stored[names::q(0)] = (stored[names::q(0)].to(at::kDouble) / factor).to(type);
          EXPECT_DOUBLE_EQ(fitting(stored), std::sqrt(kWidth) / factor);
        }
        // One weight that no T explains, another T in each head, or none at all.
        Tensors near = scaled;
        near[names::pattern(0)] = scaled.at(names::pattern(0)).clone();
        near[names::pattern(0)][2][20][7].add_(0.2);
        EXPECT_EQ(fitting(near), 0);
        near = scaled;
        near[names::scores(0)] =
            scaled.at(names::scores(0)) * at::tensor({1, 2, 3, 4}).reshape({kHeads, 1, 1});
        EXPECT_EQ(fitting(near), 0);
        near[names::scores(0)] = scaled.at(names::scores(0)).flip(0);
        EXPECT_EQ(fitting(near), 0);
      }
    }
  }
}

/// A key that the scores hide and the pattern weighs is seen: in one head is enough, in any.
TEST_F(Arbiter, SeesWhatThePatternWeighsThoughScoresHideIt) {
  const Tensors of_model = recorded(at::kDouble, 1);
  const at::Tensor scores = scores_of(of_model.at(names::q(0)), of_model.at(names::k(0)));
  const at::Tensor pattern = pattern_of(scores);
  for (const std::int64_t head : {std::int64_t{0}, kHeads - 1}) {
    at::Tensor hiding = scores.masked_fill(later_keys(kPositions), -kInfinity);
    hiding[head][20][7].fill_(-kInfinity);
    const auto source = opened({{names::scores(0), hiding}, {names::pattern(0), pattern}});
    EXPECT_TRUE(source->shape().layers.front().is_contradicted);
    EXPECT_TRUE(at::equal(all_heads(layers_of(*source).front().weights), pattern)) << head;
  }
}

/// A near miss: one weight that rounding does not explain.
TEST_F(Arbiter, SeesOneWrongWeight) {
  Tensors stored = recorded(at::kFloat, 1);
  EXPECT_FALSE(opened(stored)->shape().layers.front().is_contradicted);
  at::Tensor weight = stored[names::pattern(0)][2][20][7];
  weight.add_(1e-4);
  EXPECT_TRUE(opened(stored)->shape().layers.front().is_contradicted);
}

/// What autocast computes in 16 bits of numbers that were recorded in float32.
TEST_F(Arbiter, NamesTheTypeThatFits) {
  for (const auto& [type, word] : {std::pair{at::kHalf, "float16"}, {at::kBFloat16, "bfloat16"}}) {
    Tensors stored = recorded(at::kFloat, 3);
    const at::Tensor q = stored[names::q(0)], k = stored[names::k(0)];
    const at::Tensor scores = scores_of(q.to(type), k.to(type));
    stored[names::pattern(0)] = pattern_of(scores.to(at::kFloat));
    const auto remark = [&](const Tensors& tensors) {
      const auto source = opened(tensors);
      EXPECT_TRUE(source->shape().layers.front().is_contradicted);
      return test::all_remarks(*source);
    };
    EXPECT_THAT(remark(stored), HasSubstr(fmt::format("q, k and their products in {}:", word)));
    const Tensors beside{{names::scores(0), scores_of(q, k)},
                         {names::pattern(0), pattern_of(scores_of(q, k).to(type).to(at::kFloat))}};
    EXPECT_THAT(remark(beside), HasSubstr(fmt::format("the scores in {}:", word)));
    stored[names::pattern(0)] = pattern_of(scores_of(q, k) * 0.998);
    EXPECT_THAT(remark(stored), Not(HasSubstr("float16")));
  }
}

TEST_F(Arbiter, CountsRowsWhereMostAgree) {
  Tensors stored = recorded(at::kFloat, 1);
  at::Tensor& pattern = stored[names::pattern(0)];
  pattern[1][20].slice(0, 0, 21).fill_(1.0 / 21);
  const auto remarks = [&] { return opened(stored)->shape().remarks; };
  EXPECT_THAT(remarks(), ElementsAre("layer 0: 1 of the 192 rows of the pattern is not "
                                     "softmax(l/T), the first that of query 20 in head 1"));
  pattern[3][40].slice(0, 0, 41).fill_(1.0 / 41);
  EXPECT_THAT(remarks(), ElementsAre(HasSubstr("2 of the 192 rows of the pattern are not")));
  stored[names::pattern(0)] = pattern.flip(0);
  EXPECT_THAT(remarks(), IsEmpty());
}

TEST_F(Arbiter, IsExactWithARecordedSink) {
  const Tensors of_model = recorded(at::kDouble, 1);
  const at::Tensor scores = scores_of(of_model.at(names::q(0)), of_model.at(names::k(0)));
  const at::Tensor sink = at::tensor({0.5, -1.0, 2.0, 0.0}, at::kDouble);
  const at::Tensor column = sink.reshape({kHeads, 1, 1}).expand({kHeads, kPositions, 1});
  const at::Tensor hidden = later_keys(kPositions);
  const at::Tensor pattern =
      at::softmax(at::cat({scores.masked_fill(hidden, -kInfinity), column}, -1), -1)
          .slice(-1, 0, kPositions);
  Tensors stored{{names::scores(0), scores.masked_fill(hidden, -kInfinity)},
                 {names::pattern(0), pattern}};
  EXPECT_TRUE(opened(stored)->shape().layers.front().is_contradicted);
  stored[names::sink(0)] = sink;
  const auto source = opened(stored);
  EXPECT_FALSE(source->shape().layers.front().is_contradicted);
  EXPECT_TRUE(source->shape().layers.front().has_sink);
  EXPECT_LE(source->shape().layers.front().difference.value(), 1e-14);
  EXPECT_TRUE(at::equal(layers_of(*source).front().sink, sink));
  stored[names::sink(0)] = at::tensor({0.5, 1.0, 2.0});
  expect_refused(stored, {.kind = BadInputKind::inconsistent,
                          .where = "hook_sink",
                          .expected = "shape [4]",
                          .found = "[3]"});
}

}  // namespace
}  // namespace attn::gpt2
