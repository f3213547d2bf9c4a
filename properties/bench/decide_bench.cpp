// What a verdict costs: certified cases a second for each claim, alone and in a whole search.
#include <benchmark/benchmark.h>
#include <rapidcheck/Random.h>

#include <string>
#include <vector>

#include "properties/generators/gen.hpp"
#include "properties/property.hpp"
#include "properties/search/search.hpp"
#include "theory/attention/case_context.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/decide.hpp"

namespace attn::properties {

namespace {

constexpr int kCases = 100;  // of each family

/// Cases of every family that a search draws for the claim: those that meet its hypotheses, small
/// ones and large ones.
std::vector<Case> drawn_for(const Claim& claim) {
  std::vector<Case> drawn;
  rc::Random random(1);
  for (const Family& family : property_of(claim).families) {
    for (int k = 0; k < kCases; ++k) {
      const Case input = gen::case_of(claim, family)(random.split(), 100 * k / kCases).value();
      if (claim.unmet == nullptr || claim.unmet(CaseContext(input)).empty()) drawn.push_back(input);
    }
  }
  return drawn;
}

/// Certified cases a second, as in a search: the filter, then what of the ladder it needs.
void decided(benchmark::State& state, const Claim& claim) {
  const std::vector<Case> cases = drawn_for(claim);
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(decide(claim, cases[i++ % cases.size()]));
  state.SetItemsProcessed(state.iterations());
}

constexpr std::uint64_t kSeed = 1;
constexpr std::size_t kSearched = 4000;

/// A search of kSearched cases: drawn, decided, sorted into their classes and counted. No climb.
void searched(benchmark::State& state, const Claim& claim) {
  const Property property = property_of(claim);
  for (auto _ : state) {
    const Stream cases(claim, kSeed, kSearched);
    benchmark::DoNotOptimize(finish(claim, {.seed = kSeed, .shrink = kMutantShrink},
                                    draw({&claim, 1}, property, cases).front()));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kSearched));
}

void add(const Claim& claim) {
  const std::string id(claim.id);
  benchmark::RegisterBenchmark((id + "/decide").c_str(), decided, claim);
  benchmark::RegisterBenchmark((id + "/searched").c_str(), searched, claim);
}

}  // namespace

}  // namespace attn::properties

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  for (const attn::Claim& claim : attn::catalogue()) attn::properties::add(claim);
  benchmark::RunSpecifiedBenchmarks();
}
