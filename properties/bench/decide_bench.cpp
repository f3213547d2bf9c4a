// What a verdict costs: certified cases a second for each claim, alone and in a whole search, the
// levels of the ladder, and how often the filter alone decides.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <rapidcheck/Random.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "properties/generators/gen.hpp"
#include "properties/property.hpp"
#include "properties/search/search.hpp"
#include "theory/attention/case_context.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/decide.hpp"
#include "theory/claims/evaluation.hpp"

namespace attn::properties {

namespace {

constexpr int kCases = 100;  // of each family
constexpr std::string_view kGeneric = "generic";

/// Cases of every family that a search draws for the claim, or of the family `generic` alone: those
/// that meet the claim's hypotheses, small ones and large ones.
std::vector<Case> drawn_for(const Claim& claim, bool only_generic) {
  std::vector<Case> drawn;
  rc::Random random(1);
  for (const Family& family : property_of(claim).families) {
    if (only_generic && family.name != kGeneric) continue;
    for (int k = 0; k < kCases; ++k) {
      const Case input = gen::case_of(claim, family)(random.split(), 100 * k / kCases).value();
      if (claim.unmet == nullptr || claim.unmet(CaseContext(input)).empty()) drawn.push_back(input);
    }
  }
  return drawn;
}

bool has_generic_cases(const Claim& claim) {
  const auto families = property_of(claim).families;
  return std::ranges::any_of(families, [](const Family& f) { return f.name == kGeneric; });
}

/// Calls `body(case)` for one case after the other, as often as the benchmark asks.
template <class Body>
void over(benchmark::State& state, const std::vector<Case>& cases, Body body) {
  std::size_t i = 0;
  for (auto _ : state) body(cases[i++ % cases.size()]);
  state.SetItemsProcessed(state.iterations());
}

/// Certified cases a second, as in a search: the filter, then what of the ladder it needs.
void decided(benchmark::State& state, const Claim& claim) {
  const std::vector<Case> cases = drawn_for(claim, false);
  over(state, cases, [&](const Case& c) { benchmark::DoNotOptimize(decide(claim, c)); });
}

/// One level alone, on generic cases.
template <class Evaluate>
void level(benchmark::State& state, const Claim& claim, Evaluate evaluate) {
  over(state, drawn_for(claim, true), [&](const Case& c) {
    const CaseContext problem(c);
    benchmark::DoNotOptimize((claim.evaluators->*evaluate)(problem));
  });
}

/// `decides`: the share of the cases that the filter alone decides, of those that do not attain the
/// bound (which no filter can see); `attained`: the share of those that do.
void filter_level(benchmark::State& state, const Claim& claim) {
  level(state, claim, &Evaluators::filter);
  std::size_t attained = 0;
  std::size_t alone = 0;
  const std::vector<Case> cases = drawn_for(claim, true);
  for (const Case& c : cases) {
    const Decision decision = decide(claim, c);
    attained += decision.verdict == Verdict::equal ? 1 : 0;
    alone += decision.digits == kFilter ? 1 : 0;
  }
  const auto count = static_cast<double>(cases.size());
  state.counters["attained"] = static_cast<double>(attained) / count;
  state.counters["decides"] =
      static_cast<double>(alone) / static_cast<double>(cases.size() - attained);
}

constexpr std::uint64_t kSeed = 1;
constexpr std::size_t kSearched = 4000;

/// A search of kSearched cases: drawn, decided, sorted into their classes and counted. No climb.
void searched(benchmark::State& state, const Claim& claim) {
  const Property property = property_of(claim);
  for (auto _ : state) {
    const Search plan{.first = {kSeed, kSearched}, .shrink = kMutantShrink};
    benchmark::DoNotOptimize(finish(claim, plan, draw(claim, property, plan.first)));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kSearched));
}

void add(const Claim& claim) {
  const auto name = [&](const char* what) { return fmt::format("{}/{}", claim.id, what); };
  benchmark::RegisterBenchmark(name("decide").c_str(), decided, claim);
  benchmark::RegisterBenchmark(name("searched").c_str(), searched, claim);
  if (!has_generic_cases(claim)) return;
  benchmark::RegisterBenchmark(name("filter").c_str(),
                               [&](benchmark::State& state) { filter_level(state, claim); });
  for (const unsigned digits : kLadder) {
    benchmark::RegisterBenchmark(name(std::to_string(digits).c_str()).c_str(),
                                 [&claim, digits](benchmark::State& state) {
                                   const WorkingDigits working(working_digits(digits));
                                   level(state, claim, &Evaluators::enclose);
                                 });
  }
}

}  // namespace

}  // namespace attn::properties

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  for (const attn::Claim& claim : attn::catalogue()) attn::properties::add(claim);
  benchmark::RunSpecifiedBenchmarks();
}
