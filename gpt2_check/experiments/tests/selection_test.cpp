// The rows of a head, measured all at once, beside the plain transcription of the experiments.
#include "gpt2_check/experiments/selection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gpt2_check/experiments/row_measures.hpp"
#include "gpt2_check/experiments/tests/plain_experiments.hpp"
#include "gpt2_check/experiments/tests/sample_heads.hpp"

namespace attn::gpt2 {
namespace {

void expect_close(double found, double expected, double tolerance, const char* what) {
  EXPECT_NEAR(found, expected, tolerance * std::abs(expected)) << what;
}

/// Whether rounding can't turn a comparison of ||y_j - s|| with ||y_i - s||: they are apart, or
/// equal because the tokens are. A token that coincides with s leaves the root of a rounding.
bool comparisons_are_safe(const Rows& y, const plain::Set& selected) {
  Eigen::RowVectorXd s = Eigen::RowVectorXd::Zero(y.cols());
  std::vector<bool> inside(static_cast<std::size_t>(y.rows()), false);
  for (const std::size_t j : selected) {
    s += y.row(static_cast<Eigen::Index>(j));
    inside[j] = true;
  }
  const Eigen::VectorXd offset = (y.rowwise() - s).rowwise().norm();
  for (Eigen::Index i = 0; i < y.rows(); ++i) {
    for (Eigen::Index j = 0; j < i; ++j) {
      if (inside[static_cast<std::size_t>(i)] == inside[static_cast<std::size_t>(j)]) continue;
      const bool apart = std::abs(offset(i) - offset(j)) > 1e-10 * s.norm();
      const bool at_s = std::min(offset(i), offset(j)) < 1e-7 * s.norm();
      if (!apart && (at_s || y.row(i) != y.row(j))) return false;
    }
  }
  return true;
}

/// Theorem 2's bounds from their statements, delta = 0, in long double.
ShareBounds stated_bounds(const std::vector<long double>& a, long double sphere_radius,
                          long double r, long double dimension) {
  const auto n = static_cast<long double>(a.size());
  const long double allowed = r * r;
  long double offsets = 0;
  long double beyond = 0;
  long double within = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    long double xi = 0;
    long double s2 = 0;
    long double s4 = 0;
    for (std::size_t j = 0; j < a.size(); ++j) {
      if (j == i) continue;
      xi += sphere_radius * a[j];
      s2 += std::pow(sphere_radius * a[j], 2);
      s4 += std::pow(sphere_radius * a[j], 4);
    }
    const long double v = 2 / dimension * (s2 * s2 - s4);
    const long double cantelli = v / (v + std::pow(s2 - allowed, 2));
    offsets += xi;
    beyond += s2 < allowed ? std::min(s2 / allowed, cantelli) : 1;
    within += s2 > allowed ? cantelli : 1;
  }
  const auto at_least_0 = [](long double x) { return static_cast<double>(std::max(x, 0.0L)); };
  return {.lower = at_least_0(1 - offsets / (n * r)),
          .lower_sharp = at_least_0(1 - beyond / n),
          .upper = static_cast<double>(within / n)};
}

ShareBounds stated_bounds(const Head& head, std::span<const double> weights,
                          const plain::Set& selected, double r) {
  std::vector<long double> a;
  long double squares = 0;
  for (const std::size_t j : selected) {
    a.push_back(static_cast<long double>(weights[j]));
    squares += static_cast<long double>(head.x.row(static_cast<Eigen::Index>(j)).squaredNorm());
  }
  return stated_bounds(a, std::sqrt(squares / static_cast<long double>(a.size())),
                       static_cast<long double>(r), static_cast<long double>(head.x.cols()));
}

void expect_bounds(const ShareBounds& found, const ShareBounds& expected, double tolerance) {
  EXPECT_NEAR(found.lower, expected.lower, tolerance);
  EXPECT_NEAR(found.lower_sharp, expected.lower_sharp, tolerance);
  EXPECT_NEAR(found.upper, expected.upper, tolerance);
}

struct Compared {
  int measures{};
  int counted{};  ///< measures of which the tokens about s were counted
};

/// One row and N. `y`: the plain outputs of the row.
void expect_plain(const SampleHead& sample, std::span<const double> weights, const Rows& y,
                  const SelectionMeasure& found, Compared& compared) {
  const plain::Set selected = plain::top(weights, found.n);
  const double tolerance = sample.tolerance;
  expect_close(found.distance, plain::distance(y, selected), tolerance, "distance");
  const plain::Bounds bounds = plain::theorem1(sample.head, weights, selected);
  expect_close(found.bound, bounds.bound, tolerance, "bound");
  expect_close(found.sharp_bound, bounds.sharp, tolerance, "sharp bound");
  if (found.n == 1) {
    EXPECT_EQ(found.scores.share, 1);  // the token is s itself
  }
  ++compared.measures;
  if (!comparisons_are_safe(y, selected)) return;
  ++compared.counted;
  const plain::Separability near = plain::separability(y, selected);
  EXPECT_EQ(found.scores.share, near.share);
  EXPECT_EQ(found.scores.precision, near.precision);
  EXPECT_EQ(found.scores.recall, near.recall);
  EXPECT_NEAR(found.scores.f_score, near.f_score, 1e-15);
  if (tolerance < 1e-8) {
    expect_bounds(found.bounds, stated_bounds(sample.head, weights, selected, near.radius), 1e-9);
  }
}

void expect_plain(const SampleHead& sample) {
  SCOPED_TRACE(sample.name);
  const auto length = static_cast<std::size_t>(sample.head.keys());
  const SelectionSettings settings{.rows = all_rows(sample.head),
                                   .counts = {1, 2, 5, 20, length - 1},
                                   .draws = 16,
                                   .for_claims = true};
  std::mt19937_64 stream(5);
  Compared compared;
  std::vector<std::int64_t> seen;
  for_each_row(sample.head, sample.head.temperature, settings, stream,
               [&](const RowSelections& row) {
                 SCOPED_TRACE(row.row);
                 seen.push_back(row.row);
                 const std::vector<double> weights = plain::weights_of(sample.head, row.row);
                 const Rows y = plain::outputs(sample.head, weights);
                 std::vector<std::size_t> counts;
                 for (const std::size_t n : settings.counts) {
                   if (n < weights.size()) counts.push_back(n);
                 }
                 ASSERT_EQ(row.measures.size(), counts.size());
                 for (std::size_t c = 0; c < counts.size(); ++c) {
                   SCOPED_TRACE(counts[c]);
                   EXPECT_EQ(row.measures[c].n, counts[c]);
                   expect_plain(sample, weights, y, row.measures[c], compared);
                 }
               });
  EXPECT_EQ(seen, settings.rows);
  EXPECT_GT(compared.counted, 0.9 * compared.measures);
}

TEST(Selection, IsThePlainTranscription) {
  for (const SampleHead& sample : sample_heads()) expect_plain(sample);
}

/// Everything that is measured of every row, one number after another.
std::vector<double> numbers_of(const Head& head, const SelectionSettings& settings) {
  std::vector<double> numbers;
  std::mt19937_64 stream(3);
  for_each_row(head, head.temperature, settings, stream, [&](const RowSelections& row) {
    for (const SelectionMeasure& m : row.measures) {
      numbers.insert(numbers.end(), {m.distance, m.bound, m.sharp_bound, m.scores.share,
                                     m.scores.precision, m.scores.recall, m.scores.f_score,
                                     m.bounds.lower, m.bounds.lower_sharp, m.bounds.upper});
    }
  });
  return numbers;
}

/// To the last bit, with the bounds on the rounding and without.
TEST(Selection, MeasuresTheSameWhereNoClaimsAreChecked) {
  for (const SampleHead& sample : sample_heads()) {
    SCOPED_TRACE(sample.name);
    SelectionSettings settings{.rows = all_rows(sample.head), .counts = {1, 2, 5, 20}, .draws = 1};
    const std::vector<double> alone = numbers_of(sample.head, settings);
    settings.for_claims = true;
    EXPECT_GT(alone.size(), 100U);
    EXPECT_EQ(alone, numbers_of(sample.head, settings));
  }
}

/// A set of tokens, numbered as where the first token is not there.
plain::Set shifted(plain::Set set) {
  for (std::size_t& token : set) --token;
  return set;
}

TEST(Selection, RandomTermsAreThoseOfTheRandomOrder) {
  const Head head = random_head(30, 4, 5, 1, 22);
  for (const bool asked : {true, false}) {
    const SelectionSettings settings{
        .rows = all_rows(head), .counts = {1, 2, 7}, .draws = 1, .for_claims = asked};
    std::mt19937_64 stream(9);
    int sets = 0;
    int avoiding = 0;
    int holding = 0;
    for_each_row(head, head.temperature, settings, stream, [&](const RowSelections& row) {
      const Rows y = plain::outputs(head, plain::weights_of(head, row.row));
      ASSERT_EQ(row.random.size(), asked ? row.measures.size() : 0);
      for (std::size_t c = 0; c < row.measures.size(); ++c) {
        const std::size_t n = row.measures[c].n;
        const plain::Set set(row.random_order.begin(),
                             row.random_order.begin() + static_cast<std::ptrdiff_t>(n));
        if (asked) {
          expect_close(row.random[c].theorem1.distance.value(), plain::distance(y, set), 1e-11,
                       "distance");
        }
        if (!comparisons_are_safe(y, set)) continue;
        ++sets;
        EXPECT_EQ(row.measures[c].random_share, plain::separability(y, set).share);
        plain::Set others(row.random_order.begin(), row.random_order.end());
        std::erase(others, std::size_t{0});
        if (others.size() < n || n + 1 == static_cast<std::size_t>(y.rows())) continue;
        others.resize(n);
        const Rows rest = y.bottomRows(row.row);
        if (!comparisons_are_safe(rest, shifted(others))) continue;
        EXPECT_EQ(row.measures[c].random_share_without_first,
                  plain::separability(rest, shifted(others)).share);
        ++(std::ranges::find(set, std::size_t{0}) == set.end() ? avoiding : holding);
      }
    });
    EXPECT_GT(sets, 70);
    EXPECT_GT(avoiding, 50);
    EXPECT_GT(holding, 5);
  }
}

/// Mean and variance of N_s/N over all N-subsets of a row.
struct Moments {
  double mean{}, variance{};
};

Moments over_all_sets(const Rows& y, std::size_t n) {
  const auto tokens = static_cast<std::size_t>(y.rows());
  std::vector<double> shares;
  for (std::size_t bits = 0; bits < std::size_t{1} << tokens; ++bits) {
    plain::Set set;
    for (std::size_t i = 0; i < tokens; ++i) {
      if ((bits >> i & 1) != 0) set.push_back(i);
    }
    if (set.size() == n) shares.push_back(plain::separability(y, set).share);
  }
  Moments moments;
  const auto count = static_cast<double>(shares.size());
  for (const double share : shares) moments.mean += share / count;
  for (const double share : shares) {
    moments.variance += (share - moments.mean) * (share - moments.mean) / count;
  }
  return moments;
}

TEST(Selection, RandomSetsAreUniform) {
  constexpr std::size_t kDraws = 4000;
  const Head head = random_head(9, 4, 3, 1, 23);
  const SelectionSettings settings{
      .rows = {2, 3, 5, 8}, .counts = {1, 2, 3, 5}, .draws = kDraws, .for_claims = false};
  std::mt19937_64 stream(2);
  bool varied = false;
  for_each_row(head, head.temperature, settings, stream, [&](const RowSelections& row) {
    const Rows y = plain::outputs(head, plain::weights_of(head, row.row));
    for (const SelectionMeasure& found : row.measures) {
      SCOPED_TRACE(row.row);
      SCOPED_TRACE(found.n);
      const Moments all = over_all_sets(y, found.n);
      const double deviation = std::sqrt(all.variance / kDraws);
      EXPECT_NEAR(found.random_share, all.mean, 4 * deviation + 1e-12);
      varied = varied || all.variance > 0.01;
      const auto rest = static_cast<std::size_t>(row.row);
      if (found.n >= rest) continue;
      const Moments others = over_all_sets(y.bottomRows(row.row), found.n);
      EXPECT_NEAR(found.random_share_without_first, others.mean,
                  4 * std::sqrt(others.variance / kDraws) + 1e-12);
    }
  });
  EXPECT_TRUE(varied);
}

TEST(Scores, AreZeroWhereNothingIsFound) {
  const Scores none = scores({.nearest_outside = 0, .within = 0, .inside = 0, .intruders = 6}, 2);
  EXPECT_EQ(none.precision, 0.25);
  EXPECT_EQ(none.f_score, 0);
}

TEST(Theorem2Bounds, AreTheStatements) {
  for (const double r : {0.05, 0.3, 1.0, 4.0}) {
    for (const double scale : {0.1, 0.5}) {
      const std::vector<double> a = {0.4 * scale, 0.3 * scale, 0.1 * scale, 0.1 * scale};
      const std::vector<long double> wide(a.begin(), a.end());
      expect_bounds(theorem2_bounds(a, 1.5, r, 7), stated_bounds(wide, 1.5L, r, 7), 1e-14);
    }
  }
}

TEST(Theorem2Bounds, AtTheEnds) {
  // One token is s itself.
  expect_bounds(theorem2_bounds(std::vector{0.5}, 2, 0.1, 3), {1, 1, 1}, 0);
  expect_bounds(theorem2_bounds(std::vector{0.5}, 2, 0, 3), {1, 1, 1}, 0);
  const ShareBounds touching = theorem2_bounds(std::vector{0.5, 0.3}, 2, 0, 3);
  EXPECT_EQ(touching.lower, 0);
  EXPECT_EQ(touching.lower_sharp, 0);
  // Both offsets are known, 0.3 R and 0.5 R: the direction alone is random.
  EXPECT_EQ(touching.upper, 0);
}

/// Each of two tokens is off s by the length of the other, R/2 here, which is within r where r is
/// that: the share that stays is 0 or 1, and known.
TEST(Theorem2Bounds, AtTheRadiusOfTheOtherToken) {
  const std::vector<double> a{0.5, 0.5};
  const auto at = [&](double r) { return theorem2_bounds(a, 2, r, 3); };
  const double little = 1e-9;
  expect_bounds(at(1 - little), {.lower = 0, .lower_sharp = 0, .upper = 0}, 0);
  expect_bounds(at(1), {.lower = 0, .lower_sharp = 0, .upper = 1}, 0);
  expect_bounds(at(1 + little), {.lower = little, .lower_sharp = 1, .upper = 1}, 1e-15);
  // A token beside one that weighs nothing is s itself, at any r.
  const std::vector<double> one{1, 0};
  expect_bounds(theorem2_bounds(one, 2, 0, 3), {.lower = 0, .lower_sharp = 0.5, .upper = 0.5}, 0);
}

/// ||y_i - s||^2 - ||s||^2 = 1/16 - along_i / 2.
NearShares share_along(std::vector<double> along) {
  const std::vector<double> weights(along.size(), 0.25);
  DistinguishableShare share(weights, Eigen::ArrayXd::Constant(std::ssize(along), 0.0625));
  return share.of(std::vector<std::size_t>{1, 2}, along);
}

TEST(DistinguishableShare, CountsTokensThatAreAsNearAsTheNearest) {
  const NearShares far = share_along({0, 0.5, 0.25, 0.25});
  EXPECT_EQ(far.all, 1);
  EXPECT_EQ(far.without_first, 1);
  const NearShares first_as_near = share_along({0.25, 0.5, 0.25, 0.25});
  EXPECT_EQ(first_as_near.all, 1);
  const NearShares first_between = share_along({0.375, 0.5, 0.25, 0.25});
  EXPECT_EQ(first_between.all, 0.5);
  EXPECT_EQ(first_between.without_first, 1);
  const NearShares other_between = share_along({0, 0.5, 0.25, 0.375});
  EXPECT_EQ(other_between.all, 0.5);
  EXPECT_EQ(other_between.without_first, 0.5);
}

/// The head that sees, in its last row, what `head` sees in `row`.
Head row_as_last(const Head& head, Eigen::Index row) {
  Head alone{.layer = head.layer, .head = head.head, .temperature = head.temperature};
  alone.q = head.seen_rows(head.q, row);
  alone.q.row(head.tokens(row) - 1) = head.q.row(row);
  alone.k = head.seen_rows(head.k, row);
  alone.x = head.seen_rows(head.x, row);
  return alone;
}

/// A row under any mask is the last row of a causal head that holds no other tokens.
TEST(ForEachRow, SeesTheTokensThatTheMaskShows) {
  Mask::Lists primes(23, {2, 3, 5, 7, 11, 13, 17, 19}), none(23);
  none[4] = {0, 1, 22};
  const auto listed = [](const Mask::Lists& lists) {
    return Mask{.lists = std::make_shared<const Mask::Lists>(lists)};
  };
  for (const Mask& mask :
       {Mask{.full = true}, Mask{.window = 2}, Mask{.window = 7}, listed(primes), listed(none)}) {
    Head head = random_head(23, 4, 5, 1, 15);
    head.mask = mask;
    for (Eigen::Index row = 0; row < head.keys(); ++row) {
      if (head.tokens(row) < 2) continue;
      const Head alone = row_as_last(head, row);
      SelectionSettings settings{.rows = {row}, .counts = {1, 3, 6}, .draws = 4};
      SelectionSettings last = settings;
      last.rows = {alone.keys() - 1};
      const std::vector<double> found = numbers_of(head, settings);
      const std::vector<double> expected = numbers_of(alone, last);
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_NEAR(found[i], expected[i], 1e-10 * (1 + std::abs(expected[i]))) << row << ", " << i;
      }
      if (head.sees_first(row)) continue;
      // A set of the tokens that are seen never holds the first one, which is not.
      std::mt19937_64 stream(5);
      for_each_row(head, head.temperature, settings, stream, [](const RowSelections& of_row) {
        for (const SelectionMeasure& m : of_row.measures) {
          EXPECT_EQ(m.random_share, m.random_share_without_first);
        }
      });
    }
  }
}

}  // namespace
}  // namespace attn::gpt2
