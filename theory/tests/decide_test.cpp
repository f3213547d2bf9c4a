#include "theory/claims/decide.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>
#include <string>
#include <utility>

#include "theory/claims/catalogue.hpp"
#include "theory/claims/define.hpp"
#include "theory/number/scalar.hpp"
#include "theory/tests/support.hpp"

namespace attn {
namespace {

using test::case_of;
using testing::StartsWith;

/// A valid case, decided.
Decision decided(std::string_view id, const Case& input, unsigned max_digits = 200) {
  const Claim& claim = find_claim(id);
  validate(claim, input);
  return decide(claim, input, max_digits);
}

Decision decided(std::string_view id, const std::string& json, unsigned max_digits = 200) {
  return decided(id, case_of(find_claim(id).kind, json), max_digits);
}

Certificate certified(std::string_view id, const std::string& json, unsigned min_digits = 50,
                      unsigned max_digits = 200) {
  const Claim& claim = find_claim(id);
  const Case input = case_of(claim.kind, json);
  validate(claim, input);
  return certify(claim, input, min_digits, max_digits);
}

// ---- cases that are hard to decide ----

struct Hard {
  const char* name;
  const char* claim;
  const char* json;
  Verdict verdict;
};

class HardCase : public testing::TestWithParam<Hard> {};

TEST_P(HardCase, IsDecided) {
  const auto& [name, claim, json, verdict] = GetParam();
  EXPECT_EQ(decided(claim, std::string(json)).verdict, verdict);
}

const Hard kHardCases[] = {
    {"singular_values_that_all_but_coincide", "lemma2.oblique",
     R"({"normalizer": "softplus", "logits": ["25.97325897216796875",
         "25.973258912563323974609375", "25.97325801849365234375",
         "25.97325909137725830078125"]})",
     Verdict::holds},
    {"both_sides_exactly_zero", "theorem1.fixed.sharp.lower",
     R"({"weights": ["1/3", "1/3", "1/3"], "embeddings": [["1"], ["-1"], ["0"]], "N": 2})",
     Verdict::equal},
    {"parts_that_cancel", "theorem1.fixed.sharp.lower",
     R"({"logits": [0, 0, 1], "normalizer": "taylor", "embeddings": [["1"], ["1"], ["1e-60"]],
         "N": 2})",
     Verdict::equal},
    {"a_step_of_any_length", "corollary3.step",
     R"({"logits": [0, 0], "epsilon": "1e10000", "direction": [1, -1]})", Verdict::holds},
    {"a_step_that_moves_all_alike", "corollary3.step",
     R"({"logits": [0, 1], "epsilon": "1e5", "direction": [-1, -1]})", Verdict::holds},
    {"all_the_weight_on_one_token", "corollary3.sharp", R"({"logits": ["2e18", 0]})",
     Verdict::holds},
    {"exp_far_beyond_any_exponent", "lipschitz.sigmoid",
     R"({"logits": ["1e19", 0], "normalizer": "sigmoid"})", Verdict::holds},
    {"softplus_far_above", "lipschitz.softplus",
     R"({"logits": ["1e19", 0], "normalizer": "softplus"})", Verdict::holds},
    {"entmax_at_the_edge", "lipschitz.entmax", R"({"logits": [2, 0], "normalizer": "entmax"})",
     Verdict::equal},
    {"two_tokens_that_all_but_tie", "corollary3.local.upper", R"({"logits": [0, "1e-150"]})",
     Verdict::equal},
    {"others_that_tie", "corollary3.local.lower", R"({"logits": [9, 0, 0, 0]})", Verdict::equal},
    {"a_limit_that_so_few_tokens_cannot_bring_near", "corollary2.long_context",
     R"({"L": 2000, "N": 2, "embeddings": [[1]], "epsilon": "1/2000"})",
     Verdict::assumption_not_met}};

