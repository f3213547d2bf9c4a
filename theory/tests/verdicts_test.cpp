// Cases that are hard to decide, or whose sides are known: what a search, intervals alone and the
// second implementation say of them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "theory/claims/catalogue.hpp"
#include "theory/claims/evaluation.hpp"
#include "theory/tests/three_ways.hpp"

namespace attn {
namespace {

using nlohmann::json;

/// Some claims, and cases of each of them.
struct Row {
  std::vector<const char*> claims;
  std::vector<std::string> cases;
};

/// `unmet`: of the name of the hypothesis that is not met.
void expect_all(const Row& row, Verdict verdict, unsigned most_digits = kCapDigits,
                const char* unmet = "") {
  for (const char* const id : row.claims) {
    for (const std::string& text : row.cases) {
      SCOPED_TRACE(fmt::format("{} of {}", id, text));
      const json exact_case = json::parse(text);
      const Claim& claim = find_claim(id);
      const ThreeWays ways =
          decide_three_ways(recheck::listed_checks(), claim, read_case(claim, exact_case));
      EXPECT_EQ(ways.usual.verdict, verdict);
      EXPECT_LE(ways.usual.digits, most_digits);
      EXPECT_THAT(std::string(ways.usual.unmet), testing::HasSubstr(unmet));
      EXPECT_TRUE(ways.compared);
      EXPECT_EQ(ways.contradiction, "");
      const recheck::Rechecked second = recheck::recheck(recheck::listed_checks(), id, exact_case);
      EXPECT_EQ(second.verdict, to_string(verdict));
      EXPECT_THAT(second.unmet, testing::HasSubstr(unmet));
      EXPECT_EQ(second.lhs.lower.empty(), verdict == Verdict::assumption_not_met);
    }
  }
}

constexpr const char* kLower = "theorem1.fixed.sharp.lower";
constexpr const char* kUpper = "theorem1.fixed.sharp.upper";
constexpr const char* kAnySet = "theorem1.fixed.any_set.sharp";
constexpr const char* kLinear = "distance.linear";
constexpr const char* kNet = "distance.net";
constexpr const char* kRandomLower = "theorem1.random.lower";
constexpr const char* kRandomUpper = "theorem1.random.upper";
constexpr const char* kRandomSharp = "theorem1.random.sharp";
constexpr const char* kFullSet = "corollary2.full_set.sharp";

/// exp(-10^30) is beyond all exponents: its enclosure begins at 0, which it is not.
TEST(Verdicts, OfAWeightThatUnderflowsAreDecided) {
  for (const auto& [id, token, normalizer] :
       {std::tuple{kAnySet, 1, "softmax"}, {kLinear, 0, "softmax"}, {kLinear, 0, "softmax1"}}) {
    const json input = json::parse(fmt::format(
        R"({{"logits":[0,"-1e30","-2e30"],"embeddings":[[1],[-1],[3]],"normalizer":"{}","set":[{}]}})",
        normalizer, token));
    const Claim& claim = find_claim(id);
    EXPECT_EQ(decide(claim, read_case(claim, input)).verdict, Verdict::holds) << id;
    EXPECT_NE(recheck::recheck(recheck::listed_checks(), id, input).verdict, "equal") << id;
  }
}

/// The enclosures of both sides overlap at any precision, for the weights are transcendental: that
/// the bound is attained follows from the case itself.
const Row kAttained[] = {
    // In one dimension c = w/(u + w) for weights u and w: D = 0, and core and spread are both
    // u w/(u + w).
    {{kLower},
     {R"({"logits":[5,0,0],"temperature":"1/3","embeddings":[[0],[-2],[-2]],"N":2})",
      R"({"logits":[5,0,0],"embeddings":[[0,0],[3,-4],[3,-4]],"N":2})",
      R"({"logits":[5,0,0],"normalizer":"sigmoid","embeddings":[[0],[1],[1]],"N":2})",
      R"({"logits":[5,0,0],"embeddings":[[0],[1],[1]],"N":2})",
      R"({"logits":[0,0,-5,-5],"embeddings":[[1],[-1],[0],[0]],"N":2})",
      R"({"logits":[5,5,0],"embeddings":[[1,1],[1,-1],[2,0]],"N":2})"}},
    // 1e-100 is left of terms that are near 1.
    {{kLower}, {R"({"logits":[5,0,"1e-100"],"embeddings":[[0],[1],[1]],"N":2})"}},
    // 2^1 and 2^0: the weights are 2/3 and 1/3.
    {{kLower, kRandomLower, kRandomUpper, kRandomSharp},
     {R"({"logits":[1,0],"normalizer":"scalable_softmax","embeddings":[[1],[2]],"N":1})"}},
    // The selected tokens are off the line that their sum is on.
    {{kUpper},
     {R"({"logits":[0,0,-5],"embeddings":[[1,0],[-1,0],[7,3]],"N":2})",
      R"({"logits":[0,0,-5],"embeddings":[[1],[-1],[0]],"N":2})"}},
    {{kNet},
     {R"({"logits":[5,0,1],"embeddings":[[1],[-2],[0]],"set":[0]})",
      R"({"logits":[5,0,1],"embeddings":[[-1],[-3],[1]],"set":[0]})",
      R"({"logits":[5,0,1],"embeddings":[[1,2],[-2,7],[0,1]],"set":[0,2]})"}},
    // On the line through (1, 2), but for tokens that weigh nothing.
    {{kNet},
     {R"({"logits":[5,0,0],"embeddings":[[-1,-2],[3,6],[1,2]],"set":[0]})",
      R"({"logits":[5,4,-9,-9],"normalizer":"entmax",
          "embeddings":[[1,2],[-1,-2],[3,-5],[0,7]],"set":[0]})"}},
    // One token has all the weight.
    {{kRandomLower, kFullSet},
     {R"({"logits":[5,0,0,1],"normalizer":"entmax",
          "embeddings":[[2,1],[-1,0],[3,3],[4,-5]],"N":2})",
      R"({"logits":[5,0,0],"embeddings":[[0,0],[-1,7],[0,0]],"N":1})"}},
    {{kAnySet},
     {R"({"logits":[0,0,5],"embeddings":[[1],[-1],[0]],"set":[0,1]})",
      R"({"logits":[0,5],"embeddings":[[1],[3]],"set":[0]})"}},
    {{kLinear}, {R"({"logits":[5,0,0],"embeddings":[[0],[1],[1]],"set":[0,1]})"}},
    {{"theorem1.fixed"}, {R"({"weights":[0,1],"embeddings":[[0],[0]],"N":1})"}}};

