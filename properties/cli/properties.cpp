// `properties`: searches every claim of the catalogue for violations, on exact generated cases, and
// checks that the search would notice a wrong claim.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "properties/cli/options.hpp"
#include "properties/cli/printing.hpp"
#include "properties/cli/searching.hpp"
#include "properties/search/replay.hpp"
#include "properties/search/run.hpp"
#include "properties/search/shard.hpp"
#include "reports/io/report_json.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/base/marked_text.hpp"
#include "theory/base/run_main.hpp"
#include "theory/claims/catalogue.hpp"

namespace attn::properties {

namespace {

namespace fs = std::filesystem;

/// The claims of these ids, in the catalogue's order; all of them where none is named.
std::vector<Claim> chosen_claims(const std::vector<std::string_view>& ids) {
  std::vector<Claim> claims;
  for (const Claim& claim : catalogue()) {
    if (ids.empty() || std::find(ids.begin(), ids.end(), claim.id) != ids.end()) {
      claims.push_back(claim);
    }
  }
  return claims;
}

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

int only_mutants(const std::vector<Mutant>& mutants, const Run& run) {
  const std::vector<report::MutantRecord> records = try_all(mutants, run);
  for (const report::MutantRecord& record : records) {
    fmt::print("{:<44} {:<9} cases {:>7}  {}\n", record.id, record.caught ? "caught" : "survived",
               record.cases, plain_text(record.change));
    if (record.witness) {
      fmt::print("  {}\n  lhs in [{}, {}]\n  rhs in [{}, {}]\n", record.witness->input.dump(),
                 record.witness->lhs_lower, record.witness->lhs_upper, record.witness->rhs_lower,
                 record.witness->rhs_upper);
    }
  }
  print_mutants(records);
  return std::ranges::all_of(records, &report::MutantRecord::caught) ? kAsExpected : kUnexpected;
}

int run(const Options& options) {
  if (options.list) {
    print_catalogue();
    return kAsExpected;
  }
  if (!options.mutants.empty()) return only_mutants(options.mutants, options.run);
  Run run = options.run;
  run.regressions = read_regressions(regressions_folder(), *run.catalogue);
  return search_and_report(
      options.shard ? claims_of(*options.shard, catalogue()) : chosen_claims(options.claims), run,
      options);
}

}  // namespace

}  // namespace attn::properties

int main(int argc, char** argv) {
  using namespace attn::properties;
  CLI::App app("Searches every claim for violations, on exact generated cases", kProgram);
  Options options;
  add_options(app, options);
  return attn::run_main(app, argc, argv, [&] { return run(options); });
}
