// Outputs beside weights and values: which show that the values were weighed by these weights, and
// which are refused.
#include "gpt2_check/activations/outputs.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/einsum.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/full.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/roll.h>
#include <ATen/ops/softmax.h>
#include <fmt/format.h>

#include <cmath>

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

using Outputs = test::WithRecording;

constexpr std::int64_t kHeads = 6, kKeyHeads = 3, kPositions = 20, kWidth = 16;

/// [query, head, d]: weights times values in the type of the values, in float32 in between.
at::Tensor outputs_of(const at::Tensor& pattern, const at::Tensor& v) {
  const at::Tensor of_head = v.repeat_interleave(pattern.size(0) / v.size(1), 1).to(at::kFloat);
  return at::einsum("hqk,khd->qhd", {pattern.to(at::kFloat), of_head}).to(v.scalar_type());
}

/// What a causal model of that type computes, with logits of some `size`.
Tensors recorded(at::ScalarType type, double size = 1) {
  const at::Tensor q = (at::randn({kPositions, kHeads, kWidth}) * size).to(type);
  const at::Tensor k = at::randn({kPositions, kKeyHeads, kWidth}).to(type);
  const at::Tensor of_head = k.repeat_interleave(kHeads / kKeyHeads, 1);
  const at::Tensor scores =
      (at::einsum("qhd,khd->hqk", {q.to(at::kDouble), of_head.to(at::kDouble)}) / 4)
          .to(type)
          .masked_fill(later_keys(kPositions), -kInfinity);
  const at::Tensor pattern = at::softmax(scores.to(at::kFloat), -1).to(type);
  const at::Tensor v = at::randn({kPositions, kKeyHeads, kWidth}).to(type);
  return {{names::q(0), q},           {names::k(0), k},
          {names::scores(0), scores}, {names::pattern(0), pattern},
          {names::v(0), v},           {names::z(0), outputs_of(pattern, v)}};
}

/// Those of some names, which stand for the weights, with the values and the outputs.
Tensors beside_values(const Tensors& all, const std::vector<std::string>& names) {
  Tensors some{{names::v(0), all.at(names::v(0))}, {names::z(0), all.at(names::z(0))}};
  for (const std::string& name : names) some[name] = all.at(name);
  return some;
}

/// Each way to give the weights.
std::vector<std::vector<std::string>> ways() {
  return {{names::pattern(0)},
          {names::q(0), names::k(0)},
          {names::scores(0)},
          {names::q(0), names::k(0), names::pattern(0)},
          {names::scores(0), names::pattern(0)}};
}

/// Of whatever type the model is, also where they were widened since, and however sharp.
TEST_F(Outputs, ShowThatTheseValuesWereWeighed) {
  for (const auto type : {at::kBFloat16, at::kHalf, at::kFloat}) {
    for (const double size : {0.1, 1.0, 10.0}) {
      for (const auto stored : {type, at::kFloat}) {
        Tensors all = recorded(type, size);
        for (auto& [name, tensor] : all) tensor = tensor.to(stored);
        for (const auto& way : ways()) {
          const auto source = opened(beside_values(all, way));
          EXPECT_TRUE(source->shape().layers.at(0).has_outputs) << way.front() << " " << size;
          EXPECT_THAT(source->shape().remarks, IsEmpty()) << way.front() << " " << size;
        }
      }
    }
  }
  Tensors without = recorded(at::kFloat);
  without.erase(names::z(0));
  EXPECT_FALSE(opened(without)->shape().layers.at(0).has_outputs);
}

/// Weights or values that are not the model's, each of the right shape.
TEST_F(Outputs, AreRefusedWhereTheyAreOfOtherWeightsOrValues) {
  const Tensors all = recorded(at::kFloat);
  const at::Tensor v = all.at(names::v(0)), pattern = all.at(names::pattern(0));
  const at::Tensor rolled_v = at::roll(v, 1, 1);       // other heads
  const at::Tensor of_other_keys = at::roll(v, 1, 0);  // paged in another order
  const at::Tensor of_other_numbers = v.flip(2);       // cut from another place
  const at::Tensor rollout = (pattern + at::eye(kPositions)) / 2;
  const at::Tensor mean = pattern.mean(0, true).expand_as(pattern).contiguous();
  const at::Tensor tiled =  // as if head h read key head h mod 3
      outputs_of(pattern, v.repeat({1, kHeads / kKeyHeads, 1}));
  const std::vector<std::pair<std::string, at::Tensor>> changes{
      {names::v(0), rolled_v},
      {names::v(0), of_other_keys},
      {names::v(0), of_other_numbers},
      {names::pattern(0), rollout},
      {names::pattern(0), mean},
      {names::z(0), tiled},
      {names::z(0), all.at(names::z(0)) * 1.001}};
  for (const auto& [name, tensor] : changes) {
    for (const auto& way : ways()) {
      Tensors stored = beside_values(all, way);
      if (!stored.contains(name)) continue;
      stored[name] = tensor;
      EXPECT_BAD_INPUT(opened(stored),
                       {.kind = inconsistent, .where = "tensor 'blocks.0.attn.hook_z'"})
          << name << " " << way.front();
    }
  }
}

