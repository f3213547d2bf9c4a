#include "reports/judge/guards.hpp"

#include <fmt/format.h>

#include "reports/html/math.hpp"
#include "reports/html/sections.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/format.hpp"

namespace attn::report {
namespace {

/// A table behind its summary, which opens by itself where something in it went wrong.
std::string folded(const std::string& summary, bool open, const std::string& table) {
  return fmt::format("<details{}><summary>{}</summary>\n{}</details>\n", open ? " open" : "",
                     summary, table);
}

std::string marked(const std::string& words, bool good) {
  return good ? words : fmt::format(R"(<span class="bad">{}</span>)", words);
}

std::string class_table(const ClaimRecord& record) {
  if (record.classes.empty()) return {};
  std::uint64_t covered = 0;
  std::string rows;
  for (const ClassRecord& input : record.classes) {
    covered += input.covered ? 1 : 0;
    rows += fmt::format(
        R"(<tr><th scope="row">{}</th><td class="number">{}</td><td class="number">{}</td><td class="number">{}</td><td>{}</td></tr>
)",
        math_html(input.name), grouped(input.cases), share_of(input), percent(input.least_share),
        marked(input.covered ? "yes" : "no", input.covered));
  }
  return folded("Input classes: " + classes_in_short(covered, record.classes.size()),
                covered < record.classes.size(),
                fmt::format(
                    R"(<div class="scroll" tabindex="0" role="region" aria-label="Input classes">
<table>
<caption>Kinds of input that the {} cases must hold. The share is an interval at confidence {}; a class is covered where its lower end is at least the least share.</caption>
<thead><tr><th scope="col">Class</th><th scope="col" class="number">Cases</th><th scope="col" class="number">Share</th><th scope="col" class="number">Least share</th><th scope="col">Covered</th></tr></thead>
<tbody>
{}</tbody>
</table>
</div>
)",
                    grouped(record.cases), kClassConfidence, rows));
}

std::string mutant_table(const ClaimRecord& record) {
  if (record.mutants.empty()) return {};
  const bool is_search = record.stage == Stage::synthetic;
  std::uint64_t caught = 0;
  std::string rows;
  for (const MutantRecord& mutant : record.mutants) {
    caught += mutant.caught ? 1 : 0;
    rows += fmt::format(R"(<tr><th scope="row">{}</th><td>{}</td><td>{}</td></tr>
)",
                        escape_html(word_of(mutant)), math_html(mutant.change),
                        marked(fate_of(record.stage, mutant), mutant.caught || !is_search));
  }
  const bool cannot_tell = !is_search && caught < record.mutants.size();
  return folded(
      (is_search ? "Mutants: " : "Mutants on real rows: ") +
          mutants_in_short(caught, record.mutants.size()),
      is_search && caught < record.mutants.size(),
      fmt::format(
          R"(<div class="scroll" tabindex="0" role="region" aria-label="Mutants">
<table>
<caption>The formula made wrong on purpose. {}</caption>
<thead><tr><th scope="col">Mutant</th><th scope="col">What was changed</th><th scope="col">The search</th></tr></thead>
<tbody>
{}</tbody>
</table>
</div>
)",
          cannot_tell ? "One that no row of this input breaks shows what these rows cannot tell; "
                        "it says nothing against the claim."
                      : fmt::format("{} must find a case that breaks each of these; else its "
                                    "silence about the claim would mean nothing.",
                                    is_search ? "The same search" : "The rows of this input"),
          rows));
}

std::string note(const ClaimRecord& record, std::string_view what, const std::string& html) {
  if (html.empty()) return {};
  return fmt::format("<p class=\"note\">{} ({}): {}.</p>\n", what,
                     escape_html(source_title(source_of(record))), html);
}

}  // namespace

std::string guards_html(const ClaimView& view) {
  std::string out;
  for (const ClaimRecord* const record : view.records) {
    out += note(*record, "Sampled", math_html(sampled_line(*record)));
    out += note(*record, "Outside", math_html(unmet_line(*record)));
    if (record->regressions > 0) {
      out += note(*record, "Kept cases",
                  fmt::format("{} decided before the search", grouped(record->regressions)));
    }
    out += note(*record, "Shrunk", escape_html(record->shrinking));
    out += class_table(*record) + mutant_table(*record);
  }
  return out;
}

}  // namespace attn::report
