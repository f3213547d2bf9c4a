#include "reports/compare/diff.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <sstream>

#include "reports/tests/sample_report.hpp"
#include "theory/base/tests/expect_bad_input.hpp"

namespace attn::report {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

using Edit = std::function<void(Report&)>;

Report edited(const Edit& edit) {
  Report report = sample_report();
  edit(report);
  return report;
}

Diff diff_after(const Edit& edit) {
  return diff(sample_report(), edited(edit));
}

/// "of: field before -> after; ..." for each change.
std::vector<std::string> in_words(const std::vector<Change>& changes) {
  std::vector<std::string> all;
  for (const Change& change : changes) {
    std::string text = change.of + ":";
    for (const Difference& each : change.differences) {
      text += " " + each.field + " " + each.before + " -> " + each.after + ";";
    }
    all.push_back(text);
  }
  return all;
}

TEST(Diff, OfAReportWithItselfIsEmpty) {
  const Diff same = diff(sample_report(), sample_report());
  EXPECT_EQ(same.unchanged_claims, same.claims);
  EXPECT_GT(same.claims, 40u);
  EXPECT_EQ(same.unchanged_comparisons, same.compared);
  EXPECT_GT(same.compared, 0u);
  EXPECT_THAT(diff_text(same),
              AllOf(StartsWith("Nothing changed: "), testing::Not(HasSubstr("->"))));
}

TEST(Diff, PutsEachChangeOfAClaimWhereItBelongs) {
  const Diff changed = diff_after([](Report& report) {
    ClaimRecord& record = record_in(report, "corollary3", Stage::gpt2);
    record.outcome = Outcome::undecided;
    record.status = Status::proved;
    record.cases = 1003;
    record.undecided = 2;
    record.sampled_open = 1;
    record.max_ratio = 0.5;
    record.digits["50"] += 4;
  });
  EXPECT_THAT(in_words(changed.verdicts),
              ElementsAre("corollary3 (gpt2): outcome as expected -> undecided; status refuted -> "
                          "proved;"));
  EXPECT_THAT(in_words(changed.counts),
              ElementsAre("corollary3 (gpt2): cases 1 -> 1,003; undecided 0 -> 2; left open by a "
                          "confidence interval 0 -> 1; decided with 50 digits 0 -> 4;"));
  EXPECT_THAT(in_words(changed.tightness), ElementsAre("corollary3 (gpt2): max lhs/rhs 2 -> 0.5;"));
  EXPECT_THAT(changed.guards, IsEmpty());
  EXPECT_EQ(changed.unchanged_claims, changed.claims - 1);
  EXPECT_THAT(diff_text(changed),
              AllOf(StartsWith("Outcomes\n  corollary3 (gpt2): outcome as expected -> undecided"),
                    HasSubstr("\nUnchanged: ")));
}

TEST(Diff, ComparesWhatGuardsASearch) {
  const Diff changed = diff_after([](Report& report) {
    ClaimRecord& record = record_in(report, "lemma1.lower");
    record.mutants[0].caught = false;
    record.mutants[0].cases = 4000;
    record.mutants[1].id = "lemma1.lower/other";
    record.classes[0].covered = false;
    record.classes[1].cases += 5;
    record.classes.pop_back();
    record.tightness->kind = TightnessKind::attained;
    record.tightness->ratio = 1;
  });
  EXPECT_THAT(
      in_words(changed.guards),
      ElementsAre("lemma1.lower (synthetic): mutant half caught -> survived; cases of mutant "
                  "half 3 -> 4,000; mutant sign caught -> none; cases of mutant sign 3 -> 0; "
                  "mutant other none -> caught; cases of mutant other 0 -> 3; class \"exact "
                  "ties\" covered -> not covered; cases of class \"64 tokens\" 1 -> 6; class "
                  "\"one huge logit\" covered -> none; cases of class \"one huge logit\" 1 "
                  "-> 0;"));
  EXPECT_THAT(changed.verdicts, IsEmpty());
  EXPECT_EQ(changed.unchanged_claims, changed.claims - 1);
}

TEST(Diff, NamesClaimsAndComparisonsThatOnlyOneHas) {
  const Edit remove = [](Report& report) {
    std::erase_if(report.claims, [](const ClaimRecord& record) {
      return record.id == "corollary3" && record.stage == Stage::gpt2;
    });
    report.comparisons.pop_back();
  };
  const ComparisonRecord last = sample_report().comparisons.back();
  const Diff gone = diff_after(remove);
  EXPECT_THAT(in_words(gone.verdicts),
              ElementsAre("corollary3 (gpt2): record as expected -> none;"));
  ASSERT_EQ(gone.comparisons.size(), 1u);
  EXPECT_EQ(gone.comparisons[0].of, last.sharp + " beside " + last.printed);
  EXPECT_THAT(in_words(gone.comparisons)[0], HasSubstr("cases 1,000 -> 0; tighter 900 -> 0;"));
  EXPECT_EQ(gone.unchanged_comparisons, gone.compared - 1);
  const Diff added = diff(edited(remove), sample_report());
  EXPECT_THAT(in_words(added.verdicts),
              ElementsAre("corollary3 (gpt2): record none -> as expected;"));
}

TEST(Diff, LeavesOutAStageThatOnlyOneHas) {
  const Diff changed = diff_after([](Report& report) {
    std::erase_if(report.claims,
                  [](const ClaimRecord& record) { return record.stage == Stage::gpt2; });
    report.inputs.clear();
  });
  ASSERT_EQ(changed.runs.size(), 1u);
  EXPECT_EQ(changed.runs[0].field, "stages");
  EXPECT_EQ(changed.runs[0].before, "synthetic, gpt2");
  EXPECT_EQ(changed.runs[0].after, "synthetic");
  EXPECT_EQ(changed.unchanged_claims, changed.claims);
}

TEST(DiffText, KeepsToAHundredColumns) {
  const Diff changed = diff_after([](Report& report) {
    report.provenance.flags += " -O1 -fsanitize=address -fno-omit-frame-pointer -DNDEBUG -Wall";
    report.provenance.commit = std::string(40, 'f');
    for (ClaimRecord& record : report.claims) {
      record.outcome = Outcome::not_covered;
      record.cases += 1234567;
      record.holds += 1234567;
      record.max_ratio = 0.1234567890123456;
      for (ClassRecord& input : record.classes) input.covered = false;
    }
    for (ComparisonRecord& record : report.comparisons) record.cases += 1000000;
  });
  EXPECT_EQ(changed.unchanged_claims, 0u);
  std::istringstream text(diff_text(changed));
  std::size_t lines = 0;
  for (std::string line; std::getline(text, line); ++lines) EXPECT_LE(line.size(), 100u) << line;
  EXPECT_GT(lines, 100u);
}

TEST(DiffText, IsNotBrokenByWhatAReportNames) {
  const Diff changed = diff_after([](Report& report) {
    ClaimRecord& record = record_in(report, "lemma1.lower");
    record.classes[0].name = "two\nlines\x1b[31m";
  });
  const std::string text = diff_text(changed);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find("two\n"), std::string::npos);
}

