#include "reports/text/junit.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <pugixml.hpp>

#include "reports/judge/judge.hpp"
#include "reports/tests/sample_report.hpp"

namespace attn::report {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// junit.xml of a report, parsed; a test fails where it is not well-formed.
class Parsed {
 public:
  explicit Parsed(const Report& report) {
    const std::string text = junit_xml(report);
    const auto flags = pugi::parse_default | pugi::parse_declaration;
    const pugi::xml_parse_result result = document_.load_string(text.c_str(), flags);
    EXPECT_TRUE(result) << result.description() << " at byte " << result.offset;
  }

  [[nodiscard]] pugi::xml_node suites() const { return document_.child("testsuites"); }
  [[nodiscard]] pugi::xml_node suite(Stage stage) const {
    const std::string name = fmt::format("attention-limits.{}", to_string(stage));
    return suites().find_child_by_attribute("testsuite", "name", name.c_str());
  }
  [[nodiscard]] pugi::xml_node test(Stage stage, const std::string& id) const {
    return suite(stage).find_child_by_attribute("testcase", "name", id.c_str());
  }

 private:
  pugi::xml_document document_;
};

std::size_t count_of(pugi::xml_node node, const char* name) {
  return node.attribute(name).as_ullong(std::numeric_limits<unsigned long long>::max());
}

/// The counts of a suite must be those of its elements.
void expect_counts(pugi::xml_node suite) {
  std::size_t tests = 0, failed = 0, errors = 0;
  for (const pugi::xml_node test : suite.children("testcase")) {
    ++tests;
    failed += test.child("failure") ? 1 : 0;
    errors += test.child("error") ? 1 : 0;
  }
  EXPECT_EQ(count_of(suite, "tests"), tests);
  EXPECT_EQ(count_of(suite, "failures"), failed);
  EXPECT_EQ(count_of(suite, "errors"), errors);
  EXPECT_EQ(count_of(suite, "skipped"), 0u);
}

/// Two stages of plain records with one of each outcome.
Report mixed_report() {
  Report report;
  for (const char* const id : {"fine", "wrong", "open", "idle"}) {
    report.claims.push_back(plain_record(id, Stage::synthetic));
    report.claims.back().replay = fmt::format("properties --claim {} --seed 1", id);
  }
  report.claims.push_back(plain_record("fine", Stage::gpt2));
  report.claims.push_back(plain_record("gone", Stage::gpt2, 0));
  report.claims[1].violated = 3;
  report.claims[1].holds -= 3;
  report.claims[1].mutants[0].caught = false;
  report.claims[2].undecided = 2;
  report.claims[2].holds -= 2;
  report.claims[3].cases = report.claims[3].holds = 0;
  for (ClaimRecord& record : report.claims) rejudge(record);
  report.claims[5].outcome = Outcome::missing;
  return report;
}

TEST(Junit, HasOneTestCaseForEachClaimAndStage) {
  const Report report = sample_report();
  const Parsed parsed(report);
  for (const ClaimRecord& record : report.claims) {
    const pugi::xml_node test = parsed.test(record.stage, record.id);
    EXPECT_EQ(test.attribute("classname").value(),
              fmt::format("attention-limits.{}", to_string(record.stage)));
    EXPECT_FALSE(test.child("failure") || test.child("error"));
  }
  EXPECT_EQ(count_of(parsed.suites(), "tests"), report.claims.size());
  expect_counts(parsed.suite(Stage::synthetic));
  expect_counts(parsed.suite(Stage::gpt2));
}

TEST(Junit, PassesNothingThatIsNotAsExpected) {
  const Parsed parsed(mixed_report());
  EXPECT_FALSE(parsed.test(Stage::synthetic, "fine").child("failure"));
  EXPECT_FALSE(parsed.test(Stage::synthetic, "fine").child("error"));

  const pugi::xml_node wrong = parsed.test(Stage::synthetic, "wrong").child("failure");
  EXPECT_STREQ(wrong.attribute("type").value(), "unexpected");
  EXPECT_THAT(wrong.attribute("message").value(),
              AllOf(HasSubstr("violated in 3 of 10 cases; "), HasSubstr("wrong/half survived")));
  EXPECT_THAT(wrong.text().get(), AllOf(HasSubstr("replay: properties --claim wrong --seed 1\n"),
                                        HasSubstr("replay: properties --claim wrong\n")));

  const pugi::xml_node gone = parsed.test(Stage::gpt2, "gone").child("failure");
  EXPECT_STREQ(gone.attribute("type").value(), "missing");
  EXPECT_THAT(gone.attribute("message").value(), HasSubstr("left no record"));
  EXPECT_THAT(gone.text().get(), Not(HasSubstr("replay: "))) << "nothing is known of how it ran";

  for (const auto& [id, outcome] :
       {std::pair("open", "undecided"), std::pair("idle", "not covered")}) {
    const pugi::xml_node error = parsed.test(Stage::synthetic, id).child("error");
    EXPECT_STREQ(error.attribute("type").value(), outcome);
    EXPECT_STRNE(error.attribute("message").value(), "");
    EXPECT_THAT(error.text().get(), HasSubstr(fmt::format("replay: properties --claim {} ", id)));
  }
  expect_counts(parsed.suite(Stage::synthetic));
  expect_counts(parsed.suite(Stage::gpt2));
  EXPECT_EQ(count_of(parsed.suites(), "tests"), 6u);
  EXPECT_EQ(count_of(parsed.suites(), "failures"), 2u);
  EXPECT_EQ(count_of(parsed.suites(), "errors"), 2u);
}

TEST(Junit, ShowsTheCaseThatViolates) {
  Report report = sample_report();
  for (ClaimRecord& record : report.claims) {
    if (record.id != "corollary3" || record.stage != Stage::synthetic) continue;
    record.status = Status::proved;
    rejudge(record);
  }
  EXPECT_THAT(Parsed(report).test(Stage::synthetic, "corollary3").child("failure").text().get(),
              HasSubstr("violated by l = (0, 0), T = 1: left side 0.5, right side 0.25\n"));
}

TEST(Junit, SaysWhatFailedFirstAndOnlyOfThatMore) {
  Report report = sample_report();
  EXPECT_LT(junit_xml(report).size(), 100U * 1024);
  ClaimRecord& wrong = record_in(report, "lemma2", Stage::gpt2);
  wrong.violated = std::exchange(wrong.holds, 0) + std::exchange(wrong.equal, 0);
  rejudge(wrong);
  const Parsed parsed(report);
  const pugi::xml_node suite = parsed.suites().first_child();
  EXPECT_STREQ(suite.attribute("name").value(), "attention-limits.gpt2");
  EXPECT_EQ(suite.attribute("timestamp").value(), report.provenance.started);
  EXPECT_TRUE(suite.select_node("properties/property[@name='seed'][@value='42']"));
  const pugi::xml_node first = suite.child("testcase");
  EXPECT_STREQ(first.attribute("name").value(), "lemma2");
  EXPECT_THAT(first.child("system-out").text().get(), HasSubstr("violated 1, undecided 0"));
  EXPECT_EQ(parsed.suites().select_nodes(".//system-out").size(), 1U);
}

TEST(Junit, InventsNoTime) {
  Report report = mixed_report();
  report.provenance.seconds = 12.5;
  const Parsed two(report);
  EXPECT_STREQ(two.suites().attribute("time").value(), "12.500");
  EXPECT_FALSE(two.suite(Stage::synthetic).attribute("time"));
  EXPECT_FALSE(two.test(Stage::synthetic, "fine").attribute("time"));
  report.provenance.times = {{Stage::synthetic, "", 2.25}};
  const Parsed one_known(report);
  EXPECT_STREQ(one_known.suite(Stage::synthetic).attribute("time").value(), "2.250");
  EXPECT_FALSE(one_known.suite(Stage::gpt2).attribute("time"));
  EXPECT_FALSE(one_known.test(Stage::synthetic, "fine").attribute("time"));
  report.provenance.times.clear();

  report.claims = {plain_record("fine", Stage::gpt2)};
  EXPECT_STREQ(Parsed(report).suite(Stage::gpt2).attribute("time").value(), "12.500");
  report.provenance.seconds = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(Parsed(report).suites().attribute("time"));
}

TEST(Junit, StaysWellFormedWhateverAReportSays) {
  Report report = mixed_report();
  std::string every_byte;
  for (int c = 0; c < 256; ++c) every_byte += static_cast<char>(c);
  const std::string hostile = every_byte + "\xEF\xBF\xBE]]><a b=\"&#1;\">";
  report.provenance.model.name = hostile;
  report.provenance.libraries[hostile] = hostile;
  report.claims[1].replay = hostile;
  report.claims[1].title = hostile;
  for (const char c : junit_xml(report)) {
    const auto code = static_cast<unsigned char>(c);
    ASSERT_TRUE((code >= 0x20 && code != 0x7F) || c == '\n' || c == '\t') << static_cast<int>(code);
  }
  for (int c = 0; c < 32; ++c) {
    if (c == '\n' || c == '\t') continue;
    for (const std::string& reference : {fmt::format("&#{};", c), fmt::format("&#{:02};", c)}) {
      EXPECT_EQ(junit_xml(report).find(reference), std::string::npos) << reference;
    }
  }
  const Parsed parsed(report);
  const std::string title = parsed.test(Stage::synthetic, "wrong").child("system-out").text().get();
  EXPECT_THAT(title, AllOf(HasSubstr("]]><a b=\"&#1;\">"), HasSubstr("\xEF\xBF\xBD"),
                           HasSubstr(" !\"#$%&'()")));
  expect_counts(parsed.suite(Stage::synthetic));
}

}  // namespace
}  // namespace attn::report
