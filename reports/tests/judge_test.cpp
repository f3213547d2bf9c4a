#include "reports/judge/judge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "reports/tests/sample_report.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/base/tests/expect_bad_input.hpp"
#include "theory/claims/catalogue.hpp"

namespace attn::report {
namespace {

using testing::HasSubstr;

struct Row {
  Status status;
  Stage stage;
  ClaimRecord counts;
  Outcome outcome;
};

/// A record with these counts; a searched claim has an input class, a proved one its mutants.
ClaimRecord record_of(Status status, Stage stage, ClaimRecord record) {
  record.id = "claim";
  record.status = status;
  record.stage = stage;
  record.sampled = record.sampled_open;
  if (stage == Stage::synthetic) {
    record.classes = {covered_class("exact ties", record.cases)};
    if (status == Status::proved) record.mutants = caught_mutants("claim");
  }
  return record;
}

ClassRecord uncovered_class() {
  return {.name = "exact ties",
          .least_share = 0.05,
          .cases = 100,
          .share_lower = 0.03,
          .share_upper = 0.06,
          .covered = false};
}

/// The one failure of a report with this record alone.
Failure only_failure(const ClaimRecord& record) {
  const std::vector<Failure> failed = failures({.claims = {record}});
  EXPECT_EQ(failed.size(), 1u);
  return failed.empty() ? Failure{} : failed.front();
}

constexpr Status kProved = Status::proved, kRefuted = Status::refuted;

/// Every combination of status, stage and kind of count that the rules tell apart.
TEST(Judge, FollowsTheWholeTable) {
  using enum Stage;
  using enum Outcome;
  const Row table[] = {
      // Nothing decided at all.
      {kProved, synthetic, {}, not_covered},
      {kRefuted, synthetic, {}, not_covered},
      {kProved, gpt2, {}, not_covered},
      {kProved, synthetic, {.cases = 7, .assumption_not_met = 7}, not_covered},
      {kRefuted, synthetic, {.cases = 7, .assumption_not_met = 7}, not_covered},
      {kProved, activations, {.cases = 7, .assumption_not_met = 7}, not_covered},
      {kRefuted, activations, {}, not_covered},
      // A proved claim.
      {kProved, synthetic, {.cases = 7, .holds = 7}, as_expected},
      {kProved, synthetic, {.cases = 7, .equal = 7}, as_expected},
      {kProved, synthetic, {.cases = 7, .holds = 6, .assumption_not_met = 1}, as_expected},
      {kProved, synthetic, {.cases = 7, .holds = 6, .violated = 1}, unexpected},
      {kProved, gpt2, {.cases = 7, .holds = 6, .violated = 1}, unexpected},
      {kProved, activations, {.cases = 7, .holds = 6, .violated = 1}, unexpected},
      {kProved, synthetic, {.cases = 7, .holds = 6, .undecided = 1}, undecided},
      {kProved, synthetic, {.cases = 7, .undecided = 7}, undecided},
      {kProved, synthetic, {.cases = 100, .holds = 99, .undecided = 1}, undecided},
      {kProved, synthetic, {.cases = 7, .violated = 1, .undecided = 6}, unexpected},
      // A refuted claim: search must find it violated, real input may or may not.
      {kRefuted, synthetic, {.cases = 7, .holds = 6, .violated = 1}, as_expected},
      {kRefuted, synthetic, {.cases = 7, .holds = 7}, unexpected},
      {kRefuted, synthetic, {.cases = 7, .equal = 7}, unexpected},
      {kRefuted, synthetic, {.cases = 7, .undecided = 7}, unexpected},
      {kRefuted, synthetic, {.cases = 7, .violated = 1, .undecided = 6}, undecided},
      {kRefuted, gpt2, {.cases = 7, .holds = 7}, as_expected},
      {kRefuted, gpt2, {.cases = 7, .equal = 7}, as_expected},
      {kRefuted, gpt2, {.cases = 7, .violated = 7}, as_expected},
      {kRefuted, activations, {.cases = 7, .holds = 7}, as_expected},
      // A recording may be too short for a claim, which its witness refutes all the same.
      {kRefuted, activations, {.cases = 7, .assumption_not_met = 7}, as_expected},
      {kRefuted, activations, {.cases = 7, .holds = 6, .undecided = 1}, undecided},
      // What a confidence interval leaves open is not undecided, but is no verdict either.
      {kProved,
       synthetic,
       {.cases = 7, .holds = 5, .undecided = 2, .sampled_open = 2},
       as_expected},
      {kProved, synthetic, {.cases = 7, .holds = 5, .undecided = 2, .sampled_open = 1}, undecided},
      {kProved, synthetic, {.cases = 7, .undecided = 7, .sampled_open = 7}, not_covered},
      {kProved,
       synthetic,
       {.cases = 7, .undecided = 4, .assumption_not_met = 3, .sampled_open = 4},
       not_covered},
      {kRefuted, synthetic, {.cases = 7, .undecided = 7, .sampled_open = 7}, unexpected},
      {kRefuted,
       synthetic,
       {.cases = 7, .violated = 1, .undecided = 6, .sampled_open = 6},
       as_expected},
  };

  for (const Row& row : table) {
    EXPECT_EQ(judge(record_of(row.status, row.stage, row.counts)), row.outcome)
        << attn::to_string(row.status) << ", " << to_string(row.stage) << ", expected "
        << to_string(row.outcome) << " at row " << &row - table;
  }
}

TEST(Judge, AsksForTwoMutantsOfAProvedClaimInASearch) {
  ClaimRecord record = plain_record("claim", Stage::synthetic);
  record.mutants.pop_back();
  EXPECT_EQ(judge(record), Outcome::not_covered);
  EXPECT_EQ(only_failure(record).reason, "fewer than two mutants guard this claim");
  ClaimRecord real = plain_record("claim", Stage::gpt2);
  EXPECT_TRUE(real.mutants.empty());
  EXPECT_EQ(judge(real), Outcome::as_expected);
  ClaimRecord refuted = record_of(Status::refuted, Stage::synthetic, {.cases = 1, .violated = 1});
  EXPECT_TRUE(refuted.mutants.empty());
  EXPECT_EQ(judge(refuted), Outcome::as_expected);
}

TEST(Judge, FailsWhereAMutantSurvives) {
  ClaimRecord record = plain_record("claim", Stage::synthetic);
  record.mutants[1].caught = false;
  record.mutants[1].cases = 3000;
  EXPECT_EQ(judge(record), Outcome::unexpected);
  const Failure failure = only_failure(record);
  EXPECT_EQ(failure.outcome, Outcome::unexpected);
  EXPECT_EQ(failure.reason, "mutant claim/sign survived 3,000 cases: 1 - A in place of A");
  EXPECT_EQ(failure.replay, "properties --claim claim");
}

/// That says what these rows can tell, not whether the claim is right.
TEST(Judge, TakesNoOffenceAtAMutantThatSurvivesRealRows) {
  ClaimRecord record = plain_record("claim", Stage::gpt2);
  record.mutants = caught_mutants("claim");
  record.mutants[1].caught = false;
  record.mutants[1].cases = 3000;
  EXPECT_EQ(judge(record), Outcome::as_expected);
  const Report report{.claims = {record}};
  EXPECT_TRUE(failures(report).empty());
  const std::vector<Failure> survivors = survivors_on_rows(report);
  ASSERT_EQ(survivors.size(), 1U);
  EXPECT_EQ(survivors[0].reason, "mutant claim/sign survived 3,000 cases: 1 - A in place of A");
}

TEST(Judge, FindsASurvivorGraverThanAnIdleSearch) {
  ClaimRecord record = plain_record("claim", Stage::synthetic, 0);
  record.mutants[0].caught = false;
  EXPECT_EQ(judge(record), Outcome::unexpected);
}

TEST(Judge, AsksForEveryInputClass) {
  ClaimRecord record = plain_record("claim", Stage::synthetic, 2000);
  record.classes = {uncovered_class()};
  EXPECT_EQ(judge(record), Outcome::not_covered);
  EXPECT_EQ(only_failure(record).reason,
            "the input class \"exact ties\" has 100 of 2,000 cases: a share of 3 % to 6 % at "
            "confidence 0.999999, below the least of 5 %");
  record.classes[0].covered = true;
  EXPECT_EQ(judge(record), Outcome::as_expected);
}

TEST(Judge, AsksForInputClassesOfASearch) {
  for (const Status status : {Status::proved, Status::refuted}) {
    ClaimRecord record = record_of(status, Stage::synthetic, {.cases = 2, .holds = 2});
    if (status == Status::refuted) record.violated = std::exchange(record.holds, 0);
    EXPECT_EQ(judge(record), Outcome::as_expected);
    record.classes.clear();
    EXPECT_EQ(judge(record), Outcome::not_covered);
    EXPECT_EQ(only_failure(record).reason, "no input class says what the search has met");
  }
  EXPECT_TRUE(plain_record("claim", Stage::gpt2).classes.empty());
}

TEST(Judge, PutsAnOpenCaseBeforeAGapOfTheSearch) {
  ClaimRecord record =
      record_of(Status::proved, Stage::synthetic, {.cases = 2, .holds = 1, .undecided = 1});
  record.classes = {uncovered_class()};
  EXPECT_EQ(judge(record), Outcome::undecided);
}

TEST(ExitCode, IsDecidedByTheWorstOutcome) {
  Report report;
  report.claims.assign(3, plain_record("claim", Stage::synthetic));
  EXPECT_EQ(exit_code(report), kAsExpected);
  report.claims[1].classes.clear();
  EXPECT_EQ(exit_code(report), kUndecided) << "not covered";
  report.claims[0].undecided = 1;
  EXPECT_EQ(exit_code(report), kUndecided);
  report.claims[2].violated = 1;
  EXPECT_EQ(exit_code(report), kUnexpected);
  report.claims[2] = plain_record("claim", Stage::gpt2, 0);
  report.claims[2].outcome = Outcome::missing;
  EXPECT_EQ(exit_code(report), kUnexpected);
}

TEST(ExitCode, OfAReportWithoutRecordsIsNotSuccess) {
  EXPECT_EQ(exit_code(Report{}), kUndecided);
}

TEST(Complete, AsksForTheClaimsOfTheReportsOwnCatalogue) {
  const Catalogue own("own", {find_claim("lemma2"), find_claim("corollary3")});
  Report report{.catalogue = attn::report::record_of(own, "own eval"),
                .claims = {plain_record("corollary3", Stage::synthetic)}};
  complete(report);
  ASSERT_EQ(report.claims.size(), 2U);
  EXPECT_EQ(report.claims[0].id, "lemma2");
  EXPECT_EQ(report.claims[0].outcome, Outcome::missing);
  EXPECT_EQ(report.claims[0].status, own[0].status);
  EXPECT_EQ(report.claims[1].id, "corollary3");
}

TEST(Complete, NamesEveryClaimOfTheCatalogueThatAStageLacks) {
  Report report{.claims = {plain_record(std::string(catalogue().back().id), Stage::synthetic)}};
  complete(report);
  ASSERT_EQ(report.claims.size(), catalogue().size());
  EXPECT_EQ(report.claims.back().outcome, Outcome::as_expected);
  EXPECT_EQ(report.claims.front().outcome, Outcome::missing);
  EXPECT_EQ(report.claims.front().id, catalogue().front().id);
  EXPECT_EQ(exit_code(report), kUnexpected);
}

TEST(Complete, AsksOfRealInputOnlyWhatSpeaksOfGivenWeightsAndVectors) {
  Report report{.claims = {plain_record("corollary3.sharp", Stage::gpt2)}};
  complete(report);
  const auto has = [&](std::string_view id) {
    return std::ranges::find(report.claims, id, &ClaimRecord::id) != report.claims.end();
  };
  for (const char* const id :
       {"lemma2", "corollary3", "theorem1.fixed", "theorem1.fixed.any_set", "lemma1.lower",
        "corollary1.upper", "corollary3.step", "theorem2.lower", "theorem1.random.sharp",
        "lipschitz.sparsemax", "lipschitz.sigmoid"}) {
    EXPECT_TRUE(has(id)) << id;
  }
  for (const char* const id : {"corollary2.long_context", "collapse.proportional", "lemma1.uniform",
                               "lipschitz.sinkhorn", "rank_collapse.diameter"}) {
    EXPECT_FALSE(has(id)) << id;
  }
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
      EXPECT_EQ(report.claims[i - 1].stage, Stage::synthetic);
      EXPECT_EQ(report.claims[i].stage, Stage::gpt2);
    }
  }
}