INSTANTIATE_TEST_SUITE_P(Decide, HardCase, testing::ValuesIn(kHardCases),
                         [](const auto& info) { return info.param.name; });

// ---- the witnesses ----

constexpr const char* kAnySetWitness =
    R"({"weights": ["1/100", "99/100"], "embeddings": [["1", "0"], ["1", "0"]], "set": [0]})";
constexpr const char* kTheorem2Witness =
    R"({"weights": ["0.1","0.1","0.1","0.1","0.1","0.1","0.1","0.1","0.1","0.1"],
        "N": 9, "M": 1, "r": "1/2", "delta": 0, "dimension": 3})";

TEST(Witness, RefutesTheUpperBoundOfTheoremTwoWithTokensApart) {
  auto input = case_of(InputKind::sphere_embeddings, kTheorem2Witness);
  input.delta = Rational(1, 100);
  EXPECT_EQ(decided("theorem2.upper", input).verdict, Verdict::violated);
  const Certificate certificate = certify(find_claim("theorem2.upper"), input);
  // The conditional share lies within q = 45/40000 below and q/(1 - q) above.
  EXPECT_GT(Real<50>(certificate.lhs_lower), Real<50>("0.98071"));
  EXPECT_LT(Real<50>(certificate.lhs_upper), Real<50>("0.98296"));
}

// ---- attained bounds ----

TEST(Equal, TwoExactZerosAreEqualAtOnce) {
  const Decision decision =
      decided("theorem1.fixed", R"({"weights": ["0", "1"], "embeddings": [["0"], ["0"]], "N": 1})");
  EXPECT_EQ(decision.verdict, Verdict::equal);
  EXPECT_EQ(decision.digits, 50U);
}

TEST(Equal, IsNotSaidOfADifferenceThatCanBeSeen) {
  // Logits 1e-90 apart lower the norm by 1e-180 relative: small, but above 1e-190.
  const Decision decision = decided("corollary3.sharp", R"({"logits": ["0", "1e-90"]})");
  EXPECT_EQ(decision.verdict, Verdict::holds);
  EXPECT_EQ(decision.digits, 200U);
}

/// Both sides [1, 1 + 10^exponent] at 200 digits, and wide before: a claim that no precision
/// separates.
template <int exponent>
constexpr auto kOverlap = []<class S>(const CaseContext&) -> Sides<S> {
  using P = Point<S>;
  const bool is_cap = WorkingDigits::now() == kCapDigits;
  const S around_one = ScalarTraits<S>::enclose(P(1), P(1 + pow(P(10), is_cap ? exponent : -10)));
  return {around_one, around_one};
};

template <int exponent>
Decision decided_overlap() {
  Claim claim = find_claim("lemma2");
  claim.evaluators = sides<kOverlap<exponent>>;
  return decide(claim, Case{.kind = InputKind::normalized_row, .logits = {0, 0}});
}

TEST(Equal, OverlappingSidesAreEqualOnlyBelowTheThreshold) {
  EXPECT_EQ(decided_overlap<-150>().verdict, Verdict::undecided);
  EXPECT_EQ(decided_overlap<-189>().verdict, Verdict::undecided);
  EXPECT_EQ(decided_overlap<-191>().verdict, Verdict::equal);
  EXPECT_EQ(decided_overlap<-191>().digits, 200U);
}

TEST(Equal, SingleTokenOfTheoremTwo) {
  const char* single = R"({"weights": ["0.7", "0.3"], "N": 1, "M": 2, "r": "0.01", "delta": 0,
                           "dimension": 3})";
  EXPECT_EQ(decided("theorem2.lower", single).verdict, Verdict::equal);
  EXPECT_EQ(decided("theorem2.lower.sharp", single).verdict, Verdict::equal);
  EXPECT_EQ(decided("theorem2.upper.repaired", single).verdict, Verdict::equal);
  auto apart = case_of(InputKind::sphere_embeddings, single);
  apart.delta = Rational(1, 10);
  EXPECT_EQ(decided("theorem2.lower", apart).verdict, Verdict::equal);
}

