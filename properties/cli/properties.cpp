// `properties`: searches every claim of the catalogue for violations, on exact generated cases, and
// checks that the search would notice a wrong claim.
#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <vector>

#include "properties/cli/options.hpp"
#include "properties/cli/searching.hpp"
#include "properties/search/regressions.hpp"
#include "properties/search/run.hpp"
#include "properties/search/shard.hpp"
#include "reports/io/report_json.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/base/flags.hpp"
#include "theory/base/run_main.hpp"

namespace attn::properties {

namespace {

namespace fs = std::filesystem;

void check_folder(const char* option, const fs::path& folder) {
  if (!folder.empty() && !fs::is_directory(folder)) {
    throw BadInput({.kind = BadInputKind::missing,
                    .where = fmt::format("{}: {}", option, folder.string()),
                    .expected = "a folder",
                    .found = "none",
                    .advice = "make it first"});
  }
}

int search_and_report(const std::vector<Claim>& claims, const Run& run, const Options& options) {
  if (options.out) check_folder("--out", options.out->parent_path());
  if (options.save) check_folder("--save-regressions", *options.save);
  const Searched searched = search_and_print(claims, run, options.shard);
  if (searched.code == kInternal) return searched.code;
  if (options.save) {
    for (const fs::path& file : save_regressions(*options.save, searched.report)) {
      fmt::print("kept {}\n", file.string());
    }
  }
  if (options.out) report::write_report(*options.out, searched.report);
  return searched.code;
}

int run(const Options& options) {
  const SearchOptions& asked = options.search;
  if (asked.list || !asked.mutants.empty()) return list_or_try(asked);
  Run run = asked.run;
  run.regressions = read_regressions(regressions_folder(), *run.catalogue);
  return search_and_report(
      options.shard ? claims_of(*options.shard, *run.catalogue) : chosen_claims(asked), run,
      options);
}

}  // namespace

}  // namespace attn::properties

int main(int argc, char** argv) {
  using namespace attn::properties;
  Options options;
  const auto line =
      attn::command_line("Searches every claim for violations, on exact generated cases",
                         options.search.run.program.name);
  CLI::App& app = *line;
  add_options(app, options);
  return attn::run_main(app, argc, argv, [&] { return run(options); });
}
