// The generators that RapidCheck's users see: nothing is discarded, every family has its share, and
// shrinking ends at the plainest value of the same shape.
#include "properties/generators/gen.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "properties/generators/membership.hpp"
#include "properties/property.hpp"
#include "properties/tests/belongs.hpp"
#include "theory/attention/case_json.hpp"
#include "theory/claims/catalogue.hpp"

namespace attn::properties {
namespace {

constexpr int kValues = 400;

/// `count` values, of sizes up to RapidCheck's largest.
template <class T>
std::vector<rc::Shrinkable<T>> values(const rc::Gen<T>& gen, int count = kValues) {
  rc::Random random(7);
  std::vector<rc::Shrinkable<T>> all;
  for (int k = 0; k < count; ++k) all.push_back(gen(random.split(), 100 * k / count));
  return all;
}

/// Where RapidCheck ends that follows the first shrink again and again; a step each.
template <class T>
T plainest(rc::Shrinkable<T> from, int most_steps = 5000) {
  for (int step = 0; step < most_steps; ++step) {
    const auto next = from.shrinks().next();
    if (!next) return from.value();
    from = *next;
  }
  throw std::runtime_error("shrinking does not end");
}

TEST(Gen, GivesEveryFamilyItsShareAndDiscardsNothing) {
  std::set<InputKind::Name> seen;
  for (const Claim& claim : catalogue()) {
    if (!seen.insert(claim.kind.name).second) continue;
    const std::vector<Family> families = property_of(claim).families;
    const auto weights =
        std::accumulate(families.begin(), families.end(), 0.0,
                        [](double sum, const Family& family) { return sum + family.weight; });
    std::vector<int> members(families.size());
    for (const auto& drawn : values(gen::case_of(claim))) {
      const Case input = drawn.value();
      ASSERT_NO_THROW(validate(claim, input)) << claim.id;
      for (std::size_t i = 0; i < families.size(); ++i) {
        members[i] += test::belongs(families[i], input);
      }
    }
    for (std::size_t i = 0; i < families.size(); ++i) {
      EXPECT_GE(members[i], kValues * families[i].weight / weights / 3)
          << claim.id << " " << families[i].name;
    }
  }
}

TEST(Gen, PartsShrinkToThePlainestOfTheirShape) {
  for (const auto& logits : values(gen::logits(5), 20)) {
    EXPECT_EQ(plainest(logits), std::vector<Rational>(5));
  }
  for (const auto& weights : values(gen::weights(3), 20)) {
    const std::vector<Rational> a = plainest(weights);
    EXPECT_EQ(a.size(), 3U);
    EXPECT_EQ(std::accumulate(a.begin(), a.end(), Rational(0)), 1);
    EXPECT_TRUE(std::ranges::all_of(a, [](const Rational& x) { return x == 0 || x == 1; }));
  }
  for (const auto& x : values(gen::embeddings(3, 2), 20)) {
    EXPECT_EQ(plainest(x), (Case::Vectors(3, std::vector<Rational>(2))));
  }
}

TEST(Gen, AShapeThatIsNoneIsRefused) {
  EXPECT_THROW(gen::logits(1), std::invalid_argument);
  EXPECT_THROW(gen::weights(1), std::invalid_argument);
  EXPECT_THROW(gen::embeddings(1, 2), std::invalid_argument);
  EXPECT_THROW(gen::embeddings(2, 0), std::invalid_argument);
}

TEST(Gen, ACaseIsShownAsItsJson) {
  const Case input{.kind = InputKind::softmax_row, .logits = {Rational(1, 3), 0}};
  EXPECT_EQ(rc::toString(input), to_json(input).dump());
  EXPECT_EQ(rc::toString(Rational(1, 3)), "1/3");
}

}  // namespace
}  // namespace attn::properties
