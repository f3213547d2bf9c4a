#include "gpt2_check/experiments/critical_n.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "gpt2_check/experiments/figures.hpp"
#include "gpt2_check/experiments/statistics.hpp"
#include "gpt2_check/experiments/tests/plain_experiments.hpp"
#include "reports/judge/statements.hpp"

namespace attn::gpt2 {
namespace {

struct Sample {
  std::vector<double> weights;
  std::vector<std::size_t> order;  ///< by decreasing weight
  Rows x;
};

Sample draw(std::mt19937_64& engine, std::size_t tokens, Eigen::Index width) {
  std::normal_distribution<double> normal;
  Sample sample;
  for (std::size_t i = 0; i < tokens; ++i) sample.weights.push_back(std::exp(2 * normal(engine)));
  const double sum = std::accumulate(sample.weights.begin(), sample.weights.end(), 0.0);
  for (double& weight : sample.weights) weight /= sum;
  sample.order = plain::top(sample.weights, tokens);
  sample.x = Rows::NullaryExpr(static_cast<Eigen::Index>(tokens) + 2, width,
                               [&] { return normal(engine); });
  return sample;
}

/// The definitions, token by token.
void expect_definitions(const Sample& sample, double tolerance) {
  const std::size_t tokens = sample.weights.size();
  const RowSweep sweep = sweep_row({&sample.weights, 1}, sample.order, sample.x).front();
  ASSERT_EQ(sweep.distance.size(), tokens - 1);
  ASSERT_EQ(sweep.expected_factor.size(), tokens - 1);
  const Rows y = plain::outputs({.x = sample.x}, sample.weights);
  for (std::size_t n = 1; n < tokens; ++n) {
    const plain::Set set(sample.order.begin(),
                         sample.order.begin() + static_cast<std::ptrdiff_t>(n));
    const double factor = static_cast<double>(n) / static_cast<double>(tokens - 1);
    const auto expect_near = [&](double found, double expected) {
      EXPECT_NEAR(found, expected, tolerance * expected) << "N = " << n << " of " << tokens;
    };
    expect_near(sweep.distance[n - 1], plain::distance(y, set));
    expect_near(sweep.expected_full(n - 1), plain::expected_distance(y, n, 1));
    expect_near(sweep.expected_factor[n - 1], plain::expected_distance(y, n, factor));
  }
}

/// In any order, and of more tokens than one block of sums.
TEST(RowSweep, FollowsTheDefinitions) {
  std::mt19937_64 engine(3);
  for (const std::size_t tokens : {2U, 3U, 7U, 20U, 150U}) {
    Sample sample = draw(engine, tokens, 5);
    expect_definitions(sample, 1e-11);
    std::ranges::shuffle(sample.order, engine);
    expect_definitions(sample, 1e-11);
    if (tokens <= 20)
      expect_definitions(draw(engine, tokens, 1), 1e-7);  // on a line tokens come near s
  }
}

TEST(RowSweep, NaNGivesNaN) {
  std::mt19937_64 engine(9);
  Sample sample = draw(engine, 6, 3);
  sample.x(static_cast<Eigen::Index>(sample.order.back()), 1) = std::nan("");
  const RowSweep sweep = sweep_row({&sample.weights, 1}, sample.order, sample.x).front();
  EXPECT_TRUE(std::isnan(sweep.distance.front()));
  EXPECT_TRUE(std::isnan(sweep.distance.back()));
  EXPECT_TRUE(std::isnan(sweep.expected_full(0)));
  EXPECT_TRUE(std::isnan(sweep.expected_factor.front()));
}

/// Critical N of 20 heads whose distances are at N = 1 far apart, at N = 2 half apart, at N = 3
/// interleaved.
std::optional<CriticalN> critical_n_of(std::size_t entries, double level) {
  constexpr std::size_t kHeads = 20;
  std::vector<RowSweep> sweeps;
  std::vector<const RowSweep*> heads;
  for (std::size_t head = 0; head < kHeads; ++head) {
    const auto at = static_cast<double>(head);
    RowSweep sweep{.distance = {at, at, at}, .expected_factor = {at + 100, at + 10, at + 0.5}};
    sweep.distance.resize(entries);
    sweeps.push_back(std::move(sweep));
  }
  for (const RowSweep& sweep : sweeps) heads.push_back(&sweep);
  return critical_n(heads, report::Reading::factor, least_rejected(kHeads, level));
}

TEST(CriticalN, IsTheFirstNotRejected) {
  const auto found = critical_n_of(3, 0.02);
  EXPECT_EQ(found->n, 3);
  EXPECT_EQ(found->steps, 1);
  EXPECT_LT(ks_exact_p(20, 20, 200), 0.02);  // at N = 2
  const auto lower = critical_n_of(3, 0.01);
  EXPECT_EQ(lower->n, 2);
  EXPECT_EQ(lower->steps, 10);
}

TEST(CriticalN, MayNotExist) {
  const auto none = critical_n_of(2, 0.02);
  EXPECT_EQ(none->n, std::nullopt);
  EXPECT_EQ(none->steps, 10);
}

/// No test tells these heads apart, so that the first N would do.
TEST(CriticalN, IsOfNoHeadsOneOfWhichHasNoNumber) {
  constexpr std::size_t kHeads = 20;
  const auto found = [](const auto& change, report::Reading reading) {
    std::vector<RowSweep> sweeps(kHeads);
    for (std::size_t head = 0; head < kHeads; ++head) {
      const auto at = static_cast<double>(head);
      sweeps[head] = {.distance = {at, at}, .expected_factor = {at, at}, .means_full = 1.5 * at};
      if (head == 7) change(sweeps[head]);
    }
    std::vector<const RowSweep*> heads;
    for (const RowSweep& sweep : sweeps) heads.push_back(&sweep);
    return critical_n(heads, reading, least_rejected(kHeads, 0.01));
  };
  const double nan = std::nan("");
  using enum report::Reading;
  for (const report::Reading reading : {full, factor}) {
    EXPECT_EQ(found([](RowSweep&) {}, reading).value().n, 1);
    EXPECT_FALSE(found([&](RowSweep& sweep) { sweep.distance.front() = nan; }, reading));
    // A number that is not asked for is not missed.
    EXPECT_EQ(found([&](RowSweep& sweep) { sweep.distance.back() = nan; }, reading).value().n, 1);
  }
  const auto no_mean = [&](RowSweep& sweep) { sweep.means_full = nan; };
  const auto no_factor = [&](RowSweep& sweep) { sweep.expected_factor.front() = nan; };
  EXPECT_FALSE(found(no_mean, full));
  EXPECT_EQ(found(no_mean, factor).value().n, 1);
  EXPECT_FALSE(found(no_factor, factor));
  EXPECT_EQ(found(no_factor, full).value().n, 1);
}

/// Resamples of heads that all say the same say it too; where heads differ they lie about it.
TEST(CriticalN, IsResampledOverTheHeads) {
  constexpr std::size_t kHeads = 30;
  const auto resampled = [](double spread) {
    std::vector<RowSweep> sweeps;
    for (std::size_t h = 0; h < kHeads; ++h) {
      const double at = spread * static_cast<double>(h);
      RowSweep sweep{.distance = {}, .expected_factor = {}};
      for (double n = 1; n <= 40; ++n) {
        sweep.distance.push_back(at);
        sweep.expected_mean.push_back(at + 20 - n);
      }
      sweeps.push_back(std::move(sweep));
    }
    std::vector<const RowSweep*> heads;
    for (const RowSweep& sweep : sweeps) heads.push_back(&sweep);
    const auto rejected = least_rejected(kHeads, kCriticalLevels[0]);
    std::vector<double> all = resampled_critical_n(heads, report::Reading::mean, rejected);
    all.push_back(*critical_n(heads, report::Reading::mean, rejected)->n);
    return all;
  };
  for (const double n : resampled(0)) EXPECT_EQ(n, 20);
  const std::vector<double> spread = resampled(1);
  EXPECT_EQ(spread.size(), kResamples + 1);
  const auto interval = percentile_interval({spread.begin(), spread.end() - 1});
  EXPECT_LT(interval.low, interval.high);
  EXPECT_EQ(spread, resampled(1)) << "the same heads are drawn again";
}

TEST(CriticalN, IsNoneInAResampleThatRejectsEverywhere) {
  std::vector<RowSweep> sweeps(6);
  std::vector<const RowSweep*> heads;
  for (RowSweep& sweep : sweeps) {
    sweep.distance = {0, 0};
    sweep.expected_mean = {1, 2};
    heads.push_back(&sweep);
  }
  const auto rejected = least_rejected(heads.size(), kCriticalLevels[0]);
  for (const double n : resampled_critical_n(heads, report::Reading::mean, rejected)) {
    EXPECT_TRUE(std::isinf(n));
  }
}

TEST(CriticalN, HasNoTestOfFourHeadsThatRejects) {
  const auto p_of_apart = [](std::size_t heads) {
    return ks_exact_p(heads, heads, static_cast<std::int64_t>(heads * heads));
  };
  EXPECT_GE(p_of_apart(report::kMostHeadsNeverApart), kCriticalLevels[0]);
  EXPECT_LT(p_of_apart(report::kMostHeadsNeverApart + 1), kCriticalLevels[0]);
}

}  // namespace
}  // namespace attn::gpt2
