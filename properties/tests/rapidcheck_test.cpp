// Each claim as a plain property of RapidCheck: its own engine draws from our generators, shrinks
// and says how to come back to what it found. RC_PARAMS is honoured; without it the seed is 1.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "properties/generators/gen.hpp"
#include "properties/generators/smaller.hpp"
#include "properties/search/regressions.hpp"
#include "properties/search/replay.hpp"
#include "theory/attention/case_json.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/decide.hpp"

namespace attn::properties {
namespace {

const int kSeeded = setenv("RC_PARAMS", "seed=1 max_success=100", 0);

class AsProperty : public testing::TestWithParam<const Claim*> {};

TEST_P(AsProperty, IsPassedOrFalsifiedByRapidCheck) {
  const Claim& claim = *GetParam();
  // The last violation is the end of RapidCheck's way down: what it tried after that holds.
  std::optional<Case> falsified;
  const bool passes = rc::check(std::string(claim.id), [&] {
    const Case input = *gen::case_of(claim);
    if (decide(claim, input).verdict != Verdict::violated) return;
    falsified = input;
    RC_FAIL(recheck_line(claim.id, to_json(input), "claims eval"));
  });
  EXPECT_EQ(passes, claim.status == Status::proved);
  EXPECT_EQ(passes, !falsified);
  if (!falsified) return;
  EXPECT_EQ(decide(claim, *falsified).verdict, Verdict::violated);
  const auto all = read_regressions(regressions_folder(), catalogue());
  const auto kept = std::ranges::find_if(all, [&](const Regression& regression) {
    return regression.claim == claim.id && regression.verdict == Verdict::violated;
  });
  ASSERT_NE(kept, all.end());
  EXPECT_LE(measure(*falsified), measure(kept->input)) << to_json(*falsified).dump();
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
