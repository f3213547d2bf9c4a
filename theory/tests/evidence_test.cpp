#include "theory/claims/evidence.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "theory/attention/kind.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/evaluation.hpp"
#include "theory/tests/decided.hpp"

namespace attn {
namespace {

using test::decision;
using test::two_logits;

/// A decision kept as the worst case, alone.
KeptCases worst_of(const Decision& decided, const Case& input, std::string where = "here") {
  return {.worst =
              std::make_shared<const DecidedCase>(decided_case(decided, input, std::move(where)))};
}

TEST(Evidence, IsCertifiedWhereItIsKept) {
  const Claim& claim = find_claim("corollary3.sharp");
  const Case input = two_logits(1);
  const CertifiedCases cases = certify(claim, worst_of(decide(claim, input), input, "row 7"));
  ASSERT_TRUE(cases.worst);
  EXPECT_FALSE(cases.violation);
  EXPECT_FALSE(cases.undecided);
  EXPECT_EQ(cases.worst->input, input);
  EXPECT_EQ(cases.worst->where, "row 7");
  EXPECT_EQ(cases.worst->numbers, numbers_of(input));
  EXPECT_EQ(cases.worst->certificate.decision.verdict, Verdict::holds);
  EXPECT_GE(cases.worst->certificate.decision.digits, 50U);
}

/// One case kept for two reasons is decided once.
TEST(Evidence, OfOneCaseIsOneCertificate) {
  const Claim& claim = find_claim("corollary3");
  const Case input = two_logits(0);
  KeptCases kept = worst_of(decide(claim, input), input);
  kept.violation = kept.worst;
  const CertifiedCases cases = certify(claim, kept);
  EXPECT_EQ(cases.worst, cases.violation);
  kept.violation = std::make_shared<const DecidedCase>(*kept.worst);
  EXPECT_NE(certify(claim, kept).violation, certify(claim, kept).worst);
}

TEST(Evidence, GoesBothWaysAsJson) {
  const Claim& claim = find_claim("corollary3.sharp");
  const DecidedCase decided = decided_case(decision(Verdict::holds, 1, 2), two_logits(5), "there");
  EXPECT_EQ(made_from(input_json(decided), claim)(), two_logits(5));
  EXPECT_THROW(made_from({{"logits", "many"}}, claim), BadInput);
}

TEST(Evidence, PrefersTheWorstCaseWhereItIsAViolationAndShort) {
  const Claim& claim = find_claim("corollary3");
  const Case first = two_logits(1), worst = two_logits(0), far = two_logits(9);
  KeptCases kept = worst_of(decide(claim, worst), worst);
  kept.violation = std::make_shared<const DecidedCase>(
      decided_case(decide(claim, first), first, "the first violation"));
  prefer_worst(kept, numbers_of(worst) - 1);
  EXPECT_EQ(kept.violation->where, "the first violation");
  prefer_worst(kept, numbers_of(worst));
  EXPECT_EQ(kept.violation, kept.worst);
  KeptCases holds = worst_of(decide(claim, far), far);
  prefer_worst(holds, numbers_of(far));
  EXPECT_FALSE(holds.violation);
  KeptCases none;
  prefer_worst(none, 10);
  EXPECT_FALSE(none.violation);
}

TEST(Evidence, IsRefusedWhereIntervalsContradictIt) {
  const Claim& claim = find_claim("corollary3.sharp");
  const DecidedCase wrong = decided_case(decision(Verdict::violated, 2, 1), two_logits(0), "there");
  const auto kept = std::make_shared<const DecidedCase>(wrong);
  for (const KeptCases& cases : {KeptCases{.worst = kept}, KeptCases{.violation = kept}}) {
    EXPECT_THAT([&] { return certify(claim, cases); },
                testing::ThrowsMessage<std::logic_error>(
                    "corollary3.sharp: a case counted as violated is equal when decided anew "
                    "(there)"));
  }
  const auto open = std::make_shared<const DecidedCase>(
      decided_case(decision(Verdict::undecided, 1, 1), two_logits(0), "there"));
  EXPECT_EQ(certify(claim, {.undecided = open}).undecided->certificate.decision.verdict,
            Verdict::equal);
}

/// Which of "holds" and "equal" it is may change when a case is decided anew; that it meets the
/// hypotheses may not.
TEST(Evidence, IsRefusedWhereTheCaseLiesOutsideWhenItIsDecidedAnew) {
  const Claim& claim = find_claim("corollary3.sharp");
  Claim outside = claim;
  outside.unmet = [](const CaseContext&) -> std::string_view { return "never"; };
  for (const int gap : {0, 1}) {
    const Case input = two_logits(gap);
    const Verdict anew = decide(claim, input).verdict;
    EXPECT_EQ(anew, gap == 0 ? Verdict::equal : Verdict::holds);
    for (const Verdict counted : {Verdict::holds, Verdict::equal}) {
      Decision decided = decide(claim, input);
      decided.verdict = counted;
      const KeptCases kept = worst_of(decided, input);
      EXPECT_EQ(certify(claim, kept).worst->certificate.decision.verdict, anew);
      EXPECT_THROW(certify(outside, kept), std::logic_error);
    }
  }
}

/// corollary3.sharp with 1/(2T) made ten times larger: the verdict stays, the ratio does not.
TEST(Evidence, IsRefusedWhereTheWorstCaseDoesNotHaveItsRatio) {
  const Claim& claim = find_claim("corollary3.sharp");
  const Case input = two_logits(1);
  for (const double factor : {10.0, 0.1}) {
    Decision wrong = decide(claim, input);
    for (double* const side : {&wrong.rhs, &wrong.rhs_bounds.lower, &wrong.rhs_bounds.upper}) {
      *side *= factor;
    }
    EXPECT_THAT(
        [&] { return certify(claim, worst_of(wrong, input, "layer 3, row 7")); },
        testing::ThrowsMessage<std::logic_error>(testing::AllOf(
            testing::StartsWith("corollary3.sharp: the largest ratio was counted from "),
            testing::HasSubstr("give one from 0.786"), testing::EndsWith("(layer 3, row 7)"))));
  }
}

/// corollary3.sharp on gap 1 by bounds 30 % wide: the ratio is 0.786.
TEST(Evidence, HasTheRatioOfARoughCaseThatMayBeTheLargest) {
  const Claim& claim = find_claim("corollary3.sharp");
  const Case input = two_logits(1);
  const Decision exact = decide(claim, input);
  Decision rough = exact;
  rough.lhs_bounds = {0.9 * rough.lhs, 1.2 * rough.lhs};
  rough.lhs *= 1.05;
  for (const std::optional<double> largest : {std::optional<double>(), std::optional(0.5)}) {
    Decision settled = rough;
    settle_ratio(settled, claim, largest, [&] { return input; });
    EXPECT_NEAR(*tightness(settled), exact.lhs / exact.rhs, 1e-12);
    EXPECT_EQ(settled.by, exact.by);
  }
  const auto fail = []() -> Case { throw std::logic_error("asked for a case that is not needed"); };
  Decision below = rough;
  below.lhs_bounds = {0.5 * rough.rhs, 0.7 * rough.rhs};
  settle_ratio(below, claim, 0.75, fail);
  Decision sampled = rough;
  sampled.sampled = true;
  settle_ratio(sampled, claim, {}, fail);
  Decision known = exact;
  settle_ratio(known, claim, {}, fail);
  Decision equal = rough;
  equal.verdict = Verdict::equal;
  settle_ratio(equal, claim, {}, fail);
}

TEST(Evidence, DecidesAsWithoutARatioToBeat) {
  const Claim& claim = find_claim("corollary3.sharp");
  const Decision decided = decide_beyond(claim, two_logits(1), 0.5);
  EXPECT_EQ(decided.verdict, Verdict::holds);
  EXPECT_EQ(decided.by, decide(claim, two_logits(1)).by);
}

/// 0 * infinity: no kernel and no filter knows such sides, a claim may know that they are equal.
TEST(Filter, BoundsWhatHasOverflowedByNothing) {
  const ErrorDouble overflowed{1, std::numeric_limits<double>::quiet_NaN()};
  const Decision decided = filter({overflowed, overflowed});
  EXPECT_EQ(decided.verdict, Verdict::undecided);
  for (const Bounds& bounds : {decided.lhs_bounds, decided.rhs_bounds, ratio_bounds(decided)}) {
    EXPECT_EQ(bounds.lower, -std::numeric_limits<double>::infinity());
    EXPECT_EQ(bounds.upper, std::numeric_limits<double>::infinity());
  }
}

TEST(RatioBounds, HoldTheExactRatio) {
  const auto bounds = [](Bounds lhs, Bounds rhs) {
    Decision decided = decision(Verdict::holds, lhs.lower, rhs.lower);
    decided.lhs_bounds = lhs;
    decided.rhs_bounds = rhs;
    return ratio_bounds(decided);
  };
  const Bounds positive = bounds({1, 2}, {4, 8});
  EXPECT_LT(positive.lower, 0.125);
  EXPECT_NEAR(positive.lower, 0.125, 1e-15);
  EXPECT_GT(positive.upper, 0.5);
  EXPECT_NEAR(positive.upper, 0.5, 1e-15);
  const Bounds negative = bounds({-2, -1}, {4, 8});
  EXPECT_NEAR(negative.lower, -0.5, 1e-15);
  EXPECT_NEAR(negative.upper, -0.125, 1e-15);
  EXPECT_EQ(bounds({1, 2}, {0, 1}).upper, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(bounds({1, 2}, {}).upper));
}

TEST(Tightness, AgreesWithTheVerdictWhereRoundingDoesNot) {
  EXPECT_EQ(tightness(decision(Verdict::holds, 1.0000001, 1.0)), 1.0);
  EXPECT_EQ(tightness(decision(Verdict::equal, 0.9999999, 1.0)), 1.0);
  EXPECT_GT(*tightness(decision(Verdict::violated, 0.9999999, 1.0)), 1.0);
  EXPECT_EQ(tightness(decision(Verdict::holds, 0.25, 0.5)), 0.5);
  EXPECT_EQ(tightness(decision(Verdict::holds, -1, 0.5)), -2.0);
}

/// A decision that knows its left side within these bounds, and that its right side is 1.
Decision within(Verdict verdict, double least, double most) {
  Decision decided = decision(verdict, (least + most) / 2, 1);
  decided.lhs_bounds = {least, most};
  return decided;
}

TEST(Tightness, IsTheLeastThatItCanBeWhereTheSidesAreNotKnown) {
  EXPECT_NEAR(*tightness(within(Verdict::holds, 0.25, 0.75)), 0.25, 1e-15);
  EXPECT_NEAR(*tightness(within(Verdict::violated, 44, 132)), 44, 1e-12);
  EXPECT_LE(*tightness(within(Verdict::violated, 44, 132)), 44);
  EXPECT_EQ(tightness(within(Verdict::holds, -0.5, 0.5)), 0.0);
  EXPECT_NEAR(*tightness(within(Verdict::holds, -0.75, -0.5)), -0.75, 1e-15);
  EXPECT_EQ(tightness(within(Verdict::holds, 0.5, 0.5 + 1e-12)), 0.5 + 0.5e-12);
}

/// Known to nine digits: by the sides' middles; else the least.
TEST(Tightness, TakesARatioForKnownToNineDigits) {
  const auto is_middle = [](double least, double most) {
    return tightness(within(Verdict::holds, least, most)) == (least + most) / 2;
  };
  EXPECT_TRUE(is_middle(0.5, 0.5 + 0.4e-9));
  EXPECT_FALSE(is_middle(0.5, 0.5 + 0.6e-9));
  EXPECT_TRUE(is_middle(-0.5 - 0.4e-9, -0.5));
  EXPECT_FALSE(is_middle(-0.5 - 0.6e-9, -0.5));
  EXPECT_TRUE(is_middle(0, 0));
  EXPECT_FALSE(is_middle(0, 1e-300));
}

/// The bounds of a ratio whose right side may be 0 are infinite.
TEST(Tightness, IsZeroWhereNothingBoundsTheRatio) {
  Decision open = decision(Verdict::holds, 0.5, 1);
  open.rhs_bounds = {-1, 2};
  EXPECT_EQ(tightness(open), 0.0);
  open.rhs_bounds = {0, 2};
  EXPECT_EQ(tightness(open), 0.0);
  open.verdict = Verdict::violated;
  EXPECT_EQ(tightness(open), std::nextafter(1.0, 2.0));
}

TEST(Tightness, IsFiniteWhereTheQuotientIsNot) {
  EXPECT_EQ(tightness(decision(Verdict::violated, 1e300, 1e-300)),
            std::numeric_limits<double>::max());
}

/// No multiple of the right side reaches the left.
TEST(Tightness, IsInfiniteWhereAViolationHasNoPositiveRightSide) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(tightness(decision(Verdict::violated, 1, 0)), kInfinite);
  EXPECT_EQ(tightness(decision(Verdict::violated, 1, -1)), kInfinite);
  EXPECT_FALSE(finite_tightness(decision(Verdict::violated, 1, 0)));
  EXPECT_EQ(finite_tightness(decision(Verdict::violated, 2, 1)), 2);
  EXPECT_FALSE(tightness(decision(Verdict::violated, -1, -2)));
  EXPECT_FALSE(tightness(decision(Verdict::holds, 0, 0)));
  Decision unsure = decision(Verdict::violated, 1, 0);
  unsure.rhs_bounds = {-0.1, 0.1};
  EXPECT_FALSE(tightness(unsure));
}

TEST(Tightness, IsUnknownWithoutAPositiveRightSide) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(tightness(decision(Verdict::holds, 1, kNan)));
  EXPECT_FALSE(tightness(decision(Verdict::holds, kNan, 1)));
  EXPECT_FALSE(tightness(decision(Verdict::undecided, 1, 1)));
  EXPECT_FALSE(tightness(decision(Verdict::equal, 0, 0)));
  EXPECT_FALSE(tightness(decision(Verdict::violated, 0, -1)));
}

}  // namespace
}  // namespace attn