/// The sample with a block that records every setting.
Report with_settings() {
  Report report = sample_report();
  Measurements& measured = report.inputs.front();
  measured.heads_per_layer = 12;
  measured.precision = Precision::f32;
  measured.tokens_sha256 = "bb";
  measured.in_place_of_queries = Stead::scores;
  measured.mask = "causal";
  measured.temperatures = {{0.5}};
  measured.positions = 1024;
  measured.head_width = 16;
  measured.rows = 21;
  measured.top_n = {1, 5};
  measured.draws = 2;
  measured.draws_at_lengths = 16;
  return report;
}

TEST(Comparable, RefusesAnotherRunByItsField) {
  const std::tuple<const char*, const char*, Edit> changes[] = {
      {"seed", "\"42\" in a.json and \"43\" in b.json", [](Report& r) { r.provenance.seed = 43; }},
      {"effort", "\"quick\" in", [](Report& r) { r.provenance.effort = Effort::thorough; }},
      {"cases", "\"none\" in a.json and \"500\" in", [](Report& r) { r.provenance.cases = 500; }},
      {"stages", "\"synthetic, gpt2\" in a.json and \"synthetic, activations\" in",
       [](Report& r) {
         for (ClaimRecord& record : r.claims) {
           if (record.stage == Stage::gpt2) record.stage = Stage::activations;
         }
       }},
      {"model sha256", "\"aaaa", [](Report& r) { r.provenance.model.sha256 = "11"; }},
      {"text sha256", "\"bbbb", [](Report& r) { r.provenance.text_sha256.clear(); }},
      {"gpt2 precision", "\"f32\" in a.json and \"f64\" in",
       [](Report& r) { r.inputs.front().precision = Precision::f64; }},
      {"gpt2 rows", "\"21\" in a.json and \"none\" in",
       [](Report& r) { r.inputs.front().rows.reset(); }},
      {"gpt2 top_n", "\"[1,5]\" in a.json and \"[1]\" in",
       [](Report& r) { r.inputs.front().top_n = {1}; }},
      {"gpt2 lengths", "\"32, 64, 128, 256, 512, 1024\" in a.json and \"16, 32,",
       [](Report& r) { r.inputs.front().figures.distance_by_length[0].length = 16; }},
      {"gpt2 temperatures of the gradient", "\"0.001,",
       [](Report& r) { r.inputs.front().figures.gradient[0].temperature = 5; }},
  };
  for (const auto& [field, found, change] : changes) {
    Report other = with_settings();
    change(other);
    EXPECT_BAD_INPUT(
        check_comparable(settings_of(with_settings()), "a.json", settings_of(other), "b.json"),
        {.kind = BadInputKind::inconsistent, .where = field, .found = found});
  }
  EXPECT_NO_THROW(check_comparable(settings_of(with_settings()), "a.json",
                                   settings_of(with_settings()), "b.json"));
}

