#include "reports/compare/diff.hpp"

#include <fmt/format.h>
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
using testing::StartsWith;

using Edit = std::function<void(Report&)>;

Report edited(const Edit& edit) {
  Report report = sample_report();
  edit(report);
  return report;
}

std::string diff_after(const Edit& edit) {
  return diff_text(sample_report(), edited(edit));
}

TEST(Diff, OfAReportWithItselfIsEmpty) {
  const std::string same = diff_text(sample_report(), sample_report());
  const std::size_t records = sample_report().claims.size();
  const std::size_t comparisons = sample_report().comparisons.size();
  EXPECT_EQ(same, fmt::format("Nothing changed: {0} of {0} records, {1} of {1} comparisons\n",
                              records, comparisons));
}

TEST(Diff, NamesEachMeasureOfAClaimThatChanged) {
  const std::string changed = diff_after([](Report& report) {
    ClaimRecord& record = record_in(report, "corollary3", Stage::gpt2);
    record.outcome = Outcome::undecided;
    record.status = Status::proved;
    record.cases = 1003;
    record.undecided = 2;
    record.sampled_open = 1;
    record.max_ratio = 0.5;
  });
  EXPECT_THAT(
      changed,
      StartsWith("Claims\n"
                 "  corollary3 (gpt2): status refuted -> proved; outcome as expected -> undecided; "
                 "cases 1 -> 1,003;\n"
                 "      undecided 0 -> 2; left open by a confidence interval 0 -> 1; max lhs/rhs 2 "
                 "-> 0.5\n\nUnchanged: "));
}

TEST(Diff, NamesClaimsAndComparisonsThatOnlyOneHas) {
  const Edit remove = [](Report& report) {
    std::erase_if(report.claims, [](const ClaimRecord& record) {
      return record.id == "corollary3" && record.stage == Stage::gpt2;
    });
    report.comparisons.pop_back();
    report.comparisons.front().tighter = 7;
  };
  const std::vector<ComparisonRecord> all = sample_report().comparisons;
  const auto has_lines = [&](const std::string& tighter, const std::string& record) {
    return AllOf(HasSubstr("  corollary3 (gpt2): record " + record + "\n"),
                 HasSubstr(fmt::format("  {} beside {}: tighter {}\n", all.front().sharp,
                                       all.front().printed, tighter)),
                 HasSubstr(fmt::format("  {} beside {}: record {}\n", all.back().sharp,
                                       all.back().printed, record)),
                 HasSubstr(fmt::format("{} of {} comparisons\n", all.size() - 2, all.size())));
  };
  EXPECT_THAT(diff_after(remove), has_lines("900 -> 7", "there -> none"));
  EXPECT_THAT(diff_text(edited(remove), sample_report()), has_lines("7 -> 900", "none -> there"));
}

TEST(Diff, LeavesOutAStageThatOnlyOneHas) {
  const std::string changed = diff_after([](Report& report) {
    std::erase_if(report.claims,
                  [](const ClaimRecord& record) { return record.stage == Stage::gpt2; });
    report.inputs.clear();
  });
  EXPECT_THAT(changed, StartsWith("Different runs, compared all the same\n"
                                  "  stages synthetic, gpt2 -> synthetic\n\nNothing changed: "));
}

TEST(Diff, KeepsToAHundredColumns) {
  std::istringstream text(diff_after([](Report& report) {
    report.provenance.flags += " -O1 -fsanitize=address -fno-omit-frame-pointer -DNDEBUG -Wall";
    report.provenance.commit = std::string(40, 'f');
    for (ClaimRecord& record : report.claims) {
      record.outcome = Outcome::not_covered;
      record.cases += 1234567;
      record.holds += 1234567;
      record.max_ratio = 0.1234567890123456;
    }
    for (ComparisonRecord& record : report.comparisons) record.cases += 1000000;
  }));
  std::size_t lines = 0;
  for (std::string line; std::getline(text, line); ++lines) EXPECT_LE(line.size(), 100u) << line;
  EXPECT_GT(lines, 100u);
}

TEST(Diff, IsNotBrokenByWhatAReportNames) {
  const std::string text =
      diff_after([](Report& report) { report.comparisons.front().sharp = "two\nlines\x1b[31m"; });
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find("two\n"), std::string::npos);
  EXPECT_THAT(text, HasSubstr("two"));
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
  measured.keys = 2048;
  measured.learned_sink = true;
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
                                 "gpt2 keys", "gpt2 head_width", "gpt2 learned_sink",
                                 "gpt2 precision", "gpt2 tokens_sha256", "gpt2 rows", "gpt2 top_n",
                                 "gpt2 in_place_of_queries", "gpt2 mask", "gpt2 temperatures",
                                 "gpt2 draws", "gpt2 draws_at_lengths", "gpt2 lengths",
                                 "gpt2 temperatures of the gradient"));
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
  const std::string changed = diff_text(sample_report(), other);
  EXPECT_THAT(changed,
              AllOf(StartsWith("Different builds\n  version "), HasSubstr("\n  commit "),
                    HasSubstr("\n  compiler "), HasSubstr("\n  flags "), HasSubstr("\n  gmp "),
                    HasSubstr("\n  blas "), HasSubstr("\n  threads 2 -> 64\n"),
                    HasSubstr("\n  model name "), HasSubstr("Nothing changed: ")));
}

}  // namespace
}  // namespace attn::report
