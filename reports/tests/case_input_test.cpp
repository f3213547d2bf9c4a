#include "reports/judge/case_input.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/io/report_json.hpp"
#include "reports/io/vectors.hpp"
#include "reports/tests/sample_report.hpp"
#include "reports/text/cases.hpp"
#include "theory/attention/case_json.hpp"
#include "theory/base/tests/expect_bad_input.hpp"

namespace attn::report {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::SizeIs;
using enum BadInputKind;

/// `count` vectors of two coordinates each, of which the one at `from` is the first.
Case::Vectors vectors_from(int from, std::size_t count) {
  Case::Vectors vectors;
  for (std::size_t i = 0; i < count; ++i) {
    vectors.push_back({Rational(from + static_cast<int>(i)), Rational(1, 3)});
  }
  return vectors;
}

/// A row of `tokens` tokens, with the embeddings that follow the first `from`.
Case row(std::size_t tokens, int from = 0) {
  Case input{.kind = InputKind::weighted_embeddings, .temperature = 8};
  for (std::size_t i = 0; i < tokens; ++i) {
    input.logits.push_back(exact(0.1 * static_cast<double>(i)));
  }
  input.embeddings = vectors_from(from, tokens);
  return input;
}

Case weighted(std::size_t tokens) {
  Case input{.kind = InputKind::weighted_embeddings};
  input.weights.assign(tokens, Rational(1, static_cast<int>(tokens)));
  input.embeddings = vectors_from(0, tokens);
  return input;
}

Case keys(std::size_t tokens) {
  return {.kind = InputKind::query_keys, .query = {1, 2}, .keys = vectors_from(0, tokens)};
}

TEST(CaseInput, IsWholeHoweverLong) {
  for (const Case& input :
       {row(3), row(51), row(400), weighted(7), weighted(400), keys(2), keys(300)}) {
    EXPECT_EQ(input_of(input).whole(), attn::to_json(input));
  }
}

TEST(CaseInput, HasLongListsAloneApart) {
  EXPECT_TRUE(input_of(row(50)).lists().empty());
  const CaseInput middle = input_of(row(51));
  EXPECT_THAT(middle.lists(), ElementsAre(testing::Key("embeddings")));
  EXPECT_TRUE(middle.fields().contains("logits"));
  const CaseInput input = input_of(row(101));
  EXPECT_THAT(input.lists(), ElementsAre(testing::Key("embeddings"), testing::Key("logits")));
  EXPECT_EQ(input.fields(), json({{"normalizer", "softmax"}, {"temperature", "8"}}));
}

TEST(CaseInput, IsEqualToAnotherOfTheSameNumbers) {
  EXPECT_EQ(input_of(row(200)), input_of(row(200)));
  EXPECT_NE(input_of(row(200)), input_of(row(201)));
  EXPECT_NE(input_of(row(200)), input_of(row(200, 1)));
  EXPECT_NE(input_of(row(200)), input_of(keys(200)));
  EXPECT_EQ(CaseInput(), CaseInput(json()));
  EXPECT_NE(CaseInput(), input_of(row(2)));
}

TEST(CaseInput, KnowsHowLongItIs) {
  for (const Case& input : {row(3), row(300), keys(80)}) {
    const std::size_t length = attn::to_json(input).dump().size();
    EXPECT_TRUE(input_of(input).is_longer_than(length - 1));
    EXPECT_FALSE(input_of(input).is_longer_than(length));
  }
}

CaseRecord decided(CaseInput input) {
  return {.input = std::move(input),
          .lhs = "0",
          .rhs = "1",
          .lhs_lower = "0",
          .lhs_upper = "0",
          .rhs_lower = "1",
          .rhs_upper = "1",
          .verdict = Verdict::holds};
}

/// A report of one claim, which keeps the cases as worst, as first undecided, and of a mutant.
Report keeping(const std::vector<Case>& cases) {
  Report report = sample_report();
  ClaimRecord& record = record_in(report, "corollary3.sharp");
  record.worst->input = input_of(cases.at(0));
  record.first_undecided = decided(input_of(cases.at(1)));
  record.mutants.at(0).witness = decided(input_of(cases.at(2)));
  record.mutants.at(0).caught = true;
  return report;
}

TEST(SharedVectors, AreWrittenOnce) {
  const Report report = keeping({row(300), row(200), keys(250)});
  const auto document = to_json(report);
  // 300 embeddings, among which are those of 200 and the keys; two rows of logits.
  EXPECT_THAT(document["vectors"], SizeIs(302));
  Report copy = report;
  EXPECT_EQ(take_vectors(copy.claims).size(), 302U);
  const ClaimRecord& record = record_in(copy, "corollary3.sharp");
  EXPECT_EQ(record.worst->input.fields()["embeddings"], json::parse(R"({"vectors": [[0, 300]]})"));
  EXPECT_EQ(record.worst->input.fields()["logits"], json::parse(R"({"vector": 300})"));
  EXPECT_EQ(record.first_undecided->input.fields()["embeddings"],
            json::parse(R"({"vectors": [[0, 200]]})"));
  EXPECT_EQ(record.mutants[0].witness->input.fields()["keys"],
            json::parse(R"({"vectors": [[0, 250]]})"));
  EXPECT_EQ(record.mutants[0].witness->input.fields()["query"], json::parse(R"(["1", "2"])"));
}

TEST(SharedVectors, AreSeveralRangesWhereTheirOrderIsAnother) {
  const Report report = keeping({row(60, 40), row(100, 0), keys(2)});
  const json document = json::parse(to_json(report).dump());
  const Report read = report_from_json(document);
  EXPECT_EQ(json::parse(to_json(read).dump()), document);
  Report copy = read;
  take_vectors(copy.claims);
  EXPECT_EQ(record_in(copy, "corollary3.sharp").first_undecided->input.fields()["embeddings"],
            json::parse(R"({"vectors": [[60, 40], [0, 60]]})"));
}

TEST(SharedVectors, AreReadBackWhole) {
  const std::vector<Case> cases = {row(300), weighted(200), keys(250)};
  Report read = report_from_json(json::parse(to_json(keeping(cases)).dump()));
  const ClaimRecord& record = record_in(read, "corollary3.sharp");
  EXPECT_EQ(record.worst->input.whole(), attn::to_json(cases[0]));
  EXPECT_EQ(record.first_undecided->input.whole(), attn::to_json(cases[1]));
  EXPECT_EQ(record.mutants[0].witness->input.whole(), attn::to_json(cases[2]));
  EXPECT_EQ(record.worst->input, input_of(cases[0]));
}

TEST(SharedVectors, MayBeWrittenOutAsInOlderReports) {
  json document = json::parse(to_json(keeping({row(300), row(200), keys(250)})).dump());
  document.erase("vectors");
  for (json& record : document["claims"]) {
    if (record["id"] != "corollary3.sharp" || record["stage"] != "synthetic") continue;
    record["worst"]["case"] = attn::to_json(row(300));
    record["first_undecided"]["case"] = attn::to_json(row(200));
    record["mutants"][0]["witness"]["case"] = attn::to_json(keys(250));
  }
  const Report read = report_from_json(document);
  EXPECT_EQ(json::parse(to_json(read).dump()), document);
}

TEST(SharedVectors, AreThoseOfEachWindow) {
  Report report = keeping({row(300), row(200), keys(250)});
  const WindowResult window{.window = 1, .claims = report.claims};
  const std::string text = text_of(window);
  const WindowResult read = window_from(text);
  EXPECT_TRUE(read.vectors.empty());
  EXPECT_EQ(text_of(read), text);
  for (std::size_t i = 0; i < window.claims.size(); ++i) {
    ASSERT_EQ(read.claims[i].worst.has_value(), window.claims[i].worst.has_value());
    if (!read.claims[i].worst) continue;
    EXPECT_EQ(read.claims[i].worst->input, window.claims[i].worst->input);
  }
}

TEST(SharedVectors, AreRefusedWhereTheReportHasNone) {
  const json document = json::parse(to_json(keeping({row(300), row(200), keys(250)})).dump());
  std::size_t claim = 0;
  while (document["claims"][claim]["id"] != "corollary3.sharp") ++claim;
  const std::string place = "/claims/" + std::to_string(claim);
  for (const char* const reference :
       {R"({})", R"({"vector": 302})", R"({"vector": -1})", R"({"vector": "0"})",
        R"({"vector": 0, "vectors": [[0, 1]]})", R"({"vectors": []})", R"({"vectors": 0})",
        R"({"vectors": [0, 300]})", R"({"vectors": [[0, 303]]})", R"({"vectors": [[302, 1]]})",
        R"({"vectors": [[0, 0]]})", R"({"vectors": [[0, 1, 2]]})", R"({"vectors": [[303, 1]]})",
        R"({"vectors": [[1, 18446744073709551615]]})", R"({"other": 0})"}) {
    json broken = document;
    broken["claims"][claim]["worst"]["case"]["embeddings"] = json::parse(reference);
    EXPECT_BAD_INPUT(report_from_json(broken),
                     {.kind = inconsistent,
                      .where = place,
                      .expected = "\"embeddings\" of each case to refer to some of the 302"});
  }
  json many = document;  // more than any case may have
  json& ranges = many["claims"][claim]["worst"]["case"]["embeddings"]["vectors"];
  ranges = json::array();
  for (int i = 0; i < 4000; ++i) ranges.push_back({0, 300});
  EXPECT_BAD_INPUT(report_from_json(many), {.kind = inconsistent, .where = place});
  for (const char* const vector : {"", "1 ", "x", "1p3", "1, 2", "nan"}) {
    json broken = document;
    broken["vectors"][7] = vector;
    EXPECT_BAD_INPUT(report_from_json(broken), {.kind = malformed, .where = "/vectors/7"});
  }
}

TEST(CasesText, HasEachCaseOfAClaimOnce) {
  Report report = keeping({row(300), row(200), keys(250)});
  ClaimRecord& record = record_in(report, "corollary3.sharp");
  record.smallest_witness = record.worst;
  record.tightness->at = *record.worst;
  const json cases = json::parse(cases_text(report, "corollary3.sharp"));
  const json expected = {{{"claim", "corollary3.sharp"}, {"case", attn::to_json(row(300))}},
                         {{"claim", "corollary3.sharp"}, {"case", attn::to_json(row(200))}}};
  for (const json& entry : expected) {
    EXPECT_EQ(std::count(cases.begin(), cases.end(), entry), 1) << entry.dump().substr(0, 100);
  }
  EXPECT_EQ(std::count(cases.begin(), cases.end(), cases.back()), 1);
}

TEST(CasesText, IsOfAClaimThatHasOne) {
  Report report = sample_report();
  EXPECT_BAD_INPUT(cases_text(report, "nonsense"), {.kind = unknown_name,
                                                    .expected = "a claim of which",
                                                    .found = "'nonsense'",
                                                    .advice = "name one of its claims"});
  report.claims = {plain_record("bare", Stage::synthetic)};
  report.claims.front().worst.reset();
  EXPECT_BAD_INPUT(cases_text(report, "bare"),
                   {.kind = unknown_name, .found = "'bare'", .advice = "is written out"});
}

}  // namespace
}  // namespace attn::report