TEST(Verdict, IsEqualWithoutTheLadder) {
  for (const Row& row : kAttained) expect_all(row, Verdict::equal, 50);
}

const std::string kALittleMore = R"("1.)" + std::string(99, '0') + R"(1")";

std::string polynomial(std::size_t zeros) {
  return fmt::format(R"({{"logits":[1,1],"normalizer":"polynomial","p":2,"a":"1.{:0{}}1"}})", 0,
                     zeros);
}

const Row kEqual[] = {
    {{"lemma2.sharp", "lemma2.oblique", "corollary3.sharp"}, {R"({"logits":[0,0]})"}},
    {{"corollary3.local.lower", "corollary3.local.upper"},
     {R"({"logits":[1,1,0,-3]})", R"({"logits":[3,0]})", R"({"logits":[0,"1e-150"]})",
      R"({"logits":[9,0,0,0]})"}},
    // Both sides are zero.
    {{"theorem1.fixed", kUpper, kLower, kRandomLower},
     {R"({"logits":[0,0,0],"embeddings":[[1,2],[1,2],[1,2]],"N":1})"}},
    {{kRandomLower, kRandomUpper, kRandomSharp},
     {R"({"logits":[0,0,0,0],"embeddings":[[1,2],[1,2],[1,2],[1,2]],"N":2})"}},
    {{kLower},
     {R"({"weights":["1/3","1/3","1/3"],"embeddings":[[1],[-1],[0]],"N":2})",
      R"({"logits":[0,0,1],"normalizer":"taylor","embeddings":[[1],[1],["1e-60"]],"N":2})"}},
    // The bound is d1 - X with d1 = X = sqrt 2, and D = 0; and A (L - N) - (1 - A) = 2/3 - 2/3.
    {{"theorem1.fixed.any_set"},
     {R"({"weights":[0,0,1],"embeddings":[[1,1],[-1,-1],[0,0]],"set":[0,1]})",
      R"({"logits":[5,5,5],"embeddings":[[1],[1],[1]],"set":[0]})"}},
    {{kFullSet},
     {R"({"logits":[1,3],"normalizer":"relu_attention","embeddings":[[1],[-1]],"N":1})"}},
    {{"lemma1.upper.sharp"}, {R"({"logits":[2,-2,-2],"normalizer":"sigmoid"})"}},
    {{"lipschitz.polynomial"}, {R"({"logits":[0,1,-5],"normalizer":"polynomial","a":5,"p":3})"}},
    {{"lipschitz.entmax"}, {R"({"logits":[2,0],"normalizer":"entmax"})"}},
    // A single selected token.
    {{"theorem2.lower", "theorem2.lower.sharp", "theorem2.upper.repaired"},
     {R"({"weights":["0.7","0.3"],"N":1,"M":2,"r":"0.01","delta":0,"dimension":3})"}},
    {{"theorem2.lower"},
     {R"({"weights":["0.7","0.3"],"N":1,"M":2,"r":"0.01","delta":"1/10","dimension":3})"}},
    // Nothing moves, nothing is put out or nothing is left.
    {{"softmax.cocoercive"},
     {R"({"logits":["0.1","0.7"],"step":["1/3","1/3"]})",
      R"({"logits":["0.1",90],"step":["1/3","1/3"]})", R"({"logits":[0,1],"step":[2,2]})"}},
    {{"corollary3.step.order"},
     {R"({"logits":["0.1","0.7"],"direction":["1/3","1/3"],"epsilon":"1/9","larger_epsilon":"1/7"})",
      R"({"logits":["0.1",90],"direction":["1/3","1/3"],"epsilon":"1/9","larger_epsilon":90})"}},
    {{"softmax.entropy"}, {R"({"logits":[3,3,3],"colder":"1/2"})"}},
    {{"rank_collapse.diameter"},
     {R"({"embeddings":[["0.1","0.7"],["0.1","0.7"],["0.1","0.7"]],"temperature":3})",
      R"({"embeddings":[[3,-1],[-3,1]]})", R"({"embeddings":[[1,0],[1,0],[0,1],[0,1]]})"}},
    {{"lse.upper"},
     {R"({"query":["1/3"],"keys":[["-1/3"]]})", R"({"query":[1,2],"keys":[[1,0]]})"}},
    {{"cage.norm"},
     {R"({"logits":["0.1","0.7"],"embeddings":[[0],[0]]})",
      R"({"logits":[1,2],"embeddings":[[3,4],[3,4]]})",
      R"({"logits":[1,1],"normalizer":"relu_attention","embeddings":[[3,4],[3,4]]})"}},
    {{"norm_based.largest"}, {R"({"logits":[1,1],"embeddings":[[3,4],[5,0]]})"}}};

TEST(Verdict, IsEqualWhereABoundIsAttained) {
  for (const Row& row : kEqual) expect_all(row, Verdict::equal);
}

/// The sink is at 0, and all others where the bound is met, whatever the weights are.
TEST(Verdict, IsEqualOnASink) {
  for (const char* const scores :
       {R"("weights":[0,"1/3","2/3"])", R"("weights":[1,0,0])",
        R"("logits":[-9,"0.1","0.2"],"normalizer":"entmax")",
        R"("logits":[-9,"0.1","0.2"],"normalizer":"sparsemax")",
        R"("logits":[-900,"0.1","0.2"],"normalizer":"softmax")",
        R"("logits":[-900,"0.1","0.2"],"normalizer":"sigmoid")",
        R"("logits":[-900,"0.1","0.2"],"normalizer":"softplus")",
        R"("logits":[-900,"0.1","0.2"],"normalizer":"scalable_softmax")"}) {
    constexpr auto kSink =
        R"({{{},"embeddings":[[0],["-1/3"],["-1/3"]],"direction":[-7],"constant":"1/3"}})";
    expect_all({{"sink.no_op"}, {fmt::format(kSink, scores)}}, Verdict::equal);
  }
}

/// Ten equal weights, of which nine tokens are selected: xi_i is 4/5.
std::string sphere(const std::string& rest) {
  return R"({"weights":["0.1","0.1","0.1","0.1","0.1","0.1","0.1","0.1","0.1","0.1"],
             "N":9,"M":1,)" +
         rest + "}";
}

