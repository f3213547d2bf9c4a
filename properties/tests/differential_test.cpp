// A claim that is decided wrongly in one of the three ways is contradicted by another.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "properties/property.hpp"
#include "properties/search/stream.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/evaluation.hpp"
#include "theory/cli/three_ways.hpp"
#include "theory/recheck/check.hpp"

namespace attn::properties {
namespace {

constexpr std::size_t kFewCases = 12;
constexpr std::size_t kManyCases = 300;

/// The first cases that a search draws for the claim, until one contradicts.
struct Compared {
  std::size_t cases{};
  std::string contradiction{};
};

Compared compare(const Claim& claim, std::size_t cases) {
  Compared all;
  Stream stream(claim, 1, cases);
  for (auto drawn = stream.next(); drawn && all.contradiction.empty(); drawn = stream.next()) {
    const ThreeWays ways = decide_three_ways(recheck::listed_checks(), claim, drawn->input);
    all.cases += ways.compared;
    all.contradiction = ways.contradiction;
  }
  return all;
}

TEST(ThreeWays, AgreeOnEveryClaim) {
  for (const Claim& claim : catalogue()) {
    const Compared compared = compare(claim, kFewCases);
    EXPECT_GT(compared.cases, 0U) << claim.id;
    EXPECT_EQ(compared.contradiction, "") << claim.id;
  }
}

/// Two tokens' sides differ by 2 exp(-gap) of themselves: more than 1e-190; less than that, but
/// more than the last digits of the ladder; and less than those.
TEST(ThreeWays, AgreeOnSidesThatAreAllButEqual) {
  const Claim& claim = find_claim("corollary3.cold.repaired");
  for (const auto& [gap, verdict] :
       {std::pair("430", Verdict::holds), {"548", Verdict::holds}, {"600", Verdict::equal}}) {
    const Case input{.kind = InputKind::softmax_row, .logits = {parse_rational(gap), Rational(0)}};
    const ThreeWays ways = decide_three_ways(recheck::listed_checks(), claim, input);
    EXPECT_EQ(ways.usual.verdict, verdict) << gap;
    EXPECT_TRUE(ways.compared) << gap;
    EXPECT_EQ(ways.contradiction, "") << gap;
  }
}

template <BadInputKind kind>
recheck::Sides refuse(const recheck::Input&) {
  throw BadInput({.kind = kind, .expected = "another case"});
}

/// Only what is beyond the second implementation goes uncompared.
TEST(ThreeWays, FindARefusalOfAValidCase) {
  const Claim& claim = find_claim("corollary3.sharp");
  const auto ways = [&](recheck::Sides (*sides)(const recheck::Input&)) {
    return decide_three_ways(
        {{claim.id, {.sides = sides}}}, claim,
        Case{.kind = InputKind::softmax_row, .logits = {Rational(1), Rational(0)}});
  };
  EXPECT_EQ(ways(&refuse<BadInputKind::too_large>).contradiction, "");
  EXPECT_FALSE(ways(&refuse<BadInputKind::too_large>).compared);
  EXPECT_EQ(ways(&refuse<BadInputKind::unsupported>).contradiction, "");
  EXPECT_EQ(ways(&refuse<BadInputKind::inconsistent>).contradiction,
            "the second implementation refuses a valid case: expected another case");
}

/// The claim with the sides of a mutant: the first of its own kind that has some.
const Evaluators* wrong_sides(const Claim& claim) {
  const auto found = std::ranges::find_if(claim.mutants, [](const Mutant& mutant) {
    return mutant.evaluators != nullptr && !mutant.kind;
  });
  return found == claim.mutants.end() ? nullptr : found->evaluators;
}

TEST(ThreeWays, ContradictAWrongClaim) {
  std::size_t tried = 0;
  std::size_t filters = 0;
  for (const Claim& claim : catalogue()) {
    const Evaluators* const wrong = wrong_sides(claim);
    if (wrong == nullptr) continue;
    ++tried;
    Claim broken = claim;
    broken.attained = nullptr;
    broken.evaluators = wrong;
    EXPECT_NE(compare(broken, kManyCases).contradiction, "") << claim.id;
    Evaluators filter_alone = *claim.evaluators;
    filter_alone.filter = wrong->filter;
    broken.evaluators = &filter_alone;
    filters += !compare(broken, kManyCases).contradiction.empty();
  }
  EXPECT_GT(tried, 50U);
  // One that hardly decides anything, as of counts, may pass.
  EXPECT_GE(filters + 3, tried) << "a wrong filter alone";
}

}  // namespace
}  // namespace attn::properties
