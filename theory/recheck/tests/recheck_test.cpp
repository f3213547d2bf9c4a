// What the second implementation knows of sides, and what it refuses. Its verdicts are tested
// beside those of the first, in theory/tests/verdicts_test.cpp.
#include "theory/recheck/recheck.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "theory/base/tests/expect_bad_input.hpp"
#include "theory/recheck/check.hpp"

namespace attn::recheck {
namespace {

using nlohmann::json;
using enum BadInputKind;

Rechecked check(const std::string& id, const std::string& exact_case) {
  return recheck(listed_checks(), id, json::parse(exact_case));
}

/// A number to 50 digits.
Rational decimal(const std::string& digits) {
  return rational_from(digits, "expected");
}

/// Both ends of the enclosure lie within 1e-40 of `value`.
void expect_side(const Ball& side, const Rational& value) {
  const Rational little(fmt::format("1/1{:040}", 0));
  EXPECT_LT(::abs(decimal(side.lower) - value), little) << side.lower;
  EXPECT_LT(::abs(decimal(side.upper) - value), little) << side.upper;
}

void expect_sides(const std::string& id, const std::string& exact_case, const Rational& lhs,
                  const Rational& rhs) {
  SCOPED_TRACE(id);
  const Rechecked result = check(id, exact_case);
  expect_side(result.lhs, lhs);
  expect_side(result.rhs, rhs);
}

TEST(Sides, OfWeightsThatAreRational) {
  // s = 1/2 (1, 0), y_2 - s = (-1/2, 0), y_3 - s = (-1/2, 1/4 * 3).
  const char* const fixed =
      R"({"weights":["1/2","1/4","1/4"],"N":1,"embeddings":[[1,0],[0,0],[1,0]]})";
  expect_sides("theorem1.fixed", fixed, Rational(3, 4), 1);
  expect_sides("theorem1.fixed.any_set.repaired",
               R"({"weights":["1/2","1/4","1/4"],"set":[1],"embeddings":[[1,0],[0,0],[1,0]]})",
               Rational(3, 4), Rational(3, 4));
  // c = (1, 0): core = 1/2, spread = 1/4.
  expect_sides("theorem1.fixed.sharp.upper", fixed, Rational(3, 4), Rational(3, 4));
  expect_sides("theorem1.fixed.sharp.lower", fixed, Rational(1, 4), Rational(3, 4));
  // y = 1/2, 0, 1/4 on a line; E = (1/3)(3/4 + 3/4 + 1/2) and m = 3/8, -3/8, 0 for N = 1.
  const char* const random = R"({"weights":["1/2","1/4","1/4"],"N":1,"embeddings":[[1],[0],[1]]})";
  expect_sides("theorem1.random.lower", random, Rational(1, 2), Rational(2, 3));
  expect_sides("corollary2.full_set", random, Rational(2, 3), 2);
  expect_sides("corollary2.long_context.repaired", random, Rational(1, 6), Rational(1, 2));
  // V = 1/64, 1/64, 1/16: p (3/8 + 1/8 + 3/8 + 1/8 + 1/4).
  expect_sides("theorem1.random.upper", random, Rational(2, 3), Rational(5, 6));
}

TEST(Sides, OfTheClaimsBesideThePaper) {
  // Two equal logits: ||J|| = 1/(2T).
  expect_sides("corollary3.cold", R"({"logits":[4,4],"colder":"1/4"})", Rational(1, 2), 2);
  expect_sides("softmax.entropy", R"({"logits":[4,4],"colder":"1/4"})",
               decimal("0.69314718055994530941723212145817656807550013436026"),
               decimal("0.69314718055994530941723212145817656807550013436026"));
  // tanh(1/2)/2.
  expect_sides("lemma1.uniform", R"({"length":2000,"spread":2,"temperature":2,"epsilon":3})",
               decimal("0.23105857863000487925115924182183627436514464"), 3);
  // o = (3/2, 2).
  expect_sides("cage.norm", R"({"weights":["1/2","1/2"],"embeddings":[[3,0],[0,4]]})",
               Rational(5, 2), 4);
  // a = (3, -3), o = (18, 24).
  expect_sides("cage.pooling",
               R"({"logits":[5,1],"temperature":2,"gain":3,"embeddings":[[3,4],[-3,-4]]})", 30, 5);
  const char* const three = R"({"weights":["1/2","1/4","1/4"],"embeddings":[[1],[3],[-8]]})";
  expect_sides("norm_based.largest", three, 2, Rational(1, 2));
  expect_sides("cage.norm", three, Rational(3, 4), 8);
  expect_sides("cage.norm",
               R"({"logits":[0,0],"normalizer":"softmax1","embeddings":[[3,4],[3,4]]})",
               Rational(10, 3), 5);
  // o = 2.
  expect_sides("sink.no_op",
               R"({"weights":["1/2","1/4","1/4"],"embeddings":[[1],[2],[4]],"direction":[5],
                   "constant":"4/3"})",
               Rational(-1, 2), Rational(1, 2));
  expect_sides("lse.upper", R"({"query":[5],"keys":[[-2]]})", 3, 3);
}

