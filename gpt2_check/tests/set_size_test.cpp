#include "gpt2_check/set_size/set_size.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <tuple>

#include "gpt2_check/activations/sources.hpp"
#include "gpt2_check/checkpoint/checkpoint.hpp"
#include "gpt2_check/model/kept_tokens.hpp"
#include "gpt2_check/model/tests/plain_forward.hpp"
#include "gpt2_check/rows/window_check.hpp"
#include "gpt2_check/set_size/growth.hpp"
#include "gpt2_check/set_size/losses.hpp"
#include "gpt2_check/set_size/recorded.hpp"
#include "gpt2_check/tests/layers_source.hpp"
#include "gpt2_check/tests/models.hpp"
#include "gpt2_check/tests/support.hpp"
#include "gpt2_check/tests/write_tensors.hpp"
#include "gpt2_check/tokenizer/tokenizer.hpp"
#include "reports/judge/intervals.hpp"
#include "reports/record/fields.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/random.hpp"

namespace attn::gpt2 {
namespace {

namespace fs = std::filesystem;
using test::lively_weights;
using test::small_config;

const std::vector<std::int64_t> kIds{3, 1, 4, 1, 5, 9, 2, 6, 5, 0};
constexpr std::int64_t kLength = 10;

at::Tensor ids() {
  return at::tensor(kIds, at::kLong);
}

double length_of(const test::Row& x) {
  return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
}

/// Keeps the tokens one by one, from the definition.
void keep_plainly(const KeptTokens& kept, const at::Tensor& order, test::Row& weights,
                  const test::Rows& values) {
  if (static_cast<std::int64_t>(weights.size()) <= kept.count) return;
  const auto score = [&](std::size_t i) {
    if (kept.ranking == Ranking::random) return order[static_cast<std::int64_t>(i)].item<double>();
    return kept.ranking == Ranking::weight ? weights[i] : weights[i] * length_of(values[i]);
  };
  std::vector<std::size_t> by_score(weights.size());
  std::iota(by_score.begin(), by_score.end(), std::size_t{0});
  std::ranges::stable_sort(by_score, std::ranges::greater{}, score);
  double sum = 0;
  for (std::size_t rank = 0; rank < by_score.size(); ++rank) {
    if (static_cast<std::int64_t>(rank) >= kept.count) weights[by_score[rank]] = 0;
    sum += weights[by_score[rank]];
  }
  if (!kept.renormalized) return;
  for (double& weight : weights) weight /= sum;
}

/// The logits [row, id] are the last rows of the expected ones, to rounding.
void expect_last_rows(const at::Tensor& logits, const test::Rows& expected) {
  const std::size_t before = expected.size() - static_cast<std::size_t>(logits.size(0));
  for (std::size_t t = before; t < expected.size(); ++t) {
    for (std::size_t id = 0; id < expected[t].size(); ++id) {
      ASSERT_NEAR(logits[static_cast<int>(t - before)][static_cast<int>(id)].item<double>(),
                  expected[t][id], 1e-9)
          << "at " << t;
    }
  }
}

TEST(KeptTokens, ChangeThePassAsThePlainLoopsDo) {
  const Config config = small_config();
  const Weights weights = lively_weights(config, at::kDouble);
  const WholePass whole = whole_pass(config, weights, ids());
  for (const Ranking ranking : {Ranking::weight, Ranking::contribution, Ranking::random}) {
    for (const bool renormalized : {false, true}) {
      for (std::int64_t n = 1; n < kLength; ++n) {
        const KeptTokens kept{n, ranking, renormalized, /*seed=*/7};
        SCOPED_TRACE(fmt::format("{} {} {}", n, static_cast<int>(ranking), renormalized));
        std::map<std::size_t, at::Tensor> orders;
        for (std::size_t layer = 0; layer < 2; ++layer) {
          orders[layer] = random_orders(kept.seed, static_cast<std::int64_t>(layer), config.heads,
                                        kLength, at::kDouble);
        }
        const test::PlainForward plain(
            config, weights,
            [&](std::size_t layer, std::size_t head, test::Row& row, const test::Rows& values) {
              keep_plainly(kept, orders.at(layer)[static_cast<std::int64_t>(head)], row, values);
            });
        const test::Rows expected = plain.logits(kIds);
        expect_last_rows(forward_kept(config, weights, ids(), kept, {}, kLength), expected);
        const at::Tensor shared = forward_kept(config, weights, ids(), kept, whole.layers, kLength);
        ASSERT_EQ(shared.size(0), kLength - n);
        expect_last_rows(shared, expected);
        const at::Tensor last = forward_kept(config, weights, ids(), kept, whole.layers, 1);
        // A product of one row may be rounded otherwise than one of several, by the processor.
        EXPECT_TRUE(at::allclose(last, shared.slice(0, kLength - n - 1), 0, 1e-13));
      }
    }
  }
}

TEST(KeptTokens, AllOfThemLeaveThePassAsItIsToTheLastBit) {
  const Config config = small_config();
  const Weights weights = lively_weights(config);
  const at::Tensor logits = forward(config, weights, ids());
  EXPECT_TRUE(at::equal(whole_pass(config, weights, ids()).logits, logits));
  for (const Ranking ranking : {Ranking::weight, Ranking::contribution, Ranking::random}) {
    for (const bool renormalized : {false, true}) {
      const KeptTokens kept{kLength, ranking, renormalized, 3};
      EXPECT_TRUE(at::equal(forward_kept(config, weights, ids(), kept, {}, kLength), logits));
      const KeptTokens fewer{kLength - 1, ranking, renormalized, 3};
      const at::Tensor changed = forward_kept(config, weights, ids(), fewer, {}, kLength);
      EXPECT_TRUE(at::equal(changed.slice(0, 0, kLength - 1), logits.slice(0, 0, kLength - 1)));
      EXPECT_FALSE(at::equal(changed, logits));
    }
  }
}

at::Tensor row(const std::vector<double>& weights) {
  return at::tensor(weights, at::kDouble).unsqueeze(0);
}

TEST(KeptTokens, OfEqualOnesAreTheEarlier) {
  const at::Tensor weights = row({0.2, 0.2, 0.2, 0.2, 0.2});
  keep({.count = 2}, weights, 4, {});
  EXPECT_TRUE(at::equal(weights, row({0.2, 0.2, 0, 0, 0})));
  const at::Tensor mixed = row({0.1, 0.2, 0.4, 0.2, 0.1});
  keep({.count = 2}, mixed, 4, {});
  EXPECT_TRUE(at::equal(mixed, row({0, 0.2, 0.4, 0, 0})));
}

TEST(KeptTokens, ThatWeighNothingLeaveNothing) {
  const at::Tensor weights = row({1, 0, 0});
  const at::Tensor order = at::tensor({0.0, 2.0, 1.0}, at::kDouble);
  keep({.count = 2, .ranking = Ranking::random, .renormalized = true}, weights, 2, order);
  EXPECT_TRUE(at::equal(weights, at::zeros_like(weights)));
}

/// What is no number is kept: a model whose numbers overflow has no loss, whatever it keeps.
TEST(KeptTokens, HoldWhatIsNoNumber) {
  for (const at::ScalarType type : {at::kFloat, at::kDouble}) {
    for (const double nan : {std::nan(""), -std::nan("")}) {
      const at::Tensor weights = at::full({1, 3}, nan, type);
      keep({.count = 1}, weights, 2, {});
      EXPECT_TRUE(weights[0][0].isnan().item<bool>());
    }
    const at::Tensor weights = row({0, 0.75, 0.25}).to(type);
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    keep({.count = 1, .ranking = Ranking::contribution}, weights, 2,
         at::tensor({kInfinity, 1.0, 1.0}, type));
    EXPECT_EQ(weights.sum().item<double>(), 0) << "0 times infinity is no number";
  }
}

/// Weights of all sizes, many of them equal, against a stable sort.
TEST(KeptTokens, AreTheFirstOfAStableSort) {
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t size = 2 + below(random, 40);
    std::vector<double> weights(size);
    for (double& weight : weights) {
      weight =
          std::ldexp(static_cast<double>(below(random, 4)), -static_cast<int>(below(random, 130)));
    }
    std::vector<std::size_t> sorted(size);
    std::iota(sorted.begin(), sorted.end(), std::size_t{0});
    std::ranges::stable_sort(sorted, std::ranges::greater{},
                             [&](std::size_t i) { return weights[i]; });
    const std::size_t count = 1 + below(random, size - 1);
    std::vector<double> expected(size);
    for (std::size_t i = 0; i < count; ++i) expected[sorted[i]] = weights[sorted[i]];
    for (const at::ScalarType type : {at::kFloat, at::kDouble}) {  // exact in both
      const at::Tensor left = row(weights).to(type);
      keep({.count = static_cast<std::int64_t>(count)}, left, static_cast<std::int64_t>(size) - 1,
           {});
      EXPECT_TRUE(at::equal(left, row(expected).to(type))) << trial;
    }
  }
}

TEST(RandomOrders, ArePermutationsOfTheirOwnForEveryHead) {
  const at::Tensor orders = random_orders(5, 1, 3, 40, at::kDouble);
  const at::Tensor sorted = std::get<0>(orders.sort(-1));
  for (int head = 0; head < 3; ++head) {
    for (int i = 0; i < 40; ++i) EXPECT_EQ(sorted[head][i].item<double>(), i);
    EXPECT_FALSE(at::equal(orders[head], orders[(head + 1) % 3]));
  }
  EXPECT_TRUE(at::equal(orders, random_orders(5, 1, 3, 40, at::kDouble)));
  EXPECT_FALSE(at::equal(orders, random_orders(6, 1, 3, 40, at::kDouble)));
  EXPECT_FALSE(at::equal(orders, random_orders(5, 0, 3, 40, at::kDouble)));
}

TEST(TokenLosses, AreMinusTheLogarithmsOfTheProbabilities) {
  const at::Tensor logits = at::tensor({0.0, 0.0, 1.0, 3.0, 5.0, 5.0}, at::kDouble).view({3, 2});
  const auto losses = token_losses(logits, at::tensor({1, 0, 1}, at::kLong));
  ASSERT_EQ(losses.size(), 2U);
  EXPECT_NEAR(losses[0], std::log(2.0), 1e-15);
  EXPECT_NEAR(losses[1], std::log1p(std::exp(-2.0)), 1e-15);
}

TEST(LeastTested, LooksAtPowersThenBetweenThenBelow) {
  const std::vector<std::int64_t> grid{1, 2, 4, 8, 16, 20};
  const auto least = [&](const auto& grows, bool bisects = true) {
    return least_tested(grid, 0.5, bisects, grows);
  };
  const auto above = [](std::int64_t least) {
    return [least](std::int64_t n) { return n >= least ? 0.5 : 0.6; };
  };
  for (std::int64_t n = 1; n <= 20; ++n) EXPECT_EQ(least(above(n)), n);
  EXPECT_EQ(least(above(5), false), 8);
  // Not monotone: 9 suffices, 10 and 11 do not, 12 does.
  EXPECT_EQ(least([](std::int64_t n) { return n == 9 || n >= 12 ? 0.0 : 1.0; }), 9);
  EXPECT_EQ(least([](std::int64_t n) { return n == 20 ? 0.0 : std::nan(""); }), 20);
}

TEST(RelativeGrowth, IsOfTheMeans) {
  EXPECT_FALSE(growth_interval(std::vector{3.0}, std::vector{1.0}, 1));
  const auto [low, high] = *growth_interval(std::vector{3.0, 6.0}, std::vector{2.0, 2.0}, 1);
  EXPECT_DOUBLE_EQ(low, 0.5);  // the first window twice
  EXPECT_DOUBLE_EQ(high, 2);
  EXPECT_DOUBLE_EQ(relative_growth(std::vector{3.0, 6.0}, std::vector{1.0, 5.0}), 0.5);
}

/// Three tokens on a line and one beside it, worked out by hand.
TEST(HeadErrors, AreTheirDefinitions) {
  Head head;
  head.x = (Rows(4, 2) << 3, 0, 1, 0, 0, 2, -2, 0).finished();
  head.pattern = Rows(Eigen::RowVector4d(0.1, 0.4, 0.2, 0.3).replicate(4, 1));
  head.temperature = head.pattern_temperature = 1;
  const std::vector<std::int64_t> counts{1, 2};
  const auto errors = head_errors(head, counts);
  ASSERT_EQ(errors.size(), 2U);
  // o = (0.3 + 0.4 - 0.6, 0.4) = (0.1, 0.4); of N = 2: I = {1, 3}, s = (-0.2, 0), e = (0.3, 0.4).
  const double unit = std::hypot(0.1, 0.4);
  const report::SetSizeError& two = errors[1];
  EXPECT_NEAR(two.kept, 0.7, 1e-14);
  EXPECT_NEAR(two.deleted, 0.5 / unit, 1e-14);
  EXPECT_NEAR(two.deleted_bound, 0.7 / unit, 1e-14);
  EXPECT_NEAR(two.mass_bound, 0.3 * 3 / unit, 1e-14);
  EXPECT_NEAR(two.renormalized, std::hypot(0.1 + 0.2 / 0.7, 0.4) / unit, 1e-14);
  EXPECT_NEAR(two.renormalized_bound, 0.3 * 5 / unit, 1e-14);
  // D of tokens 1, 3: ||(0.6, 0)||, ||(-0.4, 0)||; of 0, 2: ||(0.5, 0)||, ||(0.2, 0.4)||.
  EXPECT_NEAR(two.precision, 2.0 / 4, 1e-15);
  EXPECT_NEAR(two.recall, 0.5, 1e-15);
  EXPECT_NEAR(two.share, 0.5, 1e-15);
  EXPECT_NEAR(two.f_score, 0.5, 1e-15);
  EXPECT_NEAR(errors[0].kept, 0.4, 1e-14);
  EXPECT_NEAR(errors[0].renormalized_bound, 0.6 * 3 / unit, 1e-14);
}

TEST(HeadErrors, StayWithinTheirBoundsOnAModel) {
  const std::int64_t counts[] = {1, 2, 4, 8};
  const Config config = small_config();
  const LayerwiseWeights weights = layerwise(lively_weights(config, at::kDouble));
  const auto run = model_run({.sha256 = {}, .config = config, .weights = weights}, {}, kIds);
  for (const report::SetSizeError& error : mean_head_errors(*run, counts)) {
    EXPECT_LE(error.deleted, error.deleted_bound);
    EXPECT_LE(error.deleted_bound, error.mass_bound * (1 + 1e-12));
    EXPECT_LE(error.renormalized, error.renormalized_bound * (1 + 1e-12));
    EXPECT_GT(error.deleted, 0);
    EXPECT_GT(error.kept, 0);
    EXPECT_LT(error.kept, 1);
  }
}

/// The model and the text that the project ships.
const Checkpoint& embedded_model() {
  static const Checkpoint model = load_checkpoint(fs::path(ATTN_TINY) / "model", at::kFloat);
  return model;
}

std::vector<at::Tensor> embedded_windows(std::int64_t length, std::size_t count) {
  const auto tokens = Tokenizer::load(fs::path(ATTN_TINY) / "model")
                          .encode(read_file(fs::path(ATTN_TINY) / "sample.txt"));
  std::vector<at::Tensor> windows = at::tensor(tokens, at::kLong).split(length);
  windows.resize(count);
  return windows;
}

TEST(EmbeddedSetSizes, LoseMoreAtRandomThanByWeightByMoreThanTheInterval) {
  const std::vector<at::Tensor> windows = embedded_windows(256, 4);
  const Checkpoint& model = embedded_model();
  Losses losses(model.config, model.weights, windows, {256, 255}, [] {});
  const std::vector<double> whole = losses.whole(255);
  for (const std::int64_t n : {8, 32}) {
    const std::vector<double> by_weight = losses.kept({.ranking = Ranking::weight}, n, 255).means;
    const std::vector<double> at_random =
        losses.kept({.ranking = Ranking::random, .orders = 2, .seed = 1}, n, 255).means;
    EXPECT_GT(growth_interval(at_random, whole, 1)->first,
              growth_interval(by_weight, whole, 1)->second)
        << n;
  }
}

TEST(EmbeddedSetSizes, OfOneTextHaveNoIntervals) {
  const Checkpoint& model = embedded_model();
  const report::SetSizes sizes = measure_set_sizes(
      model.config, model.weights, embedded_windows(16, 1),
      {.lengths = {16}, .targets = 8, .orders = 1, .seed = 1}, [](std::uint64_t, std::uint64_t) {});
  ASSERT_FALSE(sizes.curves.empty());
  for (const report::SetSizeCurve& curve : sizes.curves) {
    ASSERT_FALSE(curve.losses.empty());
    for (const report::SetSizeLoss& loss : curve.losses) {
      EXPECT_FALSE(loss.low);
      EXPECT_FALSE(loss.high);
    }
  }
}

TEST(EmbeddedSetSizes, AreComplete) {
  const Checkpoint& model = embedded_model();
  const report::SetSizes sizes = measure_set_sizes(
      model.config, model.weights, embedded_windows(32, 2),
      {.lengths = {16, 32}, .targets = 8, .orders = 2, .seed = 1},
      [](std::uint64_t done, std::uint64_t at_most) { EXPECT_LE(done, at_most); });
  EXPECT_EQ(sizes.windows, 2U);
  EXPECT_EQ(sizes.curves.size(), 6U);  // two lengths by weight, four rankings of all tokens
  EXPECT_EQ(sizes.errors.size(), 5U);  // N = 1, 2, ..., 16
  for (const report::SetSizeCurve& curve : sizes.curves) {
    EXPECT_EQ(curve.losses.back().n, curve.length);
    EXPECT_EQ(curve.losses.back().relative, 0);
    ASSERT_EQ(curve.needs.size(), 3U);
    for (const report::SetSizeNeed& need : curve.needs) {
      const auto at = std::ranges::find(curve.losses, need.n, &report::SetSizeLoss::n);
      ASSERT_NE(at, curve.losses.end());
      EXPECT_LE(at->relative, need.tolerance);
      for (const report::SetSizeLoss& loss : curve.losses) {
        if (curve.ranking == "random" || loss.n >= need.n) continue;
        EXPECT_TRUE(loss.relative > need.tolerance || loss.n < need.n - 3) << loss.n;
      }
    }
    // Both lengths are powers of two, and so is what is tested without bisection.
    const auto is_power = [](const report::SetSizeLoss& loss) {
      return std::has_single_bit(static_cast<std::uint64_t>(loss.n));
    };
    EXPECT_EQ(std::ranges::all_of(curve.losses, is_power), curve.ranking == "random");
    for (const report::SetSizeLoss& loss : curve.losses) {
      EXPECT_LE(*loss.low, loss.relative);
      EXPECT_GE(*loss.high, loss.relative);
    }
    EXPECT_GE(curve.needs[0].n, curve.needs[2].n);
  }
}

/// 4 and 5 orders about 0.07, whose nearest tolerance, 0.05, is 0.02 away.
TEST(Orders, AreEnoughWhereTheirErrorIsAQuarterOfTheDistance) {
  // Standard errors sqrt(4 e^2 / 3 / 4) = e / sqrt(3).
  const auto four = [](double e) { return std::vector{0.07 - e, 0.07 + e, 0.07 - e, 0.07 + e}; };
  const double edge = 0.005 * std::sqrt(3.0);
  EXPECT_NEAR(standard_error(four(edge)), 0.005, 1e-15);
  EXPECT_TRUE(are_enough_orders(four(edge * 0.999)));
  EXPECT_FALSE(are_enough_orders(four(edge * 1.001)));
  EXPECT_FALSE(are_enough_orders(std::vector{0.07, 0.07, 0.07})) << "fewer than four";
  EXPECT_TRUE(are_enough_orders(std::vector{0.9, 0.91, 0.92, 0.93, 0.94}));
  EXPECT_FALSE(are_enough_orders(std::vector{0.009, 0.011, 0.009, 0.011}));
  EXPECT_FALSE(are_enough_orders(std::vector(16, std::nan(""))));
}

/// Means of orders about a tolerance at distances of a part of their spread to many times it: N* is
/// judged as by 16 orders, and the standard error is no less than it says.
TEST(Orders, JudgeAsAllOfThemWould) {
  constexpr int kRuns = 4000;
  constexpr std::size_t kMost = 16;
  std::mt19937_64 random(1);
  std::uint64_t all_drawn = 0;
  for (const double distance : {0.25, 0.5, 1.0, 1.5, 2.0, 4.0, 8.0}) {
    const double spread = 0.01 / distance;
    std::normal_distribution<double> growth(0.11, spread);
    double squares = 0, errors = 0;
    int otherwise = 0;
    for (int run = 0; run < kRuns; ++run) {
      std::vector<double> growths(kMost);
      std::ranges::generate(growths, [&] { return growth(random); });
      std::size_t drawn = 1;
      while (drawn < kMost && !are_enough_orders(std::span(growths).first(drawn))) ++drawn;
      const double mean = report::mean_of(std::span(growths).first(drawn));
      otherwise += (mean > 0.1) != (report::mean_of(growths) > 0.1) ? 1 : 0;
      squares += (mean - 0.11) * (mean - 0.11);
      errors += standard_error(std::span(growths).first(drawn));
      all_drawn += drawn;
    }
    EXPECT_LE(otherwise, kRuns / 100) << distance;
    EXPECT_LE(std::sqrt(squares / kRuns), 1.4 * errors / kRuns) << distance;
  }
  EXPECT_LE(all_drawn, 7U * kRuns * 9);  // nine of 16 on the average of these distances
}

TEST(Orders, AreDrawnUntilTheyAreEnough) {
  const Checkpoint& model = embedded_model();
  const std::vector<at::Tensor> windows = embedded_windows(32, 1);
  std::uint64_t passes = 0;
  Losses losses(model.config, model.weights, windows, {32, 31}, [&] { ++passes; });
  const LossWay way{.ranking = Ranking::random, .orders = 12, .seed = 5};
  std::set<std::uint64_t> found;
  std::uint64_t expected = 1;  // where all tokens are kept
  for (std::int64_t n = 1; n < 32; ++n) {
    const KeptLosses kept = losses.kept(way, n, 31);
    expected += kept.orders;
    EXPECT_EQ(passes, expected);
    found.insert(kept.orders);
    std::vector<double> growths;
    for (std::uint64_t order = 0; order < way.orders; ++order) {
      const LossWay one{.ranking = Ranking::random, .seed = way.seed + order};
      const KeptLosses of_order = losses.kept(one, n, 31);
      EXPECT_FALSE(of_order.standard_error);
      EXPECT_EQ(of_order.orders, 1U);
      growths.push_back(relative_growth(of_order.means, losses.whole(31)));
      const bool stops = growths.size() == way.orders || are_enough_orders(growths);
      if (growths.size() == kept.orders) break;
      EXPECT_FALSE(stops) << n;
    }
    EXPECT_TRUE(growths.size() == way.orders || are_enough_orders(growths)) << n;
    EXPECT_NEAR(relative_growth(kept.means, losses.whole(31)), report::mean_of(growths), 1e-14);
    EXPECT_DOUBLE_EQ(*kept.standard_error, standard_error(growths));
  }
  EXPECT_TRUE(found.contains(4)) << "some are settled at once";
  EXPECT_GT(found.size(), 2U) << "and others are not";
  EXPECT_EQ(losses.kept(way, 32, 31).orders, 1U);
}

TEST(Orders, OfAModelThatOverflowsHaveNoStandardError) {
  const Config config = small_config();
  Weights weights = lively_weights(config);
  weights.ln_f_bias = at::full_like(weights.ln_f_bias, std::numeric_limits<float>::infinity());
  const std::vector<at::Tensor> windows{ids()};
  Losses losses(config, weights, windows, {kLength, 3}, [] {});
  const KeptLosses kept = losses.kept({.ranking = Ranking::random, .orders = 5}, 2, 3);
  EXPECT_TRUE(std::isnan(kept.means.front()));
  EXPECT_EQ(kept.orders, 5U);
  EXPECT_FALSE(kept.standard_error);
}

/// A mean of growths, each weighed by its window's loss, however often a window is drawn.
TEST(GrowthInterval, LiesWithinTheGrowthsOfTheWindows) {
  const std::vector<double> whole{2, 3, 5, 4};
  const std::vector<double> kept{2.2, 3.9, 5.1, 4.4};  // by 10, 30, 2 and 10 %
  const auto [low, high] = *growth_interval(kept, whole, 3);
  EXPECT_GT(low, 0.02);
  EXPECT_LT(high, 0.3);
  EXPECT_LT(low, relative_growth(kept, whole));
  EXPECT_GT(high, relative_growth(kept, whole));
  EXPECT_EQ(growth_interval(kept, whole, 3), growth_interval(kept, whole, 3));
}

/// Written out: 2,000 times as many windows are drawn as there are, and the ends cut a fortieth of
/// the growths off on either side.
TEST(GrowthInterval, IsThatOfThePlainReplicates) {
  const std::vector<double> whole{2, 3, 5, 4, 7, 3.3, 4.7, 6.1, 2.9},
      kept{2.2, 3.9, 5.1, 4.4, 7, 3.71, 4.83, 6.59, 3.13};
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    std::mt19937_64 random(seed);
    std::vector<double> growths;
    for (int replicate = 0; replicate < 2000; ++replicate) {
      double sum = 0, of_whole = 0;
      for (std::size_t w = 0; w < whole.size(); ++w) {
        const std::size_t drawn = below(random, whole.size());
        sum += kept[drawn];
        of_whole += whole[drawn];
      }
      growths.push_back(sum / of_whole - 1);
    }
    std::ranges::sort(growths);
    // Ranks 0.025 * 1999 = 49.975 and 0.975 * 1999 = 1949.025, between two growths each.
    const double low = growths[49] + 0.975 * (growths[50] - growths[49]);
    const double high = growths[1949] + 0.025 * (growths[1950] - growths[1949]);
    const auto found = growth_interval(kept, whole, seed);
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->first, low, 1e-14);
    EXPECT_NEAR(found->second, high, 1e-14);
    EXPECT_LT(growths[51], growths[60]) << "else no rank is told from others";
    EXPECT_LT(growths[1940], growths[1949]);
  }
}

