// Every wrong version of a formula is caught by the search that guards the right one.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "properties/mutants/mutant.hpp"
#include "properties/search/search.hpp"
#include "properties/search/seed.hpp"

namespace attn::properties {

namespace {

/// A mutant that gtest prints by its change.
struct Named {
  Mutant mutant;
  friend void PrintTo(const Named& named, std::ostream* out) {
    *out << named.mutant.claim.id << ": " << named.mutant.change;
  }
};

std::vector<Named> all_mutants() {
  std::vector<Named> all;
  for (const auto& section : {distance_mutants(), separability_mutants(), gradient_mutants()}) {
    for (const Mutant& mutant : section) all.push_back({mutant});
  }
  return all;
}

std::string name_of(const testing::TestParamInfo<Named>& info) {
  std::string name(info.param.mutant.claim.id);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '.' || c == '/'; }, '_');
  return name;
}

class MutantTest : public testing::TestWithParam<Named> {};

TEST_P(MutantTest, IsFoundViolatedAndShrunkAtQuickEffort) {
  const Claim& claim = GetParam().mutant.claim;
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
