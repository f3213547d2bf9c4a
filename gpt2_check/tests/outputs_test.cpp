// Outputs beside weights and values: which show that the values were weighed by these weights, and
// which are refused.
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/einsum.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/roll.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/zeros_like.h>
#include <fmt/format.h>

#include <cmath>

#include "gpt2_check/activations/recorded_outputs.hpp"
#include "gpt2_check/tests/recording_file.hpp"

namespace attn::gpt2 {
namespace {

using test::kInfinity;
using test::later_keys;
using test::Metadata;
using test::Tensors;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
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

/// The tensors of some names, which stand for the weights, with the values and the outputs.
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

/// A model of any type makes such outputs, also where they were widened since, and however sharp.
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
      {names::z(0), all.at(names::z(0)) * 1.1}};
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
  for (const double number : {made + 0.1, made - 0.1, -made, kInfinity, std::nan("")}) {
    expect_refused(
        with(number),
        {.kind = inconsistent,
         .where = "tensor 'blocks.0.attn.hook_z'",
         .expected = fmt::format(
             "the weights times the values, {:.6g} of query 7, head 2, number 11", made),
         .found = fmt::format("{:.6g}, more than rounding makes", number),
         .advice = "are hook_v and the pattern as the model used them, of this call, their heads "
                   "and keys in one order, and hook_z what comes before a gate and the output's "
                   "matrix? Leave out what is not"});
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

/// Beside a learned sink the weights sum to less than 1, and its value is 0.
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

/// [head, query, key]: the weights of queries and keys under a mask, `hidden` [query, key].
at::Tensor weights_of(const at::Tensor& q, const at::Tensor& k, const at::Tensor& hidden,
                      double temperature) {
  const at::Tensor of_head = k.repeat_interleave(q.size(1) / k.size(1), 1);
  const at::Tensor products = at::einsum("qhd,khd->hqk", {q, of_head}) / temperature;
  return at::softmax(products.masked_fill(hidden, -kInfinity), -1);
}

/// What would make the outputs is named, with the word that says it.
TEST_F(Outputs, NameWhatFits) {
  const at::Tensor q = at::randn({kPositions, kHeads, kWidth}, at::kDouble);
  const at::Tensor k = at::randn({kPositions, kKeyHeads, kWidth}, at::kDouble);
  const at::Tensor v = at::randn({kPositions, kKeyHeads, kWidth}, at::kDouble);
  const at::Tensor causal = later_keys(kPositions), none = at::zeros_like(causal);
  const at::Tensor window = causal.logical_or(at::ones_like(causal).tril(-6));
  const auto made = [&](const at::Tensor& hidden, double temperature) {
    return outputs_of(weights_of(q, k, hidden, temperature), v);
  };
  const auto expect_advice = [&](const at::Tensor& z, const char* advice, const char* mask) {
    Metadata metadata;
    if (*mask != 0) metadata["mask"] = mask;
    expect_refused(
        {{names::q(0), q}, {names::k(0), k}, {names::v(0), v}, {names::z(0), z.to(at::kDouble)}},
        {.kind = inconsistent, .where = "tensor 'blocks.0.attn.hook_z'", .advice = advice},
        metadata);
  };
  expect_advice(made(causal, 1), "it is that with the metadata `temperatures` of 1", "");
  expect_advice(made(causal, 16), "it is that with the metadata `temperatures` of 16", "causal");
  expect_advice(made(causal, std::sqrt(8)),
                "it is that with the metadata `temperatures` of 2.8284271247461903", "");
  expect_advice(made(none, 4), "it is that with the metadata `mask`: `full`", "");
  expect_advice(made(none, 4), "it is that with the metadata `mask`: `full`", "window:5");
  expect_advice(made(causal, 4), "it is that with the metadata `mask`: `causal`", "full");
  expect_advice(made(window, 4), "it is that with the metadata `mask`: `window:6`", "window:7");
  expect_advice(made(none, 1),
                "it is that with the metadata `mask`: `full` and the metadata `temperatures` of 1",
                "");
  const at::Tensor tiled =
      outputs_of(weights_of(q, k.repeat({1, 2, 1}), causal, 4), v.repeat({1, 2, 1}));
  expect_advice(tiled,
                "it is that with head h of the queries reading head h mod 3 of keys and values: "
                "record these with .repeat(1, 2, 1)",
                "");
  expect_advice(made(causal, std::sqrt(6 * 16)),
                "it is that with the metadata `temperatures` of 9.79795897113271", "");
  expect_advice(made(causal, 4) * 2, "it is 2 times that everywhere", "");
  const at::Tensor of_heads = at::pow(2, at::arange(1, 1 + kHeads)).unsqueeze(1);
  expect_advice(made(causal, 4) * of_heads, "it is 2 times that in head 0, and another", "");
  const at::Tensor parts = at::rand({kPositions, kHeads, 1}) * 0.5 + 0.25;
  expect_advice(made(causal, 4).to(at::kFloat) * parts,
                "it is that times a number below 1 of each row and head, as a learned sink", "");
  expect_advice(made(causal, 4).to(at::kFloat) * (parts + 0.5),
                "are hook_v and the logits, the mask and T as the model used them", "");
  expect_advice(made(causal, 4) * at::arange(kHeads).unsqueeze(1),
                "are hook_v and the logits, the mask and T as the model used them", "");
  const at::Tensor first = q.slice(0, 0, 12);
  expect_refused(
      {{names::q(0), first},
       {names::k(0), k},
       {names::v(0), v},
       {names::z(0), made(causal, 4).slice(0, 0, 12).contiguous()}},
      {.kind = inconsistent,
       .where = "tensor 'blocks.0.attn.hook_z'",
       .advice = "it is that with its queries as the first of the keys: leave out the others"},
      {{"mask", "causal"}});
  const at::Tensor zigzag = at::roll(causal, 7, 1);
  expect_advice(made(zigzag.fill_diagonal_(false), 4),
                "are hook_v and the logits, the mask and T as the model used them", "");
}

/// Hardware that multiplies numbers of fewer bits makes other outputs, which a line says.
TEST_F(Outputs, MayBeOfProductsOfFewerBits) {
  Tensors all = recorded(at::kFloat);
  const at::Tensor pattern = all[names::pattern(0)], v = all[names::v(0)];
  const auto remark_of = [&](at::ScalarType type, const std::vector<std::string>& way) {
    const auto rounded = [&](const at::Tensor& x) { return x.to(type).to(at::kFloat); };
    all[names::z(0)] = outputs_of(rounded(pattern), rounded(v));
    const auto source = opened(beside_values(all, way));
    EXPECT_TRUE(source->shape().layers.at(0).has_outputs);
    return test::all_remarks(*source);
  };
  for (const auto& way : ways()) {
    EXPECT_THAT(remark_of(at::kHalf, way), HasSubstr("rounded to 11 bits, as TF32 has"));
    EXPECT_THAT(remark_of(at::kBFloat16, way), HasSubstr("rounded to 8 bits, as bfloat16 has"));
    EXPECT_EQ(remark_of(at::kFloat, way), "");
  }
}

/// What is off by little in one way is no rounding: where something fits to the last bit, that is
/// said.
TEST_F(Outputs, ThatAreOffByLittleInOneWayAreRefused) {
  const Tensors all = recorded(at::kFloat, 20);
  const at::Tensor z = all.at(names::z(0));
  const at::Tensor near_one =
      (1 + at::pow(-1, at::arange(kHeads)) * at::arange(1, 1 + kHeads) * 1e-4).unsqueeze(1);
  for (const auto& way : ways()) {
    Tensors stored = beside_values(all, way);
    stored[names::z(0)] = (z * near_one).to(at::kFloat);
    expect_refused(stored, {.kind = inconsistent,
                            .where = "tensor 'blocks.0.attn.hook_z'",
                            .advice = "it is 1.0001 times that in head 0, and another multiple"});
    stored[names::z(0)] = (z * 1.0005).to(at::kFloat);
    expect_refused(stored, {.kind = inconsistent,
                            .where = "tensor 'blocks.0.attn.hook_z'",
                            .advice = "it is 1.0005 times that everywhere"});
  }
}

/// Each output of one number is a multiple of what is made, which shows nothing.
TEST_F(Outputs, OfOneNumberHaveNoFactorOfEachRow) {
  const Tensors all = recorded(at::kFloat);
  const at::Tensor v = at::rand({kPositions, kKeyHeads, 1}), pattern = all.at(names::pattern(0));
  const at::Tensor less = 1 - at::rand({kPositions, kHeads, 1}) * 2e-4;
  const auto source = opened({{names::pattern(0), pattern},
                              {names::v(0), v},
                              {names::z(0), outputs_of(pattern, v) * less}});
  EXPECT_THAT(source->shape().remarks, ElementsAre(HasSubstr("rounded to 11 bits, as TF32 has")));
}

/// Models that have a softcap and record queries and keys, or scores, before it.
TEST_F(Outputs, NameTheSoftcapThatFits) {
  const Tensors all = recorded(at::kFloat, 6);
  const at::Tensor scores = all.at(names::scores(0)), v = all.at(names::v(0));
  for (const double cap : {50.0, 30.0, 20.0}) {
    const at::Tensor capped =
        at::softmax(at::tanh(scores / cap) * cap, -1).masked_fill(later_keys(kPositions), 0);
    const at::Tensor weights = (capped / capped.sum(-1, true)).to(at::kFloat);
    for (const auto& names : {std::vector{names::q(0), names::k(0)}, {names::scores(0)}}) {
      Tensors stored = beside_values(all, names);
      stored[names::z(0)] = outputs_of(weights, v);
      expect_refused(stored,
                     {.kind = inconsistent,
                      .where = "tensor 'blocks.0.attn.hook_z'",
                      .advice = fmt::format("it is that with a softcap of {} of the logits: record "
                                            "hook_attn_scores after it, or hook_pattern",
                                            cap)});
    }
  }
}

/// Values of few bits are exact in a sum, and hide nothing of numbers of more bits.
TEST_F(Outputs, OfValuesOfFewBits) {
  Tensors stored = beside_values(recorded(at::kFloat), {names::pattern(0)});
  const at::Tensor v = at::randn({kPositions, kKeyHeads, kWidth}).sign().to(at::kFloat);
  const at::Tensor z = outputs_of(stored[names::pattern(0)], v);
  stored[names::v(0)] = v;
  stored[names::z(0)] = z;
  EXPECT_THAT(opened(stored)->shape().remarks, IsEmpty());
  const at::Tensor of_heads = (1 + at::arange(1, 1 + kHeads) * 1e-3).unsqueeze(1);
  stored[names::z(0)] = (z * of_heads).to(at::kFloat);
  expect_refused(stored, {.kind = inconsistent,
                          .where = "tensor 'blocks.0.attn.hook_z'",
                          .advice = "it is 1.001 times that in head 0, and another multiple"});
}

/// Keys of little weight that were cut off are no rounding of products.
TEST_F(Outputs, WithoutKeysOfLittleWeight) {
  const at::Tensor scores = at::randn({kHeads, kPositions, kPositions}, at::kDouble);
  at::Tensor soft = scores.clone();
  soft.slice(2, kPositions - 2) -= 9;
  const at::Tensor v = at::randn({kPositions, kHeads, kWidth});
  const auto remarks_of = [&](const at::Tensor& pattern, std::int64_t kept) {
    const auto cut = [&](const at::Tensor& of) { return of.slice(0, 0, kept).contiguous(); };
    const at::Tensor square = pattern.slice(1, 0, kept).slice(2, 0, kept).contiguous();
    const auto source = opened({{names::pattern(0), square},
                                {names::v(0), cut(v)},
                                {names::z(0), cut(outputs_of(pattern, v))}},
                               {{"mask", "full"}});
    return test::all_remarks(*source);
  };
  const at::Tensor pattern = at::softmax(soft, -1).to(at::kFloat);
  EXPECT_THAT(remarks_of(pattern, kPositions - 2),
              AllOf(HasSubstr("and the weights of a row sum to 0.99"),
                    HasSubstr("were keys left out that have weights?"), Not(HasSubstr("TF32"))));
  EXPECT_EQ(remarks_of(pattern, kPositions), "");
  // Weights that were rounded sum to more than 1 too.
  const auto source = opened({{names::pattern(0), (pattern * 4099).round() / 4099},
                              {names::v(0), v},
                              {names::z(0), outputs_of(pattern, v)}},
                             {{"mask", "full"}, {"zeros", "weights"}});
  EXPECT_THAT(source->shape().remarks,
              Contains(AllOf(HasSubstr("and the weights of a row sum to 1.00"),
                             HasSubstr("were the weights rounded?"))));
}

/// A few that cancel or were clamped are no sign of products of fewer bits.
TEST_F(Outputs, OfWhichSomeAreOffByLittle) {
  const Tensors all = recorded(at::kFloat);
  const auto remark_of = [&](std::int64_t off) {
    Tensors stored = beside_values(all, {names::pattern(0)});
    stored[names::z(0)] = all.at(names::z(0)).clone(at::MemoryFormat::Contiguous);
    stored[names::z(0)].flatten().slice(0, 0, off).mul_(1 + 1e-4);
    return test::all_remarks(*opened(stored));
  };
  const std::int64_t numbers = kPositions * kHeads * kWidth;
  EXPECT_EQ(remark_of(0), "");
  EXPECT_THAT(remark_of(1), HasSubstr("some numbers of hook_z, less than half, are off"));
  EXPECT_THAT(remark_of(numbers / 2 - 1), HasSubstr("some numbers of hook_z, less than half"));
  EXPECT_THAT(remark_of(numbers * 3 / 4), HasSubstr("rounded to 11 bits, as TF32 has"));
}

/// A head whose pattern has no weight in a row may not have an output there.
TEST_F(Outputs, OfARowOfZerosAreZero) {
  Tensors stored = beside_values(recorded(at::kFloat), {names::pattern(0)});
  stored[names::pattern(0)][1][9].fill_(0);
  const Metadata hidden{{"zeros", "hidden"}};
  expect_refused(stored,
                 {.kind = inconsistent,
                  .where = "tensor 'blocks.0.attn.hook_z'",
                  .expected = "the weights times the values, 0 of query 9, head 1",
                  .advice = "this query has weights in other heads: did the model weigh keys here "
                            "that are left out?"},
                 hidden);
  stored[names::z(0)][9][1].fill_(0);
  EXPECT_TRUE(opened(stored, hidden)->shape().layers.at(0).has_outputs);
}

/// As many heads as positions, which outputs or another size settle.
TEST_F(Outputs, ShowWhichAxisIsWhich) {
  const at::Tensor q = at::randn({6, 6, 4}), k = at::randn({6, 6, 4}), v = at::randn({6, 6, 4});
  Tensors stored{{names::q(0), q}, {names::k(0), k}, {names::v(0), v}};
  EXPECT_THAT(opened(stored)->shape().remarks,
              ElementsAre("layer 0: it has 6 heads and 6 positions: nothing shows which axis is "
                          "which, and they are read as [position, head, d_head]"));
  stored[names::z(0)] = outputs_of(weights_of(q, k, later_keys(6), 2), v);
  EXPECT_THAT(opened(stored)->shape().remarks, IsEmpty());
  stored = {{names::pattern(0), weights_of(q, k, later_keys(6), 2)}, {names::v(0), v}};
  EXPECT_THAT(opened(stored)->shape().remarks, ElementsAre(HasSubstr("6 heads and 6 positions")));
  stored.erase(names::v(0));
  EXPECT_THAT(opened(stored)->shape().remarks, IsEmpty());
  // More heads of queries than of keys, which a pattern settles and a mask of these sizes does not.
  const at::Tensor grouped = at::randn({6, 12, 4});
  stored = {{names::q(0), grouped}, {names::k(0), k}, {names::v(0), v}};
  for (const at::Tensor& mask : {at::Tensor(), later_keys(6).logical_not()}) {
    if (mask.defined()) stored[names::mask(0)] = mask;
    expect_refused(stored, {.kind = inconsistent,
                            .where = "hook_k",
                            .advice = "if it is the first, record hook_pattern [head, query, key] "
                                      "beside it"});
  }
  stored[names::pattern(0)] = weights_of(grouped, k, later_keys(6), 2);
  EXPECT_THAT(opened(stored)->shape().remarks, IsEmpty());
}

/// Layers of one remark stand in one line.
TEST_F(Outputs, OfSeveralLayersAreToldOnce) {
  Tensors stored;
  for (const int layer : {0, 1}) {
    const Tensors one = recorded(at::kFloat);
    stored[names::pattern(layer)] = one.at(names::pattern(0));
    stored[names::v(layer)] = one.at(names::v(0));
    stored[names::z(layer)] = at::randn({3});
  }
  EXPECT_THAT(opened(stored)->shape().remarks,
              ElementsAre("layers 0, 1: hook_z is not compared with the weights times the values, "
                          "which are [query, head, d of v]"));
}

/// Two sequences recorded as heads of one share the keys and values of a first token.
TEST_F(Outputs, OfSeveralSequencesAsHeadsAreAskedAbout) {
  Tensors stored = recorded(at::kFloat);
  for (const auto& name : {names::scores(0), names::pattern(0), names::z(0)}) stored.erase(name);
  stored[names::q(0)] = at::randn({kPositions, 4, kWidth});
  for (const auto& [name, words] :
       {std::pair{names::k(0), "keys"}, std::pair{names::v(0), "values"}}) {
    at::Tensor rows = at::randn({kPositions, 4, kWidth});
    stored[names::k(0)] = at::randn({kPositions, 4, kWidth});
    stored[names::v(0)] = at::randn({kPositions, 4, kWidth});
    EXPECT_THAT(opened(stored)->shape().remarks, IsEmpty());
    rows[3].slice(0, 2).copy_(rows[3].slice(0, 0, 2).clone());
    stored[name] = rows;
    EXPECT_THAT(opened(stored)->shape().remarks,
                ElementsAre(fmt::format(
                    "layer 0: the {} of heads that are 2 apart are the same at some positions, the "
                    "first of them 3: are they of several sequences, recorded as heads of one?",
                    words)));
    stored[name] = at::randn({kPositions, 2, kWidth}).repeat({1, 2, 1});  // heads, expanded
    EXPECT_THAT(opened(stored)->shape().remarks, Each(Not(HasSubstr("apart"))));
  }
}

/// A mask that hides each query's own key, and not the one after it.
TEST_F(Outputs, ShowThatAMaskOfOtherKeysIsRight) {
  const at::Tensor q = at::randn({kPositions, 2, kWidth}), k = at::randn({kPositions, 2, kWidth});
  const at::Tensor v = at::randn({kPositions, 2, kWidth}), own = at::eye(kPositions).to(at::kBool);
  Tensors stored{{names::q(0), q}, {names::k(0), k}, {names::v(0), v}};
  stored[names::mask(0)] = own.logical_not();
  EXPECT_BAD_INPUT(opened(stored), {.kind = inconsistent, .where = "hook_mask"});
  stored[names::z(0)] = outputs_of(weights_of(q, k, own, 4), v);
  EXPECT_TRUE(opened(stored)->shape().layers.at(0).has_outputs);
  stored[names::q(0)] = q * 3;
  EXPECT_BAD_INPUT(opened(stored), {.kind = inconsistent, .where = "hook_z"});
}

}  // namespace
}  // namespace attn::gpt2
