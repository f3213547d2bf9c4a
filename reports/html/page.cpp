#include "reports/html/page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/html/real_input.hpp"
#include "reports/html/sections.hpp"
#include "reports/judge/guards.hpp"
#include "reports/judge/judge.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/format.hpp"
#include "reports/text/summary.hpp"

namespace attn::report {
namespace {

/// Nothing is fetched; styles and the script are those of the page.
constexpr std::string_view kPolicy =
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

std::string mutants_explained(const Report& report) {
  if (guards_of(report).mutants == 0) return {};
  return "<p class=\"meta\">A mutant is a claim made wrong on purpose. A search that lets one pass "
         "could not be trusted with the claim itself.</p>\n";
}

std::string notes(const Report& report) {
  std::string out;
  for (const std::string& note : notes_on_recordings(report)) {
    out += fmt::format("<p class=\"meta\"><strong>{}</strong></p>\n", escape_html(note));
  }
  return out;
}

std::string links_to_inputs(const Report& report) {
  std::string links;
  const std::vector<const Measurements*> inputs = measured_inputs(report);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string& input = inputs[i]->input;
    links += fmt::format("<a href=\"#{}real\">Real attention{}</a> ", prefix_of_input(i),
                         input.empty() ? "" : ": " + escape_html(input));
  }
  return links;
}

/// What the claims were checked on.
std::string inputs(const Report& report) {
  std::vector<std::string> names;
  const std::vector<const Measurements*> measured = measured_inputs(report);
  const bool is_searched = report.provenance.effort != Effort::none;
  if (is_searched || measured.empty()) names.emplace_back("synthetic input");
  for (const Measurements* const each : measured) {
    names.push_back(each->input.empty() ? report.provenance.model.name : each->input);
  }
  return fmt::format("{}", fmt::join(names, "; "));
}

std::string header(const Report& report) {
  const RunInfo& from = report.provenance;
  return fmt::format(
      R"(<header>
<p class="kicker">attention-limits {}: a verification of <cite>Limitations of Normalization in Attention Mechanism</cite> (<a href="https://arxiv.org/abs/2508.17821">arXiv 2508.17821</a>)</p>
<h1>Which limits of softmax attention hold?</h1>
<p class="lead">{}</p>
{}{}<p class="meta">Checked on {}. Started {}, took {}. {} {}, commit {}{}.</p>
<nav aria-label="Sections"><a href="#answer">The answer</a> <a href="#tightness">Tightness</a> {}{}<a href="#claims">Claim by claim</a> {}<a href="#provenance">Provenance</a> <a href="#limits">Limits</a></nav>
</header>
)",
      escape_html(from.version), escape_html(headline(report)), notes(report),
      mutants_explained(report), escape_html(inputs(report)), escape_html(from.started),
      duration(from.seconds),
      from.effort == Effort::none ? "Seed" : fmt::format("Effort {}, seed", to_string(from.effort)),
      from.seed, escape_html(from.commit.substr(0, 12)), from.dirty ? " with local changes" : "",
      report.comparisons.empty() ? "" : R"(<a href="#sharper">Sharper bounds</a> )",
      report.normalizers.empty() ? "" : R"(<a href="#normalizers">Normalisers</a> )",
      links_to_inputs(report));
}

std::string claims_section(const Report& report, FigureFiles& files) {
  std::string out = R"(<section id="claims">
<h2>Claim by claim</h2>
<p>Each claim is an inequality. Every case is exact input; both sides are first computed in double precision with a bound on the rounding error, which settles most cases, then by interval arithmetic with 50, 100 and 200 digits until the two sides separate. <em>Attained</em> means that they agree to 190 digits.</p>
)";
  for (const StatementView& statement : by_statement(report)) {
    out += fmt::format("<h3 class=\"about\">{}</h3>\n", escape_html(statement.name));
    for (const ClaimView& view : statement.claims) {
      out += claim_section(view, eval_command(report), files);
    }
  }
  return out + "</section>\n";
}

}  // namespace

std::string_view stage_class(Stage stage) {
  return to_string(stage);
}

std::string claim_link(std::string_view id) {
  const std::string name = escape_html(id);
  std::string breakable;  // where a narrow screen may break the line
  for (const char c : name) {
    breakable += c;
    if (c == '.' || c == '_') breakable += "<wbr>";
  }
  return fmt::format(R"(<a class="id" href="#{}">{}</a>)", name, breakable);
}

Page page_of(const Report& report) {
  Page page;
  FigureFiles files;
  page.html = fmt::format(
      R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{}">
<title>attention-limits: {}</title>
<link rel="icon" href="data:,">
<style>{}</style>
</head>
<body>
<main>
{}{}{}{}{}{}{}{}{}</main>
<script>{}</script>
</body>
</html>
)",
      kPolicy, escape_html(headline(report)), style_sheet(), header(report), answer_section(report),
      tightness_section(report, files), sharper_section(report), normalizers_section(report),
      claims_section(report, files), real_input_section(report, files),
      provenance_section(report.provenance), limits_section(report), head_map_script());
  page.figures = std::move(files.contents);
  return page;
}

}  // namespace attn::report
