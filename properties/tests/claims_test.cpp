// One test for each claim of the catalogue: its property comes out as mathematics says.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "properties/search/drawn.hpp"
#include "properties/search/run.hpp"
#include "properties/search/search.hpp"
#include "properties/tests/search_alone.hpp"
#include "theory/attention/case_context.hpp"
#include "theory/attention/case_json.hpp"
#include "theory/attention/kind.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/decide.hpp"

namespace attn::properties {
namespace {

/// The run that the project's own regressions are part of.
Run quick_run() {
  return {.seed = 1,
          .effort = Effort::quick,
          .threads = 1,
          .regressions = read_regressions(regressions_folder(), catalogue())};
}

std::string name_of(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

std::vector<std::string> all_ids() {
  std::vector<std::string> ids;
  for (const Claim& claim : catalogue()) ids.emplace_back(claim.id);
  return ids;
}

class ClaimTest : public testing::TestWithParam<std::string> {};

TEST_P(ClaimTest, ComesOutAsExpected) {
  const Claim& claim = find_claim(GetParam());
  const auto run = quick_run();
  const SearchResult result = test::search_alone({&claim, 1}, run).front();
  const std::string replay = replay_command(claim.id, run);
  ASSERT_EQ(result.failure, "") << replay;
  const report::ClaimRecord& record = result.record;
  EXPECT_EQ(record.outcome, report::Outcome::as_expected) << replay;
  EXPECT_EQ(record.cases, cases_per_claim(run.effort, claim) + record.regressions);
  EXPECT_EQ(record.violated > 0, claim.status == Status::refuted);
  EXPECT_EQ(record.smallest_witness.has_value(), claim.status == Status::refuted);
  EXPECT_EQ(record.tightness.has_value(), claim.status == Status::proved);
  EXPECT_EQ(result.comparison.has_value(), !claim.sharpens.empty());
  for (const auto& input : record.classes) {
    EXPECT_TRUE(input.covered) << input.name << ": " << input.cases << " of " << record.cases;
  }
  for (const auto& mutant : record.mutants) {
    EXPECT_TRUE(mutant.caught) << mutant.id << ": " << mutant.change << "\n" << mutant.replay;
    EXPECT_TRUE(mutant.witness);
  }
}

/// Cases outside the hypotheses come from the families that are made for them, and from flat
/// cases of the claims that say so.
TEST(Claims, NoCaseIsOutsideWhereTheHypothesesHoldByConstruction) {
  for (const char* id :
       {"corollary1.upper", "theorem2.lower", "corollary3.sharp", "corollary3.step",
        "lipschitz.sparsemax", "lipschitz.sinkhorn.sharp", "lipschitz.polynomial"}) {
    const Claim& claim = find_claim(id);
    const Drawn drawn = draw({&claim, 1}, property_of(claim), Stream(claim, 3, 300)).front();
    EXPECT_EQ(drawn.tally.counts().assumption_not_met, 0U) << id;
  }
}

std::vector<std::string> ids_with_known_equality() {
  std::vector<std::string> ids;
  for (const Claim& claim : catalogue()) {
    if (claim.attained != nullptr) ids.emplace_back(claim.id);
  }
  return ids;
}

class AttainedTest : public testing::TestWithParam<std::string> {};

/// What a claim knows of its equality without computing its sides, the intervals must not
/// contradict.
TEST_P(AttainedTest, IsWhereTheIntervalsFindNoGap) {
  const Claim& claim = find_claim(GetParam());
  Claim by_intervals = claim;
  by_intervals.attained = nullptr;
  std::size_t known = 0;
  Stream stream(claim, 1, 1000);
  while (const auto drawn = stream.next()) {
    const Case& input = drawn->input;
    const CaseContext context(input);
    if (claim.unmet != nullptr && !claim.unmet(context).empty()) continue;
    if (!claim.attained(context)) continue;
    ++known;
    const Decision decision = decide(by_intervals, input);
    if (decision.sampled) continue;
    EXPECT_TRUE(decision.verdict == Verdict::equal || decision.verdict == Verdict::undecided)
        << to_string(decision.verdict) << " by " << decision.digits << " digits\n"
        << to_json(input).dump();
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(known, 0U);
}

/// No interval is computed of sides that are known to be equal.
TEST_P(AttainedTest, SparesTheLadder) {
  const Claim& claim = find_claim(GetParam());
  if (claim.status != Status::proved) return;  // its example violates it
  // Where a gradient is 0, so is the bound of lemma2: no example of how sharp it is.
  constexpr std::string_view kFlat = R"({"logits":[-1,-1],"normalizer":"taylor"})";
  ASSERT_EQ(claim.example.empty(), claim.id == "lemma2");
  const auto json = nlohmann::json::parse(claim.example.empty() ? kFlat : claim.example);
  const Case example = read_case(claim, json);
  EXPECT_TRUE(claim.attained(CaseContext(example)));
  const Decision decision = decide(claim, example);
  EXPECT_EQ(decision.verdict, Verdict::equal);
  EXPECT_EQ(decision.digits, kFilter);
}

void scale(nlohmann::json& numbers, const Rational& factor) {
  for (nlohmann::json& number : numbers) {
    number = to_string(Rational(factor * parse_rational(number.get<std::string>())));
  }
}

/// The case at temperature T, with logits up to 10^4 and a step as long beside them as it was.
nlohmann::json colder(const Case& input, const Rational& t) {
  nlohmann::json json = to_json(input);
  json["temperature"] = to_string(t);
  if (json.contains("colder")) json["colder"] = to_string(Rational(t / 2));
  if (!json.contains("logits")) return json;
  Rational largest = 0;
  for (const nlohmann::json& logit : json["logits"]) {
    largest = std::max(largest, Rational(abs(parse_rational(logit.get<std::string>()))));
  }
  if (largest == 0) return json;
  const Rational factor = 10'000 / largest;
  for (const char* const field : {"logits", "step"}) {
    if (json.contains(field)) scale(json[field], factor);
  }
  return json;
}

/// Whether the sides may differ first in the 47th of their largest terms, beyond what is looked at:
/// of far weights of softplus, whose logarithms have terms at each multiple of a logit.
bool may_stay_open(const Claim& claim, const Case& input) {
  return claim.id == "distance.radius" && normalizer_of(input) == Normalizer::softplus;
}

/// Temperatures down to 2^-30 and gaps up to 10^4 leave weights too small for any digits: what is
/// strict is decided all the same, from differences that are formed before they cancel, and from
/// the largest terms of the sides.
TEST(Claims, DecideWhatIsStrictInTheCold) {
  constexpr std::size_t kDrawn = 24;
  constexpr std::size_t kMostTokens = 6;
  std::size_t decided = 0;
  for (const Claim& claim : catalogue()) {
    Stream stream(claim, 1, kDrawn);
    while (const auto drawn = stream.next()) {
      if (!has_temperature(drawn->input) || tokens_of(drawn->input) > kMostTokens) continue;
      for (const int halvings : {10, 30}) {
        const nlohmann::json json = colder(drawn->input, Rational(1, std::int64_t{1} << halvings));
        const Case cold = read_case(claim, json);
        const Decision decision = decide(claim, cold);
        EXPECT_TRUE(decision.verdict != Verdict::undecided || decision.sampled ||
                    may_stay_open(claim, cold))
            << claim.id << " " << json.dump();
        ++decided;
      }
    }
  }
  EXPECT_GT(decided, 1000U);
  const Claim& claim = find_claim("softmax.cocoercive");
  const Case one = read_case(claim, {{"logits", {"-6", "6"}},
                                     {"step", {"3", "-3"}},
                                     {"temperature", "1/1000"},
                                     {"normalizer", "softmax"}});
  EXPECT_EQ(decide(claim, one).verdict, Verdict::holds);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, AttainedTest, testing::ValuesIn(ids_with_known_equality()),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Catalogue, ClaimTest, testing::ValuesIn(all_ids()), name_of);

}  // namespace

}  // namespace attn::properties
