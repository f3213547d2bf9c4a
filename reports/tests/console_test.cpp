#include "reports/text/console.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <limits>
#include <sstream>
#include <utility>

#include "reports/judge/judge.hpp"
#include "reports/pages/pages.hpp"
#include "reports/tests/sample_report.hpp"
#include "reports/text/summary.hpp"
#include "theory/claims/catalogue.hpp"

namespace attn::report {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

constexpr std::size_t kWidth = 100;
constexpr std::uint64_t kHuge = std::numeric_limits<std::uint64_t>::max();

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string last_line_of(const Report& report) {
  return lines_of(console_text(report, false, "out/index.html")).back();
}

void expect_fits(const std::string& text) {
  for (const std::string& line : lines_of(text)) EXPECT_LE(line.size(), kWidth) << line;
}

Report report_of(ClaimRecord record) {
  record.replay = "properties --claim " + record.id;
  rejudge(record);
  return {.claims = {std::move(record)}};
}

TEST(ConsoleTables, FitWithHugeCountsAndEveryClaim) {
  Report report;
  for (const Claim& claim : catalogue()) {
    ClaimRecord record = plain_record(std::string(claim.id), Stage::synthetic, kHuge);
    record.violated = kHuge;
    record.holds = 0;
    record.sampled = record.sampled_open = 12345678901234;
    record.max_ratio = -1.2345e-300;
    record.status = Status::refuted;
    report.claims.push_back(record);
    report.claims.push_back(plain_record(std::string(claim.id), Stage::gpt2, 99'999'999'999));
    report.claims.back().max_ratio = 1 - 1e-13;
  }
  const std::string table = console_tables(report, false);
  expect_fits(table);
  EXPECT_THAT(
      table, AllOf(HasSubstr(" 1.8e19 "), HasSubstr(" -1.234e-300 "), HasSubstr(" just below 1 ")));
  for (const Claim& claim : catalogue())
    EXPECT_THAT(table, HasSubstr(fmt::format("\n{} ", claim.id)));
}

TEST(ConsoleTables, CountTheClaimsThatAnInputDoesNotCover) {
  Report report = sample_report();
  EXPECT_THAT(console_tables(report, false), Not(HasSubstr("not covered by this input")));
  report.inputs.front().not_covered["lemma2"] = "queries";
  EXPECT_THAT(console_tables(report, false),
              HasSubstr("not covered by this input: 1 claim, which"));
}

TEST(ConsoleTables, CountTheStatementsThatAreJudged) {
  Report report = sample_report();
  EXPECT_THAT(console_tables(report, false), Not(HasSubstr("abstract: ")));
  for (PaperStatement& entry : report.inputs.front().abstract) {
    entry.judged = entry.estimate.has_value();
  }
  EXPECT_THAT(console_tables(report, false),
              HasSubstr("abstract: 1 of 3 statements agree with what was measured, 1 do not, 1 "
                        "cannot be told\n"));
}

TEST(Console, SaysWhatCameOutOfEachStatement) {
  const Report report = sample_report();
  const std::string text = console_text(report, false, "out/index.html");
  EXPECT_LE(lines_of(text).size(), 40U);
  expect_fits(text);
  EXPECT_EQ(text.find('\033'), std::string::npos);
  for (const PlainVerdict& verdict : plain_verdicts(report)) {
    EXPECT_THAT(text, HasSubstr("\n" + verdict.statement + " "));
  }
}

/// On the console, in report.md and at the top of the page.
TEST(Notes, SayWhereARecordingContradictsItself) {
  struct Fact {
    std::function<void(Measurements&)> put;
    const char* note;
  };
  const Fact facts[] = {
      {[](Measurements& m) {
         m.pattern_difference_by_layer = {0.001, 0.83};
         m.contradicted_layers = {3};
       },
       "differs from softmax(l/T) by up to 0.83, more than rounding makes, in layer 3"},
      {[](Measurements& m) { m.unconfirmed_layers = 2; },
       "2 layers were recorded without a pattern: nothing shows that the model weighed by these "
       "queries and keys"},
      {[](Measurements& m) {
         m.unconfirmed_layers = 1;
         m.positions = 8;
         m.keys = 64;
       },
       "at this T and under this mask, causal, its 8 queries as the last of 64 tokens."},
      {[](Measurements& m) {
         m.unconfirmed_layers = 1;
         m.positions = 8;
         m.keys = 64;
         m.mask = "full";
       },
       "at this T and under this mask, full."},
      {[](Measurements& m) {
         m.unconfirmed_layers = 1;
         m.heads_per_layer = 6;
         m.key_heads = 2;
       },
       "under this mask, causal; each head of keys and values is read by 3 heads of queries in a "
       "row."},
      {[](Measurements& m) { m.without_outputs = 2; },
       "nothing shows that the model weighed its values by these weights, with keys and heads in "
       "one order (the outputs, hook_z [query, head, d of v], beside hook_v would)."},
      {[](Measurements& m) {
         m.in_place_of_queries = Stead::weights;
         m.without_outputs = 2;
         m.heads_per_layer = 6;
         m.key_heads = 2;
       },
       "would); each head of values is read by 3 heads of queries in a row."},
      {[](Measurements& m) { m.no_lengths = "layer 5 has no values"; },
       "there are no figures against L and N: layer 5 has no values"},
      {[](Measurements& m) { m.padding = 3; },
       "3 positions that are said to be padding, or that no other query sees, are left out"},
      {[](Measurements& m) { m.padding = *m.positions + 1; },
       "which keys they see); these are more than are left: does a tensor attention_mask or "
       "hook_mask say 1 of what it hides? Then record its opposite."},
      {[](Measurements& m) { m.padding = m.positions; }, "which keys they see)."},
      {[](Measurements& m) { m.padding = m.padding_that_sees = 3; },
       "3 positions that are said to be padding, or that no other query sees, 3 of them with "
       "queries that see other keys but not their own, are left out"},
      {[](Measurements& m) { m.remarks = {"layer 2: all heads are alike"}; },
       "layer 2: all heads are alike."},
      {[](Measurements& m) { m.remarks = {"layer 2: were they filled?"}; },
       "layer 2: were they filled?"},
      {[](Measurements& m) { m.rows_left_out = 12; }, "12 rows of heads see fewer than two keys"},
      {[](Measurements& m) { m.zero_weights = 7; },
       "7 recorded weights are 0 where a query sees the key, and are read as weights of 0, which "
       "small ones are rounded to; where"},
      {[](Measurements& m) {
         m.zero_weights = 7;
         m.zero_rows = 5;
       },
       "which small ones are rounded to; 5 rows are without logits for it; where"},
      {[](Measurements& m) {
         m.off_sum_rows = 40;
         m.farthest_sum = 1e-9;
       },
       "(farthest: 1e-09), below, and so small that no sink or gate makes them"},
      {[](Measurements& m) {
         m.off_sum_rows = m.rows_above_one = 40;
         m.farthest_sum = 100.2;
       },
       "above, as per cent have it"},
      {[](Measurements& m) {
         m.off_sum_rows = 40;
         m.farthest_sum = 0.2;
       },
       "40 rows of the recorded patterns have a sum other than 1 (farthest: 0.2), below, as a "
       "learned sink, a gate or keys that were left out make them"},
      {[](Measurements& m) {
         m.off_sum_rows = 40;
         m.rows_above_one = 12;
         m.farthest_sum = 1.4;
       },
       "40 rows of the recorded patterns have a sum other than 1 (farthest: 1.4), on both sides, "
       "as dropout makes them"},
      {[](Measurements& m) {
         m.off_sum_rows = m.rows_above_one = 40;
         m.farthest_sum = 2;
       },
       "40 rows of the recorded patterns have a sum other than 1 (farthest: 2), above, which no "
       "softmax makes"}};
  Report report = sample_report();
  report.inputs.front().pattern_difference_by_layer = {0.001};
  EXPECT_TRUE(notes_on_recordings(report).empty());
  for (const Fact& fact : facts) {
    Report other = report;
    fact.put(other.inputs.front());
    ASSERT_EQ(notes_on_recordings(other).size(), 1U) << fact.note;
    const std::string note = notes_on_recordings(other).front();
    EXPECT_THAT(note, HasSubstr(fact.note));
    EXPECT_THAT(note, testing::Not(HasSubstr("?.")));
    EXPECT_THAT(console_text(other, false), HasSubstr(note));
    EXPECT_THAT(markdown(other).substr(0, 1000), HasSubstr(std::string(fact.note).substr(0, 9)));
    const std::string page = pages_of(other).at("index.html");
    EXPECT_LT(page.find(fact.note), page.find("<nav "));
  }
  report.inputs.front().pattern_difference_by_layer = {0.83};
  EXPECT_TRUE(notes_on_recordings(report).empty());  // the types explain it
  report.inputs.front().contradicted_layers = {0};
  EXPECT_THAT(markdown(report), testing::Not(HasSubstr("Nothing is wrong")));
  for (const char* way : {"hook_rot_q", "hook_rot_k", "hook_attn_scores", "temperatures", "mask",
                          "--allow-mismatch"}) {
    EXPECT_THAT(notes_on_recordings(report).front(), HasSubstr(way));
  }
  report.inputs.front().contradicted_layers = {0, 1, 2, 5};
  report.inputs.front().fitting_temperatures = {{"0", 8}, {"2", 8}, {"5", 11.313708498984761}};
  EXPECT_THAT(notes_on_recordings(report).front(),
              HasSubstr("Softmax(l/T) fits with T = 8 in layers 0, 2, and with T = 11.3137 in "
                        "layer 5"));
  report.inputs.front().off_sum_rows = 7;
  report.inputs.front().farthest_sum = 0.4;
  EXPECT_THAT(notes_on_recordings(report).front(), HasSubstr("hook_sink"));
  report.inputs.front() = sample_report().inputs.front();
  report.inputs.front().unconfirmed_layers = 1;
  report.inputs.front().checked = "softmax of it is within 1e-6";
  EXPECT_THAT(notes_on_recordings(report).front(),
              HasSubstr("which says, unchecked here: softmax of it is within 1e-6"));
}

TEST(Console, BreaksLongReasonsButNoCommand) {
  ClaimRecord record = plain_record("claim", Stage::synthetic);
  record.mutants[0].caught = false;
  for (int i = 0; i < 60; ++i) record.mutants[0].change += fmt::format(" word{}", i);
  record.mutants[0].replay = "properties --claim claim " + std::string(120, 'x');
  const std::string table = console_text(report_of(record), false);
  EXPECT_THAT(table, AllOf(HasSubstr(" word0 "), HasSubstr(" word59\n")));
  EXPECT_THAT(table, EndsWith("Replay the first: " + record.mutants[0].replay + "\n"));
  expect_fits(table.substr(0, table.find("Replay the first")));
}

TEST(Console, PrintsEightFailuresAndHowManyMore) {
  Report report;
  for (int i = 0; i < 10000; ++i) {
    report.claims.push_back(plain_record(fmt::format("claim{}", i), Stage::gpt2));
    report.claims.back().violated = std::exchange(report.claims.back().holds, 0);
    rejudge(report.claims.back());
  }
  const std::string table = console_text(report, false);
  EXPECT_THAT(table, AllOf(HasSubstr("\nclaim7 (gpt2):\n"), Not(HasSubstr("\nclaim8 (gpt2):\n")),
                           HasSubstr("\nand 9,992 more, which report gate names\n")));
}

TEST(Console, PassesNoControlCharacterOn) {
  ClaimRecord record = plain_record("cl\033[2Jaim", Stage::synthetic);
  record.mutants[0].caught = false;
  record.mutants[0].change = "\033]0;title\a";
  record.mutants[0].replay = "rm\n\033[1A";
  const std::string table = console_text(report_of(record), false);
  for (const char c : table) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n');
  EXPECT_THAT(table, EndsWith("Replay the first: rm  [1A\n"));
}

TEST(Console, EndsWithWhatToDoNext) {
  ClaimRecord record = plain_record("claim", Stage::synthetic);
  EXPECT_EQ(last_line_of(report_of(record)), "Read the report: out/index.html");

  ClaimRecord wrong = record;
  wrong.violated = std::exchange(wrong.holds, 0);
  EXPECT_EQ(last_line_of(report_of(wrong)), "Replay the first: properties --claim claim");

  ClaimRecord open = record;
  open.undecided = std::exchange(open.holds, 0);
  EXPECT_EQ(last_line_of(report_of(open)),
            "See the case left open in the report; replay: properties --claim claim");

  ClaimRecord idle = record;
  idle.cases = idle.holds = 0;
  EXPECT_EQ(last_line_of(report_of(idle)),
            "Search more cases, with --effort thorough; replay: properties --claim claim");
  idle.stage = Stage::gpt2;
  EXPECT_EQ(last_line_of(report_of(idle)),
            "Give more or other input; replay: properties --claim claim");

  Report gone = report_of(record);
  gone.claims.front().outcome = Outcome::missing;
  EXPECT_EQ(last_line_of(gone), "Replay the first: properties --claim claim");
  gone.claims.front().replay.clear();
  EXPECT_EQ(last_line_of(gone), "Run its stage again");
}

TEST(Colour, IsForTerminalsThatWantIt) {
  int terminal = -1, end = -1;
  ASSERT_EQ(::openpty(&terminal, &end, nullptr, nullptr, nullptr), 0);
  std::FILE* const stream = ::fdopen(end, "w");
  const auto wanted = [&](const char* term, const char* refusal) {
    ::setenv("TERM", term, 1);
    ::unsetenv("NO_COLOR");
    if (refusal != nullptr) ::setenv("NO_COLOR", refusal, 1);
    return wants_colour(stream);
  };
  EXPECT_TRUE(wanted("xterm", nullptr));
  for (const char* const refusal : {"1", "0", "false"}) EXPECT_FALSE(wanted("xterm", refusal));
  EXPECT_TRUE(wanted("xterm", "")) << "an empty NO_COLOR asks for nothing";
  EXPECT_FALSE(wanted("dumb", nullptr));
  std::fclose(stream);
  ::close(terminal);
}

}  // namespace
}  // namespace attn::report
