#include "reports/compare/gate.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "reports/tests/sample_report.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/base/tests/expect_bad_input.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/coq.hpp"

namespace attn::report {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

/// Adds undecided cases to a record.
void leave_open(ClaimRecord& record, std::uint64_t cases) {
  record.cases += cases;
  record.undecided += cases;
  rejudge(record);
}

/// The failures as the lines of the gate have them: "id (stage): outcome: reason".
std::vector<std::string> lines(const std::vector<Failure>& found) {
  std::vector<std::string> all;
  for (const Failure& failure : found) {
    EXPECT_TRUE(!failure.replay.empty() || failure.outcome == Outcome::missing) << failure.id;
    all.push_back(fmt::format("{} ({}): {}: ", failure.id, source_words(failure),
                              to_string(failure.outcome)) +
                  failure.reason);
  }
  return all;
}

TEST(Gate, NamesTheReportsOwnFailuresGravestFirst) {
  Report report = sample_report();
  leave_open(report.claims.front(), 1);
  ClaimRecord& broken = record_in(report, "corollary3.sharp", Stage::gpt2);
  broken.cases += 1;
  broken.violated += 1;
  rejudge(broken);
  const std::vector<Failure> found = gate_failures(report, {});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].id, "corollary3.sharp");
  EXPECT_EQ(exit_code(found), kUnexpected);
  EXPECT_EQ(exit_code({found[1]}), kUndecided);
}

TEST(Gate, LetsNoPatternPassThatContradictsItsLogitsUnlessAllowed) {
  Report report = sample_report();
  report.inputs.front().pattern_difference_by_layer = {0.83};
  EXPECT_THAT(gate_failures(report, {}), IsEmpty());
  report.inputs.front().contradicted_layers = {2, 5};
  const std::vector<Failure> found = gate_failures(report, {});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(exit_code(found), kUnexpected);
  EXPECT_THAT(found[0].reason, AllOf(HasSubstr("layers 2, 5"), HasSubstr("--allow-mismatch")));
  EXPECT_THAT(gate_failures(report, {.mismatch_allowed = true}), IsEmpty());
}

TEST(GateUndecided, ToleratesSoManyOverAllRecords) {
  Report report = sample_report();
  leave_open(record_in(report, "lemma1.lower"), 2);
  leave_open(record_in(report, "corollary3.sharp", Stage::gpt2), 1);
  ASSERT_EQ(undecided_cases(report), 3u);
  EXPECT_EQ(gate_failures(report, {}).size(), 2u);
  EXPECT_THAT(lines(gate_failures(report, {.most_undecided = 3})), IsEmpty());

  const std::vector<Failure> found = gate_failures(report, {.most_undecided = 2});
  EXPECT_EQ(exit_code(found), kUndecided);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_THAT(found[0].reason, AllOf(HasSubstr("2 of 3 cases"), HasSubstr("3 in all, at most 2")));
}

TEST(GateUndecided, DoesNotCountWhatAConfidenceIntervalLeavesOpen) {
  Report report = sample_report();
  ClaimRecord& record = record_in(report, "lemma1.lower");
  record.sampled = record.sampled_open = 5;
  leave_open(record, 5);
  EXPECT_EQ(undecided_cases(report), 0u);
  EXPECT_THAT(lines(gate_failures(report, {.most_undecided = 0})), IsEmpty());
}

TEST(GateUndecided, ExcusesNothingElse) {
  Report report = sample_report();
  ClaimRecord& uncovered = record_in(report, "lemma1.lower");
  uncovered.classes.front().covered = false;
  leave_open(uncovered, 1);
  ClaimRecord& idle = record_in(report, "corollary3.sharp", Stage::gpt2);
  idle.cases = idle.undecided = 4;
  idle.holds = idle.equal = 0;
  rejudge(idle);
  const std::vector<Failure> found = gate_failures(report, {.most_undecided = 100});
  EXPECT_THAT(lines(found),
              Contains(HasSubstr("lemma1.lower (synthetic): not covered: the input")));
  EXPECT_THAT(lines(found), Contains(HasSubstr("4 of 4 cases stayed undecided; "
                                               "tolerated only where other cases are decided")));
  EXPECT_EQ(found.size(), 2u);
  EXPECT_EQ(exit_code(found), kUndecided);
}

