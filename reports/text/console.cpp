#include "reports/text/console.hpp"

#include <fmt/color.h>
#include <fmt/format.h>

#include <cstdlib>
#include <string_view>
#include <vector>

#include "reports/judge/judge.hpp"
#include "reports/text/format.hpp"
#include "reports/text/summary.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/launched.hpp"

namespace attn::report {
namespace {

/// 33 + 17 + 12 + 11 + 14 + 2 + 11 = 100 columns.
constexpr const char* kRow = "{:<33}{:<17}{:>12}{:>11}{:>14}  {}\n";

constexpr fmt::text_style kGreen = fmt::fg(fmt::terminal_color::green),
                          kYellow = fmt::fg(fmt::terminal_color::yellow),
                          kBoldRed = fmt::emphasis::bold | fmt::fg(fmt::terminal_color::red);

std::string painted(std::string_view words, const fmt::text_style& style, bool colour) {
  return colour ? fmt::format(style, "{}", words) : std::string(words);
}

std::string outcome_word(Outcome outcome, bool colour) {
  const bool is_fine = outcome == Outcome::as_expected;
  return painted(to_string(outcome),
                 is_fine             ? kGreen
                 : is_grave(outcome) ? kBoldRed
                                     : kYellow,
                 colour);
}

/// Room for a count in a row.
constexpr std::size_t kCasesWidth = 11, kViolatedWidth = 10;

/// A count in at most `width` columns, rounded where all of its digits do not fit.
std::string count_in(std::size_t width, std::uint64_t count) {
  const std::string digits = grouped(count);
  return digits.size() <= width ? digits : short_number(static_cast<double>(count));
}

/// What stands over the records of a source: the stage, or the input by its name.
std::string source_title(const Source& source) {
  if (source.input.empty()) return std::string(stage_title(source.stage));
  const bool is_recorded = source.stage == Stage::activations;
  return fmt::format("{}: {}", is_recorded ? "Recorded attention" : "Attention", source.input);
}

std::string source_table(const Report& report, const Source& source, bool colour) {
  std::string out = fmt::format("\n{}\n", one_line(source_title(source)));
  out += fmt::format(kRow, "claim", "status", "cases", "violated", "max lhs/rhs", "outcome");
  for (const ClaimRecord& record : report.claims) {
    if (source_of(record) != source) continue;
    const std::string id = record.id.size() > 32 ? fmt::format("{:.31}~", record.id) : record.id;
    out +=
        fmt::format(kRow, one_line(id), status_words(record.status),
                    count_in(kCasesWidth, record.cases), count_in(kViolatedWidth, record.violated),
                    record.max_ratio ? ratio_text(*record.max_ratio) : "-",
                    outcome_word(record.outcome, colour));
  }
  return out;
}

/// What stands behind the search in one line.
std::string guards_line(const Report& report) {
  const SearchChecks guards = guards_of(report);
  const auto or_none = [](const std::string& text) { return text.empty() ? "none" : text; };
  std::string sampled;
  if (guards.sampled > 0) {
    sampled = fmt::format("{} ({} open)", count_in(kCasesWidth, guards.sampled),
                          count_in(kCasesWidth, guards.sampled_open));
  }
  return fmt::format("mutants: {}; input classes: {}; sampled: {}\n",
                     or_none(mutants_in_short(guards.caught, guards.mutants)),
                     or_none(classes_in_short(guards.covered, guards.classes)), or_none(sampled));
}

/// What was measured says of the statements of the paper's abstract; empty where none was judged.
std::string abstract_line(const Measurements& measured) {
  std::size_t judged = 0, agree = 0, disagree = 0;
  for (const PaperStatement& entry : measured.abstract) {
    if (!entry.judged) continue;
    ++judged;
    if (entry.agrees) ++(*entry.agrees ? agree : disagree);
  }
  if (judged == 0) return {};
  return fmt::format(
      "abstract: {} of {} statements agree with what was measured, {} do not, {} cannot be told\n",
      agree, judged, disagree, judged - agree - disagree);
}

/// How many claims the input has not enough for; empty where it is enough for all.
std::string not_covered_line(const Measurements& measured) {
  const std::size_t count = measured.not_covered.size();
  if (count == 0) return {};
  return fmt::format("not covered by this input: {}, which the report names\n", claims(count));
}

/// 18 + 18 + 64 = 100 columns.
std::string statement_line(const PlainVerdict& verdict, bool colour) {
  constexpr std::size_t kName = 17, kGist = 61;
  const std::string word = fmt::format("{:<18}", verdict.verdict);
  const fmt::text_style style = verdict.verdict == kNotSettled ? kBoldRed
                                : verdict.verdict == kHolds    ? kGreen
                                                               : fmt::text_style();
  return fmt::format(
      "{:<18}{}{}\n",
      one_line(verdict.statement.size() <= kName ? verdict.statement
                                                 : shortened(verdict.statement, kName - 3)),
      painted(word, style, colour), one_line(shortened(verdict.gist, kGist)));
}

std::string failure_lines(const std::vector<Failure>& failed) {
  std::string out;
  for (std::size_t i = 0; i < failed.size() && i < kMostOnConsole; ++i) {
    out += fmt::format("{} ({}):\n{}", one_line(failed[i].id), one_line(source_words(failed[i])),
                       wrapped(one_line(failed[i].reason), 2, 2));
  }
  if (failed.size() > kMostOnConsole) {
    out += fmt::format("and {} more, which report gate names\n",
                       grouped(failed.size() - kMostOnConsole));
  }
  return out;
}

/// What to do about the first failure, in one line: its command is for copying.
std::string remedy(const Failure& first) {
  if (first.replay.empty()) return "Run its stage again\n";
  const std::string replay = one_line(first.replay);
  if (first.outcome == Outcome::undecided) {
    return fmt::format("See the case left open in the report; replay: {}\n", replay);
  }
  if (first.outcome == Outcome::not_covered) {
    return first.source && first.source->stage == Stage::synthetic
               ? fmt::format("Search more cases, with --effort thorough; replay: {}\n", replay)
               : fmt::format("Give more or other input; replay: {}\n", replay);
  }
  return fmt::format("Replay the first: {}\n", replay);
}

}  // namespace

bool wants_colour(std::FILE* stream) {
  const char* const refusal = std::getenv("NO_COLOR");
  return (refusal == nullptr || *refusal == '\0') && takes_escapes(::fileno(stream));
}

std::string console_tables(const Report& report, bool colour) {
  std::string out;
  for (const Source& source : sources_of(report)) {
    out += source_table(report, source, colour);
    if (source.stage == Stage::synthetic) out += guards_line(report);
    for (const Measurements& measured : report.inputs) {
      const bool is_it = source.stage != Stage::synthetic && measured.input == source.input;
      if (is_it) out += abstract_line(measured) + not_covered_line(measured);
    }
  }
  return out + "\n";
}

std::string console_text(const Report& report, bool colour, const std::string& report_path) {
  std::string out = wrapped(headline(report), 0, 0);
  for (const std::string& note : notes_on_recordings(report)) out += one_line(note) + "\n";
  out += "\n";
  for (const PlainVerdict& verdict : plain_verdicts(report)) {
    out += statement_line(verdict, colour);
  }
  out += "\n";
  const std::vector<Failure> failed = failures(report);
  out += failure_lines(failed);
  if (!failed.empty()) return out + remedy(failed.front());
  if (!report_path.empty()) out += fmt::format("Read the report: {}\n", report_path);
  return out;
}

}  // namespace attn::report