/// A head without output, whose error is no share of it, counts for nothing.
TEST(MeanHeadErrors, AreOverTheHeadsThatHaveOutput) {
  constexpr std::int64_t kTokens = 6;
  const std::vector<std::int64_t> counts{1, 3};
  const auto rows = [](std::uint64_t seed) {
    at::Generator generator = at::detail::createCPUGenerator(seed);
    return at::randn({kTokens, 3, 2}, generator, at::kDouble);
  };
  LayersSource source;
  source.layers.push_back(
      {.layer = 0, .temperature = 1.5, .q = rows(1), .k = rows(2), .v = rows(3), .pattern = {}});
  LayerRows& layer = source.layers.front();
  const auto of_head = [&](std::int64_t head) {
    return head_errors(head_of(layer, head, layer.temperature), counts);
  };
  const auto expect_means = [&](const std::vector<std::int64_t>& heads) {
    const auto found = mean_head_errors(source, counts);
    ASSERT_EQ(found.size(), counts.size());
    for (std::size_t c = 0; c < counts.size(); ++c) {
      EXPECT_EQ(found[c].n, static_cast<double>(counts[c]));
      report::for_each_field<report::SetSizeError>([&](const auto& field) {
        if (field.name == "n") return;
        double sum = 0;
        for (const std::int64_t head : heads) sum += of_head(head)[c].*field.member;
        EXPECT_NEAR(found[c].*field.member, sum / static_cast<double>(heads.size()), 1e-12)
            << field.name;
      });
    }
  };
  expect_means({0, 1, 2});
  layer.v.select(1, 1).zero_();
  EXPECT_TRUE(of_head(1).empty());
  expect_means({0, 2});
}