TEST(GateRows, FailWithoutMutantsOnThem) {
  Report report = sample_report();
  std::erase_if(report.claims,
                [](const ClaimRecord& record) { return record.stage != Stage::synthetic; });
  const std::vector<Failure> found = gate_failures(report, {.caught_on_rows = true});
  EXPECT_THAT(lines(found), Contains(HasSubstr("but the report has none of those")));
}

TEST(GateStages, FailsWithoutARecord) {
  const Report report = sample_report();
  EXPECT_THAT(gate_failures(report, {.stages = {Stage::synthetic, Stage::gpt2}}), IsEmpty());
  const std::vector<Failure> found = gate_failures(report, {.stages = {Stage::activations}});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].outcome, Outcome::missing);
  EXPECT_EQ(found[0].source, Source{.stage = Stage::activations});
  EXPECT_EQ(exit_code(found), kUnexpected);
}

TEST(GateProofs, AsksForACheckedProofOfEachClaimDecided) {
  const auto proved = std::ranges::find_if(
      catalogue(), [](const Claim& claim) { return coq_proof(claim).has_value(); });
  ASSERT_NE(proved, catalogue().end());
  Report report;
  const std::string id(proved->id);
  report.claims = {plain_record(id, Stage::synthetic), plain_record(id, Stage::gpt2)};
  report.claims[0].replay = "properties";
  EXPECT_THAT(gate_failures(report, {.proofs_checked = true}), IsEmpty());
  report.catalogue = record_of(Catalogue("own", {*proved}), "own eval");
  EXPECT_THAT(gate_failures(report, {}), IsEmpty());
  const std::vector<Failure> found = gate_failures(report, {.proofs_checked = true});
  EXPECT_THAT(lines(found),
              testing::ElementsAre(id + " (any stage): unexpected: a proof checked "
                                        "by Coq is required, but people alone have read "
                                        "it"));
  EXPECT_EQ(exit_code(found), kUnexpected);
}

using Edit = std::function<void(Report&)>;

struct Loss {
  Edit edit;           ///< makes a report worse
  std::string reason;  ///< what the gate says of it
};

ClaimRecord& guarded(Report& report) {
  return record_in(report, "lemma1.lower");
}

/// Each way in which a report can be worse than its baseline.
std::vector<Loss> losses() {
  return {
      {[](Report& r) {
         std::erase_if(r.claims, [](const ClaimRecord& c) {
           return c.id == "corollary3" && c.stage == Stage::gpt2;
         });
       },
       "corollary3 (gpt2): missing: no record, \"as expected\" in the baseline"},
      {[](Report& r) { guarded(r).status = Status::refuted; },
       "lemma1.lower (synthetic): unexpected: the status is \"refuted\", \"proved\" in the "
       "baseline"},
      {[](Report& r) { leave_open(guarded(r), 3); },
       "lemma1.lower (synthetic): unexpected: the outcome is \"undecided\", \"as expected\" in the "
       "baseline"},
      {[](Report& r) { leave_open(guarded(r), 3); }, "3 cases undecided, 0 in the baseline"},
      {[](Report& r) {
         guarded(r).holds = guarded(r).equal = 0;
         guarded(r).assumption_not_met = guarded(r).cases;
       },
       "0 cases decided, 1 in the baseline"},
      {[](Report& r) { guarded(r).mutants.back().caught = false; },
       "1 of 2 mutants caught, 2 in the baseline; no longer: lemma1.lower/sign"},
      {[](Report& r) { guarded(r).mutants.pop_back(); },
       "1 of 1 mutants caught, 2 in the baseline; no longer: lemma1.lower/sign"},
      {[](Report& r) { guarded(r).classes.front().covered = false; },
       "the input class \"exact ties\" is not covered with 1 cases, covered in the baseline"},
      {[](Report& r) { guarded(r).classes.erase(guarded(r).classes.begin()); },
       "the input class \"exact ties\" is gone"},
      {[](Report& r) { guarded(r).tightness->kind = TightnessKind::loose; },
       "the bound is loose (lhs/rhs"},
      {[](Report& r) { guarded(r).tightness.reset(); }, "the bound is without a tightness"},
      {[](Report& r) { r.comparisons.erase(r.comparisons.begin()); }, "no comparison with"},
      {[](Report& r) { r.comparisons.front().looser = 7; },
       "in 7 of 1,000 cases, in none in the baseline"},
  };
}