// ---- hypotheses ----

TEST(AssumptionNotMet, NamesTheHypothesis) {
  auto input = case_of(InputKind::sphere_embeddings, kTheorem2Witness);
  input.r = Rational(4, 5);  // = xi_i: still allowed
  EXPECT_NE(decided("theorem2.upper", input).verdict, Verdict::assumption_not_met);
  input.r = parse_rational("0.80000000000000000000000000000000000000000000001");
  const Decision above = decided("theorem2.upper", input);
  EXPECT_EQ(above.verdict, Verdict::assumption_not_met);
  EXPECT_EQ(above.unmet, "r <= min_i xi_i");
  const Certificate certificate = certify(find_claim("theorem2.upper"), input);
  EXPECT_EQ(certificate.decision.verdict, Verdict::assumption_not_met);
  EXPECT_EQ(certificate.decision.unmet, "r <= min_i xi_i");
  EXPECT_EQ(decided("theorem2.lower", input).verdict, Verdict::holds);
}

TEST(AssumptionNotMet, TokensKeptApart) {
  auto input = case_of(InputKind::sphere_embeddings, kTheorem2Witness);
  input.delta = Rational(1, 100);
  EXPECT_EQ(decided("theorem2.lower", input).verdict, Verdict::holds);
  EXPECT_EQ(decided("theorem2.lower.sharp", input).verdict, Verdict::assumption_not_met);
  EXPECT_EQ(decided("theorem2.upper.repaired", input).verdict, Verdict::assumption_not_met);
  // C(10, 2) delta^2/4 >= 1: some pair may be closer for all that is known.
  input.delta = Rational(3, 10);
  EXPECT_EQ(decided("theorem2.lower", input).verdict, Verdict::assumption_not_met);
  EXPECT_FALSE(decided("theorem2.lower", input).unmet.empty());
  // Two points of S^0 are equal or opposite: no bound on the conditional share in d = 1.
  input.delta = Rational(1, 100);
  input.dimension = 1;
  EXPECT_EQ(decided("theorem2.lower", input).verdict, Verdict::assumption_not_met);
}

/// Where a set is drawn at random nothing is asked of the weights.
TEST(AnyWeights, AreDecidedWhereTheSetIsRandom) {
  const auto verdict_of = [](std::string_view id, const std::string& normalizer) {
    return decided(id, R"({"logits": ["1", "-2", "1/3"], "N": 1, "normalizer": ")" + normalizer +
                           R"(", "embeddings": [["1", "0"], ["1", "2"], ["-1", "1/2"]]})");
  };
  for (const char* id : {"theorem1.random.lower", "theorem1.random.upper", "theorem1.random.sharp",
                         "corollary2.long_context.repaired", "corollary2.full_set"}) {
    SCOPED_TRACE(id);
    for (const char* normalizer :
         {"self_adjusted", "softmax1", "sigmoid_attention", "relu_attention"}) {
      EXPECT_EQ(verdict_of(id, normalizer).verdict, Verdict::holds) << normalizer;
    }
    EXPECT_THAT(verdict_of(id, "pooling").unmet, StartsWith("pooling: a gain"));
    EXPECT_THAT(verdict_of(id, "polynomial").unmet, StartsWith("polynomial: a degree"));
    EXPECT_EQ(decided(id, R"({"logits": [0, 0], "N": 1, "normalizer": "self_adjusted",
                              "embeddings": [[1], [2]]})")
                  .unmet,
              "self_adjusted: not all logits zero");
  }
}