/// The shorter context ends where the longer one does, and is judged by the same tokens.
TEST(Losses, AreOfNestedContexts) {
  const Config config = small_config();
  const Weights weights = lively_weights(config, at::kDouble);
  const std::vector<at::Tensor> windows{ids()};
  for (const std::int64_t length : {6L, kLength}) {
    Losses losses(config, weights, windows, {length, 3}, [] {});
    const at::Tensor context = ids().slice(0, kLength - length);
    const auto of_context = token_losses(forward(config, weights, context), context);
    const double sum = std::accumulate(of_context.end() - 3, of_context.end(), 0.0);
    EXPECT_DOUBLE_EQ(losses.whole(3).front(), sum / 3);
  }
}

/// N = 1, 2, 4, ..., 512 and all 1,024 tokens.
TEST(Losses, OfElevenValuesOfNCostElevenPasses) {
  Config config = small_config();
  config.positions = 1024;
  const Weights weights = lively_weights(config);
  const std::vector<at::Tensor> windows{at::arange(1024, at::kLong).remainder(config.vocabulary)};
  std::uint64_t passes = 0;
  Losses losses(config, weights, windows, {1024, 128}, [&] { ++passes; });
  for (int again = 0; again < 2; ++again) {
    losses.whole(128);
    for (std::int64_t n = 1; n <= 1024; n *= 2) losses.kept({.ranking = Ranking::weight}, n, 128);
    EXPECT_EQ(passes, 11U);
  }
}

