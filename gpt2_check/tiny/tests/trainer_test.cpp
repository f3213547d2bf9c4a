#include "gpt2_check/tiny/trainer.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "gpt2_check/tests/models.hpp"

namespace attn::tiny {
namespace {

using test::lively_weights;
using test::small_config;

/// A stream that can be predicted: each token follows from the one before.
std::vector<std::int64_t> stream(std::int64_t length) {
  std::vector<std::int64_t> tokens{1};
  while (static_cast<std::int64_t>(tokens.size()) < length)
    tokens.push_back((tokens.back() * 7 + 3) % 20);
  return tokens;
}

Recipe short_recipe() {
  Recipe recipe;
  recipe.steps = 40;
  recipe.threads = 2;
  recipe.seed = 5;
  recipe.tokens_per_step = 256;
  recipe.peak_rate = 2e-2;
  return recipe;
}

struct Trained {
  at::Tensor weights;
  double first_loss{}, last_loss{};
};

Trained trained(const Recipe& recipe) {
  Parameters parameters(small_config(), recipe.seed);
  Trained result;
  train(small_config(), recipe, stream(2000), parameters, [&](const StepReport& report) {
    if (report.step == 1) result.first_loss = report.mean_loss;
    result.last_loss = report.mean_loss;
    EXPECT_EQ(report.tokens, report.step * recipe.tokens_per_step);
    EXPECT_EQ(report.length, 16);
  });
  result.weights = parameters.flat();
  return result;
}

TEST(Train, LearnsAStreamThatCanBePredicted) {
  Recipe recipe = short_recipe();
  recipe.steps = 120;
  const Trained result = trained(recipe);
  EXPECT_NEAR(result.first_loss, std::log(20), 0.2);  // it knows nothing yet
  EXPECT_LT(result.last_loss, 1);
}

TEST(Train, IsReproducible) {
  const Recipe recipe = short_recipe();
  const at::Tensor once = trained(recipe).weights;
  EXPECT_TRUE(at::equal(trained(recipe).weights, once));
  Recipe other = recipe;
  other.seed = 6;
  EXPECT_FALSE(at::equal(trained(other).weights, once));
}

TEST(SequenceLength, GrowsToTheContextAndTakesAllOfItNowAndThen) {
  gpt2::Config config;
  config.positions = 1024;
  Recipe recipe;
  recipe.steps = 1000;
  EXPECT_EQ(sequence_length(recipe, config, 0), 128);
  EXPECT_EQ(sequence_length(recipe, config, 15), 1024);
  EXPECT_EQ(sequence_length(recipe, config, 598), 128);
  EXPECT_EQ(sequence_length(recipe, config, 600), 256);
  EXPECT_EQ(sequence_length(recipe, config, 850), 1024);
  EXPECT_EQ(sequence_length(recipe, config, 999), 1024);
}

TEST(RateFactor, WarmsUpAndFallsToAFiftieth) {
  Recipe recipe;
  recipe.steps = 1000;
  EXPECT_DOUBLE_EQ(rate_factor(recipe, 0), 1.0 / 20);
  EXPECT_DOUBLE_EQ(rate_factor(recipe, 19), 1);
  for (std::int64_t step = 20; step < 1000; ++step)
    EXPECT_LT(rate_factor(recipe, step), rate_factor(recipe, step - 1));
  EXPECT_NEAR(rate_factor(recipe, 999), 0.02, 1e-12);
}

TEST(Parameters, SharesItsMemoryAndCollectsGradients) {
  const gpt2::Config config = small_config();
  const Parameters parameters(config, 1);
  const at::Tensor gradient = at::zeros_like(parameters.flat());
  const gpt2::Weights leaves = parameters.leaves(gradient);
  EXPECT_EQ(leaves.wte.data_ptr(), parameters.flat().data_ptr());
  EXPECT_TRUE(at::equal(parameters.weights().ln_f_weight, at::ones({config.width})));
  (leaves.wte.sum() * 3).backward();
  const std::int64_t embeddings = config.vocabulary * config.width;
  EXPECT_TRUE(at::equal(gradient.slice(0, 0, embeddings), at::full({embeddings}, 3.0F)));
  EXPECT_EQ(gradient.slice(0, embeddings).abs().max().item<float>(), 0);
  // two embeddings; for each layer 4 matrices decay, biases and layer norms do not
  const std::int64_t w = config.width;
  EXPECT_EQ(parameters.decayed().sum().item<double>(),
            static_cast<double>((config.vocabulary + config.positions) * w +
                                config.layers * (4 * w * w + 2 * w * config.inner)));
}

TEST(TotalNats, ScoresEachTokenOnceWithAtLeastHalfAContext) {
  const gpt2::Config config = small_config();
  const gpt2::Weights weights = lively_weights(config);
  const std::vector<std::int64_t> tokens = stream(30);
  double expected = 0;
  for (std::size_t target = 11; target < 30; ++target) {  // windows score 8: 11-18, 19-26, 27-29
    const std::size_t first = (target - 11) / 8 * 8 + 3;  // 8 tokens before the first scored one
    const at::Tensor window =
        at::tensor(at::ArrayRef<std::int64_t>(tokens.data() + first, target - first), at::kLong);
    const at::Tensor last = gpt2::forward(config, weights, window)[-1].to(at::kDouble);
    expected -= at::log_softmax(last, 0)[tokens[target]].item<double>();
  }
  for (const std::int64_t threads : {1, 2})
    EXPECT_NEAR(total_nats(config, weights, tokens, 19, threads), expected, 1e-4);
}

}  // namespace
}  // namespace attn::tiny
