#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/tensor.h>

#include <functional>
#include <ostream>
#include <string>

#include "gpt2_check/checkpoint/checkpoint.hpp"
#include "gpt2_check/model/gpt2.hpp"
#include "gpt2_check/model/tests/plain_forward.hpp"
#include "gpt2_check/parallel/parallel.hpp"
#include "gpt2_check/tests/models.hpp"
#include "gpt2_check/tests/support.hpp"

namespace attn::gpt2 {
namespace {

using test::lively_weights;
using test::small_config;

const std::vector<std::int64_t> kIds{3, 1, 4, 1, 5, 9, 2, 6, 19, 0};

at::Tensor ids(const std::vector<std::int64_t>& tokens) {
  return at::tensor(at::ArrayRef<std::int64_t>(tokens), at::kLong);
}

double largest_difference(const at::Tensor& a, const at::Tensor& b) {
  return (a.to(at::kDouble) - b.to(at::kDouble)).abs().max().item<double>();
}

/// The largest difference from the plain loops, which read the same float32 weights as doubles.
double error(const Config& config, at::ScalarType dtype) {
  const at::Tensor found = forward(config, lively_weights(config, dtype), ids(kIds));
  EXPECT_EQ(found.sizes(), (at::IntArrayRef{10, config.vocabulary}));
  EXPECT_EQ(found.scalar_type(), dtype);
  at::Tensor expected = at::empty({10, config.vocabulary}, at::kDouble);
  const Weights weights = lively_weights(config, at::kDouble);
  const test::Rows plain = test::PlainForward(config, weights).logits(kIds);
  for (std::size_t t = 0; t < plain.size(); ++t)
    expected[static_cast<std::int64_t>(t)].copy_(at::tensor(plain[t], at::kDouble));
  EXPECT_GT(expected.abs().max().item<double>(),
            0.5);  // logits of a size that errors would show in
  return largest_difference(found, expected);
}

struct Option {
  std::string name;
  std::function<void(Config&)> set;

