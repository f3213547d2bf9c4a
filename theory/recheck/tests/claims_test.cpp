// Cases that the second implementation decides by what it knows exactly, and those it refuses.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "theory/base/tests/expect_bad_input.hpp"
#include "theory/recheck/input.hpp"
#include "theory/recheck/recheck.hpp"

namespace attn::recheck {
namespace {

using nlohmann::json;

Rechecked check(const std::string& id, const std::string& exact_case) {
  return recheck(listed_checks(), id, json::parse(exact_case));
}

std::string verdict(const std::string& id, const std::string& exact_case) {
  return check(id, exact_case).verdict;
}

/// Both ends of the enclosure lie within 1e-40 of `value`.
void expect_side(const Ball& side, const Rational& value) {
  const Rational little(fmt::format("1/1{:040}", 0));
  EXPECT_LT(::abs(rational_from(side.lower, "lower") - value), little) << side.lower;
  EXPECT_LT(::abs(rational_from(side.upper, "upper") - value), little) << side.upper;
}

/// A number to 50 digits.
Rational decimal(const std::string& digits) {
  return rational_from(digits, "expected");
}

void expect_sides(const std::string& id, const std::string& exact_case, const Rational& lhs,
                  const Rational& rhs) {
  SCOPED_TRACE(id);
  const Rechecked result = check(id, exact_case);
  expect_side(result.lhs, lhs);
  expect_side(result.rhs, rhs);
}

TEST(Verdicts, OfAttainedBoundsAreEqual) {
  for (const char* id : {"lemma2.sharp", "lemma2.oblique", "corollary3.sharp"}) {
    EXPECT_EQ(verdict(id, R"({"logits":[0,0]})"), "equal") << id;
  }
  for (const char* id : {"corollary3.local.lower", "corollary3.local.upper"}) {
    for (const char* row : {R"({"logits":[1,1,0,-3]})", R"({"logits":[3,0]})",
                            R"({"logits":[0,"1e-150"]})", R"({"logits":[9,0,0,0]})"}) {
      EXPECT_EQ(verdict(id, row), "equal") << id << " " << row;
    }
  }
  for (const char* id : {"theorem1.fixed", "theorem1.fixed.sharp.upper",
                         "theorem1.fixed.sharp.lower", "theorem1.random.lower"}) {
    EXPECT_EQ(verdict(id, R"({"logits":[0,0,0],"N":1,"embeddings":[[1,2],[1,2],[1,2]]})"), "equal")
        << id << ": both sides are zero";
  }
  for (const char* id :
       {"theorem1.random.lower", "theorem1.random.upper", "theorem1.random.sharp"}) {
    EXPECT_EQ(verdict(id, R"({"logits":[0,0,0,0],"N":2,"embeddings":[[1,2],[1,2],[1,2],[1,2]]})"),
              "equal")
        << id;
  }
  EXPECT_EQ(verdict("lemma1.upper.sharp", R"({"logits":[2,-2,-2],"normalizer":"sigmoid"})"),
            "equal");
  EXPECT_EQ(verdict("lipschitz.polynomial", R"({"logits":[0,1,-5],"a":5,"p":3})"), "equal");
  EXPECT_EQ(verdict("lipschitz.entmax", R"({"logits":[2,0]})"), "equal") << "both sides are zero";
}

TEST(Verdicts, OfTheClaimsBesideThePaper) {
  EXPECT_EQ(verdict("softmax.entropy", R"({"logits":[3,3,3],"colder":"1/2"})"), "equal");
  EXPECT_EQ(verdict("softmax.entropy", R"({"logits":[3,2],"colder":"1/1000"})"), "holds");
  EXPECT_EQ(verdict("softmax.cocoercive", R"({"logits":[0,1],"step":[2,2]})"), "equal");
  EXPECT_EQ(verdict("corollary3.step.order",
                    R"({"logits":[0,1],"direction":[2,2],"epsilon":1,"larger_epsilon":3})"),
            "equal");
  for (const char* const x :
       {"[[1,2],[1,2],[1,2]]", "[[3,-1],[-3,1]]", "[[1,0],[1,0],[0,1],[0,1]]"}) {
    EXPECT_EQ(verdict("rank_collapse.diameter", fmt::format(R"({{"embeddings":{}}})", x)), "equal");
  }
  EXPECT_EQ(verdict("cage.norm", R"({"logits":[1,2],"embeddings":[[3,4],[3,4]]})"), "equal");
  EXPECT_EQ(verdict("norm_based.largest", R"({"logits":[1,1],"embeddings":[[3,4],[5,0]]})"),
            "equal");
  EXPECT_EQ(verdict("lse.upper", R"({"query":[1,2],"keys":[[1,0]]})"), "equal");
  const auto sink = [](const std::string& scores) {
    return verdict("sink.no_op", "{" + scores + R"(,"embeddings":[[0],["1/3"],["1/3"]],
        "direction":[2],"constant":"1/3"})");
  };
  EXPECT_EQ(sink(R"("weights":[0,"1/2","1/2"])"), "equal");
  EXPECT_EQ(sink(R"("logits":[-9,"1/10","1/5"],"normalizer":"entmax")"), "equal");
  EXPECT_EQ(sink(R"("logits":[-900,"1/10","1/5"])"), "equal");
}

/// Where the weights are transcendental and both sides zero, or all but cancel.
TEST(Verdicts, OfAttainedDistancesAreEqual) {
  const auto attained = [](const std::string& id, const std::string& fields) {
    EXPECT_EQ(verdict(id, "{" + fields + "}"), "equal") << id << " " << fields;
  };
  const std::string lower = "theorem1.fixed.sharp.lower";
  attained(lower, R"("logits":[5,0,0],"embeddings":[[0],[1],[1]],"N":2)");
  attained(lower, R"("logits":[5,0,0],"temperature":"1/3","embeddings":[[0,0],[3,-4],[3,-4]],
                     "N":2)");
  attained(lower, R"("logits":[5,0,0],"normalizer":"sigmoid","embeddings":[[0],[1],[1]],"N":2)");
  attained(lower, R"("logits":[0,0,-5,-5],"embeddings":[[1],[-1],[0],[0]],"N":2)");
  attained(lower, R"("logits":[5,5,0],"embeddings":[[1,1],[1,-1],[2,0]],"N":2)");
  attained(lower, R"("logits":[5,0,"1e-100"],"embeddings":[[0],[1],[1]],"N":2)");
  const std::string upper = "theorem1.fixed.sharp.upper";
  attained(upper, R"("logits":[0,0,-5],"embeddings":[[1],[-1],[0]],"N":2)");
  attained(upper, R"("logits":[0,0,-5],"embeddings":[[1,0],[-1,0],[7,3]],"N":2)");
  const std::string any_set = "theorem1.fixed.any_set.sharp";
  attained(any_set, R"("logits":[0,0,5],"embeddings":[[1],[-1],[0]],"set":[0,1])");
  attained(any_set, R"("logits":[0,5],"embeddings":[[1],[3]],"set":[0])");
  attained("distance.linear", R"("logits":[5,0,0],"embeddings":[[0],[1],[1]],"set":[0,1])");
  const std::string by_powers =
      R"("logits":[1,0],"normalizer":"scalable_softmax","embeddings":[[1],[2]],"N":1)";
  attained(lower, by_powers);
  attained("theorem1.random.sharp", by_powers);
  EXPECT_EQ(verdict(lower, R"({"logits":[5,0,0],"embeddings":[[0,0],[1,0],[1,"1e-60"]],"N":2})"),
            "holds");
}

TEST(Verdicts, NearlyAttainedBoundsAreNot) {
  EXPECT_EQ(verdict("lipschitz.sigmoid", R"({"logits":[-100,-100]})"), "holds");
  EXPECT_EQ(verdict("lipschitz.softmax1", R"({"logits":[300,300]})"), "holds");
  EXPECT_EQ(verdict("corollary3.step", R"({"logits":[0,0],"epsilon":"1e-30","direction":[1,-1]})"),
            "holds");
  const auto apart_by = [](const std::string& zeros) {
    return R"({"logits":[1,1],"p":2,"a":"1.)" + zeros + R"(1"})";
  };
  EXPECT_EQ(verdict("lipschitz.polynomial", apart_by(std::string(200, '0'))), "holds");
  EXPECT_EQ(verdict("lipschitz.polynomial", apart_by(std::string(240, '0'))), "equal");
  EXPECT_EQ(verdict("lipschitz.softplus", R"({"logits":[-1000,-1000]})"), "equal")
      << "they differ by 1e-434";
}

TEST(Verdicts, NameTheAssumptionThatIsNotMet) {
  const auto unmet = [](const std::string& id, const std::string& exact_case) {
    const Rechecked result = check(id, exact_case);
    EXPECT_EQ(result.verdict, "assumption not met") << id;
    EXPECT_EQ(result.lhs.lower, "");
    return result.unmet;
  };
  using testing::HasSubstr;
  EXPECT_THAT(unmet("lemma1.lower", R"({"logits":[0,1],"a":"1/2"})"), HasSubstr("|l_i| <= a"));
  const auto sphere = [](const std::string& rest) {
    return R"({"weights":["1/2","1/4","1/4"],"N":2,"M":1,)" + rest + "}";
  };
  EXPECT_THAT(unmet("theorem2.upper", sphere(R"("r":2,"delta":0,"dimension":3)")),
              HasSubstr("r <= min_i xi_i"));
  EXPECT_THAT(unmet("theorem2.lower", sphere(R"("r":2,"delta":"1/10","dimension":1)")),
              HasSubstr("Assumptions 1 and 2"));
  EXPECT_THAT(unmet("theorem2.lower", sphere(R"("r":2,"delta":2,"dimension":3)")),
              HasSubstr("Assumptions 1 and 2"));
  EXPECT_THAT(unmet("theorem2.lower.sharp", sphere(R"("r":2,"delta":"1/10","dimension":3)")),
              HasSubstr("Assumption 1 alone"));
  for (const char* id : {"corollary3.cold", "softmax.entropy"}) {
    EXPECT_THAT(unmet(id, R"({"logits":[0,1],"temperature":2,"colder":2})"), HasSubstr("T' < T"));
  }
  EXPECT_THAT(unmet("corollary3.step.order",
                    R"({"logits":[0,1],"direction":[0,1],"epsilon":2,"larger_epsilon":1})"),
              HasSubstr("epsilon < epsilon'"));
  const auto sink = [](const std::string& embeddings) {
    return R"({"weights":["1/2","1/2"],"direction":[1],"constant":2,"embeddings":)" + embeddings +
           "}";
  };
  EXPECT_EQ(unmet("sink.no_op", sink("[[-1],[2]]")), "u . x_0 >= 0");
  EXPECT_THAT(unmet("sink.no_op", sink("[[0],[1]]")), HasSubstr("u . x_i >= c ||u||"));
  EXPECT_THAT(unmet("sink.no_op", sink("[[0],[-3]]")), HasSubstr("u . x_i >= c ||u||"));
}

TEST(Verdicts, OfRandomSetsWhoseWeightsAreNoShares) {
  const auto two = [](const std::string& id, const std::string& normalizer,
                      const std::string& logits) {
    return check(id, R"({"N":1,"embeddings":[[1],[-1]],"normalizer":")" + normalizer +
                         R"(","logits":)" + logits + "}");
  };
  const char* const shares = "a_i >= 0 and sum a_i <= 1";
  EXPECT_EQ(two("corollary2.full_set", "relu_attention", "[1,3]").unmet, shares);
  EXPECT_EQ(two("corollary2.full_set", "sigmoid_attention", "[9,9]").unmet, shares);
  EXPECT_EQ(two("corollary2.full_set.sharp", "relu_attention", "[1,3]").verdict, "equal");
  EXPECT_EQ(two("theorem1.random.lower", "pooling", "[0,1]").verdict, "assumption not met");
  EXPECT_EQ(two("theorem1.random.lower", "self_adjusted", "[0,0]").verdict, "assumption not met");
}

