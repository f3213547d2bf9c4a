// The runner itself, on claims made up for the purpose.
#include "properties/search/search.hpp"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "properties/search/seed.hpp"
#include "theory/bad_input.hpp"
#include "theory/case_json.hpp"
#include "theory/catalogue.hpp"
#include "theory/problem.hpp"
#include "theory/scalar/scalar.hpp"

namespace attn::properties {

namespace {

constexpr ShrinkBudget kAmple{.attempts = 10'000, .time = std::chrono::minutes(1)};

/// "The largest logit is at most 5": false, and its plainest counterexamples are (0, 6) and (0, 7).
struct LargestLogitAtMostFive {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const Case& input = problem.input();
    return {from<S>(input.logits[problem.order().front()]), S(5.0)};
  }
};

/// "The largest logit is at most itself and one": true.
struct LargestLogitAtMostItselfAndOne {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const S largest = from<S>(problem.input().logits[problem.order().front()]);
    return {largest, largest + S(1.0)};
  }
};

/// Violated when first asked, never again.
struct Moody {
  static inline std::atomic<int> asked{0};
  template <class S>
  static Sides<S> sides(const Problem&) {
    return {S(asked++ == 0 ? 2.0 : 0.0), S(1.0)};
  }
};

std::string_view never_met(const Problem&) {
  return "a hypothesis that no case meets";
}

template <class Formula>
Claim fake(Status status) {
  return {.id = "fake",
          .title = "fake",
          .statement = "fake",
          .paper = "none",
          .provenance = Provenance::derived,
          .status = status,
          .argument = "none",
          .shape = Shape::logits_softmax,
          .evaluators = evaluators_of<Formula>()};
}

constexpr Property kProperty{.claim = "fake", .given = "logits", .hypotheses = "none"};

SearchResult run(const Claim& claim, std::size_t cases = 200, ShrinkBudget shrink = kAmple) {
  return search(claim, kProperty, {.seed = 7, .cases = cases, .shrink = shrink});
}

TEST(Search, AFalseClaimPosingAsProvedIsCaughtAndShrunk) {
  const SearchResult result = run(fake<LargestLogitAtMostFive>(Status::proved));
  EXPECT_EQ(result.record.outcome, "unexpected");
  EXPECT_EQ(result.record.cases, 200U) << "the search goes on after the first violation";
  ASSERT_TRUE(result.record.smallest_witness);
  const Case witness = case_from_json(result.record.smallest_witness->input);
  EXPECT_EQ(witness.tokens(), 2U);
  EXPECT_EQ(witness.temperature, 1);
  EXPECT_EQ(result.record.smallest_witness->verdict, "violated");
  EXPECT_GE(result.record.smallest_witness->digits, 100U);
  const Rational largest = std::max(witness.logits[0], witness.logits[1]);
  EXPECT_TRUE(largest == 6 || largest == 7) << "three bits are the fewest above 5: " << largest;
  EXPECT_EQ(std::min(witness.logits[0], witness.logits[1]), 0);
}

TEST(Search, ATrueClaimPasses) {
  const SearchResult result = run(fake<LargestLogitAtMostItselfAndOne>(Status::proved));
  EXPECT_EQ(result.record.outcome, "as expected");
  EXPECT_EQ(result.record.holds, 200U);
  EXPECT_FALSE(result.record.smallest_witness);
  EXPECT_EQ(result.shrinking, "");
}

TEST(Search, ARefutedClaimFoundViolatedIsAsExpected) {
  const SearchResult result = run(fake<LargestLogitAtMostFive>(Status::refuted));
  EXPECT_EQ(result.record.outcome, "as expected");
  EXPECT_GT(result.record.violated, 0U);
  EXPECT_TRUE(result.record.smallest_witness);
}

TEST(Search, ARefutedClaimNeverViolatedIsUnexpected) {
  const SearchResult result = run(fake<LargestLogitAtMostItselfAndOne>(Status::refuted));
  EXPECT_EQ(result.record.outcome, "unexpected");
}

TEST(Search, NoCaseIsNoPass) {
  const SearchResult result = run(fake<LargestLogitAtMostItselfAndOne>(Status::proved), 0);
  EXPECT_EQ(result.record.cases, 0U);
  EXPECT_EQ(result.record.outcome, "not covered");
}

TEST(Search, CasesOutsideTheHypothesesAreNoPass) {
  Claim claim = fake<LargestLogitAtMostItselfAndOne>(Status::proved);
  claim.unmet = &never_met;
  const SearchResult result = run(claim);
  EXPECT_EQ(result.record.assumption_not_met, 200U);
  EXPECT_EQ(result.record.outcome, "not covered");
}

TEST(Search, AVerdictThatDoesNotComeAgainIsFlaky) {
  Moody::asked = 0;
  try {
    run(fake<Moody>(Status::proved));
    FAIL() << "the violation was believed";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("flaky"), std::string::npos) << error.what();
  }
}

