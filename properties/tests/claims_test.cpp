// One test for each claim of the catalogue: its property comes out as mathematics says.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "properties/search/search.hpp"
#include "theory/catalogue.hpp"

namespace attn::properties {

namespace {

constexpr Run kRun{.seed = 1, .effort = Effort::quick, .threads = 1};

std::string name_of(const testing::TestParamInfo<Claim>& info) {
  std::string name(info.param.id);
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

class ClaimTest : public testing::TestWithParam<Claim> {};

TEST_P(ClaimTest, ComesOutAsExpected) {
  const Claim claim = GetParam();
  const SearchResult result = search_all({&claim, 1}, kRun).front();
  ASSERT_EQ(result.failure, "") << replay_command(claim.id, kRun);
  EXPECT_EQ(result.record.outcome, "as expected") << replay_command(claim.id, kRun);
  EXPECT_EQ(result.record.cases, cases_per_claim(kRun.effort, claim.shape));
  EXPECT_EQ(result.record.assumption_not_met, 0U) << "hypotheses hold by construction";
  EXPECT_EQ(result.record.violated > 0, claim.status == Status::refuted);
  EXPECT_EQ(result.record.smallest_witness.has_value(), claim.status == Status::refuted);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, ClaimTest,
                         testing::ValuesIn(catalogue().begin(), catalogue().end()), name_of);

}  // namespace

}  // namespace attn::properties