TEST(AnyWeights, OfTheCageHaveASumOfAtMostOne) {
  const auto decided_of = [](const std::string& normalizer, const std::string& logits) {
    return decided("cage.norm", R"({"embeddings": [["3", "4"], ["3", "4"]], "normalizer": ")" +
                                    normalizer + R"(", "logits": )" + logits + "}");
  };
  // o = (sum a_i) x.
  const Decision two_thirds = decided_of("softmax1", "[0, 0]");
  EXPECT_EQ(two_thirds.verdict, Verdict::holds);
  EXPECT_NEAR(two_thirds.lhs, 10.0 / 3, 1e-12);
  EXPECT_EQ(decided_of("relu_attention", "[1, 1]").verdict, Verdict::equal);
  EXPECT_EQ(decided_of("relu_attention", "[2, 1]").unmet, "a_i >= 0 and sum a_i <= 1");
  EXPECT_EQ(decided_of("sigmoid_attention", "[9, 9]").verdict, Verdict::assumption_not_met);
  EXPECT_EQ(decided_of("self_adjusted", "[0, 0]").unmet, "self_adjusted: not all logits zero");
}

// ---- the ladder ----

/// ||J|| = 1/2 (1 - O(gap^2)): the sides differ by about gap^2/4 relative.
std::string near_equal_pair(const std::string& gap) {
  return R"({"logits": ["0", ")" + gap + R"("]})";
}

TEST(Ladder, StopsAtTheCapThatIsAskedFor) {
  const auto capped = [](const std::string& gap, unsigned max_digits) {
    return decided("corollary3.sharp", near_equal_pair(gap), max_digits);
  };
  EXPECT_EQ(capped("1e-12", kFilter).verdict, Verdict::undecided);
  EXPECT_EQ(capped("1e-30", 50).verdict, Verdict::undecided);
  EXPECT_EQ(capped("1e-30", 50).digits, 50U);
  EXPECT_EQ(capped("1e-30", 100).verdict, Verdict::holds);
  EXPECT_EQ(capped("1e-60", 100).verdict, Verdict::undecided);
  EXPECT_EQ(capped("1e-60", 100).digits, 100U);
  EXPECT_EQ(capped("1e-60", 200).verdict, Verdict::holds);
  const Certificate certificate = certified("corollary3.sharp", near_equal_pair("1e-60"), 50, 100);
  EXPECT_EQ(certificate.decision.verdict, Verdict::undecided);
}

TEST(Ladder, DoesNotDependOnACommonOffsetOfLogits) {
  const Decision decision =
      decided("corollary3", R"({"logits": ["1e250", "1e250"], "temperature": "1"})");
  EXPECT_EQ(decision.verdict, Verdict::violated);
  EXPECT_EQ(decision.digits, kFilter);
}

TEST(Ladder, OverflowNeverDecides) {
  // exp(1e30) exceeds even the range of exponents of MPFR.
  const char* huge = R"({"logits": ["1e30", "-1e30"], "normalizer": "sigmoid"})";
  EXPECT_NE(decided("lemma2", huge).verdict, Verdict::violated);
  EXPECT_NE(decided("lemma2.sharp", huge).verdict, Verdict::violated);
}

TEST(Ladder, TinyWeightsOfTheoremTwoDoNotVanish) {
  // The squares of the others' weights underflow in double, their length R e = 2 does not.
  const char* tiny = R"({"weights": ["1/2", "1/2", "0"], "N": 2, "M": 1, "r": 1, "delta": 0,
                         "dimension": 3})";
  auto input = case_of(InputKind::sphere_embeddings, tiny);
  const Rational e = parse_rational("1e-200");
  input.weights = {1 - e, e, 0};
  input.sphere_radius = 2 / e;
  // N = 2: both offsets exceed r, by lengths that are known: neither varies.
  const Decision decision = decide(find_claim("theorem2.upper.repaired"), input);
  EXPECT_NE(decision.digits, kFilter);
  EXPECT_EQ(decision.verdict, Verdict::equal);
  const Certificate certificate = certify(find_claim("theorem2.upper.repaired"), input);
  EXPECT_EQ(certificate.lhs, "0");
  EXPECT_EQ(certificate.rhs, "0");
}

// ---- the filter alone ----