TEST(Search, ShrinkingStopsAtItsBudgetAndSaysSo) {
  const SearchResult result =
      run(fake<LargestLogitAtMostFive>(Status::proved), 200, {.attempts = 1, .time = kAmple.time});
  EXPECT_NE(result.shrinking.find("stopped by its budget"), std::string::npos) << result.shrinking;
}

TEST(Search, EveryFamilyHasItsShareOfTheCases) {
  const SearchResult result = run(fake<LargestLogitAtMostItselfAndOne>(Status::proved), 25);
  const auto families = families_of({Shape::logits_softmax});
  ASSERT_EQ(result.record.families.size(), families.size());
  for (const Family& family : families) {
    const std::uint64_t count = result.record.families.at(std::string(family.name));
    EXPECT_TRUE(count == 2 || count == 3) << family.name << ": " << count;
  }
}

TEST(SearchAll, AClaimWithoutAPropertyFails) {
  const Claim claim = fake<LargestLogitAtMostItselfAndOne>(Status::proved);
  const auto results = search_all({&claim, 1}, {.seed = 1, .effort = Effort::quick, .threads = 1});
  EXPECT_NE(results.front().failure.find("no property is declared"), std::string::npos)
      << results.front().failure;
}

/// Claims that are quick to search, one of each status.
std::vector<Claim> quick_claims() {
  return {find_claim("corollary3"), find_claim("corollary3.entrywise"),
          find_claim("corollary3.sharp"), find_claim("theorem1.fixed.any_set")};
}

void expect_same(const SearchResult& a, const SearchResult& b) {
  EXPECT_EQ(a.shrinking, b.shrinking);
  EXPECT_EQ(a.record.seed, b.record.seed);
  EXPECT_EQ(a.record.replay, b.record.replay);
  EXPECT_EQ(a.record.holds, b.record.holds);
  EXPECT_EQ(a.record.violated, b.record.violated);
  EXPECT_EQ(a.record.digits, b.record.digits);
  EXPECT_EQ(a.record.max_ratio, b.record.max_ratio);
  EXPECT_EQ(a.record.ratio_histogram, b.record.ratio_histogram);
  ASSERT_TRUE(a.record.worst && b.record.worst);
  EXPECT_EQ(a.record.worst->input, b.record.worst->input);
  ASSERT_EQ(a.record.smallest_witness.has_value(), b.record.smallest_witness.has_value());
  if (!a.record.smallest_witness) return;
  EXPECT_EQ(a.record.smallest_witness->input, b.record.smallest_witness->input);
  EXPECT_EQ(a.record.smallest_witness->lhs, b.record.smallest_witness->lhs);
}

