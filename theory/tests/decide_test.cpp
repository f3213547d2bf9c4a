#include "theory/claims/decide.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "theory/attention/attained.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/define.hpp"
#include "theory/number/scalar.hpp"
#include "theory/tests/support.hpp"

namespace attn {
namespace {

using test::case_of;

Decision decided(std::string_view id, const std::string& json, unsigned max_digits = 200) {
  const Claim& claim = find_claim(id);
  return decide(claim, case_of(claim.kind, json), max_digits);
}

// ---- attained bounds ----

/// Both sides [1, 1 + 10^exponent] at 200 digits, and wide before, and `exactly` what exact
/// arithmetic knows of them.
template <int exponent, auto exactly>
constexpr auto kOverlap = []<class S>(const CaseContext&) -> Sides<S> {
  if constexpr (std::is_same_v<S, Exact>) {
    return exactly();
  } else {
    using P = Point<S>;
    const bool is_cap = WorkingDigits::now() == kCapDigits;
    const S around_one = ScalarTraits<S>::enclose(P(1), P(1 + pow(P(10), is_cap ? exponent : -10)));
    return {around_one, around_one};
  }
};

constexpr auto kNothing = [] { return Sides<Exact>{Exact::unknown(), Exact::unknown()}; };
constexpr auto kTwoAndThree = [] { return Sides<Exact>{Exact(2), Exact(3)}; };
constexpr auto kOneAndTwo = [] { return Sides<Exact>{Exact(1), Exact(2)}; };

template <int exponent, auto exactly>
Decision decided_overlap() {
  Claim claim = find_claim("lemma2");
  claim.evaluators = sides<kOverlap<exponent, exactly>>;
  return decide(claim, Case{.kind = InputKind::normalized_row, .logits = {0, 0}});
}

TEST(Equal, IsSaidOfNoOverlapHoweverSmall) {
  EXPECT_EQ((decided_overlap<-150, kNothing>().verdict), Verdict::undecided);
  EXPECT_EQ((decided_overlap<-191, kNothing>().verdict), Verdict::undecided);
  const Decision decision = decided_overlap<-239, kNothing>();
  EXPECT_EQ(decision.verdict, Verdict::undecided);
  EXPECT_EQ(decision.open, Open::nothing);
  EXPECT_EQ(decision.digits, 200U);
}

TEST(Exactly, ASideThatContradictsItsEnclosureIsAnError) {
  EXPECT_THROW((decided_overlap<-239, kTwoAndThree>()), std::logic_error);
  EXPECT_THROW((decided_overlap<-239, kOneAndTwo>()), std::logic_error);
}

TEST(Exactly, AVerdictThatMoreDigitsContradictIsAnError) {
  // Exact arithmetic knows both sides as one number, and 200 digits tell them apart.
  constexpr auto kApart = []<class S>(const CaseContext&) -> Sides<S> {
    if constexpr (std::is_same_v<S, Interval>) {
      const bool is_cap = WorkingDigits::now() == kCapDigits;
      return {ScalarTraits<S>::enclose(Point<S>(1), Point<S>(is_cap ? 1 : 4)),
              ScalarTraits<S>::enclose(Point<S>(is_cap ? 2 : 1), Point<S>(4))};
    } else {
      return {S(1.0), S(1.0)};
    }
  };
  Claim claim = find_claim("lemma2");
  claim.evaluators = sides<kApart>;
  const Case input{.kind = InputKind::normalized_row, .logits = {0, 0}};
  EXPECT_THROW(certify(claim, input), std::logic_error);
}

// ---- certificates ----

/// 1 and 2, so that the verdict is clear, and at 50 digits one of them is known to 20.
template <bool is_left>
constexpr auto kRoughSide = []<class S>(const CaseContext&) -> Sides<S> {
  if constexpr (std::is_same_v<S, Interval>) {
    const bool is_rough = WorkingDigits::now() == kLadder[0];
    const S rough = ScalarTraits<S>::enclose(
        Point<S>(is_left ? 1 : 2),
        Point<S>(is_left ? 1 : 2) + (is_rough ? pow(Point<S>(10), -20) : Point<S>(0)));
    return is_left ? Sides<S>{rough, S(2.0)} : Sides<S>{S(1.0), rough};
  } else {
    return {S(1.0), S(2.0)};
  }
};

template <bool is_left>
Certificate certified_rough_side(unsigned most) {
  Claim claim = find_claim("lemma2");
  claim.evaluators = sides<kRoughSide<is_left>>;
  return certify(claim, Case{.kind = InputKind::normalized_row, .logits = {0, 0}}, 50, most);
}

TEST(Certify, ClimbsUntilBothSidesAreKnown) {
  for (const bool is_left : {true, false}) {
    SCOPED_TRACE(is_left ? "the left side is rough" : "the right side is rough");
    const auto of = [&](unsigned most) {
      return is_left ? certified_rough_side<true>(most) : certified_rough_side<false>(most);
    };
    const Certificate whole = of(200);
    EXPECT_EQ(whole.decision.verdict, Verdict::holds);
    EXPECT_EQ(whole.decision.digits, 50U) << "which tell";
    EXPECT_EQ(whole.lhs_lower, whole.lhs_upper);
    EXPECT_EQ(whole.rhs_lower, whole.rhs_upper);
    EXPECT_EQ(std::stod(whole.lhs), 1);
    EXPECT_EQ(std::stod(whole.rhs), 2);
    const Certificate rough = of(50);
    EXPECT_EQ(rough.lhs_lower == rough.lhs_upper, !is_left);
    EXPECT_EQ(rough.rhs_lower == rough.rhs_upper, is_left);
  }
}

/// A user's own formula takes the same step.
TEST(Exactly, DecidesFormulas) {
  const auto formula = [](const char* more) {
    return [more]<class S>() -> Sides<S> {
      const S e = exp(S(1.0));
      return {(e + S(1.0)) * (e + S(1.0)),
              e * e + S(2.0) * e + S(1.0) + from<S>(parse_rational(more))};
    };
  };
  EXPECT_EQ(decide(formula("0")).verdict, Verdict::equal);
  EXPECT_EQ(decide(formula("0")).by, By::exact);
  EXPECT_EQ(decide(formula("1e-500")).verdict, Verdict::holds);
  EXPECT_EQ(decide(formula("-1e-500")).verdict, Verdict::violated);
}

/// 240 digits do not tell on which side of c a token is that is c to 270.
TEST(Equal, IsSaidOnlyWhereItIsCertain) {
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

TEST(Equal, IsSaidOfTheClaimsOwnSidesAlone) {
  for (const char* id : {"theorem1.fixed.sharp.lower", "theorem1.fixed.sharp.upper",
                         "theorem1.fixed.any_set.sharp", "distance.linear"}) {
    const Claim& claim = find_claim(id);
    ASSERT_NE(claim.attained, nullptr) << id;
    for (const Mutant& mutant : claim.mutants) {
      const bool own = mutant.evaluators == nullptr;
      EXPECT_EQ(as_mutated_claim(claim, mutant).attained, own ? claim.attained : nullptr)
          << mutant.id;
    }
  }
}

// ---- the ladder ----

/// ||J|| = 1/2 (1 - O(gap^2)): the sides differ by about gap^2/4 relative.
std::string near_equal_pair(const std::string& gap) {
  return R"({"logits": ["0", ")" + gap + R"("]})";
}

TEST(Ladder, StopsAtTheCapThatIsAskedFor) {
  const auto capped = [](const std::string& gap, unsigned max_digits) {
    Claim claim = find_claim("corollary3.sharp");
    const Evaluators blind{claim.evaluators->filter, claim.evaluators->enclose,
                           [](const CaseContext&) { return kNothing(); }};
    claim.evaluators = &blind;
    return decide(claim, case_of(claim.kind, near_equal_pair(gap)), max_digits);
  };
  EXPECT_EQ(capped("1e-12", kFilter).verdict, Verdict::undecided);
  EXPECT_EQ(capped("1e-30", 50).verdict, Verdict::undecided);
  EXPECT_EQ(capped("1e-30", 50).digits, 50U);
  EXPECT_EQ(capped("1e-30", 100).verdict, Verdict::holds);
  EXPECT_EQ(capped("1e-60", 100).verdict, Verdict::undecided);
  EXPECT_EQ(capped("1e-60", 100).digits, 100U);
  EXPECT_EQ(capped("1e-60", 200).verdict, Verdict::holds);
}

TEST(Ladder, SaysWhatDecided) {
  const auto by = [](const std::string& gap) {
    return decided("corollary3.sharp", near_equal_pair(gap)).by;
  };
  EXPECT_EQ(by("1"), By::filter);
  EXPECT_EQ(by("1e-12"), By::digits50);
  EXPECT_EQ(by("1e-30"), By::exact);
  EXPECT_EQ(by("1e-200"), By::exact);
  EXPECT_EQ(by("0"), By::attained);
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

/// Sides that 200 digits say next to nothing of, and what they are.
TEST(Certify, PrintsWhatExactArithmeticKnowsOfASide) {
  struct Known {
    const char *claim, *json, *lhs, *rhs;
  };
  const Known cases[] = {
      {"retrieval.precision",
       R"({"logits":["0","500","1e-300"],"temperature":"1/10","embeddings":[["-2"],["1"],["-2"]],
           "N":2})",
       "0.666666666666", "0.666666666666"},
      {"retrieval.precision",
       R"({"logits":["1","0","1.000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001"],"temperature":"2",
           "embeddings":[["1"],["0"],["1"]],"N":1})",
       "1.0", "1.0"},
  };
  for (const auto& [id, json, lhs, rhs] : cases) {
    const Claim& claim = find_claim(id);
    const Certificate found = certify(claim, read_case(claim, nlohmann::json::parse(json)));
    for (const std::string& of_lhs : {found.lhs, found.lhs_lower, found.lhs_upper}) {
      EXPECT_NEAR(std::stod(of_lhs), std::stod(lhs), 1e-8) << id << " " << of_lhs;
    }
    for (const std::string& of_rhs : {found.rhs, found.rhs_lower, found.rhs_upper}) {
      EXPECT_NEAR(std::stod(of_rhs), std::stod(rhs), 1e-8) << id << " " << of_rhs;
    }
  }
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

/// (1 + 10^-k)^2 - 1 beside 2 (1 + 10^-k) - 2, which is 10^-2k less. `blind`: exact arithmetic does
/// not know it.
Decision of_formula(int k, bool blind, unsigned max_digits = 200) {
  const Rational tiny = parse_rational("1e-" + std::to_string(k));
  return decide(
      [&]<class S>() -> Sides<S> {
        if constexpr (std::is_same_v<S, Exact>) {
          if (blind) return {Exact::unknown(), Exact::unknown()};
        }
        const S x = S(1.0) + from<S>(tiny);
        return {x * x - S(1.0), S(2.0) * x - S(2.0)};
      },
      max_digits);
}

TEST(DecideFormula, ClimbsAsFarAsItTakes) {
  for (const auto& [k, by] : {std::pair{1, By::filter}, {15, By::digits50}, {40, By::exact}}) {
    const Decision decision = of_formula(k, false);
    EXPECT_EQ(decision.verdict, Verdict::violated) << k;
    EXPECT_EQ(decision.by, by) << k;
  }
  for (const auto& [k, by] : {std::pair{40, By::digits100}, {80, By::digits200}}) {
    const Decision decision = of_formula(k, true);
    EXPECT_EQ(decision.verdict, Verdict::violated) << k;
    EXPECT_EQ(decision.by, by) << k;
  }
  EXPECT_EQ(of_formula(15, false, kFilter).verdict, Verdict::undecided);
  EXPECT_EQ(of_formula(40, true, 50).verdict, Verdict::undecided);
}

}  // namespace
}  // namespace attn
