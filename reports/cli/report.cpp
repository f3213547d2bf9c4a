#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <ranges>
#include <string>
#include <vector>

#include "properties/search/shard.hpp"
#include "reports/compare/diff.hpp"
#include "reports/compare/gate.hpp"
#include "reports/io/merge.hpp"
#include "reports/io/report_json.hpp"
#include "reports/judge/judge.hpp"
#include "reports/pages/render.hpp"
#include "reports/text/cases.hpp"
#include "reports/text/console.hpp"
#include "reports/text/summary.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/base/flags.hpp"
#include "theory/base/overwrite.hpp"
#include "theory/base/progress.hpp"
#include "theory/base/run_main.hpp"

namespace {

namespace fs = std::filesystem;
using namespace attn::report;

struct RenderOptions {
  fs::path report, out;
  bool verbose = false;
};

int run_render(const RenderOptions& options) {
  check_folder_for_report(options.out);
  const Report report = read_report(options.report);
  std::map<std::string, std::string> source;
  std::error_code unknown;
  if (!fs::equivalent(options.report, options.out / "report.json", unknown)) {
    source["report.json"] = options.report == "-" || !fs::is_regular_file(options.report, unknown)
                                ? report_text(report)  // what was piped is gone
                                : attn::read_file(options.report);
  }
  write_rendered(options.out, report, std::move(source));
  const bool colour = wants_colour(stdout);
  if (options.verbose) fmt::print("{}", console_tables(report, colour));
  fmt::print("{}", console_text(report, colour, (options.out / "index.html").string()));
  return attn::kAsExpected;
}

struct GateOptions {
  fs::path report;
  Conditions conditions;             ///< without the baseline
  std::optional<fs::path> baseline;  ///< a report.json, or what is kept of one
};

/// What was asked of the report by the command line of `gate`, and that the report has it.
void print_passed(const Report& report, const GateOptions& options) {
  std::string asked = "every outcome as expected";
  if (const auto& most_undecided = options.conditions.most_undecided) {
    asked += fmt::format(" but for {} undecided cases ({} are)", *most_undecided,
                         undecided_cases(report));
  }
  const auto stages = options.conditions.stages | std::views::transform(to_string<Stage>);
  if (!stages.empty()) asked += fmt::format(", --require-stage {}", fmt::join(stages, " "));
  if (options.conditions.caught_on_rows) asked += ", every mutant caught on real rows";
  if (options.conditions.mismatch_allowed) asked += ", --allow-mismatch";
  if (options.conditions.proofs_checked) asked += ", every proof checked by Coq";
  if (options.baseline) {
    asked += fmt::format(", nothing worse than in {}", options.baseline->string());
  }
  fmt::print(stderr, "report gate: passed with {} claims in {} records: {}\n",
             by_claim(report).size(), report.claims.size(), attn::one_line(asked));
}

int run_gate(const GateOptions& options) {
  Conditions conditions = options.conditions;
  if (options.baseline) conditions.baseline = read_baseline(*options.baseline);
  const Report report = read_report(options.report);
  const std::vector<Failure> found = gate_failures(report, conditions);
  for (const Failure& failure : found) {
    std::string line = fmt::format("{} ({}): {}: {}", failure.id, source_words(failure),
                                   to_string(failure.outcome), failure.reason);
    if (!failure.replay.empty()) line += fmt::format("; replay: {}", failure.replay);
    fmt::print("{}\n", attn::one_line(line));
  }
  if (found.empty()) print_passed(report, options);
  return exit_code(found);
}

struct DiffOptions {
  fs::path before, after;
  bool force = false;
};

int run_diff(const DiffOptions& options) {
  const Report a = read_report(options.before), b = read_report(options.after);
  if (!options.force) {
    check_comparable(settings_of(a), options.before.string(), settings_of(b),
                     options.after.string(), "; --force compares them all the same");
  }
  fmt::print("{}", diff_text(a, b));
  return attn::kAsExpected;
}

struct CaseOptions {
  fs::path report;
  std::string claim;
};

int run_case(const CaseOptions& options) {
  const Report report = read_report(options.report);
  try {
    fmt::print("{}", cases_text(report, options.claim));
  } catch (const attn::BadInput& error) {
    throw error.within(options.report.string());
  }
  return attn::kAsExpected;
}

struct MergeOptions {
  std::vector<fs::path> reports;
  fs::path out;
};

int run_merge(const MergeOptions& options) {
  check_place_of_report(options.out);
  attn::expect_not_read(options.out, options.reports);
  std::vector<Report> reports;
  for (const fs::path& source : options.reports) reports.push_back(read_part(source));
  attn::ProgressLine line;
  const auto end_shards = [&](Report& shards) {
    attn::properties::end_shards(shards, [&](const attn::properties::Schedule& search) {
      line.update("units of work", search.taken(), search.units());
    });
  };
  const Report joined = merge(reports, end_shards, [&](std::uint64_t windows, std::uint64_t all) {
    line.update("windows", windows, all);
  });
  write_report(options.out, joined);
  return attn::kAsExpected;
}

CLI::App& add_render(CLI::App& app, RenderOptions& options) {
  CLI::App& render =
      attn::add_command(app, "render",
                        "Write index.html with its pages and figures, report.md and junit.xml, and "
                        "print what came out of each statement of the paper");
  attn::add_option(render, "report", options.report, "report.json, or - for standard input")
      .required();
  attn::add_option(render, "--out", options.out, "the folder to write into").required();
  attn::add_switch(render, "--verbose", options.verbose, "print a line for each claim too");
  return render;
}

CLI::App& add_gate(CLI::App& app, GateOptions& options) {
  CLI::App& gate = attn::add_command(
      app, "gate", "Say whether a report passes, for CI: 0, 1 (unexpected) or 3 (undecided)");
  attn::add_option(gate, "report", options.report, "report.json, or - for standard input")
      .required();
  attn::add_option(gate, "--baseline", options.baseline,
                   "a report.json of the same run from an earlier state of the code, or what "
                   "`report baseline` printed of it: fails where that has what this report has no "
                   "longer, or has worse: a record, an outcome, decided cases, caught mutants, "
                   "covered input classes, attained bounds; measured values may change")
      .option_text("FILE");
  attn::add_value(
      gate, "--max-undecided", options.conditions.most_undecided,
      [](const std::string& word) { return attn::whole_number<std::uint64_t>(word); },
      "let up to so many undecided cases pass, counted over all claims and stages without those "
      "that a confidence interval leaves open (default: none)")
      .option_text("COUNT");
  attn::add_values(gate, "--require-stage", options.conditions.stages, from_word<Stage>,
                   "the report must have records of this stage: synthetic, gpt2 or activations; "
                   "may be given many times")
      .one_word_each()
      .option_text("STAGE");
  attn::add_switch(gate, "--caught-on-rows", options.conditions.caught_on_rows,
                   "fail where a mutant survived on the rows of a real input, which then cannot "
                   "tell the claim from a wrong version of it");
  attn::add_switch(
      gate, "--allow-mismatch", options.conditions.mismatch_allowed,
      "let an input pass whose recorded pattern differs from softmax(l/T) by more than "
      "rounding makes: its claims are decided on the pattern");
  attn::add_switch(
      gate, "--proofs-checked", options.conditions.proofs_checked,
      "fail where a claim was decided whose proof, or refutation, Coq has not checked");
  attn::add_footer(
      gate,
      "Prints one line for each thing that failed: which claim in which stage, why, and the "
      "command\n"
      "that runs it again where there is a record; nothing else on stdout.\n"
      "Exit code: 0 passed; 1 something is unexpected or missing, or a condition above is broken;\n"
      "3 only undecided or not covered; 2 bad input or usage, also a baseline of another run.\n\n"
      "  report gate report.json --baseline main.json --require-stage synthetic");
  return gate;
}

CLI::App& add_diff(CLI::App& app, DiffOptions& options) {
  CLI::App& diff =
      attn::add_command(app, "diff", "Print what changed between two reports of the same run");
  attn::add_option(diff, "before", options.before, "report.json").required();
  attn::add_option(diff, "after", options.after, "report.json").required();
  attn::add_switch(diff, "--force", options.force,
                   "compare reports of different runs all the same");
  attn::add_footer(
      diff,
      "For runs of the same seed, effort, stages, model, text and settings, by different code or "
      "on\n"
      "different machines: outcomes, counts of cases, the largest lhs/rhs and comparisons.\n"
      "Different runs are refused with exit code 2.\n"
      "Exit code: 0 whether or not anything changed; report gate --baseline is what judges.");
  return diff;
}

CLI::App& add_merge(CLI::App& app, MergeOptions& options) {
  CLI::App& merge = attn::add_command(
      app, "merge", "Join the reports of the stages of one run, and the shards of a search");
  attn::add_option(merge, "reports", options.reports, "report.json files").required();
  attn::add_option(merge, "--out", options.out, "the report.json to write").required();
  return merge;
}

CLI::App& add_case(CLI::App& app, CaseOptions& options) {
  CLI::App& cases =
      attn::add_command(app, "case", "Print the exact cases of a claim, as claims eval reads them");
  attn::add_option(cases, "report", options.report, "report.json, or - for standard input")
      .required();
  attn::add_option(cases, "claim", options.claim, "the claim's id").required();
  attn::add_footer(cases, "  report case report.json theorem1.fixed | claims eval -");
  return cases;
}

}  // namespace

