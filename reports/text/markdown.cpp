#include "reports/text/markdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>

#include "reports/judge/guards.hpp"
#include "reports/judge/judge.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/format.hpp"
#include "reports/text/measured_markdown.hpp"
#include "reports/text/plain_verdicts.hpp"
#include "reports/text/summary.hpp"
#include "theory/base/marked_text.hpp"

namespace attn::report {
namespace {

/// Room kept for what follows the sections that may be left out.
constexpr std::size_t kReserve = 2048;

/// The longest texts that are always shown, in bytes: so many failures of this length fit.
constexpr std::size_t kLongestId = 120, kLongestReason = 300, kLongestCommand = 400,
                      kLongestWord = 60, kLongestNote = 1000;

/// Code in Markdown. A backtick ends what stands between backticks, and so does a bar in a table: a
/// text with one is escaped and stands between tags.
std::string code(std::string_view text) {
  if (text.find_first_of("`|") != std::string_view::npos) {
    return fmt::format("<code>{}</code>", escape_markdown(text));
  }
  std::string line = xml_text(text);
  std::ranges::replace(line, '\n', ' ');
  return fmt::format("`{}`", line);
}

/// A text that marks its formulas. GitHub would read the marks as LaTeX, which these are not.
std::string marked(std::string_view text) {
  return escape_markdown(typeset(plain_text(text)));
}

std::string failure_list(const Report& report) {
  const std::vector<Failure> failed = failures(report);
  if (failed.empty()) return {};
  std::string out = fmt::format("## {}\n\n", failures_heading(report));
  for (std::size_t i = 0; i < failed.size() && i < kMostFailures; ++i) {
    const Failure& failure = failed[i];
    out += fmt::format(
        "- **{}**: {} ({}): {}.{}\n", to_string(failure.outcome),
        code(clipped(failure.id, kLongestId)), escape_markdown(source_words(failure)),
        escape_markdown(clipped(failure.reason, kLongestReason)),
        failure.replay.empty() ? "" : " Replay: " + code(clipped(failure.replay, kLongestCommand)));
  }
  if (failed.size() > kMostFailures) {
    out += fmt::format("- and {} more, in report.json\n", grouped(failed.size() - kMostFailures));
  }
  return out + "\n";
}

std::string answer(const Report& report) {
  std::string out;
  for (const PlainVerdict& verdict : plain_verdicts(report)) {
    out += fmt::format("- **{}: {}.** {}{}\n", escape_markdown(verdict.statement), verdict.verdict,
                       marked(verdict.text), verdict.is_rebuilt ? " *(reconstructed)*" : "");
  }
  return out.empty() ? out : "## The answer\n\n" + out + "\n";
}

/// What the paper says in words beside what is true.
std::string sentences(const std::vector<ClaimView>& views) {
  std::string rows;
  for (const ClaimView& view : views) {
    const ClaimRecord& claim = view.any();
    if (claim.sentence.empty()) continue;
    rows += fmt::format("| {} ({}) | {} | {} |\n", marked(claim.sentence), code(claim.id),
                        status_words(claim.status), marked(claim.instead));
  }
  if (rows.empty()) return rows;
  return "## Sentence by sentence\n\n| the paper says | verdict | what is true |\n|---|---|---|\n" +
         rows + "\n";
}

std::string false_claims(const std::vector<ClaimView>& views) {
  std::string out;
  for (const ClaimView& view : views) {
    if (view.is_proved()) continue;
    const ClaimRecord& claim = view.any();
    out +=
        fmt::format("- {} ({}): {}\n  - By hand: {}\n", code(claim.id),
                    escape_markdown(claim.paper), marked(claim.statement), marked(claim.argument));
    const ClaimRecord* const search = view.in({.stage = Stage::synthetic});
    if (search != nullptr && search->smallest_witness) {
      out += fmt::format("  - Found by search: {}\n",
                         escape_markdown(plain_text(witness_line(*search->smallest_witness))));
    }
  }
  return out.empty() ? out : "## False as written\n\n" + out + "\n";
}

std::string table(const Report& report, const Source& source) {
  std::string out = fmt::format(
      "## {}\n\n| claim | status | formula | cases | violated | undecided | max lhs/rhs | outcome "
      "|\n"
      "|---|---|---|--:|--:|--:|--:|---|\n",
      escape_markdown(source_title(source)));
  for (const ClaimRecord& record : report.claims) {
    if (source_of(record) != source) continue;
    const bool fine = record.outcome == Outcome::as_expected;
    const std::string outcome(to_string(record.outcome));
    out += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", code(record.id),
                       status_words(record.status), to_string(record.provenance),
                       grouped(record.cases), grouped(record.violated), grouped(record.undecided),
                       record.max_ratio ? ratio_text(*record.max_ratio) : "-",
                       fine ? outcome : "**" + outcome + "**");
  }
  return out + "\n";
}

std::string sharper(const Report& report) {
  if (report.comparisons.empty()) return {};
  std::string out =
      "## Sharper bounds\n\nBoth bounds decided on the same cases; the medians are of lhs/rhs.\n\n"
      "| bound | printed bound | cases of | cases | tighter | as tight | looser | median | median, "
      "printed |\n"
      "|---|---|---|--:|--:|--:|--:|--:|--:|\n";
  for (const ComparisonRecord& record : report.comparisons) {
    out += fmt::format(
        "| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", code(record.sharp),
        code(record.printed), record.input.empty() ? "search" : escape_markdown(record.input),
        grouped(record.cases), grouped(record.tighter), grouped(record.as_tight),
        grouped(record.looser), ratio_text(record.median_sharp), ratio_text(record.median_printed));
  }
  return out + "\n";
}

std::string normalizers(const Report& report) {
  if (report.normalizers.empty()) return {};
  std::string out =
      "## Normalisers\n\n| normaliser | definition | sharp constant | breaks | claim |\n"
      "|---|---|---|---|---|\n";
  for (const NormalizerRecord& record : report.normalizers) {
    out += fmt::format("| {} | {} | {} | {} | {} |\n", escape_markdown(record.name),
                       escape_markdown(plain_text(record.definition)),
                       escape_markdown(plain_text(record.constant)),
                       record.breaks.empty() ? "-" : escape_markdown(record.breaks),
                       record.claim.empty() ? "-" : code(record.claim));
  }
  return out + "\n";
}

std::string classes_cell(const ClaimRecord& record) {
  std::string open;
  std::uint64_t covered = 0;
  for (const ClassRecord& input : record.classes) {
    covered += input.covered ? 1 : 0;
    if (input.covered) continue;
    open += fmt::format("; {} {} (least {})", escape_markdown(input.name), share_of(input),
                        percent(input.least_share));
  }
  const std::string words = classes_in_short(covered, record.classes.size());
  return open.empty() ? words : fmt::format("**{}**{}", words, open);
}

std::string mutants_cell(const ClaimRecord& record) {
  std::string survivors;
  std::uint64_t caught = 0;
  for (const MutantRecord& mutant : record.mutants) {
    caught += mutant.caught ? 1 : 0;
    if (mutant.caught) continue;
    const char* const stress = record.stage == Stage::synthetic ? "**" : "";
    survivors += fmt::format("; {} ({}) {}{}{}", code(word_of(mutant)), marked(mutant.change),
                             stress, fate_of(record.stage, mutant), stress);
  }
  return mutants_in_short(caught, record.mutants.size()) + survivors;
}

std::string tightness_cell(const ClaimRecord& record) {
  if (!record.tightness) return {};
  if (record.tightness->kind == TightnessKind::attained) return "attained";
  return fmt::format("{}, {}", to_string(record.tightness->kind),
                     ratio_text(record.tightness->ratio));
}

std::string sampled_cell(const ClaimRecord& record) {
  if (record.sampled == 0) return {};
  return fmt::format("{} ({} open)", grouped(record.sampled), grouped(record.sampled_open));
}

/// The claim's id, and its stage where that is real input.
std::string guarded_cell(const ClaimRecord& record) {
  if (record.stage == Stage::synthetic) return code(record.id);
  return fmt::format("{} ({})", code(record.id), escape_markdown(source_words(source_of(record))));
}

/// What stands behind the verdicts, one line a claim and stage.
std::string guards(const Report& report) {
  std::string rows;
  const auto or_dash = [](const std::string& text) { return text.empty() ? "-" : text; };
  for (const ClaimRecord& record : report.claims) {
    if (record.stage != Stage::synthetic && record.mutants.empty()) continue;
    rows += fmt::format("| {} | {} | {} | {} | {} |\n", guarded_cell(record),
                        or_dash(classes_cell(record)), or_dash(mutants_cell(record)),
                        or_dash(tightness_cell(record)), or_dash(sampled_cell(record)));
  }
  if (rows.empty()) return rows;
  return "## What guards each claim\n\nMutants: the formula made wrong on purpose, which a search "
         "must notice, and rows of a real input notice as far as they can tell. Sampled: cases "
         "judged against a confidence interval. The page has the command that runs a search "
         "again.\n\n"
         "| claim | input classes | mutants | tightness | sampled |\n"
         "|---|---|---|---|---|\n" +
         rows + "\n";
}

/// The commands that run the stages on real input again: one for all claims of a stage.
std::string replays(const Report& report) {
  std::set<std::string> commands;
  for (const ClaimRecord& record : report.claims) {
    if (record.stage != Stage::synthetic && !record.replay.empty()) commands.insert(record.replay);
  }
  std::string out;
  for (const std::string& command : commands) out += fmt::format("Replay: {}\n\n", code(command));
  return out;
}

std::string footer(const RunInfo& from) {
  const auto word = [](std::string_view text) {
    return escape_markdown(clipped(text, kLongestWord));
  };
  return fmt::format(
      "attention-limits {}, commit {}{}{}, seed {}, started {}, {}. *max lhs/rhs*: the "
      "largest ratio of the two sides seen (at least this, where an expectation was sampled); 1 is "
      "attained, above 1 violated. *reconstructed*: the formula was rebuilt from the paper's "
      "prose.\n",
      word(from.version), word(from.commit.substr(0, 12)), from.dirty ? " with local changes" : "",
      from.effort == Effort::none ? "" : fmt::format(", {} effort", to_string(from.effort)),
      from.seed, word(from.started), duration(from.seconds));
}

}  // namespace

std::string markdown(const Report& report) {
  std::string out = fmt::format("# {}\n\n", escape_markdown(headline(report)));
  for (const std::string& note : notes_on_recordings(report)) {
    out += escape_markdown(clipped(note, kLongestNote)) + "\n\n";
  }
  std::vector<std::string> sections = {failure_list(report), answer(report),
                                       sentences(by_claim(report)), false_claims(by_claim(report))};
  for (const Source& source : sources_of(report)) sections.push_back(table(report, source));
  sections.push_back(replays(report));
  for (const Measurements* const measured : measured_inputs(report)) {
    sections.push_back(abstract_markdown(*measured));
    sections.push_back(measured_markdown(*measured));
  }
  sections.push_back(sharper(report));
  sections.push_back(normalizers(report));
  sections.push_back(guards(report));
  bool left_out = false;
  for (const std::string& section : sections) {
    const bool fits = out.size() + section.size() + kReserve < kMarkdownLimit;
    if (fits) out += section;
    left_out = left_out || !fits;
  }
  if (left_out) out += "Some sections do not fit here; the whole is in report.json.\n\n";
  return out + footer(report.provenance);
}

}  // namespace attn::report