TEST(Sides, OfDispersion) {
  // The Taylor polynomial is least, 1/2, at -1, and 5 at 2.
  expect_sides("lemma1.lower", R"({"logits":[0,0],"normalizer":"taylor","a":2})", Rational(1, 20),
               Rational(1, 2));
  expect_sides("lemma1.upper.sharp", R"({"logits":[0,0],"normalizer":"taylor","a":2})",
               Rational(1, 2), Rational(10, 11));
  // Delta = 2, T = 2; the logits are 1 and 0 over T.
  const char* const keys = R"({"query":[2,0],"keys":[["1/2","-1/2"],[-1,0]],"temperature":2})";
  expect_sides("corollary1.lower", keys,
               decimal("0.0676676416183063459469997474862422017038157729547879"),
               decimal("0.182425523806356340392782821343751752453759156"));
}

/// Two tokens at 1 and -1: D = a_1 + a_2 for either set.
TEST(Sides, OfRandomSetsWithWeightsOfOtherSums) {
  const auto two = [](const std::string& normalizer, const std::string& logits) {
    return R"({"N":1,"embeddings":[[1],[-1]],"normalizer":")" + normalizer + R"(","logits":)" +
           logits + "}";
  };
  expect_sides("corollary2.long_context.repaired", two("softmax1", "[0,0]"), Rational(1, 3),
               Rational(1, 3));
  expect_sides("theorem1.random.lower", two("relu_attention", "[1,3]"), 2, 2);
  expect_sides("theorem1.random.lower", two("sigmoid_attention", "[0,0]"), Rational(2, 3),
               Rational(2, 3));
  expect_sides("theorem1.random.lower", two("self_adjusted", "[1,1]"), 1, 1);
  expect_sides("corollary2.full_set", two("softmax1", "[0,0]"), Rational(2, 3), 1);
  expect_sides("corollary2.full_set.sharp", two("relu_attention", "[1,3]"), 2, 2);
}

TEST(Sides, OfTheoremTwo) {
  // One other token, of radius 1/4 or 1/2: both within 1/2, one within 1/4.
  const auto sphere = [](const std::string& r, int d) {
    return R"({"weights":["1/2","1/4","1/4"],"N":2,"M":1,"delta":0,"r":")" + r +
           R"(","dimension":)" + std::to_string(d) + "}";
  };
  for (const int d : {1, 2, 3, 7}) {
    expect_sides("theorem2.lower", sphere("1/2", d), Rational(1, 4), 1);
    expect_sides("theorem2.lower", sphere("1/4", d), Rational(-1, 2), Rational(1, 2));
    expect_sides("theorem2.lower.sharp", sphere("1/2", d), Rational(1, 2), 1);
    expect_sides("theorem2.lower.sharp", sphere("1/3", d), Rational(1, 2), Rational(1, 2));
    expect_sides("theorem2.upper.repaired", sphere("1/2", d), 1, 1);
    expect_sides("theorem2.upper.repaired", sphere("1/3", d), Rational(1, 2), Rational(1, 2));
  }
}

