// `properties`: searches every claim of the catalogue for violations, on exact generated cases, and
// checks that the search would notice a wrong claim.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "properties/cli/searching.hpp"
#include "properties/search/regressions.hpp"
#include "properties/search/run.hpp"
#include "properties/search/units.hpp"
#include "reports/io/report_json.hpp"
#include "theory/attention/case_json.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/base/flags.hpp"
#include "theory/base/sha256.hpp"
#include "theory/units/ranks.hpp"
#include "theory/units/result_journal.hpp"
#include "theory/units/team.hpp"
#include "theory/units/unit.hpp"

namespace attn::properties {
namespace {

/// The digest of all that is decided before the search.
std::string digest_of(const std::vector<Regression>& regressions) {
  std::string all;
  for (const Regression& kept : regressions) {
    all += fmt::format("{} {} {} {}\n", kept.name, kept.claim, to_string(kept.verdict),
                       to_json(kept.input).dump());
  }
  return sha256(all);
}

int run(const Options& options, const CLI::App& app, units::Messages& ranks) {
  const SearchOptions& asked = options.search;
  if (options.out) report::check_place_of_report(*options.out);
  Run run = asked.run;
  run.regressions = read_regressions(regressions_folder(), *run.catalogue);
  units::Identity identity = units::identity_of(command_given(app));
  identity["regressions"] = digest_of(run.regressions);

  const std::vector<Claim> claims = chosen_claims(asked);
  units::Team team(ranks, run.threads, identity);
  if (!team.leads()) {
    team.follow(unit_computer(claims, run));
    return kAsExpected;
  }
  units::ResultJournal parts = options.out
                                   ? units::ResultJournal(*options.out, identity, options.resumes)
                                   : units::ResultJournal();
  const Searched searched =
      options.shard ? Searched{kAsExpected, search_shard(*options.shard, claims, run, team, parts)}
                    : search_and_print(claims, run, prints_each(asked), team, parts);
  if (searched.code == kInternal) return searched.code;
  const int code = parts.written([&] {
    if (options.out) report::write_report(*options.out, searched.report);
    return searched.code;
  });
  parts.remove();
  return code;
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
  return attn::units::run_ranks_main(
      app, argc, argv, [&](attn::units::Messages& ranks) { return run(options, app, ranks); });
}
