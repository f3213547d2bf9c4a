// The wrong versions of the claims: enough of them, and each one truly different. That the search
// catches them is tested with the claims.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "properties/search/regressions.hpp"
#include "properties/search/witness.hpp"
#include "reports/judge/judge.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/evaluation.hpp"

namespace attn::properties {

namespace {

TEST(Mutants, GuardEveryProvedClaimAndNoOther) {
  for (const Claim& claim : catalogue()) {
    const std::size_t count = claim.mutants.size();
    if (claim.status == Status::proved) {
      EXPECT_GE(count, report::kLeastMutants) << claim.id;
    } else {
      EXPECT_EQ(count, 0U) << claim.id;
    }
  }
}

/// Rows attain no bound: a strict mutant is no mutant for them.
TEST(Mutants, TwoOfEachProvedClaimAboutRowsAreForRealRowsToo) {
  for (const Claim& claim : catalogue()) {
    std::size_t on_rows = 0;
    for (const Mutant& mutant : claim.mutants) {
      EXPECT_FALSE(mutant.on_rows && mutant.strict) << mutant.id;
      on_rows += mutant.on_rows ? 1 : 0;
    }
    const bool is_guarded = claim.status == Status::proved && is_on_rows(claim.kind);
    EXPECT_EQ(on_rows, is_guarded ? report::kLeastMutants : 0U) << claim.id;
  }
}

TEST(Mutants, HaveIdsOfTheirOwnAndSayWhatChanged) {
  std::set<std::string_view> ids;
  std::vector<Mutant> all;
  for (const Claim& claim : catalogue()) {
    all.insert(all.end(), claim.mutants.begin(), claim.mutants.end());
  }
  for (const Mutant& mutant : all) {
    EXPECT_TRUE(ids.insert(mutant.id).second) << mutant.id;
    EXPECT_FALSE(mutant.change.empty()) << mutant.id;
    EXPECT_NO_THROW(original(catalogue(), mutant)) << mutant.id;
    EXPECT_TRUE(mutant.evaluators || mutant.strict || mutant.kind) << mutant.id << ": no change";
  }
}

const Mutant& mutant_of(std::string_view claim, std::string_view id) {
  return *std::ranges::find(find_claim(claim).mutants, id, &Mutant::id);
}

TEST(Mutants, PoseAsProvedAndKeepTheHypotheses) {
  const Mutant mutant = mutant_of("lemma1.lower", "lemma1.lower/half_bound");
  const Claim claim = as_mutated_claim(original(catalogue(), mutant), mutant);
  EXPECT_EQ(claim.status, Status::proved);
  EXPECT_EQ(claim.id, mutant.id);
  EXPECT_EQ(claim.unmet, find_claim("lemma1.lower").unmet);
  EXPECT_NE(claim.evaluators->filter, find_claim("lemma1.lower").evaluators->filter);
}

TEST(Guard, StopsAtTheFirstViolation) {
  const auto record =
      try_mutant(find_claim("corollary3.sharp"),
                 mutant_of("corollary3.sharp", "corollary3.sharp/quarter"), {}, 1, 1000);
  EXPECT_TRUE(record.caught);
  EXPECT_LT(record.cases, 200U);
  ASSERT_TRUE(record.witness);
  EXPECT_EQ(record.witness->verdict, Verdict::violated);
}

TEST(Guard, AStrictMutantIsCaughtByAnAttainedBound) {
  const auto record =
      try_mutant(find_claim("corollary3.sharp"),
                 mutant_of("corollary3.sharp", "corollary3.sharp/strict"), {}, 1, 1000);
  EXPECT_TRUE(record.caught);
  ASSERT_TRUE(record.witness);
  EXPECT_EQ(record.witness->verdict, Verdict::equal);
}

TEST(Guard, ATrueClaimPosingAsAMutantSurvives) {
  const Mutant harmless{.id = "corollary3.sharp/harmless", .change = "nothing"};
  const auto record = try_mutant(find_claim("corollary3.sharp"), harmless, {}, 1, 100);
  EXPECT_FALSE(record.caught);
  EXPECT_EQ(record.cases, 100U);
  EXPECT_FALSE(record.witness);
}

/// Two drawn cases show nothing of half the variance; a kept one of its claim does.
TEST(Guard, ThatNoDrawnCaseCatchesMeetsTheKeptOnesOfItsClaim) {
  const Claim& claim = find_claim("theorem2.lower.sharp");
  const Mutant& mutant = mutant_of(claim.id, "theorem2.lower.sharp/half_variance");
  const auto kept = read_regressions(regressions_folder(), catalogue());
  EXPECT_FALSE(try_mutant(claim, mutant, {}, 3, 2).caught);
  const auto record = try_mutant(claim, mutant, kept, 3, 2);
  EXPECT_TRUE(record.caught);
  EXPECT_EQ(record.cases, 3U);
  ASSERT_TRUE(record.witness);
  EXPECT_EQ(record.witness->where, kKeptCases);
  EXPECT_EQ(record.witness->verdict, Verdict::violated);
  const Mutant& other = mutant_of("theorem2.lower", "theorem2.lower/half");
  EXPECT_EQ(try_mutant(find_claim("theorem2.lower"), other, kept, 3, 0).cases, 0U);
}

}  // namespace

}  // namespace attn::properties
