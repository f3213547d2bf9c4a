// A search cut into shards and merged is the search.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "properties/search/run.hpp"
#include "properties/search/shard.hpp"
#include "reports/io/merge.hpp"
#include "reports/io/report_json.hpp"
#include "reports/judge/judge.hpp"
#include "reports/record/provenance.hpp"
#include "theory/base/tests/expect_bad_input.hpp"
#include "theory/claims/catalogue.hpp"

namespace attn::properties {

namespace {

TEST(Shards, HaveEachClaimOnce) {
  const auto size = static_cast<unsigned>(catalogue().size());
  for (const unsigned count : {1U, 2U, 5U, size, size + 3}) {
    std::map<std::string_view, unsigned> times;
    std::size_t largest = 0, smallest = size;
    for (unsigned index = 1; index <= count; ++index) {
      const std::vector<Claim> claims = claims_of({index, count}, catalogue());
      largest = std::max(largest, claims.size());
      smallest = std::min(smallest, claims.size());
      for (const Claim& claim : claims) ++times[claim.id];
    }
    EXPECT_LE(largest - smallest, 1U) << count;
    EXPECT_EQ(times.size(), size) << count;
    for (const auto& [claim, found] : times) EXPECT_EQ(found, 1U) << claim;
  }
}

TEST(Shards, AreReadAsKOfN) {
  EXPECT_EQ(shard_from("2/3").index, 2U);
  EXPECT_EQ(shard_from("2/3").count, 3U);
  EXPECT_EQ(shard_from("1000/1000").index, kMostShards);
  for (const char* const text : {"", "/", "2", "2/", "/3", "0/3", "4/3", "1/1001", "1/4294967297",
                                 "-1/3", "1/3 ", "1.0/3", "1/3/3"}) {
    EXPECT_BAD_INPUT(shard_from(text), {.kind = BadInputKind::malformed}) << text;
  }
}

/// A catalogue of some of ours, two of which are compared with a third.
const Catalogue& few() {
  static const Catalogue catalogue(
      "few", {find_claim("lemma1.lower"), find_claim("lemma2"), find_claim("lemma2.sharp"),
              find_claim("lemma2.oblique"), find_claim("corollary3"),
              find_claim("corollary3.sharp"), find_claim("corollary3.entrywise")});
  return catalogue;
}

report::Report searched(const std::vector<Claim>& claims,
                        const std::optional<report::Shard>& shard) {
  const Run run{.seed = 9, .effort = Effort::quick, .threads = 2, .catalogue = &few()};
  report::Report report = report_of(search_all(claims, run));
  report.provenance = report::collect_provenance(run.seed, "quick", run.threads);
  report.provenance.shard = shard;
  report.catalogue = report::record_of(few(), "few eval");
  return report;
}

std::string lasting(report::Report report) {
  report.provenance.started.clear();
  report.provenance.seconds = 0;
  report.provenance.threads = 0;
  return report::report_text(report);
}

TEST(Shards, MergedAreTheWholeSearch) {
  const report::Report whole = searched({few().begin(), few().end()}, std::nullopt);
  EXPECT_FALSE(whole.comparisons.empty());
  std::vector<report::Report> shards;
  for (unsigned index = 1; index <= 3; ++index) {
    const report::Shard shard{index, 3};
    shards.push_back(searched(claims_of(shard, few()), shard));
  }
  EXPECT_EQ(lasting(report::merge({shards[2], shards[0], shards[1]})), lasting(whole));
}

}  // namespace

}  // namespace attn::properties
