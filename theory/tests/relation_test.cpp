// How two bounds relate, by each of their sides.
#include "theory/claims/relation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "theory/attention/case_context.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/define.hpp"
#include "theory/number/scalar.hpp"

namespace attn {
namespace {

constexpr double kUnknownEnd = std::numeric_limits<double>::quiet_NaN();

// ---- by what was decided of them ----

Decision bounded(Bounds lhs, Bounds rhs, Verdict verdict = Verdict::holds) {
  Decision decision;
  decision.verdict = verdict;
  decision.lhs_bounds = lhs;
  decision.rhs_bounds = rhs;
  return decision;
}

/// The sides of a sharp and of a printed claim, and how they relate.
struct Decided {
  Bounds sharp_lhs, sharp_rhs, printed_lhs, printed_rhs;
  Relation relation;
};

/// A side that is shared overlaps, or is the same; the other tells.
const Decided kDecided[] = {
    // An upper bound is the right side.
    {{0, 1}, {4, 5}, {0, 1}, {6, 7}, Relation::tighter},
    {{0, 1}, {6, 7}, {0, 1}, {4, 5}, Relation::looser},
    // A lower bound is the left one.
    {{3, 4}, {5, 6}, {1, 2}, {5, 6}, Relation::tighter},
    {{1, 2}, {5, 6}, {3, 4}, {5, 6}, Relation::looser},
    // Enclosures that touch say nothing, and those of one point.
    {{0, 1}, {4, 5}, {0, 1}, {5, 6}, Relation::unknown},
    {{2, 3}, {5, 6}, {1, 2}, {5, 6}, Relation::unknown},
    {{1, 1}, {2, 2}, {1, 1}, {2, 2}, Relation::unknown},
    // Zero on one side.
    {{0, 0}, {0, 0}, {0, 0}, {1, 1}, Relation::tighter},
    {{0, 0}, {1, 1}, {0, 0}, {0, 0}, Relation::looser},
    {{0, 0}, {1, 1}, {-1, -1}, {1, 1}, Relation::tighter},
    {{-1, -1}, {1, 1}, {0, 0}, {1, 1}, Relation::looser},
    // Nothing is known of a side.
    {{0, 1}, {kUnknownEnd, kUnknownEnd}, {0, 1}, {4, 5}, Relation::unknown},
    {{kUnknownEnd, kUnknownEnd}, {4, 5}, {0, 1}, {4, 5}, Relation::unknown}};

TEST(Relation, IsToldByEitherSide) {
  for (std::size_t i = 0; i < std::size(kDecided); ++i) {
    const Decided& row = kDecided[i];
    EXPECT_EQ(
        relation(bounded(row.sharp_lhs, row.sharp_rhs), bounded(row.printed_lhs, row.printed_rhs)),
        row.relation)
        << "row " << i;
  }
}

TEST(Relation, IsAsTightWhereBothAreAttainedAlone) {
  const auto of = [](Verdict sharp, Verdict printed) {
    return relation(bounded({1, 2}, {1, 2}, sharp), bounded({1, 2}, {1, 2}, printed));
  };
  using enum Verdict;
  EXPECT_EQ(of(equal, equal), Relation::as_tight);
  for (const Verdict other : {holds, violated, undecided}) {
    EXPECT_EQ(of(equal, other), Relation::unknown);
    EXPECT_EQ(of(other, equal), Relation::unknown);
    EXPECT_EQ(of(other, other), Relation::unknown);
  }
  // What the sides tell goes before.
  EXPECT_EQ(relation(bounded({0, 1}, {1, 1}, equal), bounded({0, 1}, {2, 2}, equal)),
            Relation::tighter);
}

TEST(Relation, OfClaimsThatDifferOnBothSidesIsAnError) {
  EXPECT_THROW(relation(bounded({0, 0}, {1, 1}), bounded({2, 2}, {3, 3})), std::logic_error);
  EXPECT_THROW(relation(bounded({2, 2}, {3, 3}), bounded({0, 0}, {1, 1})), std::logic_error);
}

// ---- closely ----

/// A number: intervals say that it lies in [least, least + width], by the level of the ladder.
struct Number {
  double least{};
  std::array<double, 3> widths{};
  std::optional<Rational> exact{};  ///< what exact arithmetic knows
};

struct TwoNumbers {
  Number lhs, rhs;
};

/// What the two claims below say.
TwoNumbers g_sharp, g_printed;

template <class S>
S number_of(const Number& number) {
  if constexpr (std::is_same_v<S, Exact>) {
    return number.exact ? Exact(*number.exact) : Exact::unknown();
  } else {
    const unsigned digits = WorkingDigits::now();
    const std::size_t level = digits == kLadder[0] ? 0 : digits == kLadder[1] ? 1 : 2;
    return ScalarTraits<S>::enclose(Point<S>(number.least),
                                    Point<S>(number.least + number.widths[level]));
  }
}

template <TwoNumbers* says>
Claim claim_of() {
  static constexpr auto formula = []<class S>(const CaseContext&) -> Sides<S> {
    return {number_of<S>(says->lhs), number_of<S>(says->rhs)};
  };
  Claim claim = find_claim("lemma2");
  claim.evaluators = sides<formula>;
  return claim;
}

Relation closely(const TwoNumbers& sharp, const TwoNumbers& printed) {
  g_sharp = sharp;
  g_printed = printed;
  const Case input{.kind = InputKind::normalized_row, .logits = {0, 0}};
  return close_relation(claim_of<&g_sharp>(), claim_of<&g_printed>(), CaseContext(input));
}

/// No interval tells it from another such number.
Number near_one(std::optional<Rational> exact = {}) {
  return {.least = 1, .widths = {0x1p-40, 0x1p-40, 0x1p-40}, .exact = std::move(exact)};
}

const Rational kOne = 1;
const Rational kALittleAboveOne = 1 + parse_rational("1e-70");

TEST(CloseRelation, IsThatOfExactNumbersWhereIntervalsOverlap) {
  const auto of = [](const Rational& a, const Rational& b, const Rational& c, const Rational& d) {
    return closely({near_one(a), near_one(b)}, {near_one(c), near_one(d)});
  };
  const Rational &o = kOne, &m = kALittleAboveOne;
  EXPECT_EQ(of(o, o, o, o), Relation::as_tight);
  EXPECT_EQ(of(m, m, m, m), Relation::as_tight);
  EXPECT_EQ(of(m, o, o, o), Relation::tighter) << "a larger lower bound";
  EXPECT_EQ(of(o, o, m, o), Relation::looser);
  EXPECT_EQ(of(o, o, o, m), Relation::tighter) << "a smaller upper bound";
  EXPECT_EQ(of(o, m, o, o), Relation::looser);
  EXPECT_THROW(of(m, m, o, o), std::logic_error);
  EXPECT_THROW(of(o, o, m, m), std::logic_error);
}

/// Nothing is known of one side that is not known as tight as another.
TEST(CloseRelation, IsUnknownWhereOneSideIs) {
  const Number known = near_one(kOne), unknown = near_one();
  EXPECT_EQ(closely({known, unknown}, {known, known}), Relation::unknown);
  EXPECT_EQ(closely({known, known}, {known, unknown}), Relation::unknown);
  EXPECT_EQ(closely({unknown, known}, {known, known}), Relation::unknown);
  EXPECT_EQ(closely({known, known}, {unknown, known}), Relation::unknown);
  EXPECT_EQ(closely({unknown, unknown}, {unknown, unknown}), Relation::unknown);
}

/// Numbers from 1 and from 2 on, of which intervals know their distance from some level on alone.
TEST(CloseRelation, ClimbsToTheLevelThatTells) {
  for (std::size_t level = 0; level < 3; ++level) {
    SCOPED_TRACE(level);
    std::array<double, 3> widths{};
    std::fill_n(widths.begin(), level, 4);
    const Number low{.least = 1, .widths = widths}, high{.least = 2, .widths = widths};
    const Number shared{.widths = {1, 1, 1}}, never{.least = 1, .widths = {4, 4, 4}};
    EXPECT_EQ(closely({shared, low}, {shared, high}), Relation::tighter);
    EXPECT_EQ(closely({shared, high}, {shared, low}), Relation::looser);
    EXPECT_EQ(closely({high, shared}, {low, shared}), Relation::tighter);
    EXPECT_EQ(closely({low, shared}, {high, shared}), Relation::looser);
    EXPECT_EQ(closely({shared, never}, {shared, high}), Relation::unknown);
    EXPECT_EQ(closely({never, shared}, {high, shared}), Relation::unknown);
  }
}

}  // namespace
}  // namespace attn
