#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/compare/comparable.hpp"
#include "reports/compare/gate.hpp"
#include "reports/io/merge.hpp"
#include "reports/io/render.hpp"
#include "reports/io/report_json.hpp"
#include "reports/judge/conditions.hpp"
#include "reports/judge/judge.hpp"
#include "reports/text/console.hpp"
#include "reports/text/diff_text.hpp"
#include "reports/text/summary.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/run_main.hpp"

namespace {

namespace fs = std::filesystem;
using namespace attn::report;

void print_line(std::FILE* stream, const Failure& failure) {
  const std::string line =
      fmt::format("{} ({}): {}: {}; replay: {}", failure.id, stage_words(failure),
                  to_string(failure.outcome), failure.reason, failure.replay);
  fmt::print(stream, "{}\n", attn::one_line(line));
}

/// Whether some mutant survived its search, each named on stderr: then no report is made, for its
/// search cannot tell a right formula from a wrong one.
bool has_survivors(const Report& report) {
  const std::vector<Failure> survivors = surviving_mutants(report);
  for (const Failure& survivor : survivors) print_line(stderr, survivor);
  return !survivors.empty();
}

int render(const fs::path& source, const fs::path& folder) {
  const Report report = read_report(source);
  if (has_survivors(report)) return attn::kUnexpected;
  std::map<std::string, std::string> files = rendered_files(report);
  std::error_code unknown;
  if (!fs::equivalent(source, folder / "report.json", unknown)) {
    files["report.json"] = attn::read_file(source);
  }
  attn::write_folder(folder, files);
  fmt::print("{}", console_table(report, wants_colour(stdout), (folder / "index.html").string()));
  return attn::kAsExpected;
}

/// The conditions of `report gate` as they were given.
struct GateOptions {
  std::optional<std::uint64_t> most_undecided;
  std::vector<std::string> outcomes, tightness;
  std::optional<fs::path> baseline;
};

Conditions conditions_from(const GateOptions& options) {
  Conditions conditions{.most_undecided = options.most_undecided};
  for (const std::string& text : options.outcomes) {
    conditions.outcomes.push_back(required_outcome_from(text));
  }
  for (const std::string& text : options.tightness) {
    conditions.tightness.push_back(tightness_limit_from(text));
  }
  if (options.baseline) conditions.baseline = read_report(*options.baseline);
  return conditions;
}

/// What was asked of the report, and that it has it.
void print_passed(const Report& report, const GateOptions& options) {
  std::string asked = "every outcome as expected";
  if (options.most_undecided) {
    asked += fmt::format(" but for {} undecided cases ({} are)", *options.most_undecided,
                         undecided_cases(report));
  }
  if (!options.outcomes.empty()) {
    asked += fmt::format(", --require {}", fmt::join(options.outcomes, " "));
  }
  if (!options.tightness.empty()) {
    asked += fmt::format(", --tightness {}", fmt::join(options.tightness, " "));
  }
  if (options.baseline) {
    asked += fmt::format(", nothing worse than in {}", options.baseline->string());
  }
  fmt::print(stderr, "report gate: passed with {} claims in {} records: {}\n",
             by_claim(report).size(), report.claims.size(), attn::one_line(asked));
}

int gate(const fs::path& source, const GateOptions& options) {
  const Conditions conditions = conditions_from(options);
  const Report report = read_report(source);
  const std::vector<Failure> found = gate_failures(report, conditions);
  for (const Failure& failure : found) print_line(stdout, failure);
  if (found.empty()) print_passed(report, options);
  return exit_code(found);
}

int compare_files(const fs::path& before, const fs::path& after, bool force) {
  const Report a = read_report(before), b = read_report(after);
  if (!force) {
    try {
      check_comparable(a, before.string(), b, after.string());
    } catch (const attn::BadInput& error) {
      throw attn::BadInput(fmt::format("{}; --force compares them all the same", error.what()));
    }
  }
  fmt::print("{}", diff_text(diff(a, b)));
  return attn::kAsExpected;
}

int merge_files(const std::vector<fs::path>& sources, const fs::path& target) {
  std::vector<Report> reports;
  for (const fs::path& source : sources) reports.push_back(read_part(source));
  const Report joined = merge(reports);
  if (has_survivors(joined)) return attn::kUnexpected;
  write_report(target, joined);
  return attn::kAsExpected;
}

/// Adds the options of `report gate` to its command.
void add_gate_options(CLI::App& command, GateOptions& options) {
  command
      .add_option("--baseline", options.baseline,
                  "a report.json of the same run, kept from an earlier state of the code: fails "
                  "where that has what this report has no longer, or has worse: a record, an "
                  "outcome, decided cases, caught mutants, covered input classes, attained "
                  "bounds; measured values may change")
      ->option_text("FILE");
  command
      .add_option("--max-undecided", options.most_undecided,
                  "let up to so many undecided cases pass, counted over all claims and stages "
                  "without those that a confidence interval leaves open (default: none)")
      // CLI11 reads -1 as 2^64 - 1: more cases than any run has.
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1'000'000'000'000}))
      ->option_text("COUNT");
  command
      .add_option("--require", options.outcomes,
                  "the claim must have this outcome in every stage, or in the one that "
                  "id@stage=outcome names: as-expected, unexpected, undecided, not-covered or "
                  "missing; may be given many times and excuses nothing")
      ->allow_extra_args(false)
      ->option_text("id=outcome");
  command
      .add_option("--tightness", options.tightness,
                  "the claim's largest lhs/rhs must be at most x, in every stage or in that of "
                  "'id@stage<=x'; may be given many times; quote it, or the shell takes the <")
      ->allow_extra_args(false)
      ->option_text("'id<=x'");
  command.footer(
      "Prints one line for each thing that failed: which claim in which stage, why, and the "
      "command\n"
      "that runs it again; nothing else on stdout.\n"
      "Exit code: 0 passed; 1 something is unexpected or missing, or a condition above is broken;\n"
      "3 only undecided or not covered; 2 bad input or usage, also a baseline of another run.\n\n"
      "  report gate report.json --baseline main.json --require corollary3=as-expected\n"
      "    --tightness 'theorem1.fixed@gpt2<=1'");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Reports of attention-limits, all read from report.json.", "report"};
  app.require_subcommand(1);
  fs::path source, target, other;
  std::vector<fs::path> sources;
  GateOptions gate_options;
  bool force = false;

  CLI::App* const render_command = app.add_subcommand(
      "render",
      "Write index.html with its figures, report.md and junit.xml, and print the verdict table");
  render_command->add_option("report", source, "report.json")->required();
  render_command->add_option("--out", target, "the folder to write into")->required();

  CLI::App* const gate_command = app.add_subcommand(
      "gate", "Say whether a report passes, for CI: 0, 1 (unexpected) or 3 (undecided)");
  gate_command->add_option("report", source, "report.json")->required();
  add_gate_options(*gate_command, gate_options);

  CLI::App* const diff_command =
      app.add_subcommand("diff", "Print what changed between two reports of the same run");
  diff_command->add_option("before", source, "report.json")->required();
  diff_command->add_option("after", other, "report.json")->required();
  diff_command->add_flag("--force", force, "compare reports of different runs all the same");
  diff_command->footer(
      "For runs of the same seed, effort, stages, model, text and settings, by different code or "
      "on\n"
      "different machines: outcomes, counts of cases, tightness, comparisons, mutants, input "
      "classes\n"
      "and the measures on real input. Different runs are refused with exit code 2.\n"
      "Exit code: 0 whether or not anything changed; report gate --baseline is what judges.");

  CLI::App* const merge_command = app.add_subcommand(
      "merge", "Join the reports of the stages of one run, and the shards of a search");
  merge_command->add_option("reports", sources, "report.json files")->required();
  merge_command->add_option("--out", target, "the report.json to write")->required();

  return attn::run_main(app, argc, argv, [&] {
    if (render_command->parsed()) return render(source, target);
    if (gate_command->parsed()) return gate(source, gate_options);
    if (diff_command->parsed()) return compare_files(source, other, force);
    return merge_files(sources, target);
  });
}
