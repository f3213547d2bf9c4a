#include "properties/cli/search_main.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "properties/cli/certifying.hpp"
#include "properties/cli/options.hpp"
#include "properties/cli/searching.hpp"
#include "reports/io/render.hpp"
#include "reports/io/report_json.hpp"
#include "reports/judge/judge.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/base/flags.hpp"
#include "theory/base/launched.hpp"
#include "theory/base/run_main.hpp"
#include "theory/cli/commands.hpp"

namespace attn {

namespace {

using properties::Certified;
using properties::Run;
using properties::SearchOptions;
using Folder = std::optional<std::filesystem::path>;

/// A misspelt id would leave a claim without its check.
void expect_known(const recheck::Checks& checks, const Catalogue& catalogue) {
  for (const recheck::ClaimCheck& check : checks) {
    if (catalogue.find(check.id) != nullptr) continue;
    throw std::logic_error(fmt::format("a second implementation of '{}', which {} does not have",
                                       check.id, catalogue.name()));
  }
}

/// The search as a report of the run's catalogue.
report::Report completed(report::Report report, const Run& run) {
  report.catalogue = report::record_of(*run.catalogue, run.program.eval);
  report.normalizers.clear();  // the table is one of the paper's claims
  report::complete(report);
  return report;
}

void write_files(const std::filesystem::path& folder, const report::Report& report,
                 const Certified& certified) {
  std::map<std::string, std::string> files{{"report.json", report::report_text(report)}};
  for (const auto& [name, certificate] : certified.files) {
    files["certificates/" + name] = certificate;
  }
  report::write_rendered(folder, report, std::move(files));
}

int search(const SearchOptions& asked, const Folder& out, const recheck::Checks& checks) {
  if (asked.list || !asked.mutants.empty()) return properties::list_or_try(asked);
  if (out) report::check_folder_for_report(*out);
  const std::vector<Claim> claims = properties::chosen_claims(asked);
  units::Alone alone;
  units::Team team(alone, asked.run.threads, {});
  units::ResultJournal none;
  const properties::Searched searched =
      properties::search_and_print(claims, asked.run, prints_each(asked), team, none);
  if (searched.code == kInternal) return searched.code;
  Certified certified{.code = kAsExpected};
  if (!checks.empty()) certified = properties::certify_and_recheck(claims, searched.report, checks);
  if (out) write_files(*out, completed(searched.report, asked.run), certified);
  return graver(static_cast<ExitCode>(searched.code), certified.code);
}

}  // namespace

int search_main(const Catalogue& catalogue, int argc, char** argv, const recheck::Checks& checks) {
  const std::string name = std::filesystem::path(argv[0]).filename().string();
  const auto line =
      command_line("Searches every claim for violations, on exact generated cases", name);
  CLI::App& app = *line;
  SearchOptions asked;
  asked.run.catalogue = &catalogue;
  asked.run.program = {.name = name, .eval = name + " eval", .keeps_witnesses = false};
  add_search_options(app, asked);
  Folder out;
  add_option(app, "--out", out, "write report.json, index.html and the rest into this folder")
      .type_name("DIR")
      .group(kChangesNoResult);
  EvalOptions cases;
  const CLI::App& eval = add_eval(app, cases);
  std::vector<std::string> files;
  const CLI::App* const recheck = checks.empty() ? nullptr : &add_recheck(app, files);
  return run_main(app, argc, argv, [&]() -> int {
    expect_no_launcher();
    expect_known(checks, catalogue);
    if (is_given(eval)) return eval_file(catalogue, cases);
    if (recheck != nullptr && is_given(*recheck)) return recheck_files(checks, files);
    return search(asked, out, checks);
  });
}

}  // namespace attn
