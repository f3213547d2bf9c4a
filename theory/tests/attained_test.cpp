// Bounds that are attained exactly, where the enclosures of both sides overlap at any precision.
#include "theory/attention/attained.hpp"

#include <gtest/gtest.h>

#include <string>

#include "theory/claims/catalogue.hpp"
#include "theory/claims/decide.hpp"
#include "theory/number/interval.hpp"
#include "theory/tests/support.hpp"

namespace attn {
namespace {

constexpr const char* kLower = "theorem1.fixed.sharp.lower";
constexpr const char* kUpper = "theorem1.fixed.sharp.upper";
constexpr const char* kAnySet = "theorem1.fixed.any_set.sharp";
constexpr const char* kLinear = "distance.linear";
constexpr const char* kNet = "distance.net";
constexpr const char* kRandom = "theorem1.random.lower";
constexpr const char* kFullSet = "corollary2.full_set.sharp";

Decision decided(const char* id, const std::string& fields) {
  const Claim& claim = find_claim(id);
  const Case input = test::case_of(claim.kind, "{" + fields + "}");
  validate(claim, input);
  return decide(claim, input);
}

void expect_attained(const char* id, const std::string& fields) {
  const Decision decision = decided(id, fields);
  EXPECT_EQ(decision.verdict, Verdict::equal) << id << " " << fields;
  EXPECT_LE(decision.digits, 50U) << id << " " << fields;
}

/// In one dimension c = w/(u + w) for weights u and w, which is not rational: D = 0, and core and
/// spread are both u w/(u + w).
TEST(Attained, WithSidesOfZero) {
  expect_attained(kLower, R"("logits":[5,0,0],"temperature":"1/3","embeddings":[[0],[-2],[-2]],
                             "N":2)");
  expect_attained(kLower, R"("logits":[5,0,0],"embeddings":[[0,0],[3,-4],[3,-4]],"N":2)");
  expect_attained(kLower, R"("logits":[5,0,0],"normalizer":"sigmoid","embeddings":[[0],[1],[1]],
                             "N":2)");
}

/// 2^1 and 2^0: the weights are 2/3 and 1/3.
TEST(Attained, ByPowersOfTheLength) {
  for (const char* id :
       {kLower, "theorem1.random.lower", "theorem1.random.upper", "theorem1.random.sharp"}) {
    expect_attained(id, R"("logits":[1,0],"normalizer":"scalable_softmax",
                           "embeddings":[[1],[2]],"N":1)");
  }
}

TEST(Attained, WithSidesThatAreNot) {
  // The selected tokens are off the line that their sum is on.
  expect_attained(kUpper, R"("logits":[0,0,-5],"embeddings":[[1,0],[-1,0],[7,3]],"N":2)");
  expect_attained(kNet, R"("logits":[5,0,1],"embeddings":[[1],[-2],[0]],"set":[0])");
  expect_attained(kNet, R"("logits":[5,0,1],"embeddings":[[-1],[-3],[1]],"set":[0])");
  expect_attained(kNet, R"("logits":[5,0,1],"embeddings":[[1,2],[-2,7],[0,1]],"set":[0,2])");
  // On the line through (1, 2), but for tokens that weigh nothing.
  expect_attained(kNet, R"("logits":[5,0,0],"embeddings":[[-1,-2],[3,6],[1,2]],"set":[0])");
  expect_attained(kNet, R"("logits":[5,4,-9,-9],"normalizer":"entmax",
                           "embeddings":[[1,2],[-1,-2],[3,-5],[0,7]],"set":[0])");
  // One token has all the weight.
  for (const char* id : {kRandom, kFullSet}) {
    expect_attained(id, R"("logits":[5,0,0,1],"normalizer":"entmax",
                           "embeddings":[[2,1],[-1,0],[3,3],[4,-5]],"N":2)");
    expect_attained(id, R"("logits":[5,0,0],"embeddings":[[0,0],[-1,7],[0,0]],"N":1)");
  }
  expect_attained(kAnySet, R"("logits":[0,0,5],"embeddings":[[1],[-1],[0]],"set":[0,1])");
  expect_attained(kAnySet, R"("logits":[0,5],"embeddings":[[1],[3]],"set":[0])");
  expect_attained(kLinear, R"("logits":[5,0,0],"embeddings":[[0],[1],[1]],"set":[0,1])");
  // 1e-100 is left of terms that are near 1.
  expect_attained(kLower, R"("logits":[5,0,"1e-100"],"embeddings":[[0],[1],[1]],"N":2)");
}

TEST(Attained, NotByLittle) {
  const auto expect_holds = [](const char* id, const std::string& fields) {
    EXPECT_EQ(decided(id, fields).verdict, Verdict::holds) << id << " " << fields;
  };
  const std::string more = "1." + std::string(99, '0') + "1";
  expect_holds(kLower, R"("logits":[5,0,0],"embeddings":[[0],[1],[")" + more + R"("]],"N":2)");
  expect_holds(kLower, R"("logits":[5,0,0],"embeddings":[[0,0],[1,0],[1,"1e-60"]],"N":2)");
  expect_holds(kUpper, R"("logits":[0,0,-5],"embeddings":[[")" + more + R"("],[-1],[7]],"N":2)");
  expect_holds(kLinear,
               R"("logits":[5,0,0],"embeddings":[[0],[1],[")" + more + R"("]],"set":[0,1])");
  expect_holds(kNet, R"("logits":[5,0,0],"embeddings":[[-1,-2],[3,6],[1,"2.0001"]],"set":[0])");
  expect_holds(kNet, R"("logits":[5,4,0],"normalizer":"entmax",
                        "embeddings":[[-1,-2],[3,5],[1,7]],"set":[0])");
  for (const char* id : {kRandom, kFullSet}) {
    expect_holds(id, R"("logits":[5,4,0],"normalizer":"entmax",
                        "embeddings":[[2,1],[2,"1.0001"],[3,3]],"N":1)");
  }
  // s is between what the two outside add.
  expect_holds(kNet, R"("logits":[0,0,5],"embeddings":[[1],[")" + more + R"("],[0]],"set":[0])");
}

/// 240 digits do not tell on which side of c a token is that is c to 270.
TEST(Attained, OnlyWhereThatIsCertain) {
  const Real<300> c = 1 / (1 + exp(Real<300>(5)));
  Case input{.kind = InputKind::top_n_embeddings,
             .logits = {5, 0, 0},
             .top_n = 2,
             .embeddings = {{0}, {1}, {}}};
  input.embeddings[2].push_back(parse_rational(c.str(270, std::ios_base::fixed)));
  const Case near = input;
  EXPECT_FALSE(attains_centred_lower(CaseContext(near)));
  EXPECT_FALSE(attains_centred_upper(CaseContext(near)));
}

TEST(Attained, IsSaidOfTheClaimsOwnSidesAlone) {
  for (const char* id : {kLower, kUpper, kAnySet, kLinear}) {
    const Claim& claim = find_claim(id);
    ASSERT_NE(claim.attained, nullptr) << id;
    for (const Mutant& mutant : claim.mutants) {
      const bool own = mutant.evaluators == nullptr;
      EXPECT_EQ(as_mutated_claim(claim, mutant).attained, own ? claim.attained : nullptr)
          << mutant.id;
    }
  }
}

}  // namespace
}  // namespace attn
