// The statements of the paper's abstract: what agrees with them, and the words of what was
// measured.
#include "reports/judge/statements.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>

namespace attn::report {
namespace {

using testing::HasSubstr;

constexpr double kNoEnd = std::numeric_limits<double>::quiet_NaN();

/// An interval beside a statement, and whether it agrees.
struct Judged {
  std::string_view id;
  Found found;
  std::optional<bool> agrees;
};

// The distance falls: below 1. Shares lie from 0.70 to 0.85. The gradient is at most 0.25.
// Half of the rows or more are steeper.
const Judged kJudged[] = {{kDistanceStatement, {0.2, 0.9}, true},
                          {kDistanceStatement, {-1, 0}, true},
                          {kDistanceStatement, {0.2, std::nextafter(1.0, 0.0)}, true},
                          {kDistanceStatement, {0.2, 1}, {}},
                          {kDistanceStatement, {0.2, 1.5}, {}},
                          {kDistanceStatement, {std::nextafter(1.0, 0.0), 1.5}, {}},
                          {kDistanceStatement, {1, 1}, false},
                          {kDistanceStatement, {1, 1.5}, false},
                          {kDistanceStatement, {1.2, 1.5}, false},
                          {kShareStatement, {0.72, 0.8}, true},
                          {kShareStatement, {0.70, 0.85}, true},
                          {kShareStatement, {std::nextafter(0.70, 0.0), 0.85}, {}},
                          {kShareStatement, {0.70, std::nextafter(0.85, 1.0)}, {}},
                          {kShareStatement, {0.1, 0.9}, {}},
                          {kShareStatement, {0.1, 0.70}, {}},
                          {kShareStatement, {0.85, 0.9}, {}},
                          {kShareStatement, {0.1, std::nextafter(0.70, 0.0)}, false},
                          {kShareStatement, {std::nextafter(0.85, 1.0), 0.9}, false},
                          {kGradientStatement, {0.1, 0.2}, true},
                          {kGradientStatement, {0.1, 0.25}, true},
                          {kGradientStatement, {0.25, 0.25}, true},
                          {kGradientStatement, {0.1, 0.3}, {}},
                          {kGradientStatement, {0.25, 0.3}, {}},
                          {kGradientStatement, {std::nextafter(0.25, 1.0), 0.3}, false},
                          {kColderStatement, {0.5, 0.9}, true},
                          {kColderStatement, {std::nextafter(0.5, 0.0), 0.9}, {}},
                          {kColderStatement, {0.1, 0.5}, {}},
                          {kColderStatement, {0.1, std::nextafter(0.5, 0.0)}, false}};

TEST(Agreement, IsThatOfTheWholeInterval) {
  for (const auto& [id, found, agrees] : kJudged) {
    EXPECT_EQ(agreement(id, found), agrees) << id << " of " << found.low << " to " << found.high;
  }
  for (const std::string_view id : {kDistanceStatement, kShareStatement, kGradientStatement}) {
    EXPECT_EQ(agreement(id, {kNoEnd, kNoEnd}), std::nullopt) << id;
  }
  EXPECT_THROW(agreement("depth", {0, 1}), std::logic_error);
}

/// What says something of every row is denied by one.
TEST(Agreement, IsDeniedByTheLargestOfAll) {
  const Found kept{0.1, 0.2};
  EXPECT_EQ(agreement(kGradientStatement, kept, 0.2), true);
  EXPECT_EQ(agreement(kGradientStatement, kept, 0.25), true);
  EXPECT_EQ(agreement(kGradientStatement, kept, std::nextafter(0.25, 1.0)), false);
  EXPECT_EQ(agreement(kGradientStatement, {0.1, 0.3}, 0.3), false);
}

TEST(LargestOf, IsNaNWhereOneIs) {
  const auto of = [](std::optional<double> a, std::optional<double> b) {
    return largest_of({{.largest = a}, {.largest = b}});
  };
  EXPECT_EQ(of(1, 2), 2);
  EXPECT_EQ(of(2, 1), 2);
  EXPECT_EQ(of({}, 1), 1);
  EXPECT_EQ(of({}, {}), std::nullopt);
  EXPECT_TRUE(std::isnan(of(kNoEnd, 1).value()));
  EXPECT_TRUE(std::isnan(of(1, kNoEnd).value()));
  EXPECT_EQ(largest_of({}), std::nullopt);
}

std::string words_of(PaperStatement entry) {
  put_into_words(entry, "the heads");
  EXPECT_NE(entry.says, "");
  return entry.measured;
}

/// Numbers of which no two are alike, nor any quotients of them.
PaperStatement distance_entry(double estimate, double low, double high) {
  PaperStatement entry{.id = std::string(kDistanceStatement)};
  entry.estimate = estimate;
  entry.low = low;
  entry.high = high;
  entry.points = {{.length = 32, .distance = 6, .expected = 4},
                  {.length = 256, .distance = 21, .expected = 12}};
  return entry;
}

TEST(PutIntoWords, SaysEachNumberInItsPlace) {
  EXPECT_EQ(words_of(distance_entry(3.5, 2, 5)),
            "With $N = L/4$, $D$ at $L = 256$ is 3.5 times what it is at $L = 32$ (geometric mean "
            "over the heads, 2 to 5): it grows. Beside $E$, what as many random tokens have on "
            "average, $D$ is 1.5 times as large at $L = 32$ and 1.75 times at $L = 256$.");
  for (const auto& [low, high, course] : {std::tuple{0.2, 0.5, "): it falls."},
                                          {0.5, 1.0, "): it neither falls nor grows"},
                                          {0.5, 2.0, "): it neither falls nor grows"},
                                          {1.0, 2.0, "): it neither falls nor grows"},
                                          {1.5, 2.0, "): it grows."}}) {
    EXPECT_THAT(words_of(distance_entry(1, low, high)), HasSubstr(course)) << low << " " << high;
  }
  PaperStatement share{.id = std::string(kShareStatement)};
  share.estimate = 0.715;
  share.low = 0.624;
  share.high = 0.806;
  EXPECT_EQ(words_of(share),
            "Over all rows and every $N$ measured beyond 16, 71.5 % of the $N$ largest weights "
            "stay distinguishable (mean over the heads, 62.4 % to 80.6 %).");
  PaperStatement gradient{.id = std::string(kGradientStatement)};
  gradient.estimate = 0.125;
  gradient.low = 0.0625;
  gradient.high = 0.1875;
  gradient.rows = 104;
  for (const auto& [largest, verdict] :
       {std::pair{0.25, "is kept here"}, {std::nextafter(0.25, 1.0), "is exceeded"}}) {
    gradient.points = {
        {.temperature = 0.01, .largest = 0.1, .rows = 300, .rows_above_printed_bound = 7},
        {.temperature = 0.05, .largest = largest, .rows = 500, .rows_above_printed_bound = 33}};
    EXPECT_EQ(words_of(gradient),
              "The largest $T||J||$ of a head, over its 104 rows and $T = 0.01, 0.05$, is 0.125 "
              "(mean of these largest values over the heads, 0.0625 to 0.1875), and 0.25 over all "
              "heads: the printed $1/4$ " +
                  std::string(verdict) +
                  "; $1/2$ is the proved bound. $||J||$ is above the printed bound in 5.0 % of all "
                  "rows at these $T$. The largest of more rows is larger.");
  }
}

/// Rows of 40, of which 10 and 30 are steeper, and a mean that rises or falls.
PaperStatement colder_entry(double estimate, double coldest_norm) {
  PaperStatement entry{.id = std::string(kColderStatement)};
  entry.estimate = estimate;
  entry.low = 0.125;
  entry.high = 0.625;
  entry.points = {{.temperature = 0.01, .mean_norm = coldest_norm, .rows = 40, .rows_steeper = 10},
                  {.temperature = 0.03, .mean_norm = 7, .rows = 40, .rows_steeper = 30},
                  {.temperature = 0.1, .mean_norm = 0.25, .rows = 40, .rows_steeper = 0}};
  return entry;
}

TEST(PutIntoWords, SaysInHowManyRowsColderIsSteeper) {
  EXPECT_EQ(words_of(colder_entry(0.375, 1.5)),
            "$||J||$ is larger at a $T$ below 0.1 than at 0.1 in 37.5 % of the rows of a head "
            "(mean over the heads and these $T$, 12.5 % to 62.5 %): in 75 % at $T = 0.03$, 25 % "
            "at $T = 0.01$. The mean $||J||$ over all heads and rows is 0.25 at $T = 0.1$ and 1.5 "
            "at $T = 0.01$: it rises by the few rows whose largest logits all but tie. In a row "
            "where one logit leads, $||J||$ vanishes as $T$ falls.");
  EXPECT_THAT(words_of(colder_entry(0.375, 0.25)), HasSubstr("and 0.25 at $T = 0.01$. In a row"));
  EXPECT_THAT(words_of(colder_entry(0.5, 1.5)), HasSubstr("and 1.5 at $T = 0.01$. In a row"));
}

TEST(HasNumbers, OfColderAreRowsAndNormsAtEachTemperature) {
  EXPECT_TRUE(has_numbers(colder_entry(0.5, 1)));
  PaperStatement entry = colder_entry(0.5, 1);
  entry.points[1].rows.reset();
  EXPECT_FALSE(has_numbers(entry));
  entry = colder_entry(0.5, 1);
  entry.points[2].mean_norm.reset();
  EXPECT_FALSE(has_numbers(entry));
  entry = colder_entry(0.5, 1);
  entry.points.clear();
  EXPECT_FALSE(has_numbers(entry));
}

TEST(PutIntoWords, KnowsNoOtherStatement) {
  PaperStatement entry{.id = "depth"};
  EXPECT_THROW(put_into_words(entry), std::logic_error);
}

/// Thirty-two tokens, and five heads: both ends of what the paper can be held to.
TEST(Statements, AreHeldToWhatThePaperSpeaksOf) {
  PaperStatement entry = distance_entry(1, 1, 1);
  EXPECT_FALSE(is_too_short(entry));
  entry.points.front().length = 31;
  EXPECT_TRUE(is_too_short(entry));
  entry.id = kShareStatement;
  EXPECT_FALSE(is_too_short(entry));
  entry.id = kDistanceStatement;
  entry.points.clear();
  EXPECT_FALSE(is_too_short(entry));

  Measurements measured;
  measured.figures.distance_by_length.emplace_back();
  const auto lacks = [&](std::optional<std::uint64_t> layers, std::optional<std::uint64_t> heads) {
    measured.layers = layers;
    measured.heads_per_layer = heads;
    return lacks_heads_for_critical_n(measured);
  };
  EXPECT_TRUE(lacks(2, 2));
  EXPECT_TRUE(lacks(1, 4));
  EXPECT_FALSE(lacks(1, 5));
  EXPECT_FALSE(lacks({}, 1));
  EXPECT_FALSE(lacks(1, {}));
  measured.figures.distance_by_length.clear();
  EXPECT_FALSE(lacks(1, 1));
}

}  // namespace
}  // namespace attn::report
