#include "reports/console.hpp"

#include <fmt/color.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "reports/format.hpp"
#include "reports/guards.hpp"
#include "reports/judge.hpp"
#include "reports/measurements.hpp"
#include "reports/summary.hpp"

namespace attn::report {
namespace {

/// 33 + 17 + 12 + 11 + 14 + 2 + 11 = 100 columns.
constexpr const char* kRow = "{:<33}{:<17}{:>12}{:>11}{:>14}  {}\n";

fmt::text_style style_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::as_expected:
      return fmt::fg(fmt::terminal_color::green);
    case Outcome::undecided:
    case Outcome::not_covered:
      return fmt::fg(fmt::terminal_color::yellow);
    case Outcome::unexpected:
    case Outcome::missing:
      break;
  }
  return fmt::emphasis::bold | fmt::fg(fmt::terminal_color::red);
}

std::string painted(const std::string& word, Outcome outcome, bool colour) {
  return colour ? fmt::format(style_of(outcome), "{}", word) : word;
}

std::string stage_table(const Report& report, std::string_view stage, bool colour) {
  std::string out = fmt::format("\n{}\n", stage_title(stage));
  out += fmt::format(kRow, "claim", "status", "cases", "violated", "max lhs/rhs", "outcome");
  for (const ClaimRecord& record : report.claims) {
    if (record.stage != stage) continue;
    const Outcome outcome = outcome_from(record.outcome);
    const std::string id = record.id.size() > 32 ? record.id.substr(0, 31) + "~" : record.id;
    out += fmt::format(kRow, id, status_words(record.status), grouped(record.cases),
                       grouped(record.violated),
                       record.max_ratio ? ratio_text(*record.max_ratio) : "-",
                       painted(record.outcome, outcome, colour));
  }
  return out;
}

/// What stands behind the search in one line.
std::string guards_line(const Report& report) {
  const Guards guards = guards_of(report);
  const auto or_none = [](std::string text) { return text.empty() ? "none" : text; };
  std::string sampled;
  if (guards.sampled > 0) {
    sampled = fmt::format("{} ({} open)", grouped(guards.sampled), grouped(guards.sampled_open));
  }
  return fmt::format("mutants: {}; input classes: {}; sampled: {}\n",
                     or_none(mutants_in_short(guards.caught, guards.mutants)),
                     or_none(classes_in_short(guards.covered, guards.classes)), or_none(sampled));
}

/// How many statements of the paper's abstract agree with what was measured; empty where none was.
std::string abstract_line(const Report& report) {
  const std::vector<AbstractEntry> entries = measurements_of(report).abstract;
  if (entries.empty()) return {};
  const auto agreeing =
      std::count_if(entries.begin(), entries.end(),
                    [](const AbstractEntry& entry) { return entry.agrees.value_or(false); });
  return fmt::format("abstract: {} of {} statements agree with what was measured\n", agreeing,
                     entries.size());
}

}  // namespace

bool wants_colour(std::FILE* stream) {
  const char* const refusal = std::getenv("NO_COLOR");
  return (refusal == nullptr || *refusal == '\0') && ::isatty(::fileno(stream)) == 1;
}

std::string console_table(const Report& report, bool colour, const std::string& report_path) {
  std::string out = headline(report) + "\n";
  for (const std::string_view stage : stages_of(report)) {
    out += stage_table(report, stage, colour);
    if (stage == kSynthetic) out += guards_line(report);
  }
  out += abstract_line(report) + "\n";
  const std::vector<Failure> failed = failures(report);
  for (const Failure& failure : failed) {
    out += fmt::format("{} ({}):\n  {}\n", failure.id, failure.stage, failure.reason);
  }
  if (!failed.empty()) {
    out += fmt::format("Replay the first: {}\n", failed.front().replay);
  } else if (!report_path.empty()) {
    out += fmt::format("Read the report: {}\n", report_path);
  }
  return out;
}

}  // namespace attn::report