TEST(SearchAll, ResultsDependNeitherOnThreadsNorOnOtherClaims) {
  const std::vector<Claim> claims = quick_claims();
  const auto one = search_all(claims, {.seed = 5, .effort = Effort::quick, .threads = 1});
  const auto four = search_all(claims, {.seed = 5, .effort = Effort::quick, .threads = 4});
  ASSERT_EQ(one.size(), claims.size());
  ASSERT_EQ(four.size(), claims.size());
  for (std::size_t i = 0; i < claims.size(); ++i) {
    EXPECT_EQ(one[i].record.id, claims[i].id);
    expect_same(one[i], four[i]);
  }
  const auto alone =
      search_all({&claims[3], 1}, {.seed = 5, .effort = Effort::quick, .threads = 1});
  expect_same(one[3], alone.front());
}

TEST(SearchAll, TheLibraryOfRealsAllowsThreads) {
  EXPECT_NE(mpfr_buildopt_tls_p(), 0) << "MPFR keeps its state for the whole process";
}

TEST(SearchAll, AnotherSeedGivesOtherCases) {
  const Claim claim = find_claim("corollary3.entrywise");
  const auto a = search_all({&claim, 1}, {.seed = 1, .effort = Effort::quick, .threads = 1});
  const auto b = search_all({&claim, 1}, {.seed = 2, .effort = Effort::quick, .threads = 1});
  EXPECT_NE(a.front().record.ratio_histogram, b.front().record.ratio_histogram);
}

TEST(SearchAll, FinishedIsCalledOnceForEachClaim) {
  const std::vector<Claim> claims = quick_claims();
  std::vector<std::string> seen;
  search_all(claims, {.seed = 5, .effort = Effort::quick, .threads = 2},
             [&](const SearchResult& result) { seen.push_back(result.record.id); });
  EXPECT_EQ(seen.size(), claims.size());
}

TEST(Seed, IsTheStartOfASha256) {
  // printf '1:corollary3' | sha256sum
  EXPECT_EQ(property_seed(1, "corollary3"), 0xcfa01d8020668548U);
  EXPECT_NE(property_seed(1, "corollary3"), property_seed(2, "corollary3"));
  EXPECT_NE(property_seed(1, "corollary3"), property_seed(1, "corollary3.sharp"));
}

TEST(Effort, NamesGoBothWays) {
  for (const Effort effort : kEfforts) EXPECT_EQ(effort_from(to_string(effort)), effort);
  EXPECT_THROW(effort_from("Quick"), BadInput);
}

TEST(Effort, EachDoesMoreThanTheOneBefore) {
  for (const Shape shape : {Shape::logits, Shape::logits_softmax, Shape::top_n_embeddings,
                            Shape::set_embeddings, Shape::random_embeddings}) {
    EXPECT_GT(cases_per_claim(Effort::quick, shape), 0U);
    EXPECT_LT(cases_per_claim(Effort::quick, shape), cases_per_claim(Effort::standard, shape));
    EXPECT_LT(cases_per_claim(Effort::standard, shape), cases_per_claim(Effort::thorough, shape));
  }
}

TEST(Properties, EveryClaimHasOneAndNoneIsLeftOver) {
  std::size_t declared = 0;
  for (const auto& section :
       {distance_properties(), separability_properties(), gradient_properties()}) {
    declared += section.size();
    for (const Property& property : section) EXPECT_NO_THROW(find_claim(property.claim));
  }
  EXPECT_EQ(declared, catalogue().size());
  for (const Claim& claim : catalogue()) {
    EXPECT_EQ(property_of(claim).claim, claim.id);
    EXPECT_FALSE(property_of(claim).given.empty());
    EXPECT_FALSE(property_of(claim).hypotheses.empty());
  }
}

TEST(Replay, NamesClaimSeedAndEffort) {
  EXPECT_EQ(replay_command("corollary3", {.seed = 9, .effort = Effort::thorough, .threads = 2}),
            "properties --claim corollary3 --seed 9 --effort thorough");
}

}  // namespace

}  // namespace attn::properties
