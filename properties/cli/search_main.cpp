#include "properties/cli/search_main.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "properties/cli/searching.hpp"
#include "properties/search/replay.hpp"
#include "reports/io/render.hpp"
#include "reports/io/report_json.hpp"
#include "reports/judge/judge.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/base/flags.hpp"
#include "theory/base/parallel.hpp"
#include "theory/base/run_main.hpp"

namespace attn {

namespace {

using properties::Run;

void write_files(const std::filesystem::path& folder, const report::Report& report) {
  std::map<std::string, std::string> files = report::rendered_files(report);
  files["report.json"] = report::report_text(report);
  write_folder(folder, files);
}

int search(const Run& run, const std::optional<std::filesystem::path>& out) {
  const std::vector<Claim> claims(run.catalogue->begin(), run.catalogue->end());
  properties::Searched searched = properties::search_and_print(claims, run, {});
  if (searched.code == kInternal || !out) return searched.code;
  report::Report& report = searched.report;
  report.catalogue = report::record_of(*run.catalogue);
  report.normalizers.clear();  // the table is one of the paper's claims
  report::complete(report);
  write_files(*out, report);
  return searched.code;
}

}  // namespace

int search_main(const Catalogue& catalogue, int argc, char** argv) {
  CLI::App app("Searches every claim for violations, on exact generated cases",
               std::filesystem::path(argv[0]).filename().string());
  Run run{.seed = 1, .effort = properties::Effort::standard, .threads = hardware_threads()};
  run.catalogue = &catalogue;
  run.program = app.get_name();
  std::optional<std::filesystem::path> out;
  properties::add_search_flags(app, run);
  add_threads(app, run.threads, "claims searched at a time");
  app.add_option("--out", out, "write report.json, index.html and the rest into this folder")
      ->type_name("DIR")
      ->group(kChangesNoResult);
  return run_main(app, argc, argv, [&] { return search(run, out); });
}

}  // namespace attn
