// What a verdict costs: certified cases a second for each claim.
#include <benchmark/benchmark.h>
#include <rapidcheck/Random.h>

#include <string>
#include <vector>

#include "properties/generators/gen.hpp"
#include "properties/property.hpp"
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

/// Decides as a search does: the filter, then what of the ladder a case needs.
void decided(benchmark::State& state, const Claim& claim) {
  const std::vector<Case> cases = drawn_for(claim);
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(decide(claim, cases[i++ % cases.size()]));
  state.SetItemsProcessed(state.iterations());
}

}  // namespace
}  // namespace attn::properties

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  for (const attn::Claim& claim : attn::catalogue()) {
    benchmark::RegisterBenchmark(std::string(claim.id).c_str(), attn::properties::decided, claim);
  }
  benchmark::RunSpecifiedBenchmarks();
}