TEST(Sides, OfLipschitzConstants) {
  expect_sides("lipschitz.self_adjusted.sharp", R"({"logits":[1,2],"temperature":2})",
               decimal("0.33350407096516022827967109715598988641006764785828657788"),
               decimal("0.501965279282467523762266423909167414183581599557375216147"));
  expect_sides("lipschitz.polynomial", R"({"logits":[0,1,2,-3],"a":4,"p":3,"temperature":2})",
               Rational(27, 16), 3);
  expect_sides("lipschitz.pooling", R"({"logits":[0,2],"gain":3,"temperature":5})", 0, 3);
  expect_sides("lipschitz.entmax.any_length", R"({"logits":[9,0]})", 0,
               decimal("0.70710678118654752440084436210484903928483593768847"));
  expect_sides("lipschitz.relu_attention", R"({"logits":[1,-2],"step":[0,5],"temperature":2})",
               Rational(3, 4), Rational(5, 4));
  expect_sides("lipschitz.sparsemax", R"({"logits":[0,0],"step":[3,0],"temperature":1})",
               decimal("0.70710678118654752440084436210484903928483593768847"), 3);
  expect_sides("lipschitz.sigmoid_attention", R"({"logits":[0,0],"temperature":3})",
               Rational(2, 27), Rational(1, 12));
  // n = 2: 2 p (1 - p)/eps.
  expect_sides("lipschitz.sinkhorn",
               R"({"plan":[["1/5","4/5"],["4/5","1/5"]],"temperature":"1/2"})", Rational(16, 25),
               2);
}

/// With all logits equal, J = F'/(F L) (I - 1 1^T/L).
TEST(Sides, OfJacobiansAtEqualLogits) {
  expect_sides("lipschitz.sigmoid", R"({"logits":[0,0,0,0],"temperature":3})", Rational(1, 24),
               Rational(1, 6));
  expect_sides("lipschitz.taylor", R"({"logits":[1,1,1,1]})", Rational(1, 5), Rational(1, 2));
  expect_sides("lemma2.oblique", R"({"logits":[1,1,1,1],"normalizer":"taylor"})", Rational(1, 5),
               Rational(1, 5));
  expect_sides("lemma2", R"({"logits":[1,1,1,1],"normalizer":"taylor"})", Rational(1, 5),
               Rational(2, 5));
  expect_sides("corollary3.entrywise", R"({"logits":[1,1,1,1]})", Rational(3, 16), Rational(1, 4));
  // a = 1/3 each: diag(a) - a a^T has eigenvalues 1/3 and 1/9.
  // Two steps of 1/7 are always within 3/7; one of 4/7 and one of 1/7 end on its surface or beyond.
  const char* uneven =
      R"({"weights":["4/7","1/7","1/7","1/7"],"N":3,"M":1,"delta":0,"r":"3/7","dimension":4})";
  expect_sides("theorem2.upper.repaired", uneven, Rational(1, 3), Rational(7, 15));
  expect_sides("lipschitz.softmax1", R"({"logits":[0,0]})", Rational(1, 3), Rational(1, 2));
}

TEST(Sides, OfTheoremTwoWithTokensApart) {
  // Two others of radius 1/4 for each of three tokens: ||.||^2 is uniform on [0, 1/4]. q = 3/200
  // and xi^2 = 399/1600.
  const auto sphere = [](const std::string& r) {
    return R"({"weights":["1/4","1/4","1/4","1/4"],"N":3,"M":1,"delta":"1/10","dimension":3,"r":")" +
           r + R"("})";
  };
  const Rechecked lower = check("theorem2.lower", sphere("1"));
  expect_side(lower.lhs, decimal("0.500625391114045527105490441798542820053435597083964"));
  expect_side(lower.rhs, 1);
  const Rechecked upper = check("theorem2.upper", sphere("1/4"));
  EXPECT_EQ(upper.verdict, "holds");
  // A ball's radius has 30 bits, which widens an interval by that much.
  const Rational little(1, 1'000'000'000);
  EXPECT_LE(decimal(upper.lhs.lower), Rational(47, 200));
  EXPECT_GT(decimal(upper.lhs.lower), Rational(47, 200) - little);
  EXPECT_GE(decimal(upper.lhs.upper), Rational(50, 197));
  EXPECT_LT(decimal(upper.lhs.upper), Rational(50, 197) + little);
  expect_side(upper.rhs, decimal("0.969384594216320425502455390545121881189303868665765"));
}