const std::string kAboveEveryXi =
    sphere(R"("r":"0.80000000000000000000000000000000000000000000001","delta":0,"dimension":3)");
const std::string kApart = sphere(R"("r":"1/2","delta":"1/100","dimension":3)");

const Row kHolds[] = {
    // All but attained.
    {{kLower},
     {R"({"logits":[5,0,0],"embeddings":[[0],[1],[)" + kALittleMore + R"(]],"N":2})",
      R"({"logits":[5,0,0],"embeddings":[[0,0],[1,0],[1,"1e-60"]],"N":2})"}},
    {{kUpper}, {R"({"logits":[0,0,-5],"embeddings":[[)" + kALittleMore + R"(],[-1],[7]],"N":2})"}},
    {{kLinear},
     {R"({"logits":[5,0,0],"embeddings":[[0],[1],[)" + kALittleMore + R"(]],"set":[0,1]})"}},
    {{kNet},
     {R"({"logits":[5,0,0],"embeddings":[[-1,-2],[3,6],[1,"2.0001"]],"set":[0]})",
      R"({"logits":[5,4,0],"normalizer":"entmax","embeddings":[[-1,-2],[3,5],[1,7]],"set":[0]})",
      // s is between what the two outside add.
      R"({"logits":[0,0,5],"embeddings":[[1],[)" + kALittleMore + R"(],[0]],"set":[0]})"}},
    {{kRandomLower, kFullSet},
     {R"({"logits":[5,4,0],"normalizer":"entmax","embeddings":[[2,1],[2,"1.0001"],[3,3]],"N":1})"}},
    {{"lipschitz.sigmoid"}, {R"({"logits":[-100,-100],"normalizer":"sigmoid"})"}},
    {{"lipschitz.softmax1"}, {R"({"logits":[300,300],"normalizer":"softmax1"})"}},
    {{"lipschitz.polynomial"}, {polynomial(200)}},
    // Logits 1e-90 apart lower the norm by 1e-180 relative.
    {{"corollary3.sharp"}, {R"({"logits":[0,"1e-90"]})"}},
    // Singular values that all but coincide.
    {{"lemma2.oblique"}, {R"({"normalizer":"softplus",
          "logits":["25.97325897216796875","25.973258912563323974609375",
                    "25.97325801849365234375","25.97325909137725830078125"]})"}},
    // Steps of any length, and one that moves all alike.
    {{"corollary3.step"},
     {R"({"logits":[0,0],"epsilon":"1e-30","direction":[1,-1]})",
      R"({"logits":[0,0],"epsilon":"1e10000","direction":[1,-1]})",
      R"({"logits":[0,1],"epsilon":"1e5","direction":[-1,-1]})"}},
    // All the weight on one token, and exponentials far beyond any exponent.
    {{"corollary3.sharp"}, {R"({"logits":["2e18",0]})"}},
    {{"lipschitz.sigmoid"}, {R"({"logits":["1e19",0],"normalizer":"sigmoid"})"}},
    {{"lipschitz.softplus"}, {R"({"logits":["1e19",0],"normalizer":"softplus"})"}},
    {{"softmax.entropy"}, {R"({"logits":[3,2],"colder":"1/1000"})"}},
    // Where all logits are positive the range starts at zero, not at the least of them.
    {{"lipschitz.self_adjusted"},
     {R"({"logits":[1,1],"normalizer":"self_adjusted","step":[1,1],"K":1})"}},
    // o = 2/3 x.
    {{"cage.norm"}, {R"({"logits":[0,0],"normalizer":"softmax1","embeddings":[[3,4],[3,4]]})"}},
    {{"theorem2.lower"}, {kAboveEveryXi, kApart}}};