/// The sample with sharp bounds that are never looser.
Report baseline_report() {
  Report report = sample_report();
  for (ComparisonRecord& record : report.comparisons) record.looser = 0;
  guarded(report).tightness->kind = TightnessKind::approached;
  return report;
}

TEST(GateBaseline, NamesEveryLoss) {
  const Report baseline = baseline_report();
  for (const Loss& loss : losses()) {
    Report report = baseline;
    loss.edit(report);
    const std::vector<Failure> found = gate_failures(report, {.baseline = baseline_of(baseline)});
    EXPECT_THAT(lines(found), Contains(HasSubstr(loss.reason)));
    EXPECT_EQ(exit_code(found), kUnexpected) << loss.reason;
  }
}

TEST(GateBaseline, LetsAReportGainWhatItLacked) {
  const Report report = baseline_report();
  for (const Loss& loss : losses()) {
    if (loss.reason.find("refuted") != std::string::npos) continue;  // no status is the better one
    Report baseline = report;
    loss.edit(baseline);
    EXPECT_THAT(lines(gate_failures(report, {.baseline = baseline_of(baseline)})), IsEmpty())
        << loss.reason;
  }
}

/// Whatever a report has open, it is no worse than itself; with one case more, or one decided less,
/// it is.
TEST(GateBaseline, TellsWorseFromAsBad) {
  Report report = baseline_report();
  guarded(report).holds += 5;
  guarded(report).cases += 5;
  leave_open(guarded(report), 3);
  const Baseline baseline = baseline_of(report);
  EXPECT_THAT(lines(worse_than(baseline, report)), IsEmpty());
  Report more = report;
  leave_open(guarded(more), 1);
  EXPECT_THAT(lines(worse_than(baseline, more)),
              testing::ElementsAre(HasSubstr("4 cases undecided, 3 in the baseline")));
  Report fewer = report;
  --guarded(fewer).undecided;
  --guarded(fewer).cases;
  EXPECT_THAT(lines(worse_than(baseline, fewer)), IsEmpty());
  Report decided = report;
  --guarded(decided).holds;
  --guarded(decided).cases;
  EXPECT_THAT(lines(worse_than(baseline, decided)),
              testing::ElementsAre(HasSubstr("cases decided, ")));
}

TEST(GateBaseline, JudgesNoMeasuredValue) {
  const Report baseline = baseline_report();
  Report report = baseline;
  record_in(report, "corollary3", Stage::gpt2).max_ratio = 0.001;
  record_in(report, "lemma1.lower").tightness->ratio = 0.995;
  for (SinkPoint& point : report.inputs.front().figures.sink) point.share->mean = 0.5;
  report.comparisons.front().tighter = 0;
  report.provenance.commit = "feed";
  report.provenance.compiler = "other";
  report.provenance.threads = 64;
  EXPECT_THAT(lines(gate_failures(report, {.baseline = baseline_of(baseline)})), IsEmpty());
}

TEST(GateBaseline, NamesAMissingRecordOnce) {
  Report report = baseline_report();
  std::erase_if(report.claims, [](const ClaimRecord& record) { return record.id == "corollary3"; });
  complete(report);
  EXPECT_EQ(gate_failures(report, {.baseline = baseline_of(baseline_report())}).size(), 2u)
      << "one a stage";
}

TEST(GateBaseline, LeavesOutWhatIsTolerated) {
  Report report = baseline_report();
  leave_open(guarded(report), 3);
  EXPECT_THAT(lines(gate_failures(
                  report, {.most_undecided = 3, .baseline = baseline_of(baseline_report())})),
              IsEmpty());
}

TEST(GateBaseline, RefusesAnotherRun) {
  Report report = baseline_report();
  report.provenance.seed = 7;
  EXPECT_BAD_INPUT(gate_failures(report, {.baseline = baseline_of(baseline_report())}),
                   {.kind = BadInputKind::inconsistent,
                    .where = "seed",
                    .found = "\"42\" in the baseline and \"7\" in the report",
                    .advice = "reports of different runs"});
}

}  // namespace
}  // namespace attn::report
