// A search cut into shards and merged is the search.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "properties/search/run.hpp"
#include "properties/search/shard.hpp"
#include "properties/tests/search_alone.hpp"
#include "reports/io/report_json.hpp"
#include "reports/judge/judge.hpp"
#include "theory/base/tests/expect_bad_input.hpp"
#include "theory/claims/catalogue.hpp"

namespace attn::properties {

namespace {

TEST(Shards, AreReadAsKOfN) {
  EXPECT_EQ(report::shard_from("2/3").index, 2U);
  EXPECT_EQ(report::shard_from("2/3").count, 3U);
  EXPECT_EQ(report::shard_from("1000/1000").index, report::kMostShards);
  for (const char* const text : {"", "/", "2", "2/", "/3", "0/3", "4/3", "1/1001", "1/4294967297",
                                 "-1/3", "+1/3", "1/0", "a/b", "1/ 3", "1/3 ", "1.0/3", "1/3/3"}) {
    EXPECT_BAD_INPUT(report::shard_from(text), {.kind = BadInputKind::malformed}) << text;
  }
}

/// A catalogue of some of ours, two of which are compared with a third.
const Catalogue& few() {
  static const Catalogue catalogue(
      "few", {find_claim("lemma1.lower"), find_claim("lemma2"), find_claim("lemma2.sharp"),
              find_claim("corollary3"), find_claim("corollary3.sharp"),
              find_claim("corollary3.entrywise")});
  return catalogue;
}

std::vector<Claim> few_claims() {
  return {few().begin(), few().end()};
}

/// Each claim is drawn in several portions.
Run few_run() {
  return {.seed = 9, .effort = Effort::quick, .threads = 2, .catalogue = &few(), .cases = 60'000};
}

std::vector<report::PartRecord> computed(const report::Shard& shard) {
  const std::vector<Claim> claims = few_claims();
  const Run run = few_run();
  units::Alone alone;
  units::Team team(alone, run.threads, {});
  units::ResultJournal none;
  return compute_shard(units_of(shard, claims, run), claims, run, team, none, [](std::size_t) {});
}

std::vector<SearchResult> joined(const std::vector<report::PartRecord>& parts) {
  return join_shards(parts, few_run(), [](const Schedule&) {});
}

std::string text_of(const std::vector<SearchResult>& results) {
  report::Report report = report_of(results);
  report.catalogue = report::record_of(few(), "few eval");
  return report::report_text(report);
}

TEST(Shards, HaveEachUnitOnce) {
  const std::vector<Claim> claims = few_claims();
  const properties::Run run = few_run();
  const std::size_t all = units_of({1, 1}, claims, run).size();
  EXPECT_GT(all, 2 * claims.size());
  for (const unsigned count : {2U, 5U, static_cast<unsigned>(all) + 3}) {
    std::set<std::string> units;
    std::size_t largest = 0, smallest = all;
    for (unsigned index = 1; index <= count; ++index) {
      const std::vector<units::Unit> own = units_of({index, count}, claims, run);
      largest = std::max(largest, own.size());
      smallest = std::min(smallest, own.size());
      for (const units::Unit& unit : own) EXPECT_TRUE(units.insert(unit.name).second) << unit.name;
    }
    EXPECT_LE(largest - smallest, 1U) << count;
    EXPECT_EQ(units.size(), all) << count;
  }
}

TEST(Shards, ShareTheCasesOfOneClaim) {
  const std::vector<Claim> one = {find_claim("corollary3")};
  const properties::Run run{.seed = 1, .effort = Effort::thorough, .threads = 1};
  const std::size_t all = units_of({1, 1}, one, run).size();
  EXPECT_GT(all, 100U);
  EXPECT_GE(units_of({2, 3}, one, run).size(), all / 3);
}

TEST(Shards, JoinedAreTheWholeSearch) {
  const std::string whole = text_of(test::search_alone(few_claims(), few_run()));
  EXPECT_NE(whole.find("median_sharp"), std::string::npos) << "comparisons too";
  std::vector<report::PartRecord> parts;
  for (const unsigned index : {3U, 1U, 2U}) {
    const auto own = computed({index, 3});
    parts.insert(parts.end(), own.begin(), own.end());
  }
  EXPECT_EQ(text_of(joined(parts)), whole);
  parts.pop_back();
  EXPECT_BAD_INPUT(joined(parts),
                   {.kind = BadInputKind::missing, .where = "shards", .expected = "the unit '"});
}

}  // namespace

}  // namespace attn::properties