TEST(Filter, SaysOnlyWhatIsCertain) {
  const ErrorDouble one(1.0, 0.1);
  EXPECT_EQ(filter({one, ErrorDouble(1.2)}).verdict, Verdict::holds);
  EXPECT_EQ(filter({ErrorDouble(1.2), one}).verdict, Verdict::violated);
  EXPECT_EQ(filter({one, ErrorDouble(1.05)}).verdict, Verdict::undecided);
  EXPECT_EQ(filter({one, one}).verdict, Verdict::undecided);
  EXPECT_EQ(filter({one, ErrorDouble(1.0)}).verdict, Verdict::undecided);
  EXPECT_EQ(filter({ErrorDouble(1.0), one}).verdict, Verdict::undecided);
  EXPECT_EQ(filter({ErrorDouble(1.0), ErrorDouble(1.0)}).verdict, Verdict::equal);
  EXPECT_EQ(filter({ErrorDouble(0.0), ErrorDouble(-0.0)}).verdict, Verdict::equal);
  const ErrorDouble infinite(std::numeric_limits<double>::infinity());
  EXPECT_EQ(filter({infinite, infinite}).verdict, Verdict::undecided);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(filter({ErrorDouble(nan), one}).verdict, Verdict::undecided);
  EXPECT_EQ(filter({one, ErrorDouble(2.0, nan)}).verdict, Verdict::undecided);
  EXPECT_EQ(filter({one, ErrorDouble(std::numeric_limits<double>::infinity())}).verdict,
            Verdict::undecided);
  EXPECT_EQ(filter({one, ErrorDouble(1.2)}).digits, kFilter);
}

TEST(Decide, KnowsBoundsThatAreExactlyZero) {
  const Claim& claim = find_claim("theorem1.fixed.any_set");
  // The bound is d1 - X with d1 = X = sqrt 2, and D = 0.
  const Case roots =
      case_of(InputKind::set_embeddings, R"({"embeddings": [["1", "1"], ["-1", "-1"], ["0", "0"]],
      "set": [0, 1], "weights": ["0", "0", "1"]})");
  EXPECT_EQ(decide(claim, roots).verdict, Verdict::equal);
  // Three equal weights of 1/3: A (L - N) - (1 - A) = 2/3 - 2/3.
  const Case thirds =
      case_of(InputKind::set_embeddings,
              R"({"embeddings": [["1"], ["1"], ["1"]], "set": [0], "logits": ["5", "5", "5"]})");
  EXPECT_EQ(decide(claim, thirds).verdict, Verdict::equal);
}

/// Where nothing moves, nothing is put out or nothing is left, no digits are lost to a difference.
TEST(Decide, KnowsZerosOfTheClaimsBesideThePaper) {
  const auto verdict = [](std::string_view id, const std::string& json) {
    return decided(id, json).verdict;
  };
  for (const char* const logits : {R"(["0.1", "0.7"])", R"(["0.1", "90"])"}) {
    const std::string row = std::string(R"({"logits": )") + logits;
    EXPECT_EQ(verdict("softmax.cocoercive", row + R"(, "step": ["1/3", "1/3"]})"), Verdict::equal);
    for (const char* const longer : {"1/7", "90"}) {
      EXPECT_EQ(verdict("corollary3.step.order", row + R"(, "direction": ["1/3", "1/3"],
          "epsilon": "1/9", "larger_epsilon": ")" + longer +
                                                     "\"}"),
                Verdict::equal)
          << longer;
    }
  }
  EXPECT_EQ(verdict("rank_collapse.diameter", R"({"embeddings": [["0.1", "0.7"], ["0.1", "0.7"],
      ["0.1", "0.7"]], "temperature": "3"})"),
            Verdict::equal);
  EXPECT_EQ(verdict("lse.upper", R"({"query": ["1/3"], "keys": [["-1/3"]]})"), Verdict::equal);
  EXPECT_EQ(verdict("cage.norm", R"({"logits": ["0.1", "0.7"], "embeddings": [["0"], ["0"]]})"),
            Verdict::equal);
}