int main(int argc, char** argv) {
  const auto line =
      attn::command_line("Reports of attention-limits, all read from report.json.", "report");
  CLI::App& app = *line;
  attn::require_command(app);
  RenderOptions render_options;
  GateOptions gate_options;
  DiffOptions diff_options;
  MergeOptions merge_options;
  CaseOptions case_options;
  fs::path baseline_source;
  const CLI::App& render = add_render(app, render_options);
  const CLI::App& gate = add_gate(app, gate_options);
  const CLI::App& diff = add_diff(app, diff_options);
  const CLI::App& cases = add_case(app, case_options);
  CLI::App& baseline = attn::add_command(
      app, "baseline", "Print what gate --baseline reads of a report: its outcomes and counts");
  attn::add_option(baseline, "report", baseline_source, "report.json").required();
  const CLI::App& schema =
      attn::add_command(app, "schema", "Print the JSON Schema (draft-07) of report.json");
  add_merge(app, merge_options);

  return attn::run_main(app, argc, argv, [&] {
    if (attn::is_given(render)) return run_render(render_options);
    if (attn::is_given(gate)) return run_gate(gate_options);
    if (attn::is_given(diff)) return run_diff(diff_options);
    if (attn::is_given(cases)) return run_case(case_options);
    if (attn::is_given(baseline)) {
      fmt::print("{}", baseline_text(baseline_of(read_report(baseline_source))));
      return static_cast<int>(attn::kAsExpected);
    }
    if (attn::is_given(schema)) {
      fmt::print("{}", schema_text());
      return static_cast<int>(attn::kAsExpected);
    }
    return run_merge(merge_options);
  });
}
