// Bounds that are all but attained, by less than any interval of the ladder shows, and bounds that
// are attained: no tolerance tells these apart.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "theory/claims/catalogue.hpp"
#include "theory/claims/decide.hpp"
#include "theory/tests/support.hpp"

namespace attn {
namespace {

using nlohmann::json;

struct Tie {
  const char* claim;
  const char* input;
};

/// By how much the sides differ stands beside each.
constexpr Tie kNearTies[] = {
    // Exponentials.
    {"theorem1.fixed.any_set",
     R"({"logits":[-700,800,-100],"temperature":2,"embeddings":[[1],[1],[0]],"set":[1]})"},  // a_0
    {"lemma1.lower", R"({"logits":[0,0,"1e-333"],"a":"1e-333"})"},              // 1e-333
    {"lemma1.upper.sharp", R"({"logits":[650,-640]})"},                         // e^-1290
    {"corollary1.lower", R"({"query":[1],"keys":[["1e-333"],[0],[0]]})"},       // 1e-333
    {"corollary3.sharp", R"({"logits":[0,"1e-222"]})"},                         // 1e-445
    {"corollary3.entrywise", R"({"logits":["1e-222",0],"temperature":3})"},     // 1e-445
    {"corollary3.frobenius", R"({"logits":[0,"1e-333"]})"},                     // 1e-667
    {"softmax.row_sums", R"({"logits":["-1e-333",0]})"},                        // 1e-667
    {"softmax.cocoercive", R"({"logits":[1,1],"step":["1e-222","-1e-222"]})"},  // 1e-445
    {"corollary3.cold.repaired", R"({"logits":[700,0]})"},                      // e^-1400
    {"mass.participation", R"({"logits":[700,1],"N":1})"},                      // e^-1398
    // Exponentials beyond any exponent of a float.
    {"corollary3.cold.repaired", R"({"logits":["1e25",0]})"},
    {"theorem1.fixed.any_set",
     R"({"logits":[0,"1e30","-1e30"],"embeddings":[[1],[1],[0]],"set":[1]})"},
    // Roots of exponentials.
    {"theorem1.fixed.sharp.upper",
     R"({"logits":[700,0,1],"embeddings":[[2,0],[0,2],[2,2]],"N":1})"},
    {"theorem1.random.lower", R"({"logits":[700,0,0],"embeddings":[[1],[1],[3]],"N":1})"},
    {"distance.net", R"({"logits":[0,700,1],"embeddings":[[2,0],[2,0],[0,1]],"set":[1]})"},
    {"retrieval.deletion", R"({"logits":[1,700,0],"embeddings":[[1,0],[2,0],[0,1]],"set":[0]})"},
    {"retrieval.renormalised", R"({"logits":[0,700,1],"embeddings":[[1],[5],[2]],"set":[0]})"},
    {"rank_collapse.diameter", R"({"embeddings":[[-2],[3]],"temperature":"1/99"})"},
    // Norms, by the secular function and by elimination.
    {"corollary3.local.upper", R"({"logits":[0,"1e-333","1e-222"]})"},
    {"lemma2.sharp", R"({"logits":[0,"1e-170"]})"},
    {"lipschitz.softmax1", R"({"logits":[700,700],"normalizer":"softmax1"})"},
    // Rational numbers.
    {"lipschitz.polynomial",
     R"({"logits":[1,1],"normalizer":"polynomial","p":2,"a":")"
     "1."
     "00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
     "0"
     R"(00000000000000000000000000000000000000000000000000000000000000000000001"})"},
    // Logarithms.
    {"lse.upper", R"({"query":[0,0,0],"keys":[[0,0,"1e-333"]]})"},                // 1e-333
    {"lemma1.entropy", R"({"logits":[0,"1e-300"]})"},                             // 1e-600
    {"lipschitz.softplus", R"({"logits":[-700,-700],"normalizer":"softplus"})"},  // e^-700
};

constexpr Tie kViolated[] = {
    {"corollary1.own_key.upper", R"({"query":[1],"keys":[[0],["-1e-350"]]})"},
    {"corollary1.own_key.lower", R"({"query":[1],"keys":[[0],["1e-350"]]})"},
    {"norm_based.largest", R"({"logits":[1,1],"embeddings":[[1,0],[1,"1e-170"]]})"},
    {"norm_based.largest", R"({"logits":["1e-333",0],"embeddings":[[1,0],[1,"1e-160"]]})"},
};

