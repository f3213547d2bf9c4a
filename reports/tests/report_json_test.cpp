#include "reports/io/report_json.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <tuple>

#include "reports/judge/judge.hpp"
#include "reports/tests/sample_report.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/base/tests/expect_bad_input.hpp"
#include "theory/tests/temporary_folder.hpp"

namespace attn::report {
namespace {

using nlohmann::json;
using enum BadInputKind;

json sample() {
  return json::parse(to_json(sample_report()).dump());
}

TEST(ReportJson, RoundTripsWithoutLoss) {
  for (const Report& report : {sample_report(), Report{.claims = {full_record()}}}) {
    const std::string once = to_json(report).dump();
    EXPECT_EQ(to_json(report_from_json(json::parse(once))).dump(), once);
  }
}

/// A shard of the sample's search, with units of work.
json shard() {
  Report report = in_shards(3)[1];
  report.parts = {{.unit = "draw a 0 0", .result = "{}"}, {.unit = "draw a 0 1", .result = "{}"}};
  return json::parse(to_json(report).dump());
}

TEST(ReportJson, KeepsTheShardOfASearch) {
  EXPECT_FALSE(sample()["provenance"].contains("shard"));
  const json document = shard();
  const Report read = report_from_json(document);
  ASSERT_TRUE(read.provenance.shard);
  EXPECT_EQ(read.provenance.shard->index, 2u);
  EXPECT_EQ(read.provenance.shard->count, 3u);
  EXPECT_TRUE(json::parse(to_json(read).dump()) == document);

  json empty = document;
  empty["claims"] = json::array();
  EXPECT_TRUE(report_from_json(empty).claims.empty()) << "more shards than claims";
}

TEST(ReportJson, SpellsOutWhatIsNotFinite) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Report report = sample_report();
  ClaimRecord& violated = record_in(report, "corollary3");
  violated.max_ratio = kInfinity;
  Spread& share = *report.inputs.front().figures.sink[0].share;
  share.mean = std::numeric_limits<double>::quiet_NaN();
  share.min = -kInfinity;
  const std::string text = to_json(report).dump();
  const json document = json::parse(text);
  EXPECT_EQ(
      document["claims"][static_cast<std::size_t>(&violated - report.claims.data())]["max_ratio"],
      "inf");
  const json& written = document["gpt2"]["figures"]["sink"][0]["share"];
  EXPECT_EQ(written["mean"], "nan");
  EXPECT_EQ(written["min"], "-inf");
  Report read = report_from_json(document);
  EXPECT_EQ(record_in(read, "corollary3").max_ratio, kInfinity);
}

TEST(ReportJson, ReadsTheBareContract) {
  json document = sample();
  for (json& claim : document["claims"]) {
    for (const char* const extra :
         {"statement", "paper", "argument", "families", "ratio_histogram", "first_undecided",
          "sampled", "sampled_open", "unmet", "classes", "mutants", "tightness", "regressions",
          "shrinking", "seed", "replay"}) {
      claim.erase(extra);
    }
    // A search that says nothing of input classes and mutants leaves a claim unguarded.
    if (claim["stage"] == "synthetic") claim["outcome"] = "not covered";
    if (claim["worst"].is_object()) {
      claim["worst"] = {{"case", claim["worst"]["case"]}, {"lhs", "1"}, {"rhs", "2"}};
    }
  }
  for (const char* const extra : {"gpt2", "comparisons", "normalizers"}) document.erase(extra);
  EXPECT_EQ(report_from_json(document).claims.size(), document["claims"].size());
}

/// What is put in a document, and what is said of it then.
struct Break {
  const char* at;  ///< a JSON pointer; "-" appends to a list
  json value;
  BadInputParts parts;
};

/// Each break, alone, at `root` of the document, must be refused at its path below that.
void expect_refused(const json& whole, const std::string& root, const std::vector<Break>& breaks) {
  ASSERT_NO_THROW(report_from_json(whole));
  for (const Break& broken : breaks) {
    json document = whole;
    document[json::json_pointer(root + broken.at)] = broken.value;
    BadInputParts parts = broken.parts;
    if (!root.empty()) parts.where = root + parts.where;
    EXPECT_BAD_INPUT(report_from_json(document), parts) << broken.at;
  }
}

/// What is said of a field that the rest of its record does not bear out.
BadInputParts contradiction(std::string where, std::string expected, std::string found = {}) {
  return {.kind = inconsistent,
          .where = std::move(where),
          .expected = std::move(expected),
          .found = std::move(found)};
}

TEST(ReportJson, NamesThePathOfWhatIsWrong) {
  const json whole = sample();
  const json claim = {{"id", "mine"}, {"title", "Mine"}, {"status", "proved"}, {"on_rows", true}};
  const json catalogue = {{"name", "own"}, {"eval", "own eval"}, {"claims", {claim, claim}}};
  const json huge = 18446744073709551615u;
  expect_refused(
      whole, "",
      {{"", json::array(), {.kind = malformed, .where = "at /", .expected = "an object"}},
       {"/schema", 2, {.kind = unsupported, .where = "/schema", .expected = "1", .found = "2"}},
       {"/claims",
        json::array(),
        {.kind = missing, .where = "/claims", .expected = "at least one record"}},
       {"/claims/0/cases", 9, contradiction("/claims/0/cases", "sum")},
       {"/claims/0/holds", huge, contradiction("/claims/0/cases", "sum")},
       {"/claims/0/outcome", "undecided",
        contradiction("/claims/0/outcome",
                      "\"as expected\", as the counts, classes and mutants say")},
       {"/claims/0/outcome", "missing",
        contradiction("/claims/0/outcome", "as the counts, classes")},
       {"/claims/-", whole["claims"][0], contradiction("/claims/", "each claim of a stage once")},
       {"/comparisons/0/looser", 11,
        contradiction("/comparisons/0/looser", "at most the 10 other cases")},
       {"/comparisons/-", whole["comparisons"][0],
        contradiction("/comparisons/", "each pair of claims once")},
       {"/normalizers/-", whole["normalizers"][0],
        contradiction("/normalizers/", "each normaliser once")},
       {"/catalogue", catalogue,
        contradiction("/catalogue/claims/1", "each claim of the catalogue once")}});
}

TEST(ReportJson, RefusesALargestRatioThatTheRestContradicts) {
  constexpr const char* kAttained = "corollary3.sharp";  // lhs/rhs is 1
  constexpr const char* kHolds = "theorem1.fixed";       // 0.8787...
  constexpr const char* kViolated = "corollary3";        // 2
  // Where neither the histogram nor the worst case's verdict says anything.
  const auto alone = [](double ratio) {
    return json{
        {"ratio_histogram", json::array()}, {"worst", {{"verdict", ""}}}, {"max_ratio", ratio}};
  };
  const std::tuple<const char*, json, BadInputParts> contradictions[] = {
      {kHolds,
       {{"max_ratio", 0.5}},
       contradiction("/ratio_histogram", "a last case in bin 10, as max_ratio says",
                     "a last case in bin 17")},
      {kHolds, {{"max_ratio", 1.5}}, contradiction("/max_ratio", "at most 1, for the worst case")},
      {kHolds,
       {{"max_ratio", "nan"}},
       {.kind = out_of_range, .where = "/max_ratio", .expected = "a number, not NaN"}},
      {kHolds, {{"max_ratio", nullptr}}, contradiction("/claims/", "", "worst alone")},
      {kHolds, {{"worst", nullptr}}, contradiction("/claims/", "", "max_ratio alone")},
      {kHolds,
       {{"max_ratio", nullptr}, {"worst", nullptr}},
       contradiction("/ratio_histogram", "no case")},
      {kHolds, alone(1.5), contradiction("/max_ratio", "at most 1, for no case")},
      {kAttained,
       {{"max_ratio", 0.99}},
       contradiction("/max_ratio", "1, for the worst case attains")},
      {kViolated, {{"max_ratio", 1}}, contradiction("/max_ratio", "above 1, for the worst case")},
      {kViolated, alone(1), contradiction("/max_ratio", "above 1, for every case")},
      {kViolated, {{"classes", json::array()}}, contradiction("/outcome", "\"not covered\"")},
  };
  for (const auto& [claim, patch, parts] : contradictions) {
    json document = sample();
    for (json& record : document["claims"]) {
      if (record["id"] == claim && record["stage"] == "synthetic") record.merge_patch(patch);
    }
    EXPECT_BAD_INPUT(report_from_json(document), parts) << claim << ": " << patch;
  }
}

TEST(ReportJson, NamesThePathOfWhatIsWrongWithGuards) {
  const json whole = json::parse(to_json(Report{.claims = {full_record()}}).dump());
  json without_case = whole["claims"][0]["tightness"]["at"];
  without_case["case"] = nullptr;
  expect_refused(
      whole, "/claims/0",
      {{"/smallest_witness",
        without_case,
        {.kind = malformed, .where = "/smallest_witness/case", .expected = "an object"}},
       {"/sampled", 16, contradiction("/sampled", "at most the 15 cases")},
       {"/sampled_open", 3,
        contradiction("/sampled_open", "at most the 2 undecided and sampled cases")},
       {"/sampled", 1, contradiction("/sampled_open", "at most the 1 undecided and sampled cases")},
       {"/unmet/order", 2, contradiction("/unmet", "3 cases in all")},
       {"/classes/1/name", "exact ties", contradiction("/classes/1", "each input class once")},
       {"/classes/0/cases", 16, contradiction("/classes/0/cases", "at most the 15 cases")},
       {"/classes/0/share_upper", 0.05,
        contradiction("/classes/0/share_upper", "at least share_lower")},
       {"/classes/1/covered", true,
        contradiction("/classes/1/covered", "false, as cases, share_lower and least_share say")},
       {"/classes/0/cases", 0,
        contradiction("/classes/0/covered", "false, as cases, share_lower and least_share say")},
       {"/mutants/0/id", "other/half",
        contradiction("/mutants/0/id", "the claim's id, a slash and a word", "\"other/half\"")},
       {"/mutants/1/id", "claim/half", contradiction("/mutants/1", "each mutant once")},
       {"/mutants/0/cases", 0, contradiction("/mutants/0/cases", "caught the mutant")},
       {"/mutants/1/witness", whole["claims"][0]["mutants"][0]["witness"],
        contradiction("/mutants/1/witness", "null")},
       {"/mutants/1/caught", true, contradiction("/outcome", "not covered")},
       {"/tightness/kind", "approached",
        contradiction("/tightness/kind", "\"loose\", as the ratio says")},
       {"/tightness/kind", "attained",
        contradiction("/tightness/ratio", "1, for the bound is attained")}});
}

TEST(ReportJson, NamesThePathOfWhatIsWrongWithAShard) {
  expect_refused(shard(), "",
                 {{"/provenance/shard/index",
                   4,
                   {.kind = out_of_range, .where = "at /provenance/shard/index"}},
                  {"/claims/1/stage", "gpt2", contradiction("at /claims/1/stage", "")},
                  {"/gpt2", json::object(), contradiction("at /gpt2", "")},
                  {"/parts/1/unit", "draw a 0 0", contradiction("at /parts", "")},
                  {"/provenance/shard", nullptr, contradiction("at /parts", "")}});
}

TEST(ReportJson, ARefusalIsOneShortLine) {
  const std::string hostile = std::string(100000, 'x') + "\n";
  json status = sample(), mutant = sample();
  status["claims"][0]["status"] = hostile;
  mutant["claims"][0]["mutants"][0]["id"] = hostile;
  for (const json& document : {status, mutant}) {
    try {
      report_from_json(document);
      ADD_FAILURE() << "accepted";
    } catch (const BadInput& error) {
      const std::string message = error.what();
      EXPECT_LT(message.size(), 300u);
      EXPECT_EQ(message.find('\n'), std::string::npos);
    }
  }
}

TEST(ReadReport, NamesTheFile) {
  const test::TemporaryFolder folder;
  write_file(folder / "report.json", "{\"schema\": 1, \"provenance\": NaN}");
  EXPECT_BAD_INPUT(read_report(folder / "report.json"), {.kind = malformed,
                                                         .where = (folder / "report.json").string(),
                                                         .found = "not JSON at byte 29"});
  const std::string twice = R"({"schema": 1, "claims": [{"max_ratio": 1}, {"id": 1, "id": 2}]})";
  write_file(folder / "report.json", twice);
  EXPECT_BAD_INPUT(read_report(folder / "report.json"),
                   {.kind = inconsistent,
                    .where = (folder / "report.json").string() + ": at /claims/1",
                    .found = "'id' twice"});
  EXPECT_BAD_INPUT(read_report(folder / "none.json"), {.kind = missing, .where = "none.json"});
}

TEST(WriteReport, NamesWhatIsMissing) {
  const test::TemporaryFolder folder;
  Report report = sample_report();
  const std::string dropped = report.claims.front().id;
  report.claims.erase(report.claims.begin());
  write_report(folder / "report.json", report);
  const Report read = read_report(folder / "report.json");
  EXPECT_EQ(read.claims.front().id, dropped);
  EXPECT_EQ(read.claims.front().outcome, Outcome::missing);
}

}  // namespace
}  // namespace attn::report
