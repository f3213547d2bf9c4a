// A claim that is decided wrongly in one of the three ways is contradicted by another.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "properties/property.hpp"
#include "properties/search/drawn.hpp"
#include "theory/attention/case_context.hpp"
#include "theory/attention/case_json.hpp"
#include "theory/base/words.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/decide.hpp"
#include "theory/claims/evaluation.hpp"
#include "theory/number/interval.hpp"
#include "theory/recheck/check.hpp"
#include "theory/tests/three_ways.hpp"

namespace attn::properties {
namespace {

constexpr std::size_t kFewCases = 12;
constexpr std::size_t kManyCases = 300;

/// The first cases that a search draws for the claim, until one contradicts.
struct Compared {
  std::size_t cases{};
  std::string contradiction{};
};

/// Batches of 1,000 cases, the k-th drawn from the seed + k.
Compared compare(const Claim& claim, std::size_t cases, std::uint64_t seed = 1) {
  constexpr std::size_t kBatch = 1000;
  Compared all;
  for (std::size_t first = 0; first < cases; first += kBatch, ++seed) {
    Stream stream(claim, seed, std::min(kBatch, cases - first));
    while (const auto drawn = stream.next()) {
      const ThreeWays ways = decide_three_ways(recheck::listed_checks(), claim, drawn->input);
      all.cases += ways.compared;
      if (ways.contradiction.empty()) continue;
      all.contradiction =
          fmt::format("{}\n[{}]", ways.contradiction,
                      nlohmann::json{{"claim", claim.id}, {"case", to_json(drawn->input)}}.dump());
      return all;
    }
  }
  return all;
}

/// What a variable of the environment says; 0 where it is not set.
std::uint64_t asked(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? 0 : whole_number<std::uint64_t>(value);
}

/// ATTN_CASES: of each claim, from ATTN_SEED on; ATTN_CLAIM: of one alone.
TEST(ThreeWays, AgreeOnEveryClaim) {
  const std::size_t cases = std::max(kFewCases, asked("ATTN_CASES"));
  const char* const only = std::getenv("ATTN_CLAIM");
  std::size_t all = 0;
  for (const Claim& claim : catalogue()) {
    if (only != nullptr && claim.id != only) continue;
    const Compared compared = compare(claim, cases, std::max<std::uint64_t>(1, asked("ATTN_SEED")));
    EXPECT_GT(compared.cases, 0U) << claim.id;
    EXPECT_EQ(compared.contradiction, "") << claim.id;
    all += compared.cases;
  }
  fmt::print("{} cases of each claim, {} compared in all\n", cases, all);
}

/// Both ends of an enclosure lie within those of another.
bool lies_in(const Interval& narrow, const Interval& wide) {
  return wide.lower() <= narrow.lower() && narrow.upper() <= wide.upper();
}

/// More digits know more, and nothing else: whatever is rounded, is rounded outwards.
TEST(Enclosures, OfMoreDigitsLieWithinThoseOfFewer) {
  const WidestExponents widest;
  std::size_t narrower = 0;
  for (const Claim& claim : catalogue()) {
    std::size_t compared = 0;
    Stream stream(claim, 3, kFewCases);
    while (const auto drawn = stream.next()) {
      // Outside the hypotheses a side may have no value.
      const Verdict verdict = decide(claim, drawn->input, kFilter).verdict;
      if (verdict == Verdict::assumption_not_met) continue;
      const auto enclosed = [&](unsigned digits) -> std::optional<Sides<Interval>> {
        const WorkingDigits working(digits);
        const CaseContext context(drawn->input);
        const auto sides = claim.evaluators->enclose(context);
        return context.sampled() ? std::nullopt : std::optional(sides);
      };
      const auto few = enclosed(kLadder[0]);
      if (!few) continue;
      const auto more = enclosed(kLadder[1]), most = enclosed(kCapDigits);
      for (const auto side : {&Sides<Interval>::lhs, &Sides<Interval>::rhs}) {
        const Interval &wide = *few.*side, &narrow = *more.*side, &narrowest = *most.*side;
        const bool is_number = wide.lower() <= wide.upper();
        if (!is_number) continue;
        EXPECT_TRUE(lies_in(narrow, wide) && lies_in(narrowest, narrow))
            << claim.id << " of " << to_json(drawn->input).dump();
        ++compared;
        const bool is_narrower =
            wide.lower() < narrowest.lower() && narrowest.upper() < wide.upper();
        narrower += is_narrower ? 1 : 0;
      }
    }
    EXPECT_GT(compared, 0U) << claim.id;
  }
  EXPECT_GT(narrower, 100U);
}

/// Two tokens' sides differ by 2 exp(-gap) of themselves: more than the last digits of the ladder
/// show, and less.
TEST(ThreeWays, AgreeOnSidesThatAreAllButEqual) {
  const Claim& claim = find_claim("corollary3.cold.repaired");
  for (const char* const gap : {"430", "548", "600"}) {
    const Case input{.kind = InputKind::softmax_row, .logits = {parse_rational(gap), Rational(0)}};
    const ThreeWays ways = decide_three_ways(recheck::listed_checks(), claim, input);
    EXPECT_EQ(ways.usual.verdict, Verdict::holds) << gap;
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
        {{claim.id, sides}}, claim,
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