  friend void PrintTo(const Option& option, std::ostream* out) { *out << option.name; }
};

class ForwardOption : public ::testing::TestWithParam<Option> {};

TEST(Forward, AgreesWithPlainLoops) {
  EXPECT_LE(error(small_config(), at::kDouble), 1e-12);
  EXPECT_LE(error(small_config(), at::kFloat), 1e-5);
}

TEST_P(ForwardOption, AgreesWithPlainLoops) {
  Config config = small_config();
  GetParam().set(config);
  EXPECT_LE(error(config, at::kDouble), 1e-12);
  EXPECT_LE(error(config, at::kFloat), 1e-5);
}

TEST_P(ForwardOption, ChangesTheLogits) {
  Config config = small_config();
  Weights weights = lively_weights(config, at::kDouble);
  const at::Tensor before = forward(config, weights, ids(kIds));
  GetParam().set(config);
  weights.lm_head = 2 * weights.wte;  // read where the head is untied
  EXPECT_GT(largest_difference(forward(config, weights, ids(kIds)), before), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(
    Options, ForwardOption,
    ::testing::Values(Option{"UntiedHead", [](Config& c) { c.tied_head = false; }},
                      Option{"GeluErf", [](Config& c) { c.activation = "gelu"; }},
                      Option{"ScaleByLayer", [](Config& c) { c.scale_by_layer = true; }},
                      Option{"Unscaled", [](Config& c) { c.scale_weights = false; }},
                      Option{"OtherEpsilon", [](Config& c) { c.layer_norm_epsilon = 0.1; }},
                      Option{"OneHead", [](Config& c) { c.heads = 1; }}),
    [](const auto& info) { return info.param.name; });

/// At -2, -1/2, 3/4 and 12, of the formulas in transformers, evaluated apart from these.
TEST(Activations, AreThoseOfTransformers) {
  const std::map<std::string, std::vector<double>> expected = {
      {"gelu", {-0.0455002638963584, -0.154268769362993, 0.580029485717349, 12}},
      {"gelu_fast", {-0.0454023059128245, -0.154285990175165, 0.579960555165041, 12}},
      {"gelu_new", {-0.0454023059122249, -0.154285990174856, 0.57996055516562, 12}},
      {"gelu_pytorch_tanh", {-0.0454023059122249, -0.154285990174856, 0.57996055516562, 12}},
      {"relu", {0, 0, 0.75, 12}},
      {"silu", {-0.238405844044235, -0.188770334399073, 0.509384024381545, 11.9999262699048}},
      {"tanh", {-0.964027580075817, -0.46211715726001, 0.635148952387287, 0.999999999924497}},
  };
  const at::Tensor x = at::tensor({-2., -0.5, 0.75, 12.}, at::kDouble);
  EXPECT_EQ(activations().size(), expected.size());
  for (const auto& [name, values] : expected) {
    EXPECT_LE(largest_difference(activations().at(name)(x), at::tensor(values, at::kDouble)), 1e-13)
        << name;
  }
}

/// Long enough for several blocks of queries, with a short last one.
Config long_config() {
  Config config = small_config();
  config.positions = 300;
  return config;
}

std::vector<std::int64_t> long_tokens() {
  std::vector<std::int64_t> tokens;
  for (std::int64_t i = 0; i < 300; ++i) tokens.push_back(i * i % 19);
  return tokens;
}

TEST(Forward, DoesNotReadLaterTokens) {
  const Config config = long_config();
  const Weights weights = lively_weights(config, at::kDouble);
  std::vector<std::int64_t> tokens = long_tokens();
  const at::Tensor before = forward(config, weights, ids(tokens));
  for (const std::int64_t changed : {1, 127, 128, 200, 299}) {
    std::vector<std::int64_t> other = tokens;
    other[static_cast<std::size_t>(changed)] = 19;
    const at::Tensor after = forward(config, weights, ids(other));
    EXPECT_TRUE(at::equal(after.slice(0, 0, changed), before.slice(0, 0, changed))) << changed;
    EXPECT_GT(largest_difference(after[changed], before[changed]), 1e-6) << changed;
    EXPECT_GT(largest_difference(after[299], before[299]), 1e-12) << changed;
  }
}

TEST(Observer, SeesActivationsThatFitTogether) {
  const Config config = long_config();
  const Weights weights = lively_weights(config, at::kDouble);
  std::vector<LayerActivations> layers;
  const at::Tensor logits = forward(config, weights, ids(long_tokens()),
                                    [&](std::int64_t layer, const LayerActivations& found) {
                                      EXPECT_EQ(layer, std::ssize(layers));
                                      layers.push_back(found);
                                    });
  EXPECT_TRUE(at::equal(logits, forward(config, weights, ids(long_tokens()))));
  ASSERT_EQ(layers.size(), 2U);
  for (const LayerActivations& layer : layers) {
    EXPECT_EQ(layer.q.sizes(), (at::IntArrayRef{300, 3, 4}));
    EXPECT_EQ(layer.k.sizes(), (at::IntArrayRef{300, 3, 4}));
    EXPECT_EQ(layer.v.sizes(), (at::IntArrayRef{300, 3, 4}));
    EXPECT_EQ(layer.pattern.sizes(), (at::IntArrayRef{3, 300, 300}));
    EXPECT_EQ(layer.resid_post.sizes(), (at::IntArrayRef{300, 12}));
    EXPECT_LE(largest_difference(layer.pattern.sum(-1), at::ones({3, 300}, at::kDouble)), 1e-13);
    EXPECT_EQ(layer.pattern.triu(1).abs().max().item<double>(), 0);
    // softmax of q.k / sqrt(d_head) over the keys j <= i, for one row of one head
    const at::Tensor scores =
        at::matmul(layer.k.select(1, 2).slice(0, 0, 201), layer.q.select(1, 2)[200]) / 2;
    EXPECT_LE(largest_difference(at::softmax(scores, 0), layer.pattern[2][200].slice(0, 0, 201)),
              1e-13);
  }
  const at::Tensor last = at::layer_norm(layers[1].resid_post, {12}, weights.ln_f_weight,
                                         weights.ln_f_bias, config.layer_norm_epsilon);
  EXPECT_LE(largest_difference(at::matmul(last, weights.wte.t()), logits), 1e-12);
}

/// Large enough that LibTorch would cut its operations up among its threads.
TEST(Forward, GivesTheSameBitsForAnyNumberOfThreads) {
  Config config = small_config();
  config.heads = 2;
  config.width = 128;
  config.inner = 512;
  config.positions = 300;
  const Weights weights = lively_weights(config);
  const at::Tensor tokens = at::arange(config.positions, at::kLong) % config.vocabulary;
  set_threads(1);
  const at::Tensor one = forward(config, weights, tokens);
  for (const int count : {2, 3, 5}) {
    set_threads(count);
    EXPECT_TRUE(at::equal(forward(config, weights, tokens), one)) << count << " threads";
  }
  set_threads(1);
}

}  // namespace
}  // namespace attn::gpt2
