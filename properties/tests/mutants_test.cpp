// Every wrong version of a formula is caught by the search that guards the right one.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "properties/mutants/mutant.hpp"
#include "properties/search/search.hpp"
#include "properties/search/seed.hpp"

namespace attn::properties {

namespace {

std::vector<Mutant> all_mutants() {
  std::vector<Mutant> all;
  for (const auto& section : {distance_mutants(), separability_mutants(), gradient_mutants()}) {
    all.insert(all.end(), section.begin(), section.end());
  }
  return all;
}

std::string name_of(const testing::TestParamInfo<Mutant>& info) {
  std::string name(info.param.claim.id);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '.' || c == '/'; }, '_');
  return name;
}

class MutantTest : public testing::TestWithParam<Mutant> {};

TEST_P(MutantTest, IsFoundViolatedAndShrunkAtQuickEffort) {
  const Claim& claim = GetParam().claim;
  const Property property{.claim = claim.id, .given = "as for the claim", .hypotheses = "none"};
  const SearchResult result = search(claim, property,
                                     {.seed = property_seed(1, claim.id),
                                      .cases = cases_per_claim(Effort::quick, claim.shape),
                                      .shrink = shrink_budget(Effort::quick)});
  EXPECT_EQ(result.record.outcome, "unexpected");
  EXPECT_GT(result.record.violated, 0U);
  ASSERT_TRUE(result.record.smallest_witness);
  EXPECT_EQ(result.record.smallest_witness->verdict, "violated");
  EXPECT_GE(result.record.smallest_witness->digits, 100U);
}

INSTANTIATE_TEST_SUITE_P(All, MutantTest, testing::ValuesIn(all_mutants()), name_of);

}  // namespace

}  // namespace attn::properties
