// Sampled expectations: the interval holds the exact value where that is known, is narrow enough to
// be of use, and is the same each time.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <numeric>
#include <tuple>
#include <vector>

#include "theory/attention/random_set.hpp"
#include "theory/attention/sampled_distance.hpp"
#include "theory/attention/sampled_share.hpp"
#include "theory/base/random.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/decide.hpp"
#include "theory/tests/support.hpp"

namespace attn {
namespace {

Case sphere(std::vector<Rational> weights, std::size_t n, const Rational& r, std::size_t d) {
  return {.kind = InputKind::sphere_embeddings,
          .weights = std::move(weights),
          .top_n = n,
          .sphere_radius = Rational(3, 2),
          .r = r,
          .delta = 0,
          .dimension = d};
}

TEST(SampledShare, HoldsTheExactShareWhereThatIsKnown) {
  test::Random random;
  for (int trial = 0; trial < 40; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    const std::size_t tokens = 4 + random.below(5);
    const std::vector<Rational> weights = random.weights(tokens);
    const std::size_t n = 3 + random.below(tokens - 3);
    // On the line a sum can be exactly r, of which no draw tells: this r is no such sum.
    const Rational r = Rational(random.between(1, 20), 20) + Rational(1, 104'729);
    const Case input = sphere(weights, n, r, trial % 2 == 0 ? 1 : 3);
    const CaseContext context(input);
    const Rational& exact_share = context.expected_share();
    const ConfidenceInterval& sampled = context.sampled_share();
    std::size_t looks = 0;
    do {
      ++looks;
      EXPECT_LE(exact(sampled.lower), exact_share);
      EXPECT_GE(exact(sampled.upper), exact_share);
    } while (context.draw_more());
    EXPECT_EQ(kFirstDraws << (looks - 1), kMostDraws);
    EXPECT_LT(sampled.upper - sampled.lower, 0.17);
  }
}

/// A step of 31/20 and those of 16/20 and 15/20 back on a line end in 0, and in doubles 1e-8 from
/// it. They are drawn where the token of 0 is left out, with two of eight signs.
TEST(SampledShare, DoesNotDecideByRounding) {
  std::vector<ErrorDouble> radii;
  for (const int twentieths : {31, 16, 15, 0}) {
    radii.push_back(from<ErrorDouble>(Rational(twentieths, 20)));
  }
  SampledShare share(radii, ErrorDouble(0.0), 1);
  while (share.draw_more()) continue;
  EXPECT_EQ(share.interval().lower, 0);
  EXPECT_GT(share.interval().upper, 0.14) << "as far as where nothing is rounded";
}

/// Nine steps of 1/10 to and fro on a line: whether three tenths, or seven, are within about as
/// much depends on what is not known of the steps, or of that.
TEST(SampledShare, DoesNotDecideByMiddles) {
  for (const double of_step : {0.0, 0.01}) {
    for (const auto& [r, within, at_most] :
         {std::tuple{0.295, 252, 420}, {0.305, 252, 420}, {0.695, 492, 510}, {0.705, 492, 510}}) {
      const std::vector<ErrorDouble> radii(10, ErrorDouble(0.1, of_step));
      SampledShare share(radii, ErrorDouble(r, 0.01 - of_step), 1);
      while (share.draw_more()) continue;
      EXPECT_LT(share.interval().lower, within / 512.0) << r;
      EXPECT_GT(share.interval().upper, at_most / 512.0) << r;
    }
  }
}

TEST(SampledShare, KnowsNothingOfStepsWhoseSquaresOverflow) {
  SampledShare share({ErrorDouble(1.0), ErrorDouble(1.0), ErrorDouble(1e200)}, ErrorDouble(2e200),
                     3);
  while (share.draw_more()) continue;
  EXPECT_EQ(share.interval().lower, 0);
  EXPECT_EQ(share.interval().upper, 1);
}

/// Two of three tokens of length 1 are left, at an angle of cosine c, and ||u + v||^2 = 2 + 2c is
/// at most r^2 with the probability that (1 + c)/2 <= r^2/4: it has the distribution Beta((d-1)/2,
/// (d-1)/2).
TEST(SampledShare, DrawsDirectionsUniformlyInAnyDimension) {
  for (const std::size_t d : {2U, 3U, 4U, 5U, 8U, 64U, 1000U}) {
    for (const double r : {0.5, 1.0, 1.25, 1.5, 1.75}) {
      SCOPED_TRACE(testing::Message() << "d " << d << ", r " << r);
      SampledShare share(std::vector<ErrorDouble>(3, ErrorDouble(1.0)), ErrorDouble(r), d);
      while (share.draw_more()) continue;
      const double half = static_cast<double>(d - 1) / 2;
      const double known = boost::math::ibeta(half, half, r * r / 4);
      EXPECT_LE(share.interval().lower, known);
      EXPECT_GE(share.interval().upper, known);
      EXPECT_LT(share.interval().upper - share.interval().lower, 0.18);
    }
  }
}

/// Nearly no sum of 23 steps in 64 dimensions is on the other side of these r: what moments say of
/// that, hardly a hundredth, is known, and a few draws show that it is less.
TEST(SampledShare, TellsABoundByMomentsFromWhatItBounds) {
  const std::vector<Rational> flat(32, Rational(1, 32));
  const Case wide = sphere(flat, 24, Rational(3, 8), 64),
             narrow = sphere(flat, 24, Rational(1, 16), 64);
  const CaseContext within(wide), beyond(narrow);
  const Decision most = decide(find_claim("theorem2.lower.sharp"), within);
  const Decision least = decide(find_claim("theorem2.upper.repaired"), beyond);
  EXPECT_TRUE(most.sampled && most.verdict == Verdict::holds);
  EXPECT_TRUE(least.sampled && least.verdict == Verdict::holds);
  for (const CaseContext* const context : {&within, &beyond}) {
    std::size_t doublings = 0;
    while (context->draw_more()) ++doublings;
    EXPECT_GE(doublings, 4U);
  }
  EXPECT_LT(1 - within.sampled_share().lower, 0.2 * (1 - most.lhs));
  EXPECT_LT(beyond.sampled_share().upper, 0.2 * least.rhs);
}

TEST(SampledShare, DecidesAClaimBeyondTheExactDimensions) {
  const std::vector<Rational> flat(8, Rational(1, 8));
  const Case input = sphere(flat, 7, Rational(1), 8);
  for (const char* id : {"theorem2.lower", "theorem2.lower.sharp", "theorem2.upper.repaired"}) {
    const Decision decision = decide(find_claim(id), input);
    EXPECT_TRUE(decision.sampled) << id;
    EXPECT_NE(decision.verdict, Verdict::violated) << id;
  }
  EXPECT_FALSE(decide(find_claim("theorem2.lower"), sphere(flat, 7, Rational(1), 3)).sampled);
  // One other token, or a radius beyond all: no direction matters.
  EXPECT_FALSE(decide(find_claim("theorem2.lower"), sphere(flat, 2, Rational(1), 8)).sampled);
  EXPECT_FALSE(decide(find_claim("theorem2.lower"), sphere(flat, 7, Rational(9), 8)).sampled);
}

/// A bound that may exceed the mean with the probability 1/20 does so no more often by five
/// standard deviations: also where it is what is seldom drawn that the mean depends on.
TEST(NonNegativeDraws, ExceedTheMeanAsSeldomAsTheyMay) {
  constexpr double kMiss = 0.05, kTrials = 1000;
  test::Random random;
  for (const auto& [usual, other, one_in] :
       {std::tuple{0.0, 1.0, 10U}, std::tuple{0.0, 1.0, 100U}, std::tuple{0.5, 0.0, 50U}}) {
    const double mean = usual + (other - usual) / one_in;
    double above = 0, sum = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
      NonNegativeDraws draws(kMiss);
      for (int i = 0; i < 256; ++i) draws.add(random.below(one_in) == 0 ? other : usual);
      above += draws.least_mean() > mean ? 1 : 0;
      sum += draws.least_mean();
    }
    EXPECT_LE(above, kTrials * kMiss + 5 * std::sqrt(kTrials * kMiss * (1 - kMiss)));
    EXPECT_GT(sum / kTrials, mean / 25) << one_in;
  }
}

TEST(NonNegativeDraws, SayMoreTheMoreTheyAre) {
  NonNegativeDraws draws(1e-9);
  double least = 0;
  for (std::size_t drawn = 0, looks = kFirstDraws; looks <= kMostDraws; looks *= 2) {
    for (; drawn < looks; ++drawn) draws.add(drawn % 2 == 0 ? 0.1 : 0.12);
    EXPECT_GT(draws.least_mean(), least);
    least = draws.least_mean();
  }
  EXPECT_TRUE(least > 0.1085 && least < 0.11) << least;
}

/// A bet that knew the value it is placed on would stay small where that is an outlier.
TEST(NonNegativeDraws, BetBeforeTheyDraw) {
  double least = 0;
  for (const double last : {0.1, 1.0, 1e2, 1e4, 1e6}) {
    NonNegativeDraws draws(1e-9);
    for (int i = 0; i < 63; ++i) draws.add(i % 2 == 0 ? 0.12 : 0.1);
    draws.add(last);
    EXPECT_GT(draws.least_mean(), least + 0.002) << last;
    least = draws.least_mean();
  }
}

TEST(NonNegativeDraws, KnowNothingOfWhatIsNotKnown) {
  for (const double value : {HUGE_VAL, -HUGE_VAL, std::nan(""), 1e299, 1e-299, 0.0, -0.1}) {
    NonNegativeDraws draws(1e-9);
    for (int i = 0; i < 1000; ++i) draws.add(value);
    EXPECT_EQ(draws.least_mean(), 0) << value;
  }
}

Case embeddings(test::Random& random, std::size_t tokens, std::size_t n, std::size_t width = 2) {
  Case input{
      .kind = InputKind::random_set_embeddings, .weights = random.weights(tokens), .top_n = n};
  input.embeddings.resize(tokens);
  for (auto& row : input.embeddings) {
    while (row.size() < width) row.push_back(random.decimal(2));
  }
  return input;
}

TEST(SampledDistance, HoldsTheExactDistanceWhereThatIsKnown) {
  test::Random random;
  for (int trial = 0; trial < 20; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    const Case input = embeddings(random, 8, 1 + random.below(7));
    const CaseContext context(input);
    const auto exact_terms = random_set_terms<Interval>(context, Moments::mean_and_variance);
    ASSERT_FALSE(context.sampled());
    const ConfidenceInterval& sampled = context.sampled_distance();
    do {
      EXPECT_LE(sampled.lower, exact_terms.expected.lower());
      EXPECT_GE(sampled.upper, exact_terms.expected.upper());
    } while (context.draw_more());
    EXPECT_LT(sampled.upper - sampled.lower, 0.05 * sampled.lower);
  }
}

TEST(SampledDistance, TellsTheMeanFromItsBounds) {
  test::Random random;
  for (const std::size_t width : {1U, 2U, 64U}) {
    for (const Rational& heaviest : {Rational(1, 40), Rational(999'999, 1'000'000)}) {
      Case input = embeddings(random, 40, 10, width);
      input.weights.assign(40, (1 - heaviest) / 39);
      input.weights.front() = heaviest;
      for (const char* id :
           {"theorem1.random.lower", "theorem1.random.sharp", "corollary2.full_set.sharp"}) {
        EXPECT_EQ(decide(find_claim(id), input).verdict, Verdict::holds) << id << ' ' << width;
      }
    }
  }
}

/// D of random sets, and three bounds on its mean, as the claims and sampled_distance.hpp state
/// them.
struct PlainSamples {
  std::size_t tokens, count;
  Eigen::MatrixXd y;  ///< [L, d]

  /// The k-th set drawn is the start of an order that goes on being shuffled.
  [[nodiscard]] std::vector<std::vector<std::size_t>> sets(std::size_t draws) const {
    std::mt19937_64 random = random_stream({tokens, count});
    std::vector<std::size_t> order(tokens);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<std::vector<std::size_t>> all(draws);
    for (auto& set : all) {
      for (std::size_t i = 0; i < count; ++i) {
        std::swap(order[i], order[i + below(random, tokens - i)]);
        set.push_back(order[i]);
      }
    }
    return all;
  }

  struct Bounds {
    double least, most_by_squares, most_by_lengths;
  };

  [[nodiscard]] Bounds bounds(std::size_t draws) const {
    const auto l = static_cast<double>(tokens), n = static_cast<double>(count);
    const double p = (l - n) / l;
    const Eigen::RowVectorXd sum = y.colwise().sum();
    std::vector<Eigen::RowVectorXd> mean;  // of y_i - s where i is outside
    std::vector<double> usual;             // the root of the mean of its square
    double least = 0, most = 0, lengths = 0;
    for (Eigen::Index i = 0; i < y.rows(); ++i) {
      const Eigen::RowVectorXd rest = sum - y.row(i), others = rest / (l - 1);
      double scatter = 0;
      for (Eigen::Index j = 0; j < y.rows(); ++j) {
        if (j != i) scatter += (y.row(j) - others).squaredNorm();
      }
      mean.push_back(y.row(i) - n * others);
      const double variance = tokens == 2 ? 0 : n * (l - 1 - n) / ((l - 1) * (l - 2)) * scatter;
      usual.push_back(std::sqrt(mean.back().squaredNorm() + variance));
      least += p * mean.back().norm();
      most += p * usual.back();
      lengths += y.row(i).norm();
    }
    constexpr double kMiss = 1e-9 / 3;
    NonNegativeDraws above_least(kMiss), below_most(kMiss), below_lengths(kMiss);
    for (const std::vector<std::size_t>& set : sets(draws)) {
      Eigen::RowVectorXd s = Eigen::RowVectorXd::Zero(y.cols());
      double of_set = 0;
      for (const std::size_t j : set) {
        s += y.row(static_cast<Eigen::Index>(j));
        of_set += y.row(static_cast<Eigen::Index>(j)).norm();
      }
      double v = 0, w = 0, c = 0;
      for (Eigen::Index i = 0; i < y.rows(); ++i) {
        const auto token = static_cast<std::size_t>(i);
        if (std::ranges::count(set, token) > 0) continue;
        const Eigen::RowVectorXd offset = y.row(i) - s;
        const double d = offset.norm(), b = usual[token];
        v += d - offset.dot(mean[token]) / mean[token].norm();
        w += (d - b) * (d - b) / (2 * b);
        c += y.row(i).norm() + of_set - d;
      }
      // What rounding leaves of 0 would be bet on.
      for (double* const drawn : {&v, &w, &c}) *drawn = *drawn < 1e-11 * lengths ? 0 : *drawn;
      above_least.add(v);
      below_most.add(w);
      below_lengths.add(c);
    }
    return {.least = least + above_least.least_mean(),
            .most_by_squares = most - below_most.least_mean(),
            .most_by_lengths = p * (n + 1) * lengths - below_lengths.least_mean()};
  }
};

/// The whole of it, from the draws on, by loops over sets and tokens: both ends to nine digits.
TEST(SampledDistance, IsThePlainTranscription) {
  test::Random random;
  int least_by_squares = 0, least_by_lengths = 0;
  for (int trial = 0; trial < 24; ++trial) {
    SCOPED_TRACE(test::replay(trial));
    const std::size_t tokens = 2 + random.below(12), count = 1 + random.below(tokens - 1);
    const std::size_t width = 1 + random.below(5);
    const bool is_uneven = trial % 3 == 0;  // one y_i beside which the others are short
    std::vector<std::vector<ErrorDouble>> rows(tokens);
    PlainSamples plain{.tokens = tokens, .count = count, .y = {}};
    plain.y.resize(static_cast<Eigen::Index>(tokens), static_cast<Eigen::Index>(width));
    for (std::size_t i = 0; i < tokens; ++i) {
      for (std::size_t k = 0; k < width; ++k) {
        const double coordinate = random.normal() * (is_uneven && i > 0 ? 1e-3 : 1);
        rows[i].emplace_back(coordinate);
        plain.y(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = coordinate;
      }
    }
    SampledDistance sampled(std::make_shared<Contributions>(rows), count);
    for (std::size_t draws = kFirstDraws; draws <= 4 * kFirstDraws; draws *= 2) {
      const auto [least, by_squares, by_lengths] = plain.bounds(draws);
      const double most = std::min(by_squares, by_lengths);
      EXPECT_NEAR(sampled.interval().lower, std::max(least, 0.0), 1e-9 * most) << draws;
      EXPECT_NEAR(sampled.interval().upper, most, 1e-9 * most) << draws;
      EXPECT_TRUE(sampled.draw_more());
      ++(by_squares < by_lengths ? least_by_squares : least_by_lengths);
    }
  }
  EXPECT_GT(least_by_squares, 5);
  EXPECT_GT(least_by_lengths, 5);
}

/// What bounds the rounding covers weights that are known to few digits only.
TEST(SampledDistance, IsAsWideAsTheErrorsOfTheContributions) {
  test::Random random;
  std::vector<std::vector<ErrorDouble>> y(12), known(12);
  for (std::size_t k = 0; k < 24; ++k) {
    known[k / 2].emplace_back(random.normal());
    y[k / 2].emplace_back(known[k / 2].back().value(), 0.01);
  }
  const SampledDistance sampled(std::make_shared<Contributions>(y), 6);
  const SampledDistance of_known(std::make_shared<Contributions>(known), 6);
  // Each D moves by up to 6 times the sum of the errors of 24 coordinates.
  EXPECT_LE(sampled.interval().lower, of_known.interval().lower - 6 * 24 * 0.01);
  EXPECT_GE(sampled.interval().upper, of_known.interval().upper + 6 * 24 * 0.01);
}

/// Where N = 1 and the y_i are one vector v, or but for one that is 0, most distances are 0, of
/// which squares leave 1e-8 ||v||. E[D] is 0, or its bound from below.
TEST(SampledDistance, KnowsNoMoreThanItsRounding) {
  test::Random random;
  for (std::vector<ErrorDouble> v; v.size() < 65;) {
    v.emplace_back(random.normal());
    std::vector y(40, v);
    const auto sampled = [&] {
      return SampledDistance(std::make_shared<Contributions>(y), 1).interval();
    };
    EXPECT_EQ(sampled().lower, 0);
    y.front().assign(v.size(), 0.0);
    EXPECT_LE(sampled().lower, 39.0 / 40 * 2 * std::sqrt(squared_norm(v).value()));
    y.front().assign(v.size(), 1e200);
    EXPECT_EQ(sampled().upper, HUGE_VAL);
  }
}

TEST(SampledDistance, StopsDrawingWhereTheVerdictIsClear) {
  test::Random random;
  const Case input = embeddings(random, 40, 10);
  const CaseContext context(input);
  EXPECT_EQ(decide(find_claim("corollary2.full_set"), context).verdict, Verdict::holds);
  const auto sides = [&] {
    return find_claim("theorem1.random.lower").evaluators->filter(context);
  };
  const double error = sides().rhs.error();
  std::size_t more = 0;
  while (context.draw_more()) ++more;
  EXPECT_EQ(kFirstDraws << more, kMostDraws) << "they double";
  EXPECT_LT(sides().rhs.error(), error / 2);  // what was made of fewer draws is made anew
}

/// In eight dimensions it is sampled whether s, of seven equal steps, is within a little more than
/// the longest: a bound of exactly 0 on a share needs no draw, nor does one of 1.
TEST(SampledShare, NeedsNoDrawForABoundThatEveryShareKeeps) {
  const std::vector<Rational> flat(8, Rational(1, 8));
  const Case far = sphere(flat, 7, Rational(3, 16), 8);
  const Case near = sphere(flat, 7, Rational(8, 8), 8);
  for (const auto& [id, input] : {std::pair<const char*, const Case*>{"theorem2.lower.sharp", &far},
                                  {"theorem2.upper.repaired", &near}}) {
    const CaseContext context(*input);
    const Decision decision = decide(find_claim(id), context);
    EXPECT_TRUE(decision.sampled) << id;
    EXPECT_EQ(decision.verdict, Verdict::holds) << id;
    EXPECT_TRUE(context.draw_more()) << id;
    EXPECT_EQ(certify(find_claim(id), *input).decision.verdict, Verdict::holds) << id;
  }
}

TEST(Sets, AreCountedUpToTheLimit) {
  EXPECT_EQ(sets_of(6, 3), 20U);
  EXPECT_EQ(sets_of(5, 5), 1U);
  EXPECT_EQ(sets_of(64, 1), 64U);
  EXPECT_EQ(sets_of(200, 2), 19'900U);
  EXPECT_GT(sets_of(201, 2), kMostSets);
  EXPECT_GT(sets_of(4096, 2048), kMostSets);
}

}  // namespace
}  // namespace attn