/// A case whose sides 231 digits do not separate, and what it is.
struct Close {
  const char* claim;
  const char* exact_case;
  const char* verdict;
};

const Close kClose[] = {
    // Near ties: e^-900 and the like, or a number cut off.
    {"corollary1.own_key.upper", R"({"query":[1],"keys":[[0],["-1e-350"]]})", "violated"},
    {"theorem1.fixed.any_set", R"({"logits":[-900,900,0],"embeddings":[[2],[2],[0]],"set":[1]})",
     "holds"},
    {"theorem1.fixed.sharp.upper", R"({"logits":[900,0,1],"embeddings":[[2,0],[0,1],[1,1]],"N":1})",
     "holds"},
    {"theorem1.random.lower", R"({"logits":[900,0,0],"embeddings":[[1],[1],[3]],"N":1})", "holds"},
    {"distance.net", R"({"logits":[0,900,0],"embeddings":[[2,0],[1,0],[0,1]],"set":[1]})", "holds"},
    {"retrieval.deletion", R"({"logits":[0,900,0],"embeddings":[[1,0],[3,0],[0,1]],"set":[0]})",
     "holds"},
    {"mass.participation", R"({"logits":[900,0,-1],"N":1})", "holds"},
    {"lemma1.lower", R"({"logits":[0,"1e-250"],"a":"1e-250"})", "holds"},
    {"lemma2.sharp", R"({"logits":[0,"1e-160"]})", "holds"},
    {"corollary3.frobenius", R"({"logits":[0,"1e-160"]})", "holds"},
    {"corollary3.cold.repaired", R"({"logits":["1e12",0]})", "holds"},
    {"corollary3.step.printed", R"({"logits":[0,0,0,0],"epsilon":"1e-180","direction":[1,-1,0,0]})",
     "holds"},
    {"softmax.cocoercive", R"({"logits":[0,0],"step":["1e-180","-1e-180"]})", "holds"},
    {"lse.upper", R"({"query":[0,0],"keys":[[0,"1e-260"]]})", "holds"},
    {"rank_collapse.diameter", R"({"embeddings":[[-2],[1]],"temperature":"1/300"})", "holds"},
    {"lipschitz.softplus", R"({"logits":[-900,-900]})", "holds"},
    {"lipschitz.softmax1", R"({"logits":[900,900]})", "holds"},
    // Ties, by the same numbers.
    {"corollary1.own_key.upper", R"({"query":[1],"keys":[[0],[0]]})", "equal"},
    {"theorem1.fixed.any_set", R"({"logits":[-900,900,0],"embeddings":[[2],[2],[2]],"set":[1]})",
     "equal"},
    {"theorem1.fixed.sharp.upper", R"({"logits":[900,0,1],"embeddings":[[2,1],[2,1],[2,1]],"N":1})",
     "equal"},
    {"retrieval.deletion", R"({"logits":[0,900,0],"embeddings":[[1,0],[3,0],[2,0]],"set":[0]})",
     "equal"},
    {"mass.participation", R"({"weights":["1/2","1/2",0],"N":2})", "equal"},
    {"lemma2.sharp", R"({"logits":[7,7]})", "equal"},
    {"lemma1.lower", R"({"logits":[0,0],"normalizer":"softplus","temperature":"7/3"})", "equal"},
    {"corollary3.cold.sharp", R"({"logits":["1e12",0]})", "equal"},
    {"corollary3.local.upper", R"({"logits":[3,0,0,0]})", "equal"},
    {"lipschitz.taylor", R"({"logits":[0,-6],"temperature":3})", "equal"},
    {"lipschitz.entmax.any_length", R"({"logits":[1,1,-9],"temperature":5})", "equal"},
    {"lipschitz.sinkhorn.local",
     R"({"plan":[["3/5","1/5","1/5"],["1/5","3/5","1/5"],["1/5","1/5","3/5"]]})", "equal"},
    {"rank_collapse.diameter", R"({"embeddings":[[1,0],[0,1],[0,1],[1,0]],"temperature":"7/2"})",
     "equal"},
    {"mass.fano", R"({"logits":[2,0,0],"N":1})", "equal"},
    {"lse.upper", R"({"query":[3,1],"keys":[[0,2]]})", "equal"},
    {"sink.no_op", R"({"logits":[-900,1,2],"embeddings":[[0,0],[3,4],[3,4]],
                       "direction":[3,4],"constant":5})",
     "equal"}};

