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

std::string name_of(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

std::vector<std::string> all_ids() {
  std::vector<std::string> ids;
  for (const Claim& claim : catalogue()) ids.emplace_back(claim.id);
  return ids;
}

class ClaimTest : public testing::TestWithParam<std::string> {};

TEST_P(ClaimTest, ComesOutAsExpected) {
  const Claim& claim = find_claim(GetParam());
  const SearchResult result = search_all({&claim, 1}, kRun).front();
  ASSERT_EQ(result.failure, "") << replay_command(claim.id, kRun);
  EXPECT_EQ(result.record.outcome, "as expected") << replay_command(claim.id, kRun);
  EXPECT_EQ(result.record.cases, cases_per_claim(kRun.effort, claim.shape));
  EXPECT_EQ(result.record.assumption_not_met, 0U) << "hypotheses hold by construction";
  EXPECT_EQ(result.record.violated > 0, claim.status == Status::refuted);
  EXPECT_EQ(result.record.smallest_witness.has_value(), claim.status == Status::refuted);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, ClaimTest, testing::ValuesIn(all_ids()), name_of);

}  // namespace

}  // namespace attn::properties