TEST(Failures, GiveReasonAndReplay) {
  ClaimRecord open = plain_record("open", Stage::synthetic);
  open.undecided = 1;
  open.cases = 11;
  open.outcome = Outcome::undecided;
  ClaimRecord wrong = plain_record("wrong", Stage::gpt2);
  wrong.violated = 2;
  wrong.cases = 12;
  wrong.outcome = Outcome::unexpected;
  wrong.replay = "gpt2_check run --rows last";
  const std::vector<Failure> failed =
      failures({.claims = {open, wrong, plain_record("fine", Stage::synthetic)}});
  ASSERT_EQ(failed.size(), 2u);
  EXPECT_EQ(failed[0].id, "wrong") << "what is unexpected comes first";
  EXPECT_EQ(failed[0].reason, "proved, yet violated in 2 of 12 cases");
  EXPECT_EQ(failed[0].replay, "gpt2_check run --rows last");
  EXPECT_THAT(failed[1].reason, HasSubstr("1 of 11 cases stayed undecided"));
  EXPECT_EQ(failed[1].replay, "") << "nothing is known of how it was run";
}

TEST(Failures, NameEverySurvivorAndEveryGap) {
  ClaimRecord record = plain_record("claim", Stage::synthetic, 2000);
  for (MutantRecord& mutant : record.mutants) mutant.caught = false;
  record.classes = {uncovered_class()};
  rejudge(record);
  const Report report{.claims = {plain_record("fine", Stage::synthetic), record}};
  const std::vector<Failure> failed = failures(report);
  ASSERT_EQ(failed.size(), 3u);
  EXPECT_THAT(failed[0].reason, HasSubstr("claim/half"));
  EXPECT_THAT(failed[1].reason, HasSubstr("claim/sign"));
  EXPECT_THAT(failed[2].reason, HasSubstr("exact ties"));
  EXPECT_EQ(exit_code(report), kUnexpected);
}

TEST(Failures, CountOnlyWhatStaysOpenAtThePrecisionCap) {
  const ClaimRecord record = record_of(Status::proved, Stage::synthetic,
                                       {.cases = 9, .holds = 4, .undecided = 5, .sampled_open = 3});
  EXPECT_EQ(only_failure(record).reason, "2 of 9 cases stayed undecided");
}

TEST(Failures, TellABlindSearchFromAClaimThatWasNotRun) {
  ClaimRecord blind = plain_record("blind", Stage::synthetic);
  blind.status = Status::refuted;
  blind.outcome = Outcome::unexpected;
  ClaimRecord idle = plain_record("idle", Stage::synthetic, 0);
  idle.outcome = Outcome::not_covered;
  const std::vector<Failure> failed = failures({.claims = {blind, idle}});
  ASSERT_EQ(failed.size(), 2u);
  EXPECT_THAT(failed[0].reason, HasSubstr("no counterexample was found in 10 cases"));
  EXPECT_EQ(failed[1].reason, "no case was run");
}

}  // namespace
}  // namespace attn::report