TEST(Recheck, TellsNearTiesFromTies) {
  for (const auto& [claim, exact_case, verdict] : kClose) {
    const Rechecked result = check(claim, exact_case);
    EXPECT_EQ(result.verdict, verdict) << claim << " of " << exact_case;
  }
}

/// ln 4, cut off after 259 places; the next one is 0.
constexpr const char* kLogOfFour =
    "1."
    "38629436111989061883446424291635313615100026872051050824136001898678724393938943"
    "12117266539928373750840029620411413714673710404715162611140653415032701519238614"
    "55141656742870380614077247783346942246700230728995910478240950345363149864130311"
    "0494682790517659009";

/// 1/(1 + 2 e^-z) of ln 4 is 2/3, and 1/3 of 0: the weights add up to 1 but for the places cut off.
TEST(Recheck, TellsASumOfWeightsFromOne) {
  const auto unmet = [](const std::string& logit) {
    return check("cage.norm", fmt::format(R"({{"logits":["{}",0],"embeddings":[[1],[1]],
                                              "normalizer":"sigmoid_attention"}})",
                                          logit))
        .unmet;
  };
  EXPECT_EQ(unmet(kLogOfFour), "");
  EXPECT_EQ(unmet(std::string(kLogOfFour) + "9"), "a_i >= 0 and sum a_i <= 1");
}

/// The weights of Self-Adjusted Softmax have a kink where an end of the logits, min(z, 0) or
/// max(z, 0), is 0 at a token, or is that of two.
TEST(Recheck, KnowsEveryKinkOfSelfAdjustedSoftmax) {
  const auto has_kink = [](const char* claim, const char* logits) {
    return !check(claim, fmt::format(R"({{"logits":{},"temperature":"1/3"}})", logits))
                .unmet.empty();
  };
  for (const char* const claim :
       {"lipschitz.self_adjusted.repaired", "lipschitz.self_adjusted.sharp"}) {
    SCOPED_TRACE(claim);
    for (const char* const smooth : {"[1,2]", "[1,1,2]", "[-2,-1]", "[-2,-1,-1]", "[-2,0,1]",
                                     "[-2,0,0,1]", "[-1,1]", "[-1,\"1/2\",\"1/2\",1]"}) {
      EXPECT_FALSE(has_kink(claim, smooth)) << smooth;
    }
    for (const char* const kink : {"[0,1]", "[-1,0]", "[0,0]", "[0,0,1]", "[-1,0,0]", "[1,2,2]",
                                   "[-2,-2,-1]", "[-1,-1,1]", "[-1,1,1]", "[-1,-1,1,1]"}) {
      EXPECT_TRUE(has_kink(claim, kink)) << kink;
    }
  }
}

/// A case of one claim, the field that is refused, and what is said of it.
struct Refusal {
  const char* claim;
  std::string exact_case;
  BadInputKind kind;
  const char* field;
  const char* expected = "";
};