class RecordedSetSizes : public test::WithFolder {
 protected:
  [[nodiscard]] std::filesystem::path recording(
      const std::map<std::string, std::string>& metadata) const {
    const std::filesystem::path file = folder / "recording.safetensors";
    safetensors::write(file, {{"x", at::zeros({1})}}, metadata);
    return file;
  }
};

TEST_F(RecordedSetSizes, AreWhatTheRecorderWrote) {
  EXPECT_FALSE(recorded_set_sizes(recording({})));
  const auto found = recorded_set_sizes(
      recording({{"set_sizes",
                  R"({"windows": 1, "errors": [], "curves": [{"length": 16, "targets": 15,
            "ranking": "random with its own token", "renormalized": false, "orders": 4,
            "loss": 2.5, "losses": [{"n": 1, "relative": 0.25}, {"n": 16, "relative": 0}],
            "needs": [{"tolerance": 0.05, "n": 16}]}]})"}}));
  ASSERT_TRUE(found);
  ASSERT_EQ(found->curves.size(), 1U);
  EXPECT_EQ(found->curves[0].ranking, "random with its own token");
  EXPECT_EQ(found->curves[0].losses[0].relative, 0.25);
  EXPECT_EQ(found->curves[0].needs[0].n, 16);
}

TEST_F(RecordedSetSizes, AreRefusedWithTheirPlace) {
  for (const std::string text : {"[", "{}", "[1]", R"({"windows": 0, "errors": [], "curves": []})",
                                 R"({"windows": 1, "errors": [], "curves": [{"length": "x"}]})"}) {
    EXPECT_THAT(
        [&] {
          recorded_set_sizes(recording({{"set_sizes", text}}));
        },
        ::testing::ThrowsMessage<BadInput>(::testing::HasSubstr("metadata 'set_sizes'")))
        << text;
  }
}

/// A curve takes a pass for each N tested, but what another curve had: the passes of one length
/// share it.
TEST(EmbeddedSetSizes, CostAPassForEachNTested) {
  constexpr std::uint64_t kOrders = 2;
  const Checkpoint& model = embedded_model();
  std::uint64_t passes = 0;
  const report::SetSizes sizes =
      measure_set_sizes(model.config, model.weights, embedded_windows(32, 1),
                        {.lengths = {16, 32}, .targets = 8, .orders = kOrders, .seed = 1},
                        [&](std::uint64_t done, std::uint64_t) { passes = done; });
  std::set<std::tuple<double, std::string, bool, double>> tested;
  for (const report::SetSizeCurve& curve : sizes.curves) {
    for (const report::SetSizeLoss& loss : curve.losses) {
      EXPECT_FALSE(loss.low || loss.high);  // of one text
      if (loss.n == curve.length) continue;
      tested.emplace(curve.length, curve.ranking, curve.renormalized, loss.n);
    }
  }
  std::uint64_t expected = 2;  // where all tokens are kept
  for (const auto& one : tested) expected += std::get<1>(one) == "random" ? kOrders : 1;
  EXPECT_EQ(passes, expected);
}

}  // namespace
}  // namespace attn::gpt2