TEST(Sides, OfTheoremTwoWithTokensApart) {
  // Two others of radius 1/4 for each of three tokens: ||.||^2 is uniform on [0, 1/4]. q = 3/200
  // and xi^2 = 399/1600.
  const auto sphere = [](const std::string& r) {
    return R"({"weights":["1/4","1/4","1/4","1/4"],"N":3,"M":1,"delta":"1/10","dimension":3,"r":")" +
           r + R"("})";
  };
  expect_sides("theorem2.lower", sphere("1"),
               decimal("0.500625391114045527105490441798542820053435597083964"), 1);
  const Rechecked result = check("theorem2.upper", sphere("1/4"));
  EXPECT_EQ(result.verdict, "holds");
  // A ball's radius has 30 bits, which widens an interval by that much.
  const Rational little(1, 1'000'000'000);
  EXPECT_LE(decimal(result.lhs.lower), Rational(47, 200));
  EXPECT_GT(decimal(result.lhs.lower), Rational(47, 200) - little);
  EXPECT_GE(decimal(result.lhs.upper), Rational(50, 197));
  EXPECT_LT(decimal(result.lhs.upper), Rational(50, 197) + little);
  expect_side(result.rhs, decimal("0.969384594216320425502455390545121881189303868665765"));
}

/// Where all logits are positive the range starts at zero, not at the least of them.
TEST(Verdicts, OfASelfAdjustedStep) {
  EXPECT_EQ(verdict("lipschitz.self_adjusted", R"({"logits":[1,1],"step":[1,1],"K":1})"), "holds");
}

