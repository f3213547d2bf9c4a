#include "reports/report_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "reports/atomic_file.hpp"
#include "reports/tests/sample_report.hpp"
#include "reports/tests/temporary_folder.hpp"
#include "theory/bad_input.hpp"

namespace attn::report {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

json sample() {
  return json::parse(to_json(sample_report()).dump());
}

std::string refusal(const json& document) {
  try {
    report_from_json(document);
  } catch (const BadInput& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ReportJson, RoundTripsWithoutLoss) {
  const std::string once = to_json(sample_report()).dump();
  EXPECT_EQ(to_json(report_from_json(json::parse(once))).dump(), once);
}

TEST(ReportJson, KeepsTheOrderOfTheContract) {
  const nlohmann::ordered_json document = to_json(sample_report());
  EXPECT_EQ(document.begin().key(), "schema");
  EXPECT_EQ(document["claims"][0].begin().key(), "id");
  EXPECT_EQ(document["provenance"].begin().key(), "version");
}

TEST(ReportJson, WritesCountsAsIntegersAndSidesAsStrings) {
  Report report;
  ClaimRecord record = plain_record("big", kSynthetic, 18446744073709551615u);
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
  report.claims[0].max_ratio = kInfinity;
  report.gpt2 = json::object();
  (*report.gpt2)["figures"]["x"] = {std::numeric_limits<double>::quiet_NaN(), -kInfinity};
  const std::string text = to_json(report).dump();
  const json document = json::parse(text);
  EXPECT_EQ(document["claims"][0]["max_ratio"], "inf");
  EXPECT_EQ(document["gpt2"]["figures"]["x"], json({"nan", "-inf"}));
  EXPECT_EQ(report_from_json(document).claims[0].max_ratio, kInfinity);
}

TEST(ReportJson, ReadsTheBareContract) {
  json document = sample();
  for (json& claim : document["claims"]) {
    for (const char* const extra : {"statement", "paper", "argument", "families", "ratio_histogram",
                                    "first_undecided", "seed", "replay"}) {
      claim.erase(extra);
    }
    if (claim["worst"].is_object()) {
      claim["worst"] = {{"case", claim["worst"]["case"]}, {"lhs", "1"}, {"rhs", "2"}};
    }
  }
  document.erase("gpt2");
  EXPECT_EQ(report_from_json(document).claims.size(), document["claims"].size());
}

struct Break {
  const char* name;
  std::function<void(json&)> apply;
  const char* path;
  const char* expected;
};

TEST(ReportJson, NamesThePathOfWhatIsWrong) {
  const Break breaks[] = {
      {"not an object", [](json& d) { d = json::array(); }, "at /:", "an object"},
      {"schema", [](json& d) { d["schema"] = 2; }, "/schema", "expected 1, found 2"},
      {"no provenance", [](json& d) { d.erase("provenance"); }, "at /:", "\"provenance\""},
      {"seed", [](json& d) { d["provenance"]["seed"] = -1; }, "/provenance/seed",
       "a non-negative integer, found -1"},
      {"dirty", [](json& d) { d["provenance"]["dirty"] = "no"; }, "/provenance/dirty",
       "true or false"},
      {"library", [](json& d) { d["provenance"]["libraries"]["gmp"] = 6; },
       "/provenance/libraries/gmp", "a string"},
      {"no claims", [](json& d) { d["claims"] = json::array(); }, "/claims", "at least one record"},
      {"claims", [](json& d) { d["claims"] = 3; }, "/claims", "an array"},
      {"status", [](json& d) { d["claims"][0]["status"] = "true"; }, "/claims/0/status",
       "one of \"proved\", \"refuted\""},
      {"stage", [](json& d) { d["claims"][1]["stage"] = "x"; }, "/claims/1/stage",
       "\"activations\""},
      {"cases", [](json& d) { d["claims"][0]["cases"] = 1.5; }, "/claims/0/cases",
       "a non-negative integer, found 1.5"},
      {"sum", [](json& d) { d["claims"][0]["cases"] = 9; }, "/claims/0/cases", "sum"},
      {"overflowing sum",
       [](json& d) {
         d["claims"][0]["holds"] = 18446744073709551615u;
         d["claims"][0]["violated"] = 2;
       },
       "/claims/0/cases", "sum"},
      {"outcome", [](json& d) { d["claims"][0]["outcome"] = "undecided"; }, "/claims/0/outcome",
       "\"as expected\", as the counts say"},
      {"missing with cases", [](json& d) { d["claims"][0]["outcome"] = "missing"; },
       "/claims/0/outcome", "as the counts say"},
      {"ratio", [](json& d) { d["claims"][0]["max_ratio"] = "big"; }, "/claims/0/max_ratio",
       "a number"},
      {"histogram",
       [](json& d) {
         d["claims"][0]["ratio_histogram"] = {1, 2};
       },
       "/claims/0/ratio_histogram", "21 bins, found 2"},
      {"worst", [](json& d) { d["claims"][0]["worst"]["lhs"] = 0.5; }, "/claims/0/worst/lhs",
       "a string, found 0.5"},
      {"twice", [](json& d) { d["claims"].push_back(d["claims"][0]); }, "/claims/",
       "each claim once in a stage"},
      {"head", [](json& d) { d["gpt2"]["heads"][0]["layer"] = 4000000000u; }, "/gpt2/heads/0/layer",
       "an index below 4096"},
      {"head claim", [](json& d) { d["gpt2"]["heads"][1]["claims"]["corollary3"].erase("cases"); },
       "/gpt2/heads/1/claims/corollary3", "\"cases\""},
  };
  for (const Break& broken : breaks) {
    json document = sample();
    broken.apply(document);
    EXPECT_THAT(refusal(document), AllOf(HasSubstr(broken.path), HasSubstr(broken.expected)))
        << broken.name;
  }
}

TEST(ReportJson, ARefusalIsOneShortLine) {
  json document = sample();
  document["claims"][0]["status"] = std::string(100000, 'x') + "\n";
  const std::string message = refusal(document);
  EXPECT_LT(message.size(), 300u);
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

TEST(ReadReport, NamesTheFile) {
  const TemporaryFolder folder;
  write_file(folder / "report.json", "{\"schema\": 1, \"provenance\": NaN}");
  try {
    read_report(folder / "report.json");
    FAIL() << "accepted";
  } catch (const BadInput& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("report.json"), HasSubstr("not JSON")));
  }
  EXPECT_THROW(read_report(folder / "none.json"), BadInput);
}

TEST(WriteReport, NamesWhatIsMissing) {
  const TemporaryFolder folder;
  Report report = sample_report();
  const std::string dropped = report.claims.front().id;
  report.claims.erase(report.claims.begin());
  write_report(folder / "report.json", report);
  const Report read = read_report(folder / "report.json");
  EXPECT_EQ(read.claims.front().id, dropped);
  EXPECT_EQ(read.claims.front().outcome, "missing");
}

}  // namespace
}  // namespace attn::report
