#include <fmt/format.h>

#include <algorithm>

#include "reports/html/math.hpp"
#include "reports/html/sections.hpp"
#include "reports/judge/guards.hpp"
#include "reports/judge/judge.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/format.hpp"

namespace attn::report {
namespace {

std::string row(std::string_view name, std::string_view value) {
  return fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escape_html(name),
                     value.empty() ? "not used" : escape_html(value));
}

/// What a sampled expectation can and cannot settle; empty where none was sampled.
std::string sampled_limit(const Report& report) {
  if (guards_of(report).sampled == 0) return {};
  return fmt::format(
      "<li><strong>Sampled</strong> expectations are not computed but enclosed by a confidence "
      "interval, which holds them at confidence {} in each case. Where it does not settle a case, "
      "the case stays open and speaks neither for nor against the claim.</li>\n",
      math_html(kSampledConfidence));
}

/// The claims that no row of attention was asked about; empty where nothing real was read.
std::string synthetic_only(const Report& report) {
  if (report.inputs.empty()) return {};
  std::string list;
  for (const ClaimView& view : by_claim(report)) {
    const bool on_rows = std::ranges::any_of(
        view.records, [](const ClaimRecord* record) { return record->stage != Stage::synthetic; });
    if (!on_rows) list += (list.empty() ? "" : ", ") + claim_link(view.any().id);
  }
  if (list.empty()) return {};
  return fmt::format(
      "<li>Real input checks the claims that speak of what a row of attention has. These were "
      "checked on synthetic input only: {}.</li>\n",
      list);
}

}  // namespace

std::string provenance_section(const RunInfo& from) {
  std::string libraries;
  for (const auto& [name, version] : from.libraries) {
    libraries += fmt::format("{}{} {}", libraries.empty() ? "" : ", ", name, version);
  }
  return R"(<section id="provenance">
<h2>Provenance</h2>
<div class="scroll"><table class="fields">
<caption>What was run, on what, with what. The same seed and input give the same report but for the times.</caption>
<tbody>
)" + row("Version", from.version) +
         row("Commit", from.commit + (from.dirty ? " (with local changes)" : "")) +
         row("Compiler", from.compiler) + row("Flags", from.flags) +
         (from.processor.empty() ? std::string() : row("Processor", from.processor)) +
         row("Libraries", libraries) + row("BLAS", from.blas) +
         row("Threads", fmt::format("{}", from.threads)) +
         (from.ranks ? row("Ranks", fmt::format("{}", *from.ranks)) : std::string()) +
         row("Seed", fmt::format("{}", from.seed)) +
         row("Effort", std::string(to_string(from.effort))) + row("Started", from.started) +
         row("Took", duration(from.seconds)) + row("Model", from.model.name) +
         row("Model, sha256", from.model.sha256) + row("Text, sha256", from.text_sha256) +
         "</tbody>\n</table></div>\n</section>\n";
}

std::string limits_section(const Report& report) {
  std::string rebuilt;
  for (const ClaimView& view : by_claim(report)) {
    if (view.any().provenance != attn::FormulaOrigin::reconstructed) continue;
    rebuilt += (rebuilt.empty() ? "" : ", ") + claim_link(view.any().id);
  }
  if (!rebuilt.empty()) {
    rebuilt = "<li>The displayed formulas of " + rebuilt +
              " were not available. They were rebuilt from the paper's prose, its proof sketch and "
              "its figures, and are marked <em>reconstructed</em>. A refutation of one is a "
              "refutation of the statement as written here.</li>\n";
  }
  return R"(<section id="limits">
<h2>Limits</h2>
<ul>
<li><strong>Proved</strong> means that there is a proof, given beside the claim. That no case violates a claim proves nothing by itself.</li>
<li><strong>Violated</strong> means that for the exact input shown the two sides, enclosed in intervals with outward rounding, are apart. Anyone can recheck it with <code>)" +
         escape_html(eval_command(report)) + R"(</code>.</li>
<li><strong>Measured</strong> numbers (the largest ratios, the shares on real attention) hold for the cases run here. They are not bounds for other inputs, texts or models.</li>
<li>On real input the activations are taken as they are, as exact numbers. Nothing is claimed about the rounding of the forward pass that produced them.</li>
)" + synthetic_only(report) +
         sampled_limit(report) + rebuilt + "</ul>\n</section>\n";
}

}  // namespace attn::report