/// One number that is off by more than rounding makes of it, by its place in the file.
TEST_F(Outputs, AreRefusedWithThePlaceOfTheFirst) {
  Tensors stored = beside_values(recorded(at::kFloat), {names::pattern(0)});
  const double made = stored[names::z(0)][7][2][11].item<double>();
  const auto with = [&](double number) {
    Tensors changed = stored;
    changed[names::z(0)] = stored[names::z(0)].clone();
    changed[names::z(0)][7][2].slice(0, 11, 12).fill_(number);
    return changed;
  };
  EXPECT_NO_THROW(opened(with(made * (1 + 0x1p-22))));
  for (const double number : {made + 1e-4, made - 1e-4, -made, kInfinity, std::nan("")}) {
    expect_refused(
        with(number),
        {.kind = inconsistent,
         .where = "tensor 'blocks.0.attn.hook_z'",
         .expected = fmt::format(
             "the weights times the values, {:.6g} of query 7, head 2, number 11", made),
         .found = fmt::format("{:.6g}, more than rounding makes", number),
         .advice = "are hook_v and the pattern those of this call, their heads and keys in one "
                   "order, and hook_z what comes before a gate and the output's matrix? Leave out "
                   "what is not"});
  }
}

/// Positions that are said to be padding are not compared, whatever stands there; places are those
/// of the file.
TEST_F(Outputs, OfPaddingAreNotCompared) {
  Tensors stored = beside_values(recorded(at::kFloat), {names::q(0), names::k(0)});
  const Metadata padded{{"padding", "[0, 1, 2]"}};
  at::Tensor scores =
      at::einsum("qhd,khd->hqk", {stored[names::q(0)],
                                  stored[names::k(0)].repeat_interleave(kHeads / kKeyHeads, 1)}) /
      4;
  const at::Tensor hidden =
      later_keys(kPositions).logical_or(at::arange(kPositions).lt(3).unsqueeze(0));
  const at::Tensor pattern = at::softmax(scores.masked_fill(hidden, -kInfinity), -1);
  stored[names::z(0)] = outputs_of(pattern, stored[names::v(0)]);  // NaN of the padding
  EXPECT_TRUE(opened(stored, padded)->shape().layers.at(0).has_outputs);
  stored[names::z(0)][5][0].fill_(9);
  expect_refused(stored,
                 {.kind = inconsistent,
                  .where = "tensor 'blocks.0.attn.hook_z'",
                  .found = "9, more than rounding makes"},
                 padded);
}

/// Of a learned sink the weights sum to less than 1, and its value is 0.
TEST_F(Outputs, LeaveOutTheLearnedSink) {
  Tensors stored = beside_values(recorded(at::kFloat), {names::scores(0)});
  const at::Tensor sink = at::full({kHeads}, 1.5, at::kFloat);
  const at::Tensor e = stored[names::scores(0)].exp();
  const at::Tensor pattern = e / (e.sum(-1, true) + std::exp(1.5));
  stored[names::sink(0)] = sink;
  EXPECT_BAD_INPUT(opened(stored),
                   {.kind = inconsistent, .where = "tensor 'blocks.0.attn.hook_z'"});
  stored[names::z(0)] = outputs_of(pattern, stored[names::v(0)]);
  EXPECT_TRUE(opened(stored)->shape().layers.at(0).has_outputs);
}

/// What lies side by side is taken, and what has other sizes is told.
TEST_F(Outputs, MayLieSideBySide) {
  const Tensors all = beside_values(recorded(at::kFloat), {names::pattern(0)});
  const at::Tensor z = all.at(names::z(0));
  const at::Tensor side_by_side = z.reshape({kPositions, kHeads * kWidth});
  for (const at::Tensor& taken : {side_by_side, side_by_side.unsqueeze(0), z.unsqueeze(0)}) {
    Tensors stored = all;
    stored[names::z(0)] = taken;
    EXPECT_TRUE(opened(stored)->shape().layers.at(0).has_outputs) << taken.dim();
  }
  for (const at::Tensor& other : {z.slice(0, 1), z.slice(2, 1).contiguous(),
                                  z.transpose(0, 1).contiguous(), z.to(at::kLong), z.sum(1)}) {
    Tensors stored = all;
    stored[names::z(0)] = other;
    const auto source = opened(stored);
    EXPECT_FALSE(source->shape().layers.at(0).has_outputs);
    EXPECT_THAT(source->shape().remarks,
                ElementsAre("layer 0: hook_z is not compared with the weights times the values, "
                            "which are [query, head, d of v]"));
  }
  Tensors without_values = all;
  without_values.erase(names::v(0));
  EXPECT_THAT(opened(without_values)->shape().remarks, IsEmpty());
}

}  // namespace
}  // namespace attn::gpt2
