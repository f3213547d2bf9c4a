// Each claim as a plain property of RapidCheck: its own engine draws from our generators, shrinks
// and says how to come back to what it found. RC_PARAMS is honoured; without it the seed is 1.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>

#include "properties/generators/gen.hpp"
#include "properties/generators/smaller.hpp"
#include "properties/property.hpp"
#include "properties/search/regressions.hpp"
#include "properties/search/run.hpp"
#include "theory/attention/case_json.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/decide.hpp"

namespace attn::properties {
namespace {

const int kSeeded = setenv("RC_PARAMS", "seed=1 max_success=100", 0);

/// What RapidCheck ends at that falsifies the claim; empty where it passes. `skipped`: so many
/// draws come first, which gives other cases of the same seed.
std::optional<Case> falsified(const Claim& claim, const rc::Gen<Case>& cases, int skipped = 0) {
  // The last violation is the end of the way down: what is tried after that holds.
  std::optional<Case> smallest;
  const bool passes = rc::check(std::string(claim.id), [&] {
    for (int i = 0; i < skipped; ++i) *rc::gen::arbitrary<bool>();
    const Case input = *cases;
    if (decide(claim, input).verdict != Verdict::violated) return;
    smallest = input;
    RC_FAIL(recheck_line(claim.id, to_json(input), "claims eval"));
  });
  EXPECT_EQ(passes, !smallest);
  return smallest;
}

class AsProperty : public testing::TestWithParam<const Claim*> {};

TEST_P(AsProperty, IsPassedOrFalsifiedByRapidCheck) {
  const Claim& claim = *GetParam();
  const auto found = falsified(claim, gen::case_of(claim));
  EXPECT_EQ(found.has_value(), claim.status == Status::refuted);
  EXPECT_TRUE(!found || decide(claim, *found).verdict == Verdict::violated);
}

/// Shrinking ends where no smaller case nearby is violated. From some starts that is not at the
/// kept witness, which several changes at once alone would reach (fewer tokens and a larger r; all
/// embeddings negated; another logit at the edge of the support): each change is for one claim.
TEST_P(AsProperty, ShrinksToTheKeptWitnessOrFurther) {
  constexpr int kStarts = 6;
  const Claim& claim = *GetParam();
  if (claim.status == Status::proved) return;
  const auto all = read_regressions(regressions_folder(), catalogue());
  const auto kept = std::ranges::find_if(all, [&](const Regression& regression) {
    return regression.claim == claim.id && regression.verdict == Verdict::violated;
  });
  ASSERT_NE(kept, all.end());
  for (int skipped = 0; skipped < kStarts; ++skipped) {
    for (const Family& family : property_of(claim).families) {
      const auto found = falsified(claim, gen::case_of(claim, family), skipped);
      if (found && measure(*found) <= measure(kept->input)) return;
    }
  }
  FAIL() << "nothing as small as " << to_json(kept->input).dump();
}

std::vector<const Claim*> all_claims() {
  std::vector<const Claim*> all;
  for (const Claim& claim : catalogue()) all.push_back(&claim);
  return all;
}

std::string name_of_claim(const testing::TestParamInfo<const Claim*>& info) {
  std::string name(info.param->id);
  std::ranges::replace(name, '.', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Claims, AsProperty, testing::ValuesIn(all_claims()), name_of_claim);

}  // namespace
}  // namespace attn::properties
