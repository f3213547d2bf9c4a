#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "reports/console.hpp"
#include "reports/judge.hpp"
#include "reports/merge.hpp"
#include "reports/render.hpp"
#include "reports/report_json.hpp"
#include "theory/cli/atomic_file.hpp"
#include "theory/cli/run_main.hpp"

namespace {

namespace fs = std::filesystem;
using namespace attn::report;

void print_line(std::FILE* stream, const Failure& failure) {
  fmt::print(stream, "{} ({}): {}: {}; replay: {}\n", failure.id, failure.stage, failure.outcome,
             failure.reason, failure.replay);
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

int gate(const fs::path& source) {
  const Report report = read_report(source);
  for (const Failure& failure : failures(report)) print_line(stdout, failure);
  return exit_code(report);
}

int merge_files(const std::vector<fs::path>& sources, const fs::path& target) {
  std::vector<Report> reports;
  for (const fs::path& source : sources) reports.push_back(read_report(source));
  const Report joined = merge(reports);
  if (has_survivors(joined)) return attn::kUnexpected;
  write_report(target, joined);
  return attn::kAsExpected;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Reports of attention-limits, all read from report.json.", "report"};
  app.require_subcommand(1);
  fs::path source, target;
  std::vector<fs::path> sources;

  CLI::App* const render_command =
      app.add_subcommand("render", "Write index.html and report.md, and print the verdict table");
  render_command->add_option("report", source, "report.json")->required();
  render_command->add_option("--out", target, "the folder to write into")->required();

  CLI::App* const gate_command = app.add_subcommand(
      "gate", "Print one line for each failure; exit 0, 1 (unexpected) or 3 (undecided)");
  gate_command->add_option("report", source, "report.json")->required();

  CLI::App* const merge_command =
      app.add_subcommand("merge", "Join the reports of different stages of one run");
  merge_command->add_option("reports", sources, "report.json files")->required();
  merge_command->add_option("--out", target, "the report.json to write")->required();

  return attn::run_main(app, argc, argv, [&] {
    if (render_command->parsed()) return render(source, target);
    if (gate_command->parsed()) return gate(source);
    return merge_files(sources, target);
  });
}
