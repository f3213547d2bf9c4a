#include "reports/merge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "reports/judge.hpp"
#include "reports/report_json.hpp"
#include "reports/tests/sample_report.hpp"
#include "theory/bad_input.hpp"

namespace attn::report {
namespace {

using testing::HasSubstr;

/// The sample report, cut into its two stages.
std::pair<Report, Report> two_stages() {
  const Report whole = sample_report();
  Report search, real;
  search.provenance = real.provenance = whole.provenance;
  search.comparisons = whole.comparisons;
  search.normalizers = whole.normalizers;
  real.gpt2 = whole.gpt2;
  for (const ClaimRecord& record : whole.claims) {
    (record.stage == kSynthetic ? search : real).claims.push_back(record);
  }
  search.provenance.model_name.clear();
  search.provenance.seconds = 10;
  search.provenance.started = "2025-01-01T00:00:00Z";
  real.provenance.seconds = 2.5;
  real.provenance.started = "2025-01-01T00:00:10Z";
  real.provenance.libraries["libtorch"] = "1.13.1";
  return {search, real};
}

std::string refusal(const std::vector<Report>& reports) {
  try {
    merge(reports);
  } catch (const BadInput& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Merge, JoinsTheStagesInAnyOrder) {
  const auto [search, real] = two_stages();
  const Report joined = merge({search, real});
  EXPECT_EQ(to_json(joined).dump(), to_json(merge({real, search})).dump());
  EXPECT_EQ(joined.claims.size(), search.claims.size() + real.claims.size());
  EXPECT_EQ(joined.provenance.seconds, 12.5);
  EXPECT_EQ(joined.provenance.started, "2025-01-01T00:00:00Z");
  EXPECT_EQ(joined.provenance.model_name, "tiny");
  EXPECT_EQ(joined.provenance.libraries.at("libtorch"), "1.13.1");
  EXPECT_TRUE(joined.gpt2);
  EXPECT_EQ(exit_code(joined), 0);
}

TEST(Merge, KeepsComparisonsAndNormalisers) {
  const auto [search, real] = two_stages();
  ASSERT_FALSE(search.comparisons.empty());
  for (const Report& joined : {merge({search, real}), merge({real, search})}) {
    EXPECT_EQ(joined.comparisons.size(), search.comparisons.size());
    EXPECT_EQ(joined.normalizers.size(), search.normalizers.size());
  }
}

TEST(Merge, TakesANormaliserOnceAndRefusesAComparisonTwice) {
  auto [search, real] = two_stages();
  real.normalizers = search.normalizers;
  real.normalizers.push_back(
      {.name = "other", .definition = "", .constant = "", .breaks = "", .claim = ""});
  EXPECT_EQ(merge({search, real}).normalizers.size(), search.normalizers.size() + 1);
  real.comparisons = {search.comparisons.back()};
  EXPECT_THAT(refusal({search, real}),
              HasSubstr("two reports compare " + search.comparisons.back().sharp));
}

TEST(Merge, RefusesTheSameClaimTwiceInAStage) {
  auto [search, real] = two_stages();
  real.claims.push_back(search.claims.front());
  EXPECT_THAT(refusal({search, real}), HasSubstr("give each stage once"));
}

TEST(Merge, RefusesTwoRealInputBlocks) {
  auto [search, real] = two_stages();
  search.gpt2 = real.gpt2;
  EXPECT_THAT(refusal({search, real}), HasSubstr("real-input"));
}

TEST(Merge, RefusesReportsOfDifferentRuns) {
  const std::pair<const char*, std::function<void(Provenance&)>> changes[] = {
      {"version", [](Provenance& p) { p.version = "9"; }},
      {"commit", [](Provenance& p) { p.commit = "feed"; }},
      {"dirty", [](Provenance& p) { p.dirty = !p.dirty; }},
      {"compiler", [](Provenance& p) { p.compiler = "other"; }},
      {"flags", [](Provenance& p) { p.flags = "-O0"; }},
      {"seed", [](Provenance& p) { p.seed = 43; }},
      {"effort", [](Provenance& p) { p.effort = "thorough"; }},
      {"library gmp", [](Provenance& p) { p.libraries["gmp"] = "0"; }},
      {"blas", [](Provenance& p) { p.blas = "reference"; }},
      {"text sha256", [](Provenance& p) { p.text_sha256 = "0"; }},
  };
  for (const auto& [field, change] : changes) {
    auto [search, real] = two_stages();
    change(real.provenance);
    EXPECT_THAT(refusal({search, real}), HasSubstr(std::string(field) + " is \"")) << field;
  }
}

}  // namespace
}  // namespace attn::report
