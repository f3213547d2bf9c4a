// `differential`: random cases of every claim, each decided by the filter and the ladder, by
// intervals alone and by the second implementation. Where two of them contradict each other, one is
// wrong.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "properties/property.hpp"
#include "properties/search/stream.hpp"
#include "theory/attention/case_json.hpp"
#include "theory/base/exit_code.hpp"
#include "theory/base/flags.hpp"
#include "theory/base/progress.hpp"
#include "theory/base/run_main.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/cli/three_ways.hpp"
#include "theory/recheck/recheck.hpp"

namespace attn::properties {
namespace {

constexpr std::size_t kBatch = 1000;

struct Options {
  std::vector<std::string_view> claims;  ///< all where empty
  std::size_t cases{100};                ///< of each claim
  std::uint64_t seed{1};
};

/// Cases of one claim, or of all.
struct Counts {
  std::size_t cases{}, by_filter{}, outside{}, compared{}, contradictions{};

  void add(const ThreeWays& ways) {
    const bool is_outside = ways.usual.verdict == Verdict::assumption_not_met;
    ++cases;
    by_filter += !is_outside && ways.usual.digits == kFilter;
    outside += is_outside;
    compared += ways.compared;
    contradictions += !ways.contradiction.empty();
  }
};

Counts operator+(const Counts& a, const Counts& b) {
  return {a.cases + b.cases, a.by_filter + b.by_filter, a.outside + b.outside,
          a.compared + b.compared, a.contradictions + b.contradictions};
}

void print(std::string_view name, const Counts& counts) {
  fmt::print("{:<34}{:>10}{:>12}{:>10}{:>10}{:>16}\n", name, counts.cases, counts.by_filter,
             counts.outside, counts.compared, counts.contradictions);
  std::fflush(stdout);  // all of them may take hours
}

/// What contradicts, and the case as `claims eval` reads it.
void print(const Claim& claim, const Case& input, const std::string& contradiction) {
  fmt::print("{}: {}\n{}\n", claim.id, contradiction,
             nlohmann::ordered_json{{"claim", claim.id}, {"case", to_json(input)}}.dump());
}

/// Batch k is drawn from the seed + k, as by a search.
Counts compare(const Claim& claim, const Options& options, ProgressLine& line) {
  Counts counts;
  for (std::size_t batch = 0; counts.cases < options.cases; ++batch) {
    Stream stream(claim, options.seed + batch, std::min(kBatch, options.cases - counts.cases));
    while (const auto drawn = stream.next()) {
      const Case& input = drawn->input;
      const ThreeWays ways = decide_three_ways(recheck::listed_checks(), claim, input);
      counts.add(ways);
      line.update(std::string(claim.id), counts.cases, options.cases);
      if (ways.contradiction.empty()) continue;
      line.clear();
      print(claim, input, ways.contradiction);
    }
  }
  return counts;
}

int run(const Options& options) {
  fmt::print("seed {}\n{:<34}{:>10}{:>12}{:>10}{:>10}{:>16}\n", options.seed, "claim", "cases",
             "by filter", "outside", "compared", "contradictions");
  Counts all;
  bool compares_all = true;
  ProgressLine line;
  for (const Claim& claim : catalogue()) {
    const bool is_asked = std::ranges::find(options.claims, claim.id) != options.claims.end();
    if (!options.claims.empty() && !is_asked) continue;
    const Counts counts = compare(claim, options, line);
    line.clear();
    print(claim.id, counts);
    compares_all = compares_all && counts.compared > 0;
    all = all + counts;
  }
  print("all", all);
  if (all.contradictions > 0) return kUnexpected;
  return compares_all ? kAsExpected : kUndecided;
}

}  // namespace
}  // namespace attn::properties

int main(int argc, char** argv) {
  using namespace attn::properties;
  Options options;
  const auto line = attn::command_line(
      "Decides random cases of every claim in three ways, which must not contradict each other. "
      "Ends with 1 where two do, with 3 where no case of a claim could be compared",
      "differential");
  CLI::App& app = *line;
  attn::add_values(
      app, "--claim", options.claims,
      [](const std::string& id) { return attn::catalogue().at(id).id; },
      "only these claims (default: all)")
      .type_name("ID");
  attn::add_value(
      app, "--cases", options.cases,
      [](const std::string& word) { return attn::whole_number<std::size_t>(word, 1); },
      "cases of each claim")
      .type_name("N")
      .default_str(std::to_string(options.cases));
  attn::add_seed(app, options.seed, "of the first batch of 1,000 cases; the next has the next");
  return attn::run_main(app, argc, argv, [&] { return run(options); });
}