TEST(Recheck, RefusesCasesThatAreNoneOfTheClaim) {
  const auto expect_refused = [](const std::string& id, const std::string& exact_case,
                                 BadInputKind kind, const std::string& field) {
    EXPECT_BAD_INPUT(check(id, exact_case), {.kind = kind, .where = "case field '" + field + "'"})
        << id << " of " << exact_case;
  };
  using enum BadInputKind;
  const std::string colder = R"({"logits":[1,0],"colder":"1/2","normalizer":")";
  for (const char* const claim : {"corollary3.cold", "softmax.entropy"}) {
    EXPECT_NE(verdict(claim, colder + "softmax\"}"), "undecided");
    expect_refused(claim, colder + "sparsemax\"}", unknown_name, "normalizer");
    expect_refused(claim, colder + "nonsense\"}", unknown_name, "normalizer");
  }
  const std::string flat = R"({"L":1000,"N":1,"epsilon":1,"embeddings":)";
  for (const char* const claim : {"corollary2.long_context", "collapse.proportional"}) {
    EXPECT_NO_THROW(check(claim, flat + R"([[1]],"temperature":1,"normalizer":"softmax"})"));
    expect_refused(claim, flat + R"([[1]],"temperature":2})", unknown_name, "temperature");
    expect_refused(claim, flat + "[[0,0]]}", out_of_range, "embeddings");
  }
  const std::string given = R"({"weights":["1/2","1/2"],"N":1,"embeddings":[[1],[2]],)";
  EXPECT_NO_THROW(check("theorem1.fixed", given + R"("temperature":2,"normalizer":"sigmoid"})"));
  expect_refused("theorem1.fixed", given + R"("temperature":0})", out_of_range, "temperature");
  expect_refused("theorem1.fixed", given + R"("normalizer":"none"})", unknown_name, "normalizer");
  expect_refused("theorem1.fixed", given + R"("set":[0]})", inconsistent, "set");
  expect_refused("corollary3", R"({"logits":[0,0],"K":1})", unknown_name, "K");
  expect_refused("theorem2.lower",
                 R"({"weights":["1/2","1/2"],"N":1,"M":1,"r":1,"delta":0,"dimension":3,
                     "normalizer":"taylor"})",
                 unknown_name, "normalizer");
}

