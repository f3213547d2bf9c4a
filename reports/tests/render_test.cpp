#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "reports/console.hpp"
#include "reports/html/page.hpp"
#include "reports/judge.hpp"
#include "reports/markdown.hpp"
#include "reports/summary.hpp"
#include "reports/tests/sample_report.hpp"
#include "theory/catalogue.hpp"

namespace attn::report {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Pages are too long to print when they fail a test.
bool has(const std::string& page, const std::string& part) {
  return page.find(part) != std::string::npos;
}

/// The sample report with one proved claim violated on real input.
Report failing_report() {
  Report report = sample_report();
  for (ClaimRecord& record : report.claims) {
    if (record.id != "theorem1.fixed" || record.stage != kGpt2) continue;
    record.violated = record.cases;
    record.holds = record.equal = 0;
    record.outcome = to_string(Outcome::unexpected);
    record.replay = "gpt2_check run --model tiny --seed 42";
  }
  return report;
}

/// Whether every element that is opened is closed, in order. Enough for a page we write ourselves.
void expect_balanced(const std::string& html) {
  std::vector<std::string> open;
  for (std::size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
    const std::size_t end = html.find('>', at);
    ASSERT_NE(end, std::string::npos);
    const std::string tag = html.substr(at + 1, end - at - 1);
    const bool closes = tag.front() == '/';
    const std::string name = tag.substr(closes ? 1 : 0, tag.find(' ') - (closes ? 1 : 0));
    if (tag.front() == '!' || tag.back() == '/' || name == "meta" || name == "br" || name == "wbr")
      continue;
    if (!closes) {
      open.push_back(name);
    } else {
      ASSERT_FALSE(open.empty()) << "</" << name << "> without an opening tag";
      ASSERT_EQ(open.back(), name);
      open.pop_back();
    }
  }
  EXPECT_TRUE(open.empty());
}

TEST(Headline, CountsWhatHoldsAndWhatIsFalse) {
  std::size_t proved = 0;
  for (const Claim& claim : catalogue()) proved += claim.status == Status::proved ? 1 : 0;
  const std::string line = headline(sample_report());
  EXPECT_THAT(line, HasSubstr(std::to_string(catalogue().size()) + " claims checked"));
  EXPECT_THAT(line, HasSubstr(std::to_string(proved) + " hold"));
  EXPECT_THAT(headline(failing_report()), HasSubstr("1 of "));
  Report open = sample_report();
  open.claims[0].outcome = to_string(Outcome::undecided);
  EXPECT_THAT(headline(open), HasSubstr("1 is not settled"));
  EXPECT_TRUE(has(html_page(open), "What is not settled"));
  EXPECT_THAT(markdown(open), HasSubstr("## What is not settled"));
}

TEST(HtmlPage, IsSelfContainedAndWellFormed) {
  const std::string page = html_page(sample_report());
  for (const char* const fetched : {"<script", "<link", "<img", "url(", "@import", "src="}) {
    EXPECT_FALSE(has(page, fetched));
  }
  expect_balanced(page);
}

TEST(HtmlPage, HasASectionAndAnExactCaseForEveryClaim) {
  const std::string page = html_page(sample_report());
  for (const Claim& claim : catalogue()) {
    EXPECT_TRUE(has(page, "<article class=\"claim\" id=\"" + std::string(claim.id) + "\">"));
    EXPECT_TRUE(has(page, "[{&quot;claim&quot;:&quot;" + std::string(claim.id) + "&quot;"))
        << claim.id;
  }
  EXPECT_TRUE(has(page, "fails in 6 of 48 rows")) << "the heads of the real-input block";
}

TEST(HtmlPage, OpensWithTheFailuresWhereThereAreAny) {
  EXPECT_FALSE(has(html_page(sample_report()), "What went wrong"));
  const std::string page = html_page(failing_report());
  const std::size_t failure = page.find("What went wrong");
  ASSERT_NE(failure, std::string::npos);
  EXPECT_LT(failure, page.find("False as written"));
  EXPECT_TRUE(has(page, "gpt2_check run --model tiny --seed 42"));
}

TEST(HtmlPage, EscapesWhateverAReportSays) {
  Report report = sample_report();
  const std::string hostile = "<script>alert(1)</script>";
  for (ClaimRecord& record : report.claims) {
    record.title = record.statement = record.argument = record.paper = hostile;
    record.replay = record.seed = hostile;
    record.families[hostile] = 1;
    if (record.worst) {
      record.worst->where = record.worst->lhs = record.worst->lhs_lower = hostile;
      record.worst->input[hostile] = hostile;
    }
  }
  Provenance& from = report.provenance;
  from.version = from.commit = from.effort = from.started = from.model_name = hostile;
  (*report.gpt2)["model"] = hostile;
  (*report.gpt2)["figures"][hostile] = {{{hostile, hostile}}};
  const std::string page = html_page(report);
  EXPECT_FALSE(has(page, "<script"));
  expect_balanced(page);
}

TEST(HtmlPage, LeavesAnOversizedCaseToTheReport) {
  Report report = sample_report();
  ASSERT_TRUE(report.claims[0].worst);
  report.claims[0].worst->input["logits"] = std::vector<std::string>(5000, "0.123456");
  const std::string page = html_page(report);
  EXPECT_TRUE(has(page, "The exact case has 5"));
  EXPECT_LT(page.size(), 400000u);
}

TEST(HtmlPage, DrawsTheFiguresOfTheStage) {
  const std::string page = html_page(sample_report());
  EXPECT_TRUE(has(page, "Measured: Distance against the number of selected tokens"));
  EXPECT_TRUE(has(page, "distance, n = 5: mean 1.25"));
  EXPECT_TRUE(has(page, "Measured: Gradient of the attention rows"));
}

TEST(HtmlPage, DoesWithoutRealInput) {
  Report report = sample_report();
  report.gpt2.reset();
  EXPECT_FALSE(has(html_page(report), "id=\"real\""));
}

TEST(Markdown, SaysWhatThePageSays) {
  const std::string text = markdown(failing_report());
  EXPECT_THAT(text, AllOf(HasSubstr("## What went wrong"), HasSubstr("## False as written"),
                          HasSubstr("By hand: "), HasSubstr("Found by search: l = (0, 0)"),
                          HasSubstr("**unexpected**")));
  for (const Claim& claim : catalogue()) EXPECT_THAT(text, HasSubstr(std::string(claim.id)));
}

TEST(Markdown, StaysBelowTheLimitWhateverTheReport) {
  Report report = failing_report();
  for (int i = 0; i < 500; ++i) {
    ClaimRecord record = plain_record("claim." + std::to_string(i), kSynthetic);
    record.status = "refuted";
    record.outcome = "unexpected";
    record.argument = std::string(1000, '*');
    report.claims.push_back(record);
  }
  const std::string text = markdown(report);
  EXPECT_LT(text.size(), kMarkdownLimit);
  EXPECT_THAT(text, AllOf(HasSubstr("What went wrong"), HasSubstr("do not fit")));
}

TEST(Console, FitsAHundredColumnsInPlainText) {
  for (const Report& report : {sample_report(), failing_report()}) {
    for (const std::string& line : lines_of(console_table(report, false, "out/index.html"))) {
      EXPECT_LE(line.size(), 100u) << line;
      EXPECT_EQ(line.find('\033'), std::string::npos);
    }
  }
  EXPECT_THAT(console_table(sample_report(), true), HasSubstr("\033["));
}

TEST(Console, EndsWithWhatToDoNext) {
  EXPECT_EQ(lines_of(console_table(sample_report(), false, "out/index.html")).back(),
            "Read the report: out/index.html");
  EXPECT_EQ(lines_of(console_table(failing_report(), false, "out/index.html")).back(),
            "Replay the first: gpt2_check run --model tiny --seed 42");
}

}  // namespace
}  // namespace attn::report