std::string colder(const char* normalizer) {
  return fmt::format(R"({{"logits":[1,0],"colder":"1/2","normalizer":"{}"}})", normalizer);
}
std::string flat(const char* rest) {
  return fmt::format(R"({{"L":1000,"N":1,"epsilon":1,{}}})", rest);
}
std::string given(const char* rest) {
  return fmt::format(R"({{"weights":["1/2","1/2"],"N":1,"embeddings":[[1],[2]],{}}})", rest);
}
std::string sink(const char* direction) {
  return fmt::format(
      R"({{"weights":["1/2","1/2"],"embeddings":[[1],[2]],"constant":1,"direction":{}}})",
      direction);
}
std::string sphere(const char* rest) {
  return fmt::format(R"({{"weights":["1/2","1/2"],"N":1,"M":1,"r":1,"delta":0,{}}})", rest);
}

const Refusal kRefusals[] = {
    {"corollary3.cold", colder("sparsemax"), unknown_name, "normalizer"},
    {"corollary3.cold", colder("nonsense"), unknown_name, "normalizer"},
    {"softmax.entropy", colder("sparsemax"), unknown_name, "normalizer"},
    {"softmax.entropy", colder("nonsense"), unknown_name, "normalizer"},
    {"corollary2.long_context", flat(R"("embeddings":[[1]],"temperature":2)"), unknown_name,
     "temperature"},
    {"corollary2.long_context", flat(R"("embeddings":[[0,0]])"), out_of_range, "embeddings"},
    {"collapse.proportional", flat(R"("embeddings":[[1]],"temperature":2)"), unknown_name,
     "temperature"},
    {"collapse.proportional", flat(R"("embeddings":[[0,0]])"), out_of_range, "embeddings"},
    {"theorem1.fixed", given(R"("temperature":0)"), out_of_range, "temperature"},
    {"theorem1.fixed", given(R"("normalizer":"none")"), unknown_name, "normalizer"},
    {"theorem1.fixed", given(R"("set":[0])"), inconsistent, "set"},
    {"theorem1.fixed", R"({"logits":[0,0],"N":1,"embeddings":[[1]]})", inconsistent, "embeddings"},
    {"corollary3", R"({"logits":[0,0],"K":1})", unknown_name, "K"},
    {"corollary3", "{}", missing, "logits"},
    {"corollary3", R"({"logits":[0,0],"normalizer":"taylor"})", unsupported, "normalizer"},
    {"lipschitz.taylor", R"({"logits":[0,0],"normalizer":"sigmoid"})", inconsistent, "normalizer",
     "taylor"},
    {"theorem2.lower", sphere(R"("dimension":3,"normalizer":"taylor")"), unknown_name,
     "normalizer"},
    {"theorem2.lower",
     R"({"weights":["1/4","1/4","1/4","1/4"],"N":3,"M":1,"r":"1/4","delta":0,"dimension":2})",
     unsupported, "dimension"},
    {"corollary2.full_set",
     json{{"logits", std::vector(20, 0)}, {"N", 10}, {"embeddings", std::vector(20, json{1})}}
         .dump(),
     too_large, "N", "at most 20000 sets"},
    {"retrieval.competition", R"({"competitors":1001,"probability":"1/2","delta":"1/2"})",
     too_large, "competitors", "at most 1000"},
    {"lipschitz.sinkhorn", R"({"plan":[["1/2","1/2"],["1/2","1/3"]]})", inconsistent, "plan",
     "rows of sum exactly 1"},
    {"lipschitz.sinkhorn", R"({"plan":[["1/2","1/2"],["1/3","2/3"]]})", inconsistent, "plan",
     "columns of sum exactly 1"},
    {"lipschitz.sinkhorn", R"({"plan":[[1,0],[0,1]]})", out_of_range, "plan", "entries > 0"},
    {"lipschitz.sinkhorn", R"({"plan":[["1/2","1/2"]]})", out_of_range, "plan", "a square matrix"},
    {"corollary1.lower", R"({"query":[1],"keys":[[1,2],[1,3]]})", inconsistent, "keys"},
    {"lse.upper", R"({"query":[1],"keys":[[1],[2]]})", inconsistent, "keys", "one row"},
    {"lse.upper", R"({"query":[1],"keys":[[1,2]]})", inconsistent, "keys"},
    {"lemma1.uniform", R"({"length":1001,"spread":1,"epsilon":1})", out_of_range, "length",
     "an even number"},
    {"rank_collapse.diameter", R"({"embeddings":[[1]]})", out_of_range, "embeddings", "at least 2"},
    {"sink.no_op", sink("[1,2]"), inconsistent, "direction"},
    {"sink.no_op", sink("[0]"), out_of_range, "direction"},
    {"theorem1.fixed.any_set", R"({"logits":[1,0],"embeddings":[[1],[2]],"set":[0,1]})",
     out_of_range, "set", "fewer than 2 tokens"},
    {"theorem1.fixed.any_set", R"({"logits":[1,0],"embeddings":[[1],[2]],"set":[2]})", out_of_range,
     "set", "tokens in 0..1"},
    {"corollary3", R"({"logits":[1]})", out_of_range, "logits", "at least 2 tokens"},
    {"lipschitz.polynomial", R"({"logits":[1,0],"a":2,"p":1001})", too_large, "p", "at most 1000"},
    {"lipschitz.polynomial", R"({"logits":[1,0],"a":-1,"p":2})", out_of_range, "a",
     "a number >= 0"},
    {"corollary3", R"({"logits":[1,0],"temprature":2})", unknown_name, "temprature"}};

