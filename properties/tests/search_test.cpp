// The runner itself, on claims made up for the purpose.
#include "properties/search/search.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mpfr.h>

#include <atomic>
#include <cmath>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "properties/generators/membership.hpp"
#include "properties/search/climb.hpp"
#include "properties/search/drawn.hpp"
#include "properties/search/run.hpp"
#include "properties/search/shard.hpp"
#include "properties/search/units.hpp"
#include "properties/search/witness.hpp"
#include "properties/tests/search_alone.hpp"
#include "reports/judge/judge.hpp"
#include "reports/record/record_json.hpp"
#include "theory/attention/case_context.hpp"
#include "theory/attention/case_json.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/define.hpp"
#include "theory/claims/relation.hpp"
#include "theory/number/scalar.hpp"

namespace attn::properties {
namespace {

properties::Run quick(std::uint64_t seed, unsigned threads = 1) {
  return {.seed = seed, .effort = Effort::quick, .threads = threads};
}

constexpr ShrinkBudget kAmple{.attempts = 10'000, .time = std::chrono::minutes(1)};

template <class S>
S largest_logit(const CaseContext& context) {
  return from<S>(context.logits()[context.order().front()]);
}

/// False, and its plainest counterexamples are (0, 6) and (0, 7).
constexpr auto kAtMostFive = []<class S>(const CaseContext& context) -> Sides<S> {
  return {largest_logit<S>(context), S(5.0)};
};

/// True.
constexpr auto kAtMostItselfAndOne = []<class S>(const CaseContext& context) -> Sides<S> {
  return {largest_logit<S>(context), largest_logit<S>(context) + S(1.0)};
};

/// True of every case drawn, and false.
constexpr auto kAtMostMuch = []<class S>(const CaseContext& context) -> Sides<S> {
  return {largest_logit<S>(context), S(1e12)};
};
const Rational kTooMuch(2'000'000'000'000);

/// Pushed up by a climb, and never above 1 while |z| <= 50.
constexpr auto kOverHundred = []<class S>(const CaseContext& context) -> Sides<S> {
  return {largest_logit<S>(context) / S(100.0), S(1.0)};
};

/// Violated when first asked, never again.
std::atomic<int> asked{0};
constexpr auto kMoody = []<class S>(const CaseContext&) -> Sides<S> {
  return {S(asked++ == 0 ? 2.0 : 0.0), S(1.0)};
};

template <auto formula>
Claim fake(Status status) {
  return {.id = "fake",
          .title = "fake",
          .statement = "fake",
          .paper = "none",
          .provenance = FormulaOrigin::derived,
          .status = status,
          .argument = "none",
          .kind = InputKind::softmax_row,
          .evaluators = sides<formula>};
}

/// Without a class a search is not covered.
constexpr auto is_any = [](const CaseFeatures&) { return true; };
constexpr InputClass kAnyCase[] = {{"any", is_any, 0.01}};

report::ClaimRecord searched(const Claim& claim, const Search& search, std::size_t cases = 100) {
  Property property = property_of(claim);
  property.classes = kAnyCase;
  return finish(claim, search,
                draw({&claim, 1}, property, Stream(claim, search.seed, cases)).front());
}

/// The record, as if two mutants had been caught: without, a proved claim is not covered.
report::ClaimRecord guarded(report::ClaimRecord record) {
  report::MutantRecord mutant;
  mutant.id = "fake/mutant";
  mutant.caught = true;
  record.mutants.assign(2, mutant);
  report::rejudge(record);
  return record;
}

report::ClaimRecord run(const Claim& claim, std::size_t cases = 200, ShrinkBudget shrink = kAmple) {
  return guarded(searched(claim, {.seed = 7, .shrink = shrink}, cases));
}

TEST(Search, AFalseClaimPosingAsProvedIsCaughtAndShrunk) {
  const report::ClaimRecord result = run(fake<kAtMostFive>(Status::proved));
  EXPECT_EQ(result.outcome, report::Outcome::unexpected);
  EXPECT_EQ(result.cases, 200U) << "the search goes on after the first violation";
  ASSERT_TRUE(result.smallest_witness);
  const Case witness =
      read_case(fake<kAtMostFive>(Status::proved), result.smallest_witness->input.whole());
  EXPECT_EQ(tokens_of(witness), 2U);
  EXPECT_EQ(witness.temperature, 1);
  EXPECT_EQ(result.smallest_witness->verdict, Verdict::violated);
  EXPECT_GE(result.smallest_witness->digits, 100U);
  const Rational largest = std::max(witness.logits[0], witness.logits[1]);
  EXPECT_TRUE(largest == 6 || largest == 7) << "three bits are the fewest above 5: " << largest;
  EXPECT_EQ(std::min(witness.logits[0], witness.logits[1]), 0);
}

TEST(Search, CasesOutsideTheHypothesesAreNoPass) {
  Claim claim = fake<kAtMostItselfAndOne>(Status::proved);
  claim.unmet = [](const CaseContext&) -> std::string_view { return "what no case meets"; };
  const report::ClaimRecord result = run(claim);
  EXPECT_EQ(result.assumption_not_met, 200U);
  EXPECT_EQ(result.outcome, report::Outcome::not_covered);
}

TEST(Search, ShrinkingStopsAtItsBudgetAndSaysSo) {
  const report::ClaimRecord result =
      run(fake<kAtMostFive>(Status::proved), 200, {.attempts = 1, .time = kAmple.time});
  EXPECT_NE(result.shrinking.find("stopped by its budget"), std::string::npos) << result.shrinking;
}

TEST(Search, EveryFamilyHasItsShareOfTheCases) {
  const report::ClaimRecord record = run(fake<kAtMostItselfAndOne>(Status::proved), 25);
  const auto families = property_of(fake<kAtMostFive>(Status::proved)).families;
  ASSERT_EQ(record.families.size(), families.size());
  for (const Family& family : families) {
    const std::uint64_t count = record.families.at(std::string(family.name));
    EXPECT_TRUE(count == 2 || count == 3) << family.name << ": " << count;
  }
}

TEST(ClassRecord, IsCoveredByTheLowerEndOfTheInterval) {
  // 100 of 100: the lower end is (alpha/2)^(1/100) with alpha = 1e-6.
  const report::ClassRecord all = class_record({"any", is_any, 0.9}, 100, 100);
  EXPECT_EQ(all.cases, 100U);
  EXPECT_NEAR(all.share_lower, std::pow(0.5e-6, 0.01), 1e-6);
  EXPECT_EQ(all.share_upper, 1);
  EXPECT_FALSE(all.covered) << "0.865 is below 0.9";
  const report::ClassRecord most = class_record({"most", is_any, 0.5}, 60, 100);
  EXPECT_LT(most.share_lower, 0.5);
  EXPECT_GT(most.share_upper, 0.6);
  EXPECT_FALSE(most.covered) << "60 of 100 may be luck";
  const report::ClassRecord none = class_record({"none", is_any, 0.001}, 0, 100);
  EXPECT_EQ(none.share_lower, 0);
  EXPECT_FALSE(none.covered);
  EXPECT_TRUE(class_record({"any", is_any, 0.8}, 100, 100).covered);
}

Regression kept(const Case& input, Verdict verdict) {
  return {.claim = "fake", .input = input, .verdict = verdict, .name = "kept"};
}

Case logits(std::vector<Rational> values) {
  return {.kind = InputKind::softmax_row, .logits = std::move(values)};
}

TEST(Regressions, AreCountedWithTheDrawnCases) {
  const report::ClaimRecord record = searched(
      fake<kAtMostFive>(Status::refuted), {.seed = 7,
                                           .shrink = kAmple,
                                           .regressions = {kept(logits({0, 6}), Verdict::violated),
                                                           kept(logits({0, 4}), Verdict::holds)}});
  EXPECT_EQ(record.regressions, 2U);
  EXPECT_EQ(record.cases, 102U);
  EXPECT_EQ(record.families.at("regressions"), 2U);
}

TEST(Regressions, AKeptWitnessDoesNotStandInForOneThatTheSearchFinds) {
  const report::ClaimRecord record =
      searched(fake<kAtMostMuch>(Status::refuted),
               {.seed = 7,
                .shrink = kAmple,
                .regressions = {kept(logits({0, kTooMuch}), Verdict::violated)}});
  EXPECT_EQ(record.violated, 0U);
  EXPECT_EQ(record.outcome, report::Outcome::unexpected);
  EXPECT_FALSE(record.smallest_witness);
  // Nor is it counted: the record is that of the drawn cases.
  EXPECT_EQ(record.regressions, 0U);
  EXPECT_EQ(record.cases, 100U);
  EXPECT_FALSE(record.families.contains(std::string(kKeptCases)));
}

/// Regressions of a proved claim count, whatever the drawn cases are.
TEST(Regressions, OfAProvedClaimCountWithoutAnyViolation) {
  const report::ClaimRecord record = searched(
      fake<kAtMostMuch>(Status::proved),
      {.seed = 7, .shrink = kAmple, .regressions = {kept(logits({0, 4}), Verdict::holds)}});
  EXPECT_EQ(record.regressions, 1U);
  EXPECT_EQ(record.cases, 101U);
  EXPECT_EQ(record.families.at(std::string(kKeptCases)), 1U);
}

TEST(Regressions, AnotherVerdictIsAnError) {
  EXPECT_THROW(
      searched(
          fake<kAtMostFive>(Status::refuted),
          {.seed = 7, .shrink = kAmple, .regressions = {kept(logits({0, 4}), Verdict::violated)}}),
      std::runtime_error);
}

TEST(Regressions, AViolationOfAProvedClaimCounts) {
  const report::ClaimRecord record = guarded(searched(
      fake<kAtMostMuch>(Status::proved),
      {.seed = 7, .shrink = kAmple, .regressions = {kept(logits({0, kTooMuch}), Verdict::holds)}}));
  EXPECT_EQ(record.violated, 1U);
  EXPECT_EQ(record.outcome, report::Outcome::unexpected);
  EXPECT_TRUE(record.smallest_witness);
}

TEST(Climb, PushesTheRatioUpAndFindsViolations) {
  const Claim claim = fake<kOverHundred>(Status::proved);
  const Climb pushed = climb(claim, {{logits({0, 10}), "here"}}, 20, 1);
  ASSERT_TRUE(pushed.record);
  EXPECT_GT(pushed.record->ratio, 0.1);
  EXPECT_LE(pushed.record->climbed, 20U);
  EXPECT_EQ(pushed.record->kind, report::TightnessKind::loose);
  const Climb beyond = climb(claim, {{logits({0, 10}), "here"}}, 3000, 1);
  ASSERT_TRUE(beyond.violation) << "nothing stops this climb at 1";
}

/// Attained by many tokens alone, which no short climb comes to.
constexpr auto kHalfOfFewTokens = []<class S>(const CaseContext& context) -> Sides<S> {
  return {context.tokens() < 50 ? S(0.5) : S(1.0), S(1.0)};
};

/// What a climb from the worst cases of these families comes to; `attained`: the one whose case
/// attains the bound, whatever its ratio says.
std::optional<report::TightnessRecord> climbed_from(const std::map<std::string, double>& ratios,
                                                    const std::string& attained) {
  const Claim claim = fake<kHalfOfFewTokens>(Status::proved);
  Property property = property_of(claim);
  property.classes = kAnyCase;
  Drawn drawn(claim, property);
  for (const auto& [family, ratio] : ratios) {
    const std::size_t tokens = family == attained ? 50 : 2;
    drawn.worst.insert({family, {logits(std::vector<Rational>(tokens)), ratio}});
  }
  return finish(claim, {.seed = 7, .shrink = kAmple, .climb = 8}, std::move(drawn)).tightness;
}

TEST(Climb, StartsFromTheThreeFamiliesOfTheLargestRatios) {
  const std::map<std::string, double> ratios = {
      {"a", 0.2}, {"b", 0.9}, {"c", 0.1}, {"d", 0.8}, {"e", 0.7}};
  for (const auto& [family, ratio] : ratios) {
    const auto found = climbed_from(ratios, family);
    ASSERT_TRUE(found) << family;
    EXPECT_EQ(found->kind == report::TightnessKind::attained, ratio > 0.5) << family;
    EXPECT_EQ(found->at.where, ratio > 0.5 ? "climbed from " + family : "climbed from b");
  }
  // Fewer are all of them.
  const auto last = climbed_from({{"a", 0.2}, {"b", 0.9}}, "a");
  ASSERT_TRUE(last);
  EXPECT_EQ(last->at.where, "climbed from a");
}

/// Sides that no double tells apart: the bound is not attained.
constexpr auto kAllButAttained = []<class S>(const CaseContext&) -> Sides<S> {
  return {S(1.0), S(1.0) + from<S>(parse_rational("1e-30"))};
};

TEST(Climb, SaysOfNoBoundThatItIsAttainedForItsRatioInDoubles) {
  const Case two = logits({0, 1});
  EXPECT_EQ(tightness(decide(fake<kAllButAttained>(Status::proved), two)), 1.0);
  const Climb found = climb(fake<kAllButAttained>(Status::proved), {{two, "here"}}, 5, 1);
  ASSERT_TRUE(found.record);
  EXPECT_LT(found.record->ratio, 1);
  EXPECT_EQ(found.record->kind, report::TightnessKind::approached);
  EXPECT_EQ(found.record->climbed, 5U) << "it goes on";
  const Climb longer = climb(fake<kAllButAttained>(Status::proved), {{two, "here"}}, 3000, 1);
  ASSERT_TRUE(longer.record);
  EXPECT_GT(longer.record->climbed, 20U) << "it looks for the bound a while";
  EXPECT_LT(longer.record->climbed, 110U) << "and not for ever";
}

template <int ulps>
constexpr auto kAboutApproached = []<class S>(const CaseContext&) -> Sides<S> {
  double ratio = report::kApproached;
  if (ulps != 0) ratio = std::nextafter(ratio, ulps * 2.0);
  return {S(ratio), S(1.0)};
};

TEST(Climb, CallsABoundApproachedFromItsLimitOn) {
  const auto kind = [](const Claim& claim) {
    return climb(claim, {{logits({0, 1}), "here"}}, 2, 1).record.value().kind;
  };
  using report::TightnessKind;
  EXPECT_EQ(kind(fake<kAboutApproached<-1>>(Status::proved)), TightnessKind::loose);
  EXPECT_EQ(kind(fake<kAboutApproached<0>>(Status::proved)), TightnessKind::approached);
  EXPECT_EQ(kind(fake<kAboutApproached<1>>(Status::proved)), TightnessKind::approached);
}

TEST(Climb, KnowsAnAttainedBound) {
  const Climb flat = climb(find_claim("corollary3.sharp"), {{logits({1, 1}), "here"}}, 100, 1);
  ASSERT_TRUE(flat.record);
  EXPECT_EQ(flat.record->kind, report::TightnessKind::attained);
  EXPECT_EQ(flat.record->ratio, 1);
  EXPECT_EQ(flat.record->climbed, 1U);
  EXPECT_EQ(flat.record->at.verdict, Verdict::equal);
}

TEST(Climb, ReachesAnAttainedBoundFromAfar) {
  const Climb far = climb(find_claim("corollary3.sharp"), {{logits({1, 3, 0}), "here"}}, 3000, 1);
  ASSERT_TRUE(far.record);
  EXPECT_GT(far.record->ratio, report::kApproached);
}

TEST(Climb, HasNoRecordWithoutARatio) {
  EXPECT_FALSE(climb(find_claim("corollary3.sharp"), {}, 100, 1).record);
}

Relation relation_on(std::string_view sharp, std::string_view printed, const Case& input) {
  return relation(decide(find_claim(sharp), input), decide(find_claim(printed), input));
}

TEST(Compare, TellsTighterAsTightAndLooserApart) {
  constexpr auto kPrinted = "corollary3.sharp";
  constexpr auto kSharp = "corollary3.local.upper";
  EXPECT_EQ(relation_on(kSharp, kPrinted, logits({3, 0})), Relation::tighter);
  EXPECT_EQ(relation_on(kPrinted, kSharp, logits({3, 0})), Relation::looser);
  EXPECT_EQ(relation_on(kSharp, kPrinted, logits({1, 1})), Relation::as_tight);
  const auto closely = [&](const Case& input) {
    return close_relation(find_claim(kSharp), find_claim(kPrinted), CaseContext(input));
  };
  EXPECT_EQ(closely(logits({Rational(0x1p-60), 0})), Relation::tighter);
  EXPECT_EQ(closely(logits({parse_rational("1e-300"), 0})), Relation::tighter);
  EXPECT_EQ(closely(logits({1, 1})), Relation::as_tight);
}

TEST(Compare, LowerBoundsAreTighterWhereLarger) {
  const Case input = logits({2, -1, -1});
  EXPECT_EQ(relation_on("lemma1.lower.sharp", "lemma1.lower", input), Relation::tighter);
  EXPECT_EQ(relation_on("lemma1.lower", "lemma1.lower.sharp", input), Relation::looser);
}

TEST(Compare, ClaimsThatShareNoSideAreAnError) {
  EXPECT_THROW(relation_on("lemma1.lower", "lemma1.upper", logits({3, 0})), std::logic_error);
}

TEST(SearchAll, AFlakyVerdictIsWhatTheUserSees) {
  asked = 0;
  Claim claim = find_claim("corollary3.sharp");
  claim.evaluators = sides<kMoody>;
  claim.example = {};
  claim.mutants = {};
  claim.sharpens = {};  // so that a drawn case is the first to be decided
  const auto results = test::search_alone({&claim, 1}, quick(1));
  EXPECT_NE(results.front().failure.find("flaky"), std::string::npos) << results.front().failure;
  EXPECT_EQ(exit_code(results), kInternal);
}

TEST(SearchAll, AnErrorNamesItsClaim) {
  std::vector<Claim> claims = {find_claim("corollary3"), find_claim("corollary3.sharp")};
  claims[1].unmet = [](const CaseContext&) -> std::string_view { throw std::logic_error("?"); };
  EXPECT_EQ(test::search_alone(claims, quick(1))[0].failure, "corollary3.sharp: ?");
}

TEST(SearchAll, ARefutedClaimThatNothingViolatesIsUnexpected) {
  Claim claim = find_claim("corollary3");
  claim.evaluators = sides<kAtMostItselfAndOne>;
  claim.example = {};
  claim.witness = {};
  const auto results = test::search_alone({&claim, 1}, quick(1));
  EXPECT_EQ(results.front().failure, "");
  EXPECT_EQ(exit_code(results), kUnexpected);
}

TEST(ReportOf, HoldsEveryNormaliserAndTheComparisons) {
  const Claim& claim = find_claim("corollary3.local.upper");
  const auto results = test::search_alone({&claim, 1}, quick(1));
  const report::Report report = report_of(results);
  EXPECT_EQ(report.normalizers.size(), 14U);
  ASSERT_EQ(report.comparisons.size(), 1U);
  const report::ComparisonRecord& comparison = report.comparisons[0];
  EXPECT_EQ(comparison.printed, "corollary3.sharp");
  EXPECT_GT(comparison.tighter, 0U);
  EXPECT_GT(comparison.as_tight, 0U);
  EXPECT_EQ(comparison.looser, 0U);
  EXPECT_LE(comparison.tighter + comparison.as_tight, comparison.cases);
  EXPECT_GE(comparison.median_sharp, comparison.median_printed);
}

/// Claims that are quick to search, one of each status.
std::vector<Claim> quick_claims() {
  return {find_claim("corollary3"), find_claim("corollary3.entrywise"),
          find_claim("corollary3.step"), find_claim("lemma1.upper.sharp"),
          find_claim("lipschitz.polynomial")};
}

void expect_same(const SearchResult& a, const SearchResult& b) {
  EXPECT_EQ(report::json_of(a.record), report::json_of(b.record));
  ASSERT_EQ(a.comparison.has_value(), b.comparison.has_value());
  if (!a.comparison) return;
  EXPECT_EQ(report::json_of(*a.comparison), report::json_of(*b.comparison));
}

TEST(SearchAll, ResultsDependNeitherOnThreadsNorOnOtherClaims) {
  const std::vector<Claim> claims = quick_claims();
  const auto one = test::search_alone(claims, quick(5));
  const auto four = test::search_alone(claims, quick(5, 4));
  ASSERT_EQ(one.size(), claims.size());
  ASSERT_EQ(four.size(), claims.size());
  for (std::size_t i = 0; i < claims.size(); ++i) {
    EXPECT_EQ(one[i].record.id, claims[i].id);
    expect_same(one[i], four[i]);
  }
  // Whose cases are those of the claim before it, too.
  const auto alone = test::search_alone({&claims[1], 1}, quick(5));
  expect_same(one[1], alone.front());
}

TEST(SearchAll, TheLibraryOfRealsAllowsThreads) {
  EXPECT_NE(mpfr_buildopt_tls_p(), 0) << "MPFR keeps its state for the whole process";
}

TEST(SearchAll, TellsHowFarItIs) {
  const std::vector<Claim> claims = quick_claims();
  units::Alone alone;
  units::Team team(alone, 2, {});
  units::ResultJournal none;
  std::vector<std::pair<std::size_t, std::size_t>> told;
  search_all(claims, quick(5, 2), team, none,
             [&](const Schedule& search) { told.emplace_back(search.taken(), search.units()); });
  ASSERT_FALSE(told.empty());
  for (std::size_t i = 0; i < told.size(); ++i) {
    EXPECT_EQ(told[i], std::pair(i + 1, told.size()));
  }
}

TEST(Seed, IsTheStartOfASha256) {
  // printf '1:corollary3' | sha256sum
  EXPECT_EQ(property_seed(1, "corollary3"), 0xcfa01d8020668548U);
  EXPECT_NE(property_seed(1, "corollary3"), property_seed(2, "corollary3"));
  EXPECT_NE(property_seed(1, "corollary3"), property_seed(1, "corollary3.sharp"));
}

TEST(Effort, EachDoesMoreThanTheOneBefore) {
  for (const Claim& claim : catalogue()) {
    EXPECT_GT(cases_per_claim(Effort::quick, claim), 0U);
    EXPECT_LT(cases_per_claim(Effort::quick, claim), cases_per_claim(Effort::standard, claim));
    EXPECT_LT(cases_per_claim(Effort::standard, claim), cases_per_claim(Effort::thorough, claim));
  }
  EXPECT_LT(budget_of(Effort::quick).climb, budget_of(Effort::standard).climb);
  EXPECT_LT(budget_of(Effort::standard).climb, budget_of(Effort::thorough).climb);
}

TEST(Effort, OfNoneThereIsNoSearch) {
  EXPECT_THROW(budget_of(Effort::none), std::logic_error);
}

TEST(Properties, EveryClaimHasOne) {
  for (const Claim& claim : catalogue()) {
    const Property property = property_of(claim);
    EXPECT_FALSE(property.classes.empty()) << claim.id;
    for (const InputClass& input : property.classes) EXPECT_GT(input.least_share, 0) << claim.id;
  }
}

TEST(Stream, PortionsHaveTheCasesOfTheWhole) {
  const auto drawn = [](const Portion& portion) {
    Stream stream(find_claim("corollary3"), 1, 1000, portion);
    std::multiset<std::string> cases;
    while (const auto next = stream.next()) {
      cases.insert(fmt::format("{} {}", next->family, to_json(next->input).dump()));
    }
    return cases;
  };
  const std::multiset<std::string> whole = drawn({});
  for (const std::size_t count : {2U, 7U, 2000U}) {
    std::multiset<std::string> joined;
    for (std::size_t i = 0; i < count; ++i) joined.merge(drawn({i, count}));
    EXPECT_EQ(joined, whole) << count;
  }
}

/// The claims that are decided on the same cases as the claim `id`.
std::vector<Claim> alike(std::string_view id) {
  const std::string name = cases_of(find_claim(id));
  std::vector<Claim> claims;
  std::ranges::copy_if(catalogue(), std::back_inserter(claims),
                       [&](const Claim& claim) { return cases_of(claim) == name; });
  return claims;
}

/// Cases that violate some claims and attain some, decided by all claims that share them, written
/// and read in between.
TEST(Drawn, PortionsMergedAreTheWhole) {
  constexpr std::size_t kPortions = 3;
  for (const char* const id :
       {"corollary3", "theorem2.lower", "theorem2.upper", "corollary2.full_set"}) {
    const Property property = property_of(find_claim(id));
    const std::vector<Claim> claims = alike(id);
    std::vector<Drawn> joined;
    for (const Claim& claim : claims) joined.emplace_back(claim, property);
    for (std::size_t k = 0; k < kPortions; ++k) {
      const auto drawn = draw(claims, property, Stream(claims[0], 5, 700, {k, kPortions}));
      for (std::size_t i = 0; i < claims.size(); ++i) {
        const std::string text = drawn[i].to_json().dump();
        joined[i].merge(Drawn::from_json(claims[i], property, nlohmann::json::parse(text)));
      }
    }
    // In the order of the portions, the cases one by one, and each claim alone.
    for (std::size_t i = 0; i < claims.size(); ++i) {
      Drawn whole(claims[i], property);
      for (std::size_t k = 0; k < kPortions; ++k) {
        Stream stream(claims[i], 5, 700, {k, kPortions});
        while (const auto next = stream.next()) {
          whole.add(next->input, next->family, decide(claims[i], next->input));
          for (std::size_t c = 0; c < whole.classes.size(); ++c) {
            if (whole.classes[c].contains(next->input)) ++whole.in_class[c];
          }
        }
      }
      EXPECT_EQ(joined[i].to_json(), whole.to_json()) << claims[i].id;
      EXPECT_EQ(joined[i].smallest.has_value(), claims[i].status == Status::refuted)
          << claims[i].id;
    }
  }
}

TEST(Drawn, WhatNoneWroteIsRefused) {
  const Claim& claim = find_claim("corollary3");
  const Property property = property_of(claim);
  const nlohmann::json good = draw({&claim, 1}, property, Stream(claim, 5, 50)).front().to_json();
  EXPECT_NO_THROW(Drawn::from_json(claim, property, good));
  for (const char* const part : {"tally", "classes", "worst"}) {
    nlohmann::json broken = good;
    broken.erase(part);
    EXPECT_THROW(Drawn::from_json(claim, property, broken), BadInput) << part;
  }
  nlohmann::json broken = good;
  broken["classes"].push_back(1);
  EXPECT_THROW(Drawn::from_json(claim, property, broken), BadInput);
  EXPECT_THROW(Drawn::from_json(find_claim("lemma2"), property, good), BadInput);
}

/// The double filter and the intervals disagree.
constexpr auto kTornBetween = []<class S>(const CaseContext&) -> Sides<S> {
  return {S(std::is_same_v<S, ErrorDouble> ? 2.0 : 0.0), S(1.0)};
};

TEST(Search, AWitnessThatIntervalsDenyIsFlaky) {
  const Claim claim = fake<kTornBetween>(Status::proved);
  EXPECT_EQ(decide(claim, logits({0, 1})).verdict, Verdict::violated);
  EXPECT_THROW(certified_witness(claim, logits({0, 1}), "here"), std::runtime_error);
}

/// lhs 1 beside `rhs`, of which doubles know nothing but that it is more.
template <int rhs>
constexpr auto kRough = []<class S>(const CaseContext&) -> Sides<S> {
  if constexpr (std::is_same_v<S, ErrorDouble>) return {S(1.0), S(rhs, 0.9)};
  return {S(1.0), S(static_cast<double>(rhs))};
};

TEST(Compare, LooksCloselyWhereDoublesDoNotTell) {
  const report::ComparisonRecord record =
      compare_on_drawn(fake<kRough<2>>(Status::proved), fake<kRough<3>>(Status::proved), 1, 20);
  EXPECT_EQ(record.cases, 20U);
  EXPECT_EQ(record.tighter, 20U);
}

}  // namespace

}  // namespace attn::properties
