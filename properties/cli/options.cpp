#include "properties/cli/options.hpp"

#include "properties/search/replay.hpp"
#include "properties/search/shard.hpp"
#include "theory/base/flags.hpp"
#include "theory/claims/catalogue.hpp"

namespace attn::properties {

namespace {

/// Up to a year.
double minutes_from(const std::string& word) {
  constexpr double kMost = 366 * 24 * 60;
  const auto minutes = number_from<double>(word);
  if (minutes && *minutes > 0 && *minutes <= kMost) return *minutes;
  throw BadInput({.kind = minutes ? BadInputKind::out_of_range : BadInputKind::malformed,
                  .expected = "minutes above 0, at most those of a year",
                  .found = in_quotes(word)});
}

}  // namespace

void add_search_options(CLI::App& app, SearchOptions& options) {
  const Catalogue& catalogue = *options.run.catalogue;
  add_search_flags(app, options.run);
  add_value(app, "--minutes", options.run.minutes, minutes_from,
            "go on with batches for so long, which the claims share; counts them all")
      .type_name("M")
      .excludes("--cases");
  add_values(
      app, "--claim", options.claims,
      [&catalogue](const std::string& id) { return catalogue.at(id).id; },
      "only these claims (default: all)")
      .type_name("ID");
  add_values(
      app, "--mutant", options.mutants,
      [&catalogue](const std::string& id) { return find_mutant(catalogue, id); },
      "try these wrong versions of claims, nothing else")
      .type_name("ID")
      .excludes("--cases")
      .excludes("--minutes");
  add_switch(app, "--list", options.list,
             "print each property, its input families and classes and its mutants, run nothing");
  add_switch(app, "--verbose", options.verbose,
             "print a line for each claim, mutants, tightness and comparisons too")
      .group(kChangesNoResult);
  add_threads(app, options.run.threads, "units of work computed at a time, by each rank");
}

bool prints_each(const SearchOptions& asked) {
  return asked.verbose || !asked.claims.empty() || asked.run.catalogue != &catalogue();
}

void add_options(CLI::App& app, Options& options) {
  add_search_options(app, options.search);
  add_option(app, "--out", options.out,
             "write the records to this report.json; what is done is kept beside it meanwhile")
      .type_name("FILE")
      .group(kChangesNoResult);
  add_value(app, "--shard", options.shard, shard_from,
            "only the K-th of N parts of the work: for a search spread over N machines, each with "
            "its K and the same seed and effort; join what they write with report merge")
      .type_name("K/N")
      .excludes("--claim")
      .excludes("--mutant")
      .excludes("--minutes")
      .needs("--out");
  add_switch(app, "--resume", options.resumes,
             "go on with what the same command kept that was cut off")
      .needs("--out")
      .group(kChangesNoResult);
  add_option(app, "--save-regressions", options.save,
             "write the smallest witness of each violated claim into this folder, as a file "
             "for properties/regressions")
      .type_name("FOLDER")
      .excludes("--shard")
      .group(kChangesNoResult);
}

}  // namespace attn::properties