TEST(Verdict, HoldsWhereSidesAreHardToTellApart) {
  for (const Row& row : kHolds) expect_all(row, Verdict::holds);
}

TEST(Verdict, IsViolatedOnASphere) {
  // Below and above every xi_i.
  expect_all({{"theorem2.upper"}, {kApart, kAboveEveryXi}}, Verdict::violated);
  // At all xi_i.
  expect_all({{"theorem2.upper"}, {sphere(R"("r":"4/5","delta":0,"dimension":3)")}},
             Verdict::equal);
}

struct Unmet {
  const char* hypothesis;
  Row row;
};

const Unmet kUnmet[] = {
    {"|l_i| <= a", {{"lemma1.lower"}, {R"({"logits":[0,1],"a":"1/2"})"}}},
    {"Assumption 1 alone", {{"theorem2.lower.sharp", "theorem2.upper.repaired"}, {kApart}}},
    // C(10, 2) delta^2/4 >= 1: some pair may be closer for all that is known. And two points of S^0
    // are equal or opposite: no bound on the conditional share in d = 1.
    {"Assumptions 1 and 2",
     {{"theorem2.lower"},
      {sphere(R"("r":"1/2","delta":"3/10","dimension":3)"),
       sphere(R"("r":"1/2","delta":"1/100","dimension":1)")}}},
    {"T' < T",
     {{"corollary3.cold", "softmax.entropy"}, {R"({"logits":[0,1],"temperature":2,"colder":2})"}}},
    {"epsilon < epsilon'",
     {{"corollary3.step.order"},
      {R"({"logits":[0,1],"direction":[0,1],"epsilon":2,"larger_epsilon":1})"}}},
    {"u . x_0 >= 0",
     {{"sink.no_op"},
      {R"({"weights":["1/2","1/2"],"embeddings":[[-1],[2]],"direction":[1],"constant":1})"}}},
    {"u . x_i >= c ||u|| for every i != 0",
     {{"sink.no_op"},
      {R"({"weights":["1/2","1/2"],"embeddings":[[0],[1]],"direction":[1],"constant":2})",
       R"({"weights":["1/2","1/2"],"embeddings":[[0],[-2]],"direction":[1],"constant":1})"}}},
    {"L >= 1000 N",
     {{"theorem1.random.linear"}, {R"({"L":1999,"N":2,"embeddings":[[1]],"epsilon":1})"}}},
    {"L >= 1000", {{"theorem1.random.gap"}, {R"({"L":998,"N":2,"embeddings":[[1]],"epsilon":1})"}}},
    {"L even", {{"theorem1.random.gap"}, {R"({"L":1001,"N":2,"embeddings":[[1]],"epsilon":1})"}}},
    {"L < longer",
     {{"scalable_softmax.peak"},
      {R"({"L":4,"longer":4,"spread":1})", R"({"L":4,"longer":3,"spread":1})"}}},
    {"(max l - min l)/T >= 7",
     {{"lemma2.vanishing"},
      {R"({"logits":["6.999999999999999999999999999999999",0]})",
       R"({"logits":[7,0],"temperature":"1.00000000000000000000000001"})"}}},
    {"v + w > 0",
     {{"mass.gap"},
      {R"({"weights":[1,0,0],"set":[0,1]})", R"({"logits":[9,0,1],"normalizer":"sparsemax","N":2})",
       R"({"logits":[9,0,1],"normalizer":"entmax","N":2})"}}},
    {"A > 0",
     {{"retrieval.renormalised.variance", "retrieval.by_weight"},
      {R"({"weights":[1,0],"embeddings":[[1],[2]],"set":[1]})"}}},
    {"sum", {{"mass.gap"}, {R"({"logits":[1,0],"normalizer":"softmax1","N":1})"}}},
    // A limit that so few tokens cannot bring near.
    {"L >= 1000 N/epsilon",
     {{"corollary2.long_context"}, {R"({"L":2000,"N":2,"embeddings":[[1]],"epsilon":"1/2000"})"}}},
    {"a_i >= 0 and sum a_i <= 1",
     {{"cage.norm"},
      {R"({"logits":[2,1],"normalizer":"relu_attention","embeddings":[[3,4],[3,4]]})",
       R"({"logits":[9,9],"normalizer":"sigmoid_attention","embeddings":[[3,4],[3,4]]})"}}},
    {"a_i >= 0 and sum a_i <= 1",
     {{"corollary2.full_set"},
      {R"({"logits":[1,3],"normalizer":"relu_attention","embeddings":[[1],[-1]],"N":1})",
       R"({"logits":[9,9],"normalizer":"sigmoid_attention","embeddings":[[1],[-1]],"N":1})"}}},
    {"not all",
     {{"lipschitz.self_adjusted"},
      {R"({"logits":[0,0],"normalizer":"self_adjusted","step":[1,0],"K":1})",
       R"({"logits":[1,0],"normalizer":"self_adjusted","step":[-1,0],"K":1})"}}},
    {"self_adjusted: not all logits zero",
     {{"cage.norm"},
      {R"({"logits":[0,0],"normalizer":"self_adjusted","embeddings":[[3,4],[3,4]]})"}}}};