/// The weight of the sink is 0, and so is the bound; or it is far too small to be seen beside 1.
TEST(Decide, KnowsAnAttainedBoundOnASink) {
  const auto sink = [](const std::string& scores) {
    return decided("sink.no_op", "{" + scores + R"(, "embeddings": [["0"], ["-1/3"], ["-1/3"]],
        "direction": ["-7"], "constant": "1/3"})");
  };
  EXPECT_EQ(sink(R"("weights": ["0", "1/3", "2/3"])").verdict, Verdict::equal);
  EXPECT_EQ(sink(R"("weights": ["1", "0", "0"])").verdict, Verdict::equal);
  EXPECT_EQ(sink(R"("logits": ["-9", "0.1", "0.2"], "normalizer": "entmax")").verdict,
            Verdict::equal);
  EXPECT_EQ(sink(R"("logits": ["-9", "0.1", "0.2"], "normalizer": "sparsemax")").verdict,
            Verdict::equal);
  for (const char* const normalizer : {"softmax", "sigmoid", "softplus", "scalable_softmax"}) {
    const std::string row = R"("logits": ["-2000", "0.1", "0.2"], "normalizer": ")";
    EXPECT_EQ(sink(row + normalizer + "\"").verdict, Verdict::equal) << normalizer;
  }
  EXPECT_EQ(decided("sink.no_op", R"({"weights": ["1/2", "1/2"], "embeddings": [["-1"], ["2"]],
      "direction": ["1"], "constant": "1"})")
                .unmet,
            "u . x_0 >= 0");
  EXPECT_EQ(decided("sink.no_op", R"({"weights": ["1/2", "1/2"], "embeddings": [["0"], ["-2"]],
      "direction": ["1"], "constant": "1"})")
                .unmet,
            "u . x_i >= c ||u|| for every i != 0");
}

/// (1 + 10^-k)^2 - 1 beside 2 (1 + 10^-k) - 2, which is 10^-2k less.
Decision of_formula(int k, unsigned max_digits = 200) {
  const Rational tiny = parse_rational("1e-" + std::to_string(k));
  return decide(
      [&]<class S>() -> Sides<S> {
        const S x = S(1.0) + from<S>(tiny);
        return {x * x - S(1.0), S(2.0) * x - S(2.0)};
      },
      max_digits);
}

TEST(DecideFormula, ClimbsAsFarAsItTakes) {
  const Decision rough = decide([]<class S>() -> Sides<S> {
    using std::exp;
    return {exp(S(1.0)), S(2.75)};
  });
  EXPECT_EQ(rough.verdict, Verdict::holds);
  EXPECT_EQ(rough.digits, kFilter);
  EXPECT_LT(rough.lhs_bounds.lower, std::numbers::e);
  EXPECT_GT(rough.lhs_bounds.upper, std::numbers::e);
  for (const auto& [k, digits] : {std::pair{1, 0U}, {15, 50U}, {40, 100U}, {80, 200U}}) {
    const Decision decision = of_formula(k);
    EXPECT_EQ(decision.verdict, Verdict::violated) << k;
    EXPECT_EQ(decision.digits, digits) << k;
  }
  EXPECT_EQ(of_formula(15, kFilter).verdict, Verdict::undecided);
  EXPECT_EQ(of_formula(40, 50).verdict, Verdict::undecided);
}

TEST(DecideFormula, SidesThatAgreeTo190DigitsAreEqual) {
  const Decision decision = decide([]<class S>() -> Sides<S> {
    const S root = sqrt_nonnegative(S(2.0));
    return {root * root, S(2.0)};
  });
  EXPECT_EQ(decision.verdict, Verdict::equal);
  EXPECT_EQ(decision.digits, 200U);
}

}  // namespace
}  // namespace attn
