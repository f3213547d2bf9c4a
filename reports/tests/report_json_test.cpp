#include "reports/io/report_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "reports/judge/judge.hpp"
#include "reports/tests/sample_report.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/base/tests/expect_bad_input.hpp"
#include "theory/tests/temporary_folder.hpp"

namespace attn::report {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using enum BadInputKind;

json sample() {
  return json::parse(to_json(sample_report()).dump());
}

TEST(ReportJson, RoundTripsWithoutLoss) {
  const std::string once = to_json(sample_report()).dump();
  EXPECT_EQ(to_json(report_from_json(json::parse(once))).dump(), once);
}

/// A record with every optional field filled.
ClaimRecord full_record() {
  ClaimRecord record = plain_record("claim", Stage::synthetic, 10);
  record.undecided = 2;
  record.assumption_not_met = 3;
  record.cases = 15;
  record.sampled = 4;
  record.sampled_open = 2;
  record.unmet = {{"order", 1}, {"sum", 2}};
  record.classes = {{.name = "exact ties",
                     .least_share = 0.1,
                     .cases = 12,
                     .share_lower = 0.2,
                     .share_upper = 0.99,
                     .covered = true},
                    {.name = "64 tokens",
                     .least_share = 0.1,
                     .cases = 3,
                     .share_lower = 0.01,
                     .share_upper = 0.5,
                     .covered = false}};
  CaseRecord at;
  at.input = {{"logits", {"0", "0"}}};
  at.lhs = "1";
  at.rhs = "2";
  at.lhs_lower = "0.75";
  at.lhs_upper = "1.25";
  at.rhs_lower = "1.75";
  at.rhs_upper = "2.25";
  at.verdict = Verdict::holds;
  at.digits = 100;
  at.where = "generic";
  record.mutants[0].witness = at;
  record.mutants[1].caught = false;
  record.tightness = {.kind = TightnessKind::loose, .ratio = 0.5, .climbed = 7, .at = at};
  record.regressions = 5;
  record.shrinking = "3 steps";
  rejudge(record);
  return record;
}

TEST(ReportJson, KeepsEveryFieldOfAFullRecord) {
  Report report;
  report.claims = {full_record()};
  report.comparisons = {{.sharp = "a.sharp",
                         .printed = "a",
                         .cases = 9,
                         .tighter = 5,
                         .as_tight = 2,
                         .looser = 1,
                         .median_sharp = 0.5,
                         .median_printed = 0.25}};
  report.normalizers = {
      {.name = "f", .definition = "d", .constant = "c", .breaks = "b", .claim = "a"}};
  const std::string once = to_json(report).dump();
  EXPECT_EQ(to_json(report_from_json(json::parse(once))).dump(), once);
}

/// A shard of the sample's search.
json shard() {
  json document = sample();
  document["provenance"]["shard"] = {{"index", 2}, {"count", 3}};
  document.erase("gpt2");
  json claims = json::array();
  for (const json& claim : document["claims"]) {
    if (claim["stage"] == "synthetic") claims.push_back(claim);
  }
  document["claims"] = claims;
  document["parts"] = {{{"unit", "draw a 0 0"}, {"result", "{}"}},
                       {{"unit", "draw a 0 1"}, {"result", "{}"}}};
  return document;
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

TEST(ReportJson, NamesThePathOfWhatIsWrongWithAShard) {
  using Edit = std::function<void(json&)>;
  const std::pair<Edit, BadInputParts> broken[] = {
      {[](json& d) { d["provenance"]["shard"]["index"] = 4; },
       {.kind = out_of_range, .where = "at /provenance/shard/index"}},
      {[](json& d) { d["claims"][1]["stage"] = "gpt2"; },
       {.kind = inconsistent, .where = "at /claims/1/stage"}},
      {[](json& d) { d["gpt2"] = json::object(); }, {.kind = inconsistent, .where = "at /gpt2"}},
      {[](json& d) { d["parts"][1]["unit"] = "draw a 0 0"; },
       {.kind = inconsistent, .where = "at /parts"}},
      {[](json& d) { d["provenance"].erase("shard"); },
       {.kind = inconsistent, .where = "at /parts"}},
  };
  for (const auto& [edit, wrong] : broken) {
    json document = shard();
    edit(document);
    EXPECT_BAD_INPUT(report_from_json(document), wrong);
  }
}

TEST(ReportJson, KeepsTheOrderOfTheContract) {
  const nlohmann::ordered_json document = to_json(sample_report());
  EXPECT_EQ(document.begin().key(), "schema");
  EXPECT_EQ(document["claims"][0].begin().key(), "id");
  EXPECT_EQ(document["provenance"].begin().key(), "version");
}

TEST(ReportJson, WritesCountsAsIntegersAndSidesAsStrings) {
  Report report;
  ClaimRecord record = plain_record("big", Stage::synthetic, 18446744073709551615u);
  report.claims = {record};
  const json document = json::parse(to_json(report).dump());
  EXPECT_EQ(document["claims"][0]["cases"].get<std::uint64_t>(), 18446744073709551615u);
  const json worst = sample()["claims"][0]["worst"];
  EXPECT_TRUE(worst["lhs"].is_string());
  EXPECT_GE(worst["lhs"].get<std::string>().size(), 3u);
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
  EXPECT_EQ(document["claims"][&violated - report.claims.data()]["max_ratio"], "inf");
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

struct Break {
  const char* name;
  std::function<void(json&)> apply;
  BadInputParts parts;
};

TEST(ReportJson, NamesThePathOfWhatIsWrong) {
  const Break breaks[] = {
      {"not an object",
       [](json& d) { d = json::array(); },
       {.kind = malformed, .where = "at /", .expected = "an object"}},
      {"schema",
       [](json& d) { d["schema"] = 2; },
       {.kind = unsupported, .where = "/schema", .expected = "1", .found = "2"}},
      {"no provenance",
       [](json& d) { d.erase("provenance"); },
       {.kind = missing, .where = "at /", .expected = "\"provenance\""}},
      {"no claims",
       [](json& d) { d["claims"] = json::array(); },
       {.kind = missing, .where = "/claims", .expected = "at least one record"}},
      {"sum",
       [](json& d) { d["claims"][0]["cases"] = 9; },
       {.kind = inconsistent, .where = "/claims/0/cases", .expected = "sum"}},
      {"overflowing sum",
       [](json& d) {
         d["claims"][0]["holds"] = 18446744073709551615u;
         d["claims"][0]["violated"] = 2;
       },
       {.kind = inconsistent, .where = "/claims/0/cases", .expected = "sum"}},
      {"outcome",
       [](json& d) { d["claims"][0]["outcome"] = "undecided"; },
       {.kind = inconsistent,
        .where = "/claims/0/outcome",
        .expected = "\"as expected\", as the counts, classes and mutants say"}},
      {"missing with cases",
       [](json& d) { d["claims"][0]["outcome"] = "missing"; },
       {.kind = inconsistent, .where = "/claims/0/outcome", .expected = "as the counts, classes"}},
      {"twice",
       [](json& d) { d["claims"].push_back(d["claims"][0]); },
       {.kind = inconsistent, .where = "/claims/", .expected = "each claim of a stage once"}},
      {"comparison",
       [](json& d) { d["comparisons"][0]["looser"] = 11; },
       {.kind = inconsistent,
        .where = "/comparisons/0/looser",
        .expected = "at most the 10 other cases"}},
      {"comparison twice",
       [](json& d) { d["comparisons"].push_back(d["comparisons"][0]); },
       {.kind = inconsistent, .where = "/comparisons/", .expected = "each pair of claims once"}},
      {"normaliser twice",
       [](json& d) { d["normalizers"].push_back(d["normalizers"][0]); },
       {.kind = inconsistent, .where = "/normalizers/", .expected = "each normaliser once"}},
      {"catalogue twice",
       [](json& d) {
         const json claim = {
             {"id", "mine"}, {"title", "Mine"}, {"status", "proved"}, {"on_rows", true}};
         d["catalogue"] = {{"name", "own"}, {"eval", "own eval"}, {"claims", {claim, claim}}};
       },
       {.kind = inconsistent,
        .where = "/catalogue/claims/1",
        .expected = "each claim of the catalogue once"}},
  };
  for (const Break& broken : breaks) {
    json document = sample();
    broken.apply(document);
    EXPECT_BAD_INPUT(report_from_json(document), broken.parts) << broken.name;
  }
}

/// The sample with one claim's record, edited.
json with_edited(std::string_view id, const std::function<void(json&)>& edit) {
  json document = sample();
  for (json& record : document["claims"]) {
    if (record["id"] == id && record["stage"] == "synthetic") edit(record);
  }
  return document;
}

TEST(ReportJson, RefusesALargestRatioThatTheRestContradicts) {
  constexpr const char* kAttained = "corollary3.sharp";  // lhs/rhs is 1
  constexpr const char* kHolds = "theorem1.fixed";       // 0.8787...
  constexpr const char* kViolated = "corollary3";        // 2
  // Where neither the histogram nor the worst case's verdict says anything.
  const auto alone = [](double ratio) {
    return [ratio](json& r) {
      r["ratio_histogram"] = json::array();
      r["worst"]["verdict"] = "";
      r["max_ratio"] = ratio;
    };
  };
  const struct {
    const char* claim;
    std::function<void(json&)> edit;
    BadInputParts parts;
  } contradictions[] = {
      {kHolds,
       [](json& r) { r["max_ratio"] = 0.5; },
       {.kind = inconsistent,
        .where = "/ratio_histogram",
        .expected = "a last case in bin 10, as max_ratio says",
        .found = "a last case in bin 17"}},
      {kHolds,
       [](json& r) { r["max_ratio"] = 1.5; },
       {.kind = inconsistent, .where = "/max_ratio", .expected = "at most 1, for the worst case"}},
      {kHolds,
       [](json& r) { r["max_ratio"] = "nan"; },
       {.kind = out_of_range, .where = "/max_ratio", .expected = "a number, not NaN"}},
      {kHolds,
       [](json& r) { r["max_ratio"] = nullptr; },
       {.kind = inconsistent, .where = "/claims/", .found = "worst alone"}},
      {kHolds,
       [](json& r) { r["worst"] = nullptr; },
       {.kind = inconsistent, .where = "/claims/", .found = "max_ratio alone"}},
      {kHolds,
       [](json& r) { r["max_ratio"] = r["worst"] = nullptr; },
       {.kind = inconsistent, .where = "/ratio_histogram", .expected = "no case"}},
      {kHolds,
       alone(1.5),
       {.kind = inconsistent, .where = "/max_ratio", .expected = "at most 1, for no case"}},
      {kAttained,
       [](json& r) { r["max_ratio"] = 0.99; },
       {.kind = inconsistent, .where = "/max_ratio", .expected = "1, for the worst case attains"}},
      {kViolated,
       [](json& r) { r["max_ratio"] = 1; },
       {.kind = inconsistent, .where = "/max_ratio", .expected = "above 1, for the worst case"}},
      {kViolated,
       alone(1),
       {.kind = inconsistent, .where = "/max_ratio", .expected = "above 1, for every case"}},
      {kViolated,
       [](json& r) { r["classes"] = json::array(); },
       {.kind = inconsistent, .where = "/outcome", .expected = "\"not covered\""}},
  };
  for (const auto& [claim, edit, parts] : contradictions) {
    EXPECT_BAD_INPUT(report_from_json(with_edited(claim, edit)), parts)
        << claim << ": " << parts.expected << parts.found;
  }
}

TEST(ReportJson, NamesThePathOfWhatIsWrongWithGuards) {
  const Break breaks[] = {
      {"a witness without its case",
       [](json& r) {
         r["smallest_witness"] = r["tightness"]["at"];
         r["smallest_witness"]["case"] = nullptr;
       },
       {.kind = malformed, .where = "/smallest_witness/case", .expected = "an object"}},
      {"sampled",
       [](json& r) { r["sampled"] = 16; },
       {.kind = inconsistent, .where = "/sampled", .expected = "at most the 15 cases"}},
      {"sampled open",
       [](json& r) { r["sampled_open"] = 3; },
       {.kind = inconsistent,
        .where = "/sampled_open",
        .expected = "at most the 2 undecided and sampled cases"}},
      {"sampled open of fewer sampled",
       [](json& r) { r["sampled"] = 1; },
       {.kind = inconsistent,
        .where = "/sampled_open",
        .expected = "at most the 1 undecided and sampled cases"}},
      {"unmet",
       [](json& r) { r["unmet"]["order"] = 2; },
       {.kind = inconsistent, .where = "/unmet", .expected = "3 cases in all"}},
      {"class twice",
       [](json& r) { r["classes"][1]["name"] = "exact ties"; },
       {.kind = inconsistent, .where = "/classes/1", .expected = "each input class once"}},
      {"class cases",
       [](json& r) { r["classes"][0]["cases"] = 16; },
       {.kind = inconsistent, .where = "/classes/0/cases", .expected = "at most the 15 cases"}},
      {"crossed shares",
       [](json& r) { r["classes"][0]["share_upper"] = 0.15; },
       {.kind = inconsistent,
        .where = "/classes/0/share_upper",
        .expected = "at least share_lower"}},
      {"covered",
       [](json& r) { r["classes"][1]["covered"] = true; },
       {.kind = inconsistent,
        .where = "/classes/1/covered",
        .expected = "false, as share_lower and least_share say"}},
      {"mutant id",
       [](json& r) { r["mutants"][0]["id"] = "other/half"; },
       {.kind = inconsistent,
        .where = "/mutants/0/id",
        .expected = "the claim's id, a slash and a word",
        .found = "\"other/half\""}},
      {"mutant twice",
       [](json& r) { r["mutants"][1]["id"] = "claim/half"; },
       {.kind = inconsistent, .where = "/mutants/1", .expected = "each mutant once"}},
      {"mutant caught in no case",
       [](json& r) { r["mutants"][0]["cases"] = 0; },
       {.kind = inconsistent, .where = "/mutants/0/cases", .expected = "caught the mutant"}},
      {"witness of a survivor",
       [](json& r) { r["mutants"][1]["witness"] = r["mutants"][0]["witness"]; },
       {.kind = inconsistent, .where = "/mutants/1/witness", .expected = "null"}},
      {"survivor",
       [](json& r) { r["mutants"][1]["caught"] = true; },
       {.kind = inconsistent, .where = "/outcome", .expected = "not covered"}},
      {"kind against ratio",
       [](json& r) { r["tightness"]["kind"] = "approached"; },
       {.kind = inconsistent,
        .where = "/tightness/kind",
        .expected = "\"loose\", as the ratio says"}},
      {"attained below 1",
       [](json& r) { r["tightness"]["kind"] = "attained"; },
       {.kind = inconsistent,
        .where = "/tightness/ratio",
        .expected = "1, for the bound is attained"}},
  };
  Report report;
  report.claims = {full_record()};
  const json whole = json::parse(to_json(report).dump());
  ASSERT_NO_THROW(report_from_json(whole));
  for (const Break& broken : breaks) {
    json document = whole;
    broken.apply(document["claims"][0]);
    BadInputParts expected = broken.parts;
    expected.where = "/claims/0" + broken.parts.where;
    EXPECT_BAD_INPUT(report_from_json(document), expected) << broken.name;
  }
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