TEST(Recheck, RefusesCasesThatAreNoneOfTheClaim) {
  for (const auto& [claim, exact_case, kind, field, expected] : kRefusals) {
    EXPECT_BAD_INPUT(
        check(claim, exact_case),
        {.kind = kind, .where = fmt::format("case field '{}'", field), .expected = expected})
        << claim << " of " << exact_case;
  }
  EXPECT_BAD_INPUT(check("corollary3", "[]"),
                   {.kind = malformed, .where = "case", .expected = "an object"});
}

TEST(Recheck, TakesADefaultThatIsWritten) {
  for (const char* const claim : {"corollary3.cold", "softmax.entropy"}) {
    EXPECT_NO_THROW(check(claim, colder("softmax")));
  }
  for (const char* const claim : {"corollary2.long_context", "collapse.proportional"}) {
    EXPECT_NO_THROW(
        check(claim, flat(R"("embeddings":[[1]],"temperature":1,"normalizer":"softmax")")));
  }
  EXPECT_NO_THROW(check("theorem1.fixed", given(R"("temperature":2,"normalizer":"sigmoid")")));
}

/// Numbers beyond any exponent, which no enclosure holds.
TEST(Recheck, ComparesWhatNoEnclosureHolds) {
  const Rechecked huge = check("lemma2", R"({"logits":["1e9000","-1e9000"]})");
  EXPECT_EQ(huge.verdict, "holds");
  EXPECT_TRUE(huge.exact);
}

TEST(Decimals, OfNumbersBeyondEveryPower) {
  // exp(-+10^628) and what is subtracted of it.
  for (const char* const logits : {R"(["0", "1e628"])", R"(["1e628", "0"])"}) {
    const Rechecked result =
        recheck(listed_checks(), "softmax.cocoercive",
                {{"logits", json::parse(logits)}, {"step", {"-1", "12"}}, {"temperature", "3"}});
    for (const Ball& side : {result.lhs, result.rhs}) {
      EXPECT_THAT(
          side.lower,
          testing::AnyOf(
              "0", "-1.0000000000000000000000000000000000000000000000000e-100000000000000000"));
      EXPECT_THAT(side.upper, testing::EndsWith("e-100000000000000000"));
    }
  }
}

