#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/document/document.hpp"
#include "reports/judge/judge.hpp"
#include "reports/pages/pages.hpp"
#include "reports/tests/sample_report.hpp"

namespace attn::report {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// A text that grows most when it is escaped.
std::string long_text(std::size_t size) {
  return std::string(size, '"');
}

TEST(MarkdownLimit, HoldsForTenThousandFailuresWithLongNames) {
  Report report = sample_report();
  for (int i = 0; i < 100; ++i) {
    ClaimRecord record = plain_record(fmt::format("{}{}", i, long_text(3000)), Stage::synthetic);
    record.mutants[0].caught = false;
    record.mutants[0].replay = long_text(3000);
    record.mutants.assign(100, record.mutants[0]);
    rejudge(record);
    report.claims.push_back(std::move(record));
  }
  const std::string text = markdown(report);
  EXPECT_LT(text.size(), kMarkdownLimit);
  EXPECT_THAT(
      text, AllOf(HasSubstr("## What went wrong\n"), HasSubstr(" more, which report gate names\n"),
                  HasSubstr("attention-limits 0")));
}

TEST(Markdown, HasTheVerdictTheAnswerAndWhereToReadOn) {
  const std::string text = markdown(sample_report());
  EXPECT_LT(text.size(), kMarkdownLimit);
  EXPECT_THAT(text, AllOf(testing::StartsWith("# "), HasSubstr("\nNothing is wrong. "),
                          HasSubstr("\n## The answer\n"), HasSubstr("(inputs/tiny.html)"),
                          HasSubstr("[The report](index.html)"), Not(HasSubstr("do not fit"))));
}

TEST(MarkdownWriter, WritesWhatReportMdHas) {
  EXPECT_EQ(markdown_of(Blocks{Heading{.level = 3, .text = "A|B"},
                               Paragraph{"At $||x|| <= 1$, " + strong("so") + "."},
                               List{{code("x`y"), link("a claim", "claims/a.html")}},
                               Entries{{{"Lemma 1", good("holds")}}}}),
            "### A\\|B\n\nAt ‖x‖ ≤ 1, **so**.\n\n"
            "- <code>x\\`y</code>\n- [a claim](claims/a.html)\n\n- Lemma 1. **holds**\n\n");
  EXPECT_THROW(markdown_of(Blocks{Code{"a"}}), std::logic_error);
}

TEST(MarkdownLimit, HoldsWhateverEachTextSays) {
  Report report = sample_report();
  RunInfo& from = report.provenance;
  from.version = from.commit = from.started = long_text(kMarkdownLimit);
  from.model.name = long_text(kMarkdownLimit);
  ClaimRecord& record = report.claims.front();
  record.mutants[0].caught = false;
  record.mutants[0].change = record.mutants[0].replay = long_text(kMarkdownLimit);
  rejudge(record);
  const std::string text = markdown(report);
  EXPECT_LT(text.size(), kMarkdownLimit);
  EXPECT_THAT(text, AllOf(HasSubstr("## What went wrong\n"), HasSubstr("survived 3 cases")));
}

}  // namespace
}  // namespace attn::report
