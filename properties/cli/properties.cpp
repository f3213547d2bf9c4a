// `properties`: searches every claim of the catalogue for violations, on exact generated cases, and
// checks that the search would notice a wrong claim.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "properties/cli/printing.hpp"
#include "properties/search/run.hpp"
#include "properties/search/shard.hpp"
#include "reports/io/report_json.hpp"
#include "reports/record/provenance.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/parallel.hpp"
#include "theory/base/progress.hpp"
#include "theory/base/run_main.hpp"
#include "theory/claims/catalogue.hpp"

namespace attn::properties {

namespace {

namespace fs = std::filesystem;

struct Options {
  std::string effort{"standard"};
  std::uint64_t seed{1};
  std::vector<std::string> claims;
  std::vector<std::string> mutants;
  std::optional<std::string> shard;  ///< "K/N"
  unsigned threads{hardware_threads()};
  std::optional<fs::path> out;
  std::optional<fs::path> save;  ///< folder for the witnesses
  bool list{false};
};

/// The claims of these ids, in the catalogue's order; all of them where none is named.
std::vector<Claim> chosen_claims(const std::vector<std::string>& ids) {
  for (const std::string& id : ids) find_claim(id);  // throws BadInput for an id that is not there
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
    throw BadInput(
        fmt::format("{}: there is no folder {}; make it first", option, folder.string()));
  }
}

std::vector<report::MutantRecord> mutants_in(const std::vector<SearchResult>& results) {
  std::vector<report::MutantRecord> all;
  for (const SearchResult& result : results) {
    all.insert(all.end(), result.record.mutants.begin(), result.record.mutants.end());
  }
  return all;
}

/// ", shard 2/3"; empty where all claims are searched.
std::string shard_in_words(const std::optional<report::Shard>& shard) {
  return shard ? fmt::format(", shard {}/{}", shard->index, shard->count) : std::string();
}

int search_and_report(const std::vector<Claim>& claims, const std::optional<report::Shard>& shard,
                      const Run& run, const Options& options) {
  if (options.out) check_folder("--out", options.out->parent_path());
  if (options.save) check_folder("--save-regressions", *options.save);
  const auto start = std::chrono::steady_clock::now();
  report::Provenance provenance =
      report::collect_provenance(run.seed, std::string(to_string(run.effort)), run.threads);
  provenance.shard = shard;
  fmt::print("run seed {}, effort {}, {} claims{}, {} regressions, {} threads\n", run.seed,
             to_string(run.effort), claims.size(), shard_in_words(shard), run.regressions.size(),
             run.threads);

  std::vector<SearchResult> results;
  {
    ProgressLine progress(ProgressUnit::items);
    std::size_t done = 0;
    progress.update("claims", done, claims.size());
    results = search_all(claims, run, [&](const SearchResult&) {
      progress.update("claims", ++done, claims.size());
    });
  }
  for (const SearchResult& result : results) print_result(result);
  print_tightness(results);
  print_comparisons(results);
  print_mutants(mutants_in(results));
  // A claim without a verdict has no place in a report: the error is ours, not the paper's.
  const int code = exit_code(results);
  if (code == kInternal) return code;
  report::Report report = report_of(results);
  report.provenance = provenance;
  report.provenance.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (options.save) {
    for (const fs::path& file : save_regressions(*options.save, report)) {
      fmt::print("kept {}\n", file.string());
    }
  }
  if (options.out) report::write_report(*options.out, report);
  return code;
}

int only_mutants(const Options& options, const Run& run) {
  std::vector<Mutant> mutants;
  for (const std::string& id : options.mutants) mutants.push_back(find_mutant(id));
  const std::vector<report::MutantRecord> records = try_all(mutants, run);
  for (const report::MutantRecord& record : records) {
    fmt::print("{:<44} {:<9} cases {:>7}  {}\n", record.id, record.caught ? "caught" : "survived",
               record.cases, record.change);
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
  Run run{options.seed, effort_from(options.effort), options.threads};
  if (!options.mutants.empty()) return only_mutants(options, run);
  std::optional<report::Shard> shard;
  if (options.shard) shard = shard_from(*options.shard);
  const std::vector<Claim> claims = shard ? claims_of(*shard) : chosen_claims(options.claims);
  run.regressions = read_regressions(regressions_folder());
  return search_and_report(claims, shard, run, options);
}

}  // namespace

}  // namespace attn::properties

int main(int argc, char** argv) {
  using attn::properties::Options;
  CLI::App app("Searches every claim for violations, on exact generated cases", "properties");
  Options options;
  app.add_option("--effort", options.effort, "how many cases: quick, standard or thorough")
      ->capture_default_str();
  app.add_option("--seed", options.seed, "seed of the run; each claim's is derived from it")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  CLI::Option* const claim =
      app.add_option("--claim", options.claims, "only these claims (default: all)");
  CLI::Option* const mutant = app.add_option("--mutant", options.mutants,
                                             "try these wrong versions of claims, nothing else");
  app.add_option("--shard", options.shard,
                 "only the K-th of N parts of the claims, written K/N: for a search spread over N "
                 "machines, each with its K and the same seed and effort; join what they write "
                 "with report merge")
      ->excludes(claim)
      ->excludes(mutant);
  app.add_option("--threads", options.threads, "claims searched at a time; changes no result")
      ->check(CLI::Range(1U, 1024U))
      ->capture_default_str();
  app.add_option("--out", options.out, "write the records to this report.json");
  app.add_option("--save-regressions", options.save,
                 "write the smallest witness of each violated claim into this folder, as a file "
                 "for properties/regressions");
  app.add_flag("--list", options.list,
               "print each property, its input families and classes and its mutants, run nothing");
  return attn::run_main(app, argc, argv, [&] { return attn::properties::run(options); });
}
