#include "reports/judge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "reports/tests/sample_report.hpp"
#include "theory/bad_input.hpp"
#include "theory/catalogue.hpp"
#include "theory/cli/run_main.hpp"

namespace attn::report {
namespace {

using testing::HasSubstr;

struct Row {
  Status status;
  std::string_view stage;
  Counts counts;
  Outcome outcome;
};

constexpr Status kProved = Status::proved, kRefuted = Status::refuted;

// Every combination of status, stage and kind of count that the rules tell apart.
const Row kTable[] = {
    // Nothing decided at all.
    {kProved, kSynthetic, {}, Outcome::not_covered},
    {kRefuted, kSynthetic, {}, Outcome::not_covered},
    {kProved, kGpt2, {}, Outcome::not_covered},
    {kProved, kSynthetic, {.cases = 7, .assumption_not_met = 7}, Outcome::not_covered},
    {kRefuted, kSynthetic, {.cases = 7, .assumption_not_met = 7}, Outcome::not_covered},
    {kRefuted, kActivations, {.cases = 7, .assumption_not_met = 7}, Outcome::not_covered},
    // A proved claim.
    {kProved, kSynthetic, {.cases = 7, .holds = 7}, Outcome::as_expected},
    {kProved, kSynthetic, {.cases = 7, .equal = 7}, Outcome::as_expected},
    {kProved, kSynthetic, {.cases = 7, .holds = 6, .assumption_not_met = 1}, Outcome::as_expected},
    {kProved, kSynthetic, {.cases = 7, .holds = 6, .violated = 1}, Outcome::unexpected},
    {kProved, kGpt2, {.cases = 7, .holds = 6, .violated = 1}, Outcome::unexpected},
    {kProved, kActivations, {.cases = 7, .holds = 6, .violated = 1}, Outcome::unexpected},
    {kProved, kSynthetic, {.cases = 7, .holds = 6, .undecided = 1}, Outcome::undecided},
    {kProved, kSynthetic, {.cases = 7, .undecided = 7}, Outcome::undecided},
    {kProved, kSynthetic, {.cases = 7, .violated = 1, .undecided = 6}, Outcome::unexpected},
    // A refuted claim: search must find it violated, real input may or may not.
    {kRefuted, kSynthetic, {.cases = 7, .holds = 6, .violated = 1}, Outcome::as_expected},
    {kRefuted, kSynthetic, {.cases = 7, .holds = 7}, Outcome::unexpected},
    {kRefuted, kSynthetic, {.cases = 7, .equal = 7}, Outcome::unexpected},
    {kRefuted, kSynthetic, {.cases = 7, .undecided = 7}, Outcome::unexpected},
    {kRefuted, kSynthetic, {.cases = 7, .violated = 1, .undecided = 6}, Outcome::undecided},
    {kRefuted, kGpt2, {.cases = 7, .holds = 7}, Outcome::as_expected},
    {kRefuted, kGpt2, {.cases = 7, .equal = 7}, Outcome::as_expected},
    {kRefuted, kGpt2, {.cases = 7, .violated = 7}, Outcome::as_expected},
    {kRefuted, kActivations, {.cases = 7, .holds = 7}, Outcome::as_expected},
    {kRefuted, kActivations, {.cases = 7, .holds = 6, .undecided = 1}, Outcome::undecided},
};

TEST(Judge, FollowsTheWholeTable) {
  for (const Row& row : kTable) {
    EXPECT_EQ(judge(row.status, row.stage, row.counts), row.outcome)
        << attn::to_string(row.status) << ", " << row.stage << ", expected "
        << to_string(row.outcome) << " at row " << &row - kTable;
  }
}

TEST(Judge, WordsOfOutcomesRoundTrip) {
  for (const Outcome outcome : {Outcome::as_expected, Outcome::unexpected, Outcome::undecided,
                                Outcome::not_covered, Outcome::missing}) {
    EXPECT_EQ(outcome_from(to_string(outcome)), outcome);
  }
  EXPECT_THROW(outcome_from("fine"), BadInput);
}

TEST(ExitCode, IsDecidedByTheWorstOutcome) {
  Report report = sample_report();
  EXPECT_EQ(exit_code(report), kAsExpected);
  report.claims[1].outcome = to_string(Outcome::not_covered);
  EXPECT_EQ(exit_code(report), kUndecided);
  report.claims[1].outcome = to_string(Outcome::undecided);
  EXPECT_EQ(exit_code(report), kUndecided);
  report.claims[3].outcome = to_string(Outcome::missing);
  EXPECT_EQ(exit_code(report), kUnexpected);
  report.claims[3].outcome = to_string(Outcome::unexpected);
  EXPECT_EQ(exit_code(report), kUnexpected);
}

TEST(ExitCode, OfAReportWithoutRecordsIsNotSuccess) {
  EXPECT_EQ(exit_code({}), kUndecided);
}

TEST(Complete, NamesEveryClaimOfTheCatalogueThatAStageLacks) {
  Report report;
  report.claims.push_back(plain_record(std::string(catalogue().back().id), kSynthetic));
  complete(report);
  ASSERT_EQ(report.claims.size(), catalogue().size());
  EXPECT_EQ(report.claims.back().outcome, "as expected");
  EXPECT_EQ(report.claims.front().outcome, "missing");
  EXPECT_EQ(report.claims.front().id, catalogue().front().id);
  EXPECT_EQ(exit_code(report), kUnexpected);
}

TEST(Complete, AsksOfRealInputOnlyWhatSpeaksOfGivenWeightsAndVectors) {
  Report report;
  report.claims.push_back(plain_record("corollary3.sharp", kGpt2));
  complete(report);
  const auto has = [&](std::string_view id) {
    return std::any_of(report.claims.begin(), report.claims.end(),
                       [&](const ClaimRecord& record) { return record.id == id; });
  };
  EXPECT_TRUE(has("theorem1.fixed"));
  EXPECT_FALSE(has("theorem2.lower"));
}

TEST(Complete, LeavesACompleteReportAloneButForItsOrder) {
  Report report = sample_report();
  const std::size_t records = report.claims.size();
  std::reverse(report.claims.begin(), report.claims.end());
  complete(report);
  ASSERT_EQ(report.claims.size(), records);
  EXPECT_EQ(report.claims.front().id, catalogue().front().id);
  for (std::size_t i = 1; i < records; ++i) {
    if (report.claims[i].id == report.claims[i - 1].id) {
      EXPECT_EQ(report.claims[i - 1].stage, kSynthetic);
      EXPECT_EQ(report.claims[i].stage, kGpt2);
    }
  }
}

TEST(Failures, GiveReasonAndReplay) {
  Report report;
  report.provenance.seed = 9;
  report.provenance.effort = "quick";
  ClaimRecord open = plain_record("open", kSynthetic);
  open.undecided = 1;
  open.cases = 11;
  open.outcome = "undecided";
  ClaimRecord wrong = plain_record("wrong", kGpt2);
  wrong.violated = 2;
  wrong.cases = 12;
  wrong.outcome = "unexpected";
  wrong.replay = "gpt2_check run --rows last";
  report.claims = {open, wrong, plain_record("fine", kSynthetic)};
  const std::vector<Failure> failed = failures(report);
  ASSERT_EQ(failed.size(), 2u);
  EXPECT_EQ(failed[0].id, "wrong") << "what is unexpected comes first";
  EXPECT_EQ(failed[0].reason, "proved, yet violated in 2 of 12 cases");
  EXPECT_EQ(failed[0].replay, "gpt2_check run --rows last");
  EXPECT_THAT(failed[1].reason, HasSubstr("1 of 11 cases stayed undecided"));
  EXPECT_EQ(failed[1].replay, "./verify --quick --seed 9");
}

TEST(Failures, TellABlindSearchFromAClaimThatWasNotRun) {
  ClaimRecord blind = plain_record("blind", kSynthetic);
  blind.status = "refuted";
  blind.outcome = "unexpected";
  ClaimRecord idle = plain_record("idle", kSynthetic, 0);
  idle.outcome = "not covered";
  Report report;
  report.claims = {blind, idle};
  const std::vector<Failure> failed = failures(report);
  ASSERT_EQ(failed.size(), 2u);
  EXPECT_THAT(failed[0].reason, HasSubstr("no counterexample was found in 10 cases"));
  EXPECT_EQ(failed[1].reason, "no case was run");
}

}  // namespace
}  // namespace attn::report
