#include "reports/text/markdown.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/judge/judge.hpp"
#include "reports/tests/sample_report.hpp"

namespace attn::report {
namespace {

using testing::AllOf;
using testing::HasSubstr;

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
  EXPECT_THAT(text, AllOf(HasSubstr("## What went wrong\n"),
                          HasSubstr("\n- and 9,980 more, in report.json\n"),
                          HasSubstr("do not fit"), HasSubstr("attention-limits 0")));
}

TEST(Markdown, SetsWhatIsTrueBesideEachSentenceOfThePaper) {
  Report report = sample_report();
  for (ClaimRecord& record : report.claims) record.sentence.clear();
  EXPECT_THAT(markdown(report), Not(HasSubstr("## Sentence by sentence")));
  report.claims.front().sentence = "It grows.";
  report.claims.front().instead = "It falls.";
  EXPECT_THAT(markdown(report), HasSubstr("\n| It grows. (`" + report.claims.front().id +
                                          "`) | holds | It falls. |\n"));
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