TEST(Verdict, NamesTheHypothesisThatIsNotMet) {
  for (const auto& [hypothesis, row] : kUnmet) {
    expect_all(row, Verdict::assumption_not_met, kCapDigits, hypothesis);
  }
}

/// Where a set is drawn at random nothing is asked of the weights but that there are some.
TEST(Verdict, OfRandomSetsAsksForNoShares) {
  const std::vector<const char*> claims = {kRandomLower, kRandomUpper, kRandomSharp,
                                           "corollary2.long_context.repaired",
                                           "corollary2.full_set"};
  const auto row = [&](const char* normalizer) -> Row {
    return {claims,
            {fmt::format(R"({{"logits":[1,-2,"1/3"],"embeddings":[[1,0],[1,2],[-1,"1/2"]],"N":1,
                              "normalizer":"{}"}})",
                         normalizer)}};
  };
  for (const char* const normalizer :
       {"self_adjusted", "softmax1", "sigmoid_attention", "relu_attention"}) {
    expect_all(row(normalizer), Verdict::holds);
  }
  const Verdict unmet = Verdict::assumption_not_met;
  expect_all(row("pooling"), unmet, kCapDigits, "pooling: a gain");
  expect_all(row("polynomial"), unmet, kCapDigits, "polynomial: a degree");
  expect_all(
      {claims, {R"({"logits":[0,0],"normalizer":"self_adjusted","embeddings":[[1],[2]],"N":1})"}},
      unmet, kCapDigits, "self_adjusted: not all logits zero");
}

