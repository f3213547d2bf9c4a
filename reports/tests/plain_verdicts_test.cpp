#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/judge/judge.hpp"
#include "reports/tests/sample_report.hpp"
#include "reports/text/summary.hpp"

namespace attn::report {
namespace {

using testing::IsEmpty;
using testing::Not;

std::string verdict_on(const Report& report, std::string_view statement) {
  for (const PlainVerdict& verdict : plain_verdicts(report)) {
    if (verdict.statement == statement) return verdict.verdict;
  }
  return "no verdict";
}

TEST(PlainVerdicts, SayOfEachStatementWhatTheClaimsOfThePaperCameTo) {
  const Report report = sample_report();
  for (const PlainVerdict& verdict : plain_verdicts(report)) {
    EXPECT_THAT(verdict.text, Not(IsEmpty())) << verdict.statement;
  }
  EXPECT_EQ(verdict_on(report, "Lemma 1"), kHoldsInPart);
  EXPECT_EQ(verdict_on(report, "Theorem 1"), kHoldsInPart);
  EXPECT_EQ(verdict_on(report, "Corollary 3"), kFalse);
  EXPECT_EQ(verdict_on(report, "Section 3.2"), kFalse);
  EXPECT_EQ(verdict_on(report, "Section 4"), kHoldsInPart);
  EXPECT_EQ(verdict_on(report, "Beyond the paper"), kHoldsInPart);
}

TEST(PlainVerdicts, ClaimNothingThatTheRunDoesNotBearOut) {
  for (const Outcome outcome :
       {Outcome::unexpected, Outcome::undecided, Outcome::not_covered, Outcome::missing}) {
    Report report = sample_report();
    for (ClaimRecord& record : report.claims) {
      if (record.id == "lemma1.upper") record.outcome = outcome;
    }
    const PlainVerdict verdict = plain_verdicts(report).front();
    EXPECT_EQ(verdict.statement, "Lemma 1");
    EXPECT_EQ(verdict.verdict, kNotSettled) << to_string(outcome);
    EXPECT_EQ(verdict.text, outcome == Outcome::missing ? "Not checked: lemma1.upper."
                                                        : "Not as expected: lemma1.upper.");
    EXPECT_EQ(verdict_on(report, "Corollary 1"), kHoldsInPart);
  }
}

TEST(PlainVerdicts, SpeakOfWhatRealInputHasNoCasesOf) {
  Report report = sample_report();
  std::erase_if(report.claims,
                [](const ClaimRecord& record) { return record.status == Status::refuted; });
  EXPECT_EQ(verdict_on(report, "Theorem 1"), kHoldsInPart);
}

TEST(PlainVerdicts, MarkWhatWasRebuilt) {
  for (const PlainVerdict& verdict : plain_verdicts(sample_report())) {
    EXPECT_EQ(verdict.is_rebuilt,
              verdict.statement == "Lemma 1" || verdict.statement == "Beyond the paper" ||
                  verdict.statement == "Theorem 1" || verdict.statement == "Theorem 2" ||
                  verdict.statement == "Corollary 2" || verdict.statement == "Lemma 2" ||
                  verdict.statement == "Section 4" || verdict.statement == "Tokens needed")
        << verdict.statement;
  }
}

}  // namespace
}  // namespace attn::report
