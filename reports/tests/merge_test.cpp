#include "reports/io/merge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <vector>

#include "reports/io/report_json.hpp"
#include "reports/judge/judge.hpp"
#include "reports/tests/sample_report.hpp"
#include "theory/base/tests/expect_bad_input.hpp"

namespace attn::report {
namespace {

using enum BadInputKind;

TEST(Merge, KeepsTheComparisonsOfEveryInput) {
  auto [search, real] = two_stages();
  real.comparisons = search.comparisons;
  EXPECT_BAD_INPUT(merge({search, real}), {.kind = inconsistent, .where = "comparison"});
  for (ComparisonRecord& record : real.comparisons) record.input = "tiny";
  const Report joined = merge({search, real});
  EXPECT_EQ(joined.comparisons.size(), 2 * search.comparisons.size());
  EXPECT_EQ(to_json(report_from_json(to_json(joined))).dump(), to_json(joined).dump());
}

TEST(Merge, OfWhatNoProgramAsksForIsALogicError) {
  EXPECT_THROW(merge(std::vector<Report>{}), std::logic_error);
  Report shard = sample_report();
  EXPECT_NO_THROW(file_of(shard));
  shard.windows.offsets = {0};
  EXPECT_THROW(file_of(shard), std::logic_error);
}

TEST(Merge, JoinsTheStagesInAnyOrder) {
  auto [search, real] = two_stages();
  search.provenance.cases = 500;
  real.normalizers = {search.normalizers.front()};  // taken once
  const Report joined = merge({search, real});
  EXPECT_EQ(joined.normalizers.size(), search.normalizers.size());
  real.normalizers = {};
  EXPECT_EQ(to_json(joined).dump(), to_json(merge({real, search})).dump());
  EXPECT_EQ(joined.claims.size(), search.claims.size() + real.claims.size());
  EXPECT_EQ(joined.provenance.seconds, 12.5);
  ASSERT_EQ(joined.provenance.times.size(), 2U);
  EXPECT_EQ(joined.provenance.times[0].stage, Stage::synthetic);
  EXPECT_EQ(joined.provenance.times[0].seconds + joined.provenance.times[1].seconds, 12.5);
  EXPECT_EQ(joined.provenance.started, "2025-01-01T00:00:00Z");
  EXPECT_EQ(joined.provenance.model.name, "tiny");
  EXPECT_EQ(joined.provenance.libraries.at("libtorch"), "1.13.1");
  EXPECT_EQ(exit_code(joined), 0);
}

TEST(Merge, RefusesTheSameClaimOrInputTwice) {
  auto [search, real] = two_stages();
  real.claims.push_back(search.claims.front());
  EXPECT_BAD_INPUT(
      merge({search, real}),
      {.kind = inconsistent, .where = "claim ", .advice = "give each stage and input once"});
  real.claims.clear();
  EXPECT_BAD_INPUT(merge({real, real}), {.kind = inconsistent, .where = "measured on real input"});
}

/// The real stage of the sample on an input of that name.
Report real_input(const std::string& name, Stage stage) {
  Report real = two_stages().second;
  real.inputs.front().input = name;
  real.provenance.model = {.name = name,
                           .sha256 = std::string(64, name.front() == 'a' ? 'a' : 'b')};
  for (ClaimRecord& record : real.claims) {
    record.input = name;
    record.stage = stage;
  }
  return real;
}

/// A report as it is where it was read from that file.
Report from_file(Report report, const std::string& file) {
  report.windows.file = file;
  return report;
}

TEST(Merge, NamesBothFilesThatDoNotFit) {
  const auto [search, real] = two_stages();
  Report other = real;
  other.provenance.seed = 43;
  other.inputs.front().input = "b";
  const Report alone = real_input("a", Stage::activations);
  EXPECT_BAD_INPUT(
      merge({from_file(search, "s.json"), from_file(real, "r.json"), from_file(other, "o.json")}),
      {.kind = inconsistent, .where = "s.json and o.json: seed"});
  EXPECT_BAD_INPUT(merge({from_file(alone, "a.json"), from_file(search, "s.json"),
                          from_file(search, "again.json")}),
                   {.kind = inconsistent, .where = "s.json and again.json: claim "});
  const std::vector<Report> two = in_shards(2), three = in_shards(3);
  EXPECT_BAD_INPUT(merge({from_file(two[0], "1.json"), from_file(three[1], "2.json")}),
                   {.kind = inconsistent, .where = "1.json and 2.json: shards"});
  EXPECT_BAD_INPUT(merge({from_file(three[0], "1.json"), from_file(three[1], "2.json"),
                          from_file(three[1], "3.json")}),
                   {.kind = inconsistent, .where = "2.json and 3.json: shards"});
  EXPECT_BAD_INPUT(merge({from_file(search, "s.json"), from_file(two[0], "1.json")}),
                   {.kind = inconsistent, .where = "1.json and s.json: shard 1/2"});
}

TEST(Merge, JoinsSeveralInputs) {
  const Report search = two_stages().first;
  const Report joined =
      merge({search, real_input("a", Stage::gpt2), real_input("b", Stage::activations),
             real_input("c", Stage::activations)});
  const std::vector<Source> expected = {{Stage::synthetic, ""},
                                        {Stage::gpt2, "a"},
                                        {Stage::activations, "b"},
                                        {Stage::activations, "c"}};
  EXPECT_EQ(sources_of(joined), expected);
  EXPECT_EQ(joined.provenance.model.name, "a");
  std::vector<std::string> inputs;
  for (const Measurements& measured : joined.inputs) inputs.push_back(measured.input);
  EXPECT_THAT(inputs, testing::ElementsAre("a", "b", "c"));
  EXPECT_EQ(exit_code(joined), 0);
  const Report again = report_from_json(to_json(joined));
  EXPECT_EQ(to_json(again).dump(), to_json(joined).dump());
}

TEST(Merge, MissesAClaimOfOneInputThoughAnotherHasIt) {
  Report b = real_input("b", Stage::activations);
  b.claims.pop_back();
  const Report joined = merge({real_input("a", Stage::activations), b});
  EXPECT_EQ(exit_code(joined), 1);
  const std::vector<Failure> failed = failures(joined);
  ASSERT_EQ(failed.size(), 1u);
  EXPECT_EQ(failed[0].source, (Source{Stage::activations, "b"}));
}

TEST(Merge, RefusesReportsOfDifferentRuns) {
  const std::pair<const char*, std::function<void(RunInfo&)>> changes[] = {
      {"version", [](RunInfo& p) { p.version = "9"; }},
      {"commit", [](RunInfo& p) { p.commit = "feed"; }},
      {"dirty", [](RunInfo& p) { p.dirty = !p.dirty; }},
      {"compiler", [](RunInfo& p) { p.compiler = "other"; }},
      {"flags", [](RunInfo& p) { p.flags = "-O0"; }},
      {"seed", [](RunInfo& p) { p.seed = 43; }},
      {"effort", [](RunInfo& p) { p.effort = Effort::thorough; }},
      {"library gmp", [](RunInfo& p) { p.libraries["gmp"] = "0"; }},
      {"blas", [](RunInfo& p) { p.blas = "reference"; }},
      {"text sha256", [](RunInfo& p) { p.text_sha256 = "0"; }},
  };
  for (const auto& [field, change] : changes) {
    auto [search, real] = two_stages();
    change(real.provenance);
    EXPECT_BAD_INPUT(merge({search, real}),
                     {.kind = inconsistent, .where = field, .advice = "different runs"});
  }
}

TEST(Merge, ListsWhatTheProcessorsOfSeveralMachinesTake) {
  auto [search, real] = two_stages();
  RunInfo& here = search.provenance;
  RunInfo& there = real.provenance;
  here.processor = "x86_64 (EPYC 7)";
  there.processor = "x86_64 (EPYC)";
  here.libraries["libtorch"] = "1.13.0 with AVX512";
  there.libraries["libtorch"] = "1.13.0 with AVX2";
  here.blas = "OpenBLAS 0.3.21 SkylakeX; OpenBLAS 0.3.21 Zen";
  there.blas = "OpenBLAS 0.3.21 Zen";
  const RunInfo joined = merge({search, real}).provenance;
  EXPECT_EQ(joined.processor, "x86_64 (EPYC 7); x86_64 (EPYC)");
  EXPECT_EQ(joined.libraries.at("libtorch"), "1.13.0 with AVX512; 1.13.0 with AVX2");
  EXPECT_EQ(joined.blas, here.blas);
  there.blas = "OpenBLAS 0.3.22 Zen";
  EXPECT_BAD_INPUT(merge({search, real}), {.kind = inconsistent, .where = "blas"});
  there.blas = here.blas;
  there.libraries["libtorch"] = "1.13 with AVX512";
  EXPECT_BAD_INPUT(merge({search, real}), {.kind = inconsistent, .where = "library libtorch"});
}

/// A report as JSON but for its times, threads and ranks.
std::string lasting(Report report) {
  report.provenance.started.clear();
  report.provenance.seconds = 0;
  report.provenance.times.clear();
  report.provenance.threads = 0;
  report.provenance.ranks.reset();
  return to_json(report).dump();
}

TEST(MergeShards, GivesTheReportOfTheWholeSearch) {
  const auto [search, real] = two_stages();
  const std::size_t claims = search.claims.size();
  for (const unsigned count : {1u, 3u, 7u, static_cast<unsigned>(claims) + 2}) {
    std::vector<Report> parts = in_shards(count);
    EXPECT_EQ(lasting(merge(parts)), lasting(merge({search}))) << count;
    std::reverse(parts.begin(), parts.end());
    EXPECT_EQ(lasting(merge(parts)), lasting(merge({search}))) << count;
    parts.insert(parts.begin() + 1, real);
    EXPECT_EQ(lasting(merge(parts)), lasting(merge({search, real}))) << count;
    EXPECT_EQ(merge(parts).provenance.threads, count < 2 ? 2 : count);
    EXPECT_EQ(merge(parts).provenance.ranks.value_or(1), count);
  }
}

TEST(MergeShards, RefusesAllButEveryShardOnce) {
  const std::vector<Report> five = in_shards(5);
  EXPECT_BAD_INPUT(merge({five[0], five[2], five[4]}), {.kind = missing,
                                                        .where = "shards",
                                                        .expected = "all 5",
                                                        .found = "3, without 2/5, 4/5",
                                                        .advice = "run and give every shard"});
  EXPECT_BAD_INPUT(merge({five[0], five[1], five[2], five[1], five[3], five[4]}),
                   {.kind = inconsistent, .where = "shards", .found = "2/5 twice"});
  EXPECT_BAD_INPUT(merge({in_shards(2)[0], in_shards(3)[1]}),
                   {.kind = inconsistent,
                    .where = "shards",
                    .found = "1/2 and 2/3",
                    .advice = "merge all the shards of one search"});
  EXPECT_BAD_INPUT(merge({in_shards(40)[6]}), {.kind = missing, .found = "8/40, 9/40, and others"});
}

TEST(MergeShards, RefusesAShardBesideTheWholeSearch) {
  const auto [search, real] = two_stages();
  EXPECT_NO_THROW(merge({in_shards(1)[0], real}));
  EXPECT_BAD_INPUT(merge({in_shards(1)[0], search}), {.kind = inconsistent,
                                                      .where = "shard 1/1",
                                                      .found = "a report of the whole search",
                                                      .advice = "give one or the other"});
}

TEST(MergeShards, HandsTheUnitsOfAllToWhoEndsThem) {
  const Report search = two_stages().first;
  std::vector<Report> two = in_shards(2);
  for (Report& shard : two) {
    shard.claims.clear();
    shard.comparisons.clear();
    shard.parts = {{.unit = std::to_string(shard.provenance.shard->index), .result = "{}"}};
  }
  std::vector<std::string> units;
  const Report merged = merge({two[1], two[0]}, [&](Report& joined) {
    for (const PartRecord& part : joined.parts) units.push_back(part.unit);
    joined.claims = search.claims;
    joined.comparisons = search.comparisons;
    joined.parts.clear();
  });
  EXPECT_EQ(units, (std::vector<std::string>{"2", "1"}));
  EXPECT_EQ(lasting(merged), lasting(merge({search})));
  two[1].provenance.cases = 7;
  EXPECT_BAD_INPUT(merge(two), {.kind = inconsistent, .where = "cases", .found = "\"7\""});
}

TEST(MergeShards, FindsAClaimThatNoShardHas) {
  std::vector<Report> two = in_shards(2);
  complete(two[1]);
  EXPECT_EQ(two[1].claims.size(), in_shards(2)[1].claims.size()) << "a shard lacks nothing";
  two[1].claims.erase(two[1].claims.begin());
  EXPECT_EQ(exit_code(merge(two)), 1);
}

}  // namespace
}  // namespace attn::report