/// Forty digits agree: |x - y| <= 1e-40 max(|x|, |y|).
bool agree(const std::string& x, const std::string& y) {
  const Real<100> a(x), b(y);
  return abs(Real<100>(a - b)) <= Real<100>("1e-40") * std::max<Real<100>>(abs(a), abs(b));
}

/// Files of cases with both sides to 45 digits, computed elsewhere in 60-digit arithmetic, by the
/// environment variable that names each.
class GoldenCases : public testing::TestWithParam<const char*> {};

TEST_P(GoldenCases, AgreeToFortyDigitsAndInVerdict) {
  const char* file = std::getenv(GetParam());
  if (file == nullptr) GTEST_SKIP() << GetParam() << " is not set";
  std::ifstream in(file);
  ASSERT_TRUE(in) << file << " cannot be read";
  const json golden = json::parse(in);
  ASSERT_FALSE(golden.empty());
  for (const json& entry : golden) {
    SCOPED_TRACE(entry.dump());
    const auto id = entry.at("claim").get<std::string>();
    const Claim& claim = find_claim(id);
    const Case input = read_case(claim, entry.at("case"));
    const Certificate first = certify(claim, input);
    const recheck::Rechecked second =
        recheck::recheck(recheck::listed_checks(), id, entry.at("case"));
    const std::string verdict = entry.at("verdict"), lhs = entry.at("lhs"), rhs = entry.at("rhs");
    EXPECT_EQ(to_string(decide(claim, input).verdict), verdict);
    EXPECT_EQ(to_string(first.decision.verdict), verdict);
    EXPECT_EQ(second.verdict, verdict);
    for (const std::string& side : {first.lhs, second.lhs.lower, second.lhs.upper}) {
      EXPECT_TRUE(agree(side, lhs)) << side << " against " << lhs;
    }
    for (const std::string& side : {first.rhs, second.rhs.lower, second.rhs.upper}) {
      EXPECT_TRUE(agree(side, rhs)) << side << " against " << rhs;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Files, GoldenCases,
                         testing::Values("ATTN_GOLDEN_CASES", "ATTN_GOLDEN_CASES_2",
                                         "ATTN_GOLDEN_CASES_3", "ATTN_GOLDEN_CASES_4"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace attn