TEST(Checks, AreThoseHandedIn) {
  const auto half = [](const Input& input) -> Sides {
    return {Arb(input.number("L")), Arb(Rational(1, 2))};
  };
  const Checks own{{"mine.half", half}};
  EXPECT_EQ(recheck(own, "mine.half", {{"L", "1/4"}}).verdict, "holds");
  EXPECT_EQ(recheck(own, "mine.half", {{"L", "1/2"}}).verdict, "equal");
  EXPECT_EQ(recheck(own, "mine.half", {{"L", "3/4"}}).verdict, "violated");
  EXPECT_BAD_INPUT(recheck(own, "corollary3", {{"L", "1/4"}}),
                   {.kind = unknown_name,
                    .expected = "a claim of the second implementation",
                    .found = "'corollary3'",
                    .advice = "there is: mine.half"});
}

/// Balls of one precision that separate, and of the next that separate the other way.
TEST(Checks, OfSidesThatContradictThemselvesAreAnError) {
  static int asked;
  asked = 0;
  const Checks own{{"mine.torn", [](const Input& input) -> Sides {
                      const Arb off(input.number("off"));
                      return {Arb(asked++ == 0 ? 1 : 3), hull(Arb(2) - off, Arb(2) + off)};
                    }}};
  EXPECT_THAT(
      [&] {
        recheck(own, "mine.torn", {{"off", "1e-20"}});
      },
      testing::ThrowsMessage<std::logic_error>(
          testing::AllOf(testing::StartsWith("mine.torn: violated by enclosures of "),
                         testing::EndsWith(" bits, holds before"))));
  EXPECT_EQ(asked, 2);
}

/// Overlapping balls say nothing, however narrow they are.
TEST(Checks, OfSidesThatOverlapAreUndecided) {
  for (const char* const width : {"1e-150", "1e-191", "1e-600"}) {
    const Checks own{{"mine.near", [](const Input& input) -> Sides {
                        const Arb off(input.number("off"));
                        return {Arb(1), hull(Arb(1) - off, Arb(1) + off)};
                      }}};
    const Rechecked result = recheck(own, "mine.near", {{"off", width}});
    EXPECT_EQ(result.verdict, "undecided") << width;
    EXPECT_EQ(result.open, "nothing is known") << width;
  }
}

/// Sides of 1 and of another number near it.
Rechecked beside_one(const char* off, Arb (*other)(const Arb&)) {
  static thread_local Arb (*number)(const Arb&);
  number = other;
  const Checks own{{"mine.near", [](const Input& input) -> Sides {
                      return {Arb(1), number(Arb(input.number("off")))};
                    }}};
  return recheck(own, "mine.near", {{"off", off}});
}

TEST(Checks, OfSidesThatOverlapAreComparedExactly) {
  const auto above = [](const Arb& off) { return exp(off) * exp(-off) + off; };
  EXPECT_EQ(beside_one("1e-20", above).verdict, "holds");
  EXPECT_FALSE(beside_one("1e-20", above).exact);
  EXPECT_EQ(beside_one("1e-300", above).verdict, "holds");
  EXPECT_EQ(beside_one("-1e-300", above).verdict, "violated");
  EXPECT_EQ(beside_one("1e-20000", above).verdict, "holds");
  EXPECT_TRUE(beside_one("1e-300", above).exact);
  const auto same = [](const Arb& off) { return exp(off) * exp(-off); };
  EXPECT_EQ(beside_one("1e-300", same).verdict, "equal");
  EXPECT_TRUE(beside_one("1e-300", same).exact);
}

TEST(Checks, OfSidesThatDifferSayThatTheyDo) {
  const auto far = [](const Arb& off) {
    return (sqrt(Arb(2) + off) + sqrt(Arb(3) + off)) / (sqrt(Arb(2)) + sqrt(Arb(3)));
  };
  const Rechecked result = beside_one("1e-20000", far);
  EXPECT_EQ(result.verdict, "undecided");
  EXPECT_EQ(result.open, "the sides differ");
}

}  // namespace
}  // namespace attn::recheck
