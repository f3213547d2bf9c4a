#include <fmt/format.h>

#include "reports/html/math.hpp"
#include "reports/html/real_input.hpp"
#include "reports/html/sections.hpp"
#include "reports/judge/judge.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/format.hpp"
#include "reports/text/plain_verdicts.hpp"

namespace attn::report {
namespace {

std::string failure_list(const Report& report) {
  const std::vector<Failure> failed = failures(report);
  if (failed.empty()) return {};
  std::string out =
      fmt::format("<div class=\"failures\">\n<h3>{}</h3>\n<ul>\n", failures_heading(report));
  for (const Failure& failure : failed) {
    out += fmt::format(
        "<li>{} ({}): <span class=\"bad\">{}</span>: {}.{}</li>\n", claim_link(failure.id),
        escape_html(source_words(failure)), to_string(failure.outcome), escape_html(failure.reason),
        failure.replay.empty()
            ? ""
            : fmt::format("<br>Replay: <code>{}</code>", escape_html(failure.replay)));
  }
  return out + "</ul>\n</div>\n";
}

/// "violated in 41 % of 1,152 cases", for a stage on real input.
std::string on_real_input(const ClaimView& view) {
  std::string out;
  for (const ClaimRecord* const record : view.records) {
    if (record->stage == Stage::synthetic || record->cases == 0) continue;
    out += fmt::format("<p>{}: violated in {} of {} cases ({}).</p>\n",
                       escape_html(source_title(source_of(*record))), grouped(record->violated),
                       grouped(record->cases), percent(record->violated, record->cases));
  }
  return out;
}

std::string false_claim(const ClaimView& view) {
  const ClaimRecord& claim = view.any();
  std::string out = fmt::format(
      R"(<div class="false-claim">
<h4>{}</h4>
<p>{} {}</p>
<p><strong>By hand.</strong> {}</p>
)",
      math_html(claim.title), math_html(claim.statement), claim_link(claim.id),
      math_html(claim.argument));
  const ClaimRecord* const search = view.in({.stage = Stage::synthetic});
  if (search != nullptr && search->smallest_witness) {
    out += fmt::format("<p><strong>Found by search.</strong> {}.</p>\n",
                       math_html(witness_line(*search->smallest_witness)));
  }
  return out + on_real_input(view) + "</div>\n";
}

std::string cases_cell(const ClaimView& view, const Source& source) {
  const ClaimRecord* const record = view.in(source);
  if (record == nullptr) return R"(<td class="number">-</td>)";
  if (record->outcome != Outcome::as_expected) {
    return fmt::format(R"(<td class="number"><span class="bad">{}</span></td>)",
                       to_string(record->outcome));
  }
  return fmt::format(R"(<td class="number">{}</td>)",
                     grouped(record->cases - record->assumption_not_met));
}

std::string holds_row(const ClaimView& view, const std::vector<Source>& sources) {
  std::string out = fmt::format(R"(<tr><th scope="row">{}<br>{}</th><td class="formula">{}</td>)",
                                math_html(view.any().title), claim_link(view.any().id),
                                to_string(view.any().provenance));
  for (const Source& source : sources) out += cases_cell(view, source);
  return out + "</tr>\n";
}

std::string holds_table(const Report& report) {
  const std::vector<Source> sources = sources_of(report);
  std::string out = R"(<div class="scroll" tabindex="0" role="region" aria-label="Claims that hold">
<table>
<caption>Claims with a proof, and the cases in which each was checked and never violated.</caption>
<thead><tr><th scope="col">Claim</th><th scope="col" class="formula">Formula</th>)";
  for (const Source& source : sources) {
    out += fmt::format(R"(<th scope="col" class="number">{}, cases</th>)",
                       escape_html(source_title(source)));
  }
  out += "</tr></thead>\n";
  for (const StatementView& statement : by_statement(report)) {
    std::string rows;
    for (const ClaimView& view : statement.claims) {
      if (view.is_proved()) rows += holds_row(view, sources);
    }
    if (rows.empty()) continue;
    out += fmt::format(
        "<tbody>\n<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"{}\">{}</th></tr>\n"
        "{}</tbody>\n",
        2 + sources.size(), escape_html(statement.name), rows);
  }
  return out + "</table>\n</div>\n";
}

std::string_view badge_class(std::string_view verdict) {
  if (verdict == kHolds) return "badge proved";
  return verdict == kFalse || verdict == kNotSettled ? "badge refuted" : "badge";
}

std::string plain_words(const Report& report) {
  std::string list;
  bool any_rebuilt = false;
  for (const PlainVerdict& verdict : plain_verdicts(report)) {
    any_rebuilt = any_rebuilt || verdict.is_rebuilt;
    list += fmt::format("<div><dt>{}{} <span class=\"{}\">{}</span></dt>\n<dd>{}</dd></div>\n",
                        escape_html(verdict.statement), verdict.is_rebuilt ? "*" : "",
                        badge_class(verdict.verdict), verdict.verdict, math_html(verdict.text));
  }
  if (list.empty()) return list;
  return fmt::format(
      "<dl class=\"verdicts\">\n{}</dl>\n{}", list,
      any_rebuilt ? "<p class=\"note\">* Some formulas of this statement were rebuilt from the "
                    "paper's prose (<a href=\"#limits\">limits</a>).</p>\n"
                  : "");
}

bool is_judged(const Measurements& measured) {
  return std::ranges::any_of(measured.abstract, &PaperStatement::judged);
}

/// What the abstract says beside what was measured, of each input; first of the paper's model.
std::string abstracts_in_short(const Report& report) {
  std::string judged, others;
  const std::vector<const Measurements*> inputs = measured_inputs(report);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    (is_judged(*inputs[i]) ? judged : others) += abstract_in_short(*inputs[i], prefix_of_input(i));
  }
  return judged + others;
}

}  // namespace

std::string answer_section(const Report& report) {
  const std::vector<ClaimView> views = by_claim(report);
  std::string out = "<section id=\"answer\">\n<h2>The answer</h2>\n" + failure_list(report) +
                    plain_words(report) + abstracts_in_short(report) + sentences_html(report) +
                    overview_html(report);
  std::string refuted;
  for (const ClaimView& view : views) {
    if (!view.is_proved()) refuted += false_claim(view);
  }
  if (!refuted.empty()) {
    const bool searched = stages_of(report).front() == Stage::synthetic;
    out += fmt::format(
        "<h3>False as written</h3>\n<p>Each of these has a counterexample that a person can check "
        "with pencil and paper.{}</p>\n{}",
        searched ? " The search is not told where to look and has to find one of its own." : "",
        refuted);
  }
  return out +
         "<h3>What holds</h3>\n<p>Each of these has a proof, quoted in its section below. The "
         "checks look for mistakes in the proofs and in the code; they do not replace the "
         "proofs.</p>\n" +
         holds_table(report) + "</section>\n";
}

}  // namespace attn::report