TEST(Comparable, AsksForTheseSettingsOfAnInput) {
  const RunSettings settings = settings_of(with_settings());
  std::vector<std::string> names;
  for (const Setting& setting : settings.inputs.at(0).settings) names.push_back(setting.name);
  EXPECT_THAT(names, ElementsAre("gpt2 layers", "gpt2 heads_per_layer", "gpt2 positions",
                                 "gpt2 head_width", "gpt2 precision", "gpt2 tokens_sha256",
                                 "gpt2 rows", "gpt2 top_n", "gpt2 in_place_of_queries", "gpt2 mask",
                                 "gpt2 temperatures", "gpt2 draws", "gpt2 draws_at_lengths",
                                 "gpt2 lengths", "gpt2 temperatures of the gradient"));
}

TEST(Comparable, LetsTheCodeAndTheMachineDiffer) {
  const Report other = edited([](Report& r) {
    RunInfo& from = r.provenance;
    from.version = "9";
    from.commit = "feed";
    from.dirty = !from.dirty;
    from.compiler = "other";
    from.flags = "-O0";
    from.blas = "reference";
    from.libraries["gmp"] = "0";
    from.threads = 64;
    from.model.name = "another name";
    from.started = "2030-01-01T00:00:00Z";
    from.seconds = 1e6;
  });
  EXPECT_NO_THROW(
      check_comparable(settings_of(sample_report()), "a.json", settings_of(other), "b.json"));
  const Diff changed = diff(sample_report(), other);
  std::vector<std::string> fields;
  for (const Difference& each : changed.builds) fields.push_back(each.field);
  EXPECT_THAT(fields, ElementsAre("version", "commit", "compiler", "flags", "gmp", "blas",
                                  "threads", "model name"));
  EXPECT_THAT(diff_text(changed),
              AllOf(StartsWith("Different builds\n  version "), HasSubstr("\n  threads 2 -> 64\n"),
                    HasSubstr("Nothing changed: ")));
}

}  // namespace
}  // namespace attn::report
