#include "properties/search/replay.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "theory/base/flags.hpp"

namespace attn::properties {

namespace {

std::size_t whole_from_one(const std::string& word) {
  return whole_number<std::size_t>(word, 1);
}

/// The flags of add_search_flags that make this run.
std::string search_flags(Run run) {
  const auto line = command_line("");
  add_search_flags(*line, run);
  return default_options(*line);
}

}  // namespace

void add_search_flags(CLI::App& app, Run& run) {
  add_seed(app, run.seed, "seed of the run; each claim's is derived from it");
  add_word(app, "--effort", run.effort, kEfforts, "how many cases");
  Flag cases = add_value(
      app, "--cases", run.cases, whole_from_one,
      "as many cases of each claim: batches of the effort's, from the seed, seed + 1, ...");
  cases.type_name("N");
  if (run.cases) cases.default_str(std::to_string(*run.cases));
}

std::string replay_command(std::string_view claim_id, const Run& run) {
  return fmt::format("{} --claim {} {}", run.program.name, claim_id, search_flags(run));
}

/// Mutants are tried with as many cases as the effort says, whatever the budget.
std::string mutant_replay_command(std::string_view mutant_id, Run run) {
  run.cases.reset();
  return fmt::format("{} --mutant {} {}", run.program.name, mutant_id, search_flags(run));
}

std::string recheck_line(std::string_view claim_id, const nlohmann::json& input,
                         std::string_view eval) {
  const nlohmann::json cases = {{{"claim", claim_id}, {"case", input}}};
  return fmt::format("echo {} | {} -", shell_word(cases.dump()), eval);
}

}  // namespace attn::properties