TEST(Recheck, RefusesWhatItCannotRead) {
  const auto at = [](BadInputKind kind, const std::string& field,
                     const std::string& expected = "") {
    return BadInputParts{.kind = kind, .where = "case field '" + field + "'", .expected = expected};
  };
  EXPECT_BAD_INPUT(check("nonsense", R"({"logits":[0,0]})"),
                   {.kind = BadInputKind::unknown_name, .found = "'nonsense'"});
  EXPECT_BAD_INPUT(check("corollary3", "[]"),
                   {.kind = BadInputKind::malformed, .where = "case", .expected = "an object"});
  EXPECT_BAD_INPUT(check("corollary3", "{}"), at(BadInputKind::missing, "logits"));
  EXPECT_BAD_INPUT(check("corollary3", R"({"logits":[0,0],"normalizer":"taylor"})"),
                   at(BadInputKind::unsupported, "normalizer"));
  EXPECT_BAD_INPUT(check("lipschitz.taylor", R"({"logits":[0,0],"normalizer":"sigmoid"})"),
                   at(BadInputKind::inconsistent, "normalizer", "taylor"));
  EXPECT_BAD_INPUT(check("theorem1.fixed", R"({"logits":[0,0],"N":1,"embeddings":[[1]]})"),
                   at(BadInputKind::inconsistent, "embeddings"));
  EXPECT_BAD_INPUT(check("corollary2.full_set",
                         R"({"logits":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],"N":10,
                            "embeddings":[[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],[1],
                            [1],[1],[1],[1],[1],[1]]})"),
                   at(BadInputKind::too_large, "N", "at most 20000 sets"));
  EXPECT_BAD_INPUT(check("lipschitz.sinkhorn", R"({"plan":[["1/2","1/2"],["1/2","1/3"]]})"),
                   at(BadInputKind::inconsistent, "plan", "sum exactly 1"));
  EXPECT_BAD_INPUT(check("corollary1.lower", R"({"query":[1],"keys":[[1,2],[1,3]]})"),
                   at(BadInputKind::inconsistent, "keys"));
  EXPECT_BAD_INPUT(check("lse.upper", R"({"query":[1],"keys":[[1],[2]]})"),
                   at(BadInputKind::inconsistent, "keys", "one row"));
  EXPECT_BAD_INPUT(check("lse.upper", R"({"query":[1],"keys":[[1,2]]})"),
                   at(BadInputKind::inconsistent, "keys"));
  EXPECT_BAD_INPUT(check("lemma1.uniform", R"({"length":1001,"spread":1,"epsilon":1})"),
                   at(BadInputKind::out_of_range, "length", "an even number"));
  EXPECT_BAD_INPUT(check("rank_collapse.diameter", R"({"embeddings":[[1]]})"),
                   at(BadInputKind::out_of_range, "embeddings", "at least 2"));
  const auto sink = [](const std::string& direction) {
    return R"({"weights":["1/2","1/2"],"embeddings":[[1],[2]],"constant":1,"direction":)" +
           direction + "}";
  };
  EXPECT_BAD_INPUT(check("sink.no_op", sink("[1,2]")), at(BadInputKind::inconsistent, "direction"));
  EXPECT_BAD_INPUT(check("sink.no_op", sink("[0]")), at(BadInputKind::out_of_range, "direction"));
  EXPECT_BAD_INPUT(check("theorem2.lower",
                         R"({"weights":["1/2","1/2"],"N":1,"M":1,"r":1,"delta":0,"dimension":2})"),
                   at(BadInputKind::unsupported, "dimension"));
}

/// Numbers beyond any exponent end as undecided, not in a wrong verdict.
TEST(Recheck, AdmitsWhatItCannotTell) {
  const Rechecked result = check("lemma2", R"({"logits":["1e9000","-1e9000"]})");
  EXPECT_EQ(result.verdict, "undecided");
}

}  // namespace
}  // namespace attn::recheck
