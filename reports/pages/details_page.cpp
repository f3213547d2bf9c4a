#include <fmt/format.h>

#include <algorithm>

#include "reports/judge/judge.hpp"
#include "reports/pages/answer.hpp"
#include "reports/pages/pages.hpp"
#include "reports/text/format.hpp"

namespace attn::report {
namespace {

/// The claim about a normaliser's constant, and what came of it.
Text claim_cell(const std::string& id, const Report& report, const Names& names) {
  const auto record = std::ranges::find(report.claims, id, &ClaimRecord::id);
  if (record == report.claims.end()) return "-";
  return names.claim_link(id) + " " +
         (record->outcome == Outcome::as_expected ? status_text(record->status)
                                                  : outcome_text(record->outcome));
}

Blocks normalizers(const Report& report, const Names& names) {
  if (report.normalizers.empty()) return {};
  Table table{.caption =
                  "What each normaliser is, its sharp Lipschitz constant, and which "
                  "assumptions of the paper it breaks.",
              .columns = {"Normaliser", "Definition", "Sharp constant", "Breaks", "Claim"},
              .text_columns = 5};
  for (const NormalizerRecord& record : report.normalizers) {
    table.rows.push_back({code(record.name), record.definition, record.constant,
                          record.breaks.empty() ? "-" : record.breaks,
                          claim_cell(record.claim, report, names)});
  }
  return {Heading{.text = "Normalisers", .anchor = "normalizers"},
          Paragraph{"The ways to turn scores into weights, and by how much the weights can move "
                    "when the scores do. The constant bounds the Euclidean length of the change of "
                    "the weights by that of the scores."},
          table};
}

Table provenance(const RunInfo& from) {
  std::string libraries;
  for (const auto& [name, version] : from.libraries) {
    libraries += fmt::format("{}{} {}", libraries.empty() ? "" : ", ", name, version);
  }
  Table table{.caption =
                  "What was run, on what, with what. The same seed and input give the same "
                  "report but for the times.",
              .columns = {"What", "Value"},
              .text_columns = 2};
  const auto add = [&](const char* name, std::string_view value) {
    table.rows.push_back({name, value.empty() ? Text("not used") : Text(value)});
  };
  add("Version", from.version);
  add("Commit", from.commit + (from.dirty ? " (with local changes)" : ""));
  add("Compiler", from.compiler);
  add("Flags", from.flags);
  if (!from.processor.empty()) add("Processor", from.processor);
  add("Libraries", libraries);
  add("BLAS", from.blas);
  add("Threads", fmt::format("{}", from.threads));
  if (from.ranks) add("Ranks", fmt::format("{}", *from.ranks));
  add("Seed", fmt::format("{}", from.seed));
  add("Effort", to_string(from.effort));
  add("Started", from.started);
  add("Took", duration(from.seconds));
  add("Model", from.model.name);
  add("Model, sha256", from.model.sha256);
  add("Text, sha256", from.text_sha256);
  return table;
}

}  // namespace

Document details_page(const Report& report, const Names& names) {
  Document page{.path = std::string(kDetailsPage),
                .title = "attention-limits: details",
                .above = link("Overview", kOverviewPage),
                .heading = "Details"};
  if (!report.comparisons.empty()) {
    std::vector<const ComparisonRecord*> all;
    for (const ComparisonRecord& record : report.comparisons) all.push_back(&record);
    page.blocks = {
        Heading{.text = "Sharper bounds", .anchor = "sharper"},
        Paragraph{"Where this project has a better bound than the printed one, both were "
                  "decided on the same cases. A bound is tighter where its ratio of left "
                  "to right side is certainly nearer to 1."},
        comparison_table(all, names)};
  }
  append(page.blocks, normalizers(report, names));
  append(page.blocks,
         {Heading{.text = "What was run", .anchor = "provenance"}, provenance(report.provenance)});
  return page;
}

}  // namespace attn::report