/// What the claims' own tests do not know is left to exact arithmetic.
constexpr Tie kExactTies[] = {
    {"theorem1.fixed", R"({"logits":["5/7",-2,1],"embeddings":[[3,1],[3,1],[3,1]],"N":1})"},
    {"theorem1.fixed.any_set", R"({"logits":[5,5,5],"embeddings":[[1],[1],[1]],"set":[0]})"},
    {"theorem1.fixed.any_set.repaired",
     R"({"logits":[1,0,3],"embeddings":[[2,1],[2,1],[2,1]],"set":[1]})"},
    {"lemma1.upper.sharp", R"({"logits":[5,-1,-1],"a":5,"normalizer":"taylor"})"},
    {"lemma1.lower", R"({"logits":[0,0,0],"temperature":"11/3","normalizer":"softplus"})"},
    {"corollary1.lower", R"({"query":[0,0],"keys":[[1,2],[2,1],[3,3]]})"},
    {"corollary3.cold.sharp", R"({"logits":[9,-9]})"},
    {"corollary3.sharp", R"({"logits":[2,2],"temperature":"1/7"})"},
    {"lipschitz.taylor", R"({"logits":[0,"-10/7"],"temperature":"5/7","normalizer":"taylor"})"},
    {"lipschitz.entmax.any_length",
     R"({"logits":["2/3","2/3",-8],"temperature":5,"normalizer":"entmax"})"},
    {"rank_collapse.diameter",
     R"({"embeddings":[[0,"1/5"],["1/5",0],["1/5",0],[0,"1/5"]],"temperature":3})"},
    {"sink.no_op",
     R"({"logits":[-901,"1/3","1/7"],"embeddings":[[0,0],[4,3],[4,3]],"direction":[4,3],"constant":5})"},
    {"mass.fano", R"({"logits":[2,0,0,0],"N":1})"},
    {"retrieval.renormalised.better",
     R"({"logits":[0,2,1],"embeddings":[[4,0],[2,3],[2,3]],"set":[0]})"},
    {"lse.upper", R"({"query":[1,2],"keys":[[1,0]]})"},
};

void expect_verdict(std::string_view id, const json& input, Verdict verdict) {
  SCOPED_TRACE(std::string(id) + " " + input.dump());
  const Claim& claim = find_claim(id);
  const Case read = read_case(claim, input);
  const Decision usual = decide(claim, read);
  EXPECT_EQ(usual.verdict, verdict);
  const Certificate certificate = certify(claim, read);
  EXPECT_EQ(certificate.decision.verdict, verdict);
  if (verdict != Verdict::equal) {
    EXPECT_EQ(usual.by, By::exact);
    EXPECT_EQ(certificate.decision.by, By::exact);
    return;
  }
  EXPECT_EQ(certificate.lhs, certificate.rhs) << "one number";
  EXPECT_EQ(certificate.lhs_lower, certificate.rhs_lower);
  // What is known of the claim is said by exact arithmetic too.
  Claim without = claim;
  without.attained = nullptr;
  EXPECT_EQ(decide(without, read).verdict, verdict);
}

TEST(Ties, ThatAreNoneHold) {
  for (const auto& [claim, input] : kNearTies)
    expect_verdict(claim, json::parse(input), Verdict::holds);
}

TEST(Ties, ThatAreNoneAreViolated) {
  for (const auto& [claim, input] : kViolated) {
    expect_verdict(claim, json::parse(input), Verdict::violated);
  }
}

TEST(Ties, AreEqual) {
  for (const auto& [claim, input] : kExactTies)
    expect_verdict(claim, json::parse(input), Verdict::equal);
}

/// Both sides of the case are 0: D, and what is left of A (L - N) - (1 - A) = 2/3 - 2/3.
TEST(Ties, AtZeroPrintZero) {
  const Claim& claim = find_claim("theorem1.fixed.any_set");
  const Certificate certificate = certify(
      claim,
      test::case_of(claim.kind, R"({"logits":[5,5,5],"embeddings":[[1],[1],[1]],"set":[0]})"));
  for (const std::string& text :
       {certificate.lhs, certificate.rhs, certificate.lhs_lower, certificate.lhs_upper,
        certificate.rhs_lower, certificate.rhs_upper}) {
    EXPECT_EQ(text, "0");
  }
}

/// One side alone is 0, by cancellation of exponentials.
TEST(Ties, ASideThatIsZeroPrintsZero) {
  const Claim& claim = find_claim("theorem1.fixed.sharp.lower");
  const Certificate certificate =
      certify(claim, test::case_of(claim.kind, R"({"logits":[5,0,0],"temperature":"1/3",
                                           "embeddings":[[0],[-2],[-2]],"N":2})"));
  EXPECT_EQ(certificate.rhs, "0");
  EXPECT_EQ(certificate.rhs_lower, "0");
  EXPECT_EQ(certificate.rhs_upper, "0");
}

/// Files of cases that are all but ties, and of ties, by the environment variable that names each.
class GoldenTies : public testing::TestWithParam<const char*> {};

TEST_P(GoldenTies, ComeOutAsExpected) {
  const char* file = std::getenv(GetParam());
  if (file == nullptr) GTEST_SKIP() << GetParam() << " is not set";
  std::ifstream in(file);
  ASSERT_TRUE(in) << file << " cannot be read";
  const json ties = json::parse(in);
  ASSERT_FALSE(ties.empty());
  for (const json& entry : ties) {
    SCOPED_TRACE(entry.dump());
    const Claim& claim = find_claim(entry.at("claim").get<std::string>());
    const Case input = read_case(claim, entry.at("case"));
    const std::string expected = entry.at("expected");
    EXPECT_EQ(to_string(decide(claim, input).verdict), expected);
    EXPECT_EQ(to_string(certify(claim, input).decision.verdict), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Files, GoldenTies, testing::Values("ATTN_NEAR_EQUAL", "ATTN_EXACT_EQUAL"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace attn
