#include "reports/judge/tally.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

#include "reports/io/report_json.hpp"
#include "reports/judge/case_record.hpp"
#include "reports/record/record_json.hpp"
#include "theory/attention/case_json.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/claims/catalogue.hpp"
#include "theory/claims/evaluation.hpp"
#include "theory/tests/decided.hpp"

namespace attn::report {
namespace {

using test::decision;
using test::two_logits;

void add_gap(Tally& tally, const Claim& claim, int gap) {
  const Case input = two_logits(gap);
  tally.add(
      decide(claim, input), [&] { return std::pair(input, "gap " + std::to_string(gap)); },
      "pairs");
}

/// 17 tokens of equal weight are selected, and another lies nearer to their sum than any of them.
Case case_of_zero_share() {
  Case input{.kind = InputKind::top_n_embeddings, .top_n = 17};
  input.weights = std::vector<Rational>(18, Rational(2, 35));
  input.weights.front() = Rational(1, 35);
  input.embeddings.assign(18, {Rational(1)});
  input.embeddings.front() = {Rational(33)};
  return input;
}

void add(Tally& tally, const Decision& decided) {
  tally.add(decided, [] { return std::pair(two_logits(0), std::string("here")); });
}

/// The record of a tally of a claim of the catalogue.
ClaimRecord record_of(const Tally& tally) {
  return tally.record(certify(find_claim(tally.counts().id), tally.kept()));
}

std::string text(const ClaimRecord& record) {
  return to_json(Report{.claims = {record}}).dump();
}

TEST(Tally, CountsWhatExactArithmeticDecides) {
  const Claim& claim = find_claim("corollary3.sharp");
  Tally tally(claim, Stage::synthetic);
  const Case near{.kind = InputKind::softmax_row, .logits = {parse_rational("1e-300"), 0}};
  const Decision decided = decide(claim, near);
  tally.add(decided, [&] { return std::pair(near, std::string("near")); });
  EXPECT_EQ(tally.counts().holds, 1u);
  EXPECT_EQ(tally.counts().digits.at("exact"), 1u);
  EXPECT_EQ(case_record(certified(near, certify(claim, near), "near")).by, "exact");
}

TEST(Tally, CountsVerdictsLevelsAndFamilies) {
  const Claim& claim = find_claim("corollary3.sharp");
  Tally tally(claim, Stage::synthetic);
  for (const int gap : {3, 0, 1}) add_gap(tally, claim, gap);
  const ClaimRecord record = record_of(tally);
  EXPECT_EQ(record.cases, 3u);
  EXPECT_EQ(record.holds, 2u);
  EXPECT_EQ(record.equal, 1u);
  EXPECT_EQ(record.outcome, Outcome::not_covered) << "no mutant guards it yet";
  EXPECT_EQ(record.families.at("pairs"), 3u);
  EXPECT_EQ(
      record.digits,
      (Counts{{"filter", 2}, {"attained", 1}, {"50", 0}, {"exact", 0}, {"100", 0}, {"200", 0}}));
  std::uint64_t binned = 0;
  for (const std::uint64_t cases : record.ratio_histogram) binned += cases;
  EXPECT_EQ(binned, 3u);
  EXPECT_EQ(record.ratio_histogram.at(kRatioBins - 1), 1u) << "an attained bound is not above 1";
}

TEST(Tally, GoesBothWaysAsJson) {
  const Claim& claim = find_claim("corollary3");
  Tally tally(claim, Stage::synthetic);
  for (const int gap : {9, 0, 5}) add_gap(tally, claim, gap);
  add(tally, decision(Verdict::undecided, 1, 1));
  const std::string written = tally.to_json().dump();
  const Tally read = Tally::from_json(claim, Stage::synthetic, nlohmann::json::parse(written));
  EXPECT_EQ(read.to_json().dump(), written);
  EXPECT_EQ(text(record_of(read)), text(record_of(tally)));
  EXPECT_TRUE(record_of(read).first_undecided);
  const Tally none(claim, Stage::synthetic);
  EXPECT_EQ(Tally::from_json(claim, Stage::synthetic, none.to_json()).to_json(), none.to_json());
  EXPECT_THROW(Tally::from_json(find_claim("lemma2"), Stage::synthetic, tally.to_json()), BadInput);
  EXPECT_THROW(Tally::from_json(claim, Stage::gpt2, tally.to_json()), BadInput);
}

TEST(Tally, KeepsTheWorstCaseWithItsEnclosures) {
  const Claim& claim = find_claim("corollary3");
  Tally tally(claim, Stage::synthetic);
  for (const int gap : {9, 0, 5}) add_gap(tally, claim, gap);
  const ClaimRecord record = record_of(tally);
  ASSERT_TRUE(record.worst);
  EXPECT_EQ(record.worst->where, "gap 0");
  EXPECT_NEAR(*record.max_ratio, 2.0, 1e-9);
  EXPECT_EQ(record.worst->verdict, Verdict::violated);
  EXPECT_GE(record.worst->digits, 50u);
  EXPECT_NEAR(std::stod(record.worst->lhs_lower), 0.5, 1e-15);
  EXPECT_NEAR(std::stod(record.worst->rhs_upper), 0.25, 1e-15);
  ASSERT_TRUE(record.smallest_witness);
  EXPECT_EQ(record.smallest_witness->input, record.worst->input);
}

TEST(Tally, WritesTheWorstCaseInPlaceOfTheFirstViolationWhereAsked) {
  const Claim& claim = find_claim("corollary3");
  Tally tally(claim, Stage::synthetic);
  for (const int gap : {1, 0, 9}) add_gap(tally, claim, gap);
  EXPECT_EQ(record_of(tally).smallest_witness.value().where, "gap 1");
  KeptCases kept = tally.kept();
  prefer_worst(kept, kMostNumbers);
  EXPECT_EQ(tally.record(certify(claim, kept)).smallest_witness.value().where, "gap 0");
}

/// Two keys against a query, of so many coordinates that only the first is not zero.
Case long_keys() {
  std::vector<Rational> query(40'000), near(40'000), far(40'000);
  query[0] = 1;
  far[0] = 10;
  return {.kind = InputKind::query_keys,
          .query = std::move(query),
          .keys = {std::move(near), std::move(far)}};
}

ClaimRecord record_of_long_keys(const Claim& claim) {
  Tally tally(claim, Stage::gpt2);
  const Case input = long_keys();
  tally.add(decide(claim, input), [&] { return std::pair(input, std::string("row 9")); });
  return record_of(tally);
}

TEST(Tally, KeepsALongCaseByItsPlaceAlone) {
  ASSERT_GT(numbers_of(long_keys()), kMostNumbers);
  const ClaimRecord record = record_of_long_keys(find_claim("corollary1.upper"));
  ASSERT_EQ(record.holds, 1u);
  ASSERT_TRUE(record.worst);
  EXPECT_TRUE(record.worst->input.is_null());
  EXPECT_EQ(record.worst->where, "row 9");
  EXPECT_EQ(record.worst->verdict, Verdict::holds);
  EXPECT_LT(text(record).size(), 10'000u);
}

TEST(Tally, WritesAShortViolationRatherThanALongWorstCase) {
  const Claim& claim = find_claim("corollary1.own_key.lower");
  Tally tally(claim, Stage::gpt2);
  const auto add = [&](const Case& input, const char* where) {
    tally.add(decide(claim, input), [&] { return std::pair(input, std::string(where)); });
  };
  add({.kind = InputKind::query_keys, .query = {1}, .keys = {{0}, {5}}}, "small");
  add(long_keys(), "large");
  ASSERT_EQ(tally.counts().violated, 2u);
  KeptCases kept = tally.kept();
  prefer_worst(kept, kMostNumbers);
  const ClaimRecord record = tally.record(certify(claim, kept));
  EXPECT_EQ(record.worst.value().where, "large");
  EXPECT_TRUE(record.worst->input.is_null());
  EXPECT_EQ(record.smallest_witness.value().where, "small");
}

TEST(Tally, WritesAViolationOutHoweverLongItIs) {
  const Claim& claim = find_claim("corollary1.own_key.lower");
  const ClaimRecord record = record_of_long_keys(claim);
  ASSERT_EQ(record.violated, 1u);
  ASSERT_TRUE(record.smallest_witness);
  EXPECT_EQ(case_from_json(record.smallest_witness->input.whole(), claim.kind, "test"),
            long_keys());
}

TEST(Tally, AsksForACaseOnlyWhereItIsKept) {
  Tally tally(find_claim("corollary3.sharp"), Stage::synthetic);
  int asked = 0;
  const auto describe = [&] {
    ++asked;
    return std::pair(two_logits(1), std::string());
  };
  for (const double lhs : {0.5, 0.2, 0.5, 0.7, 0.1}) {
    tally.add(decision(Verdict::holds, lhs, 1.0), describe);
  }
  EXPECT_EQ(asked, 2) << "0.5 and 0.7 were the worst so far; a tie keeps the earlier case";
}

/// A decision against a confidence interval.
Decision sampled(Verdict verdict) {
  Decision decided = decision(verdict, 0.5, 1);
  decided.sampled = true;
  decided.lhs_bounds = {0, 1};
  return decided;
}

TEST(Tally, CountsSampledCasesApart) {
  Tally tally(find_claim("corollary3.sharp"), Stage::gpt2);
  add(tally, sampled(Verdict::holds));
  add(tally, sampled(Verdict::undecided));
  add(tally, sampled(Verdict::undecided));
  add_gap(tally, find_claim("corollary3.sharp"), 0);
  const ClaimRecord record = record_of(tally);
  EXPECT_EQ(record.cases, 4u);
  EXPECT_EQ(record.undecided, 2u);
  EXPECT_EQ(record.sampled, 3u);
  EXPECT_EQ(record.sampled_open, 2u);
  EXPECT_EQ(record.outcome, Outcome::as_expected);
  EXPECT_FALSE(record.first_undecided) << "open for want of draws, not of precision";
}

TEST(Tally, KeepsTheFirstCaseOpenAtTheCapAfterSampledOnes) {
  Tally tally(find_claim("corollary3.sharp"), Stage::gpt2);
  add(tally, sampled(Verdict::undecided));
  for (const int gap : {4, 6}) {
    tally.add(decision(Verdict::undecided, 1, 1),
              [&] { return std::pair(two_logits(gap), "gap " + std::to_string(gap)); });
  }
  const ClaimRecord record = record_of(tally);
  EXPECT_EQ(record.outcome, Outcome::undecided);
  ASSERT_TRUE(record.first_undecided);
  EXPECT_EQ(record.first_undecided->where, "gap 4");
}

/// A case outside the hypothesis `unmet`.
Decision outside(std::string_view unmet) {
  Decision decided = decision(Verdict::assumption_not_met, 0, 0);
  decided.unmet = unmet;
  return decided;
}

/// A case that no level decides.
void add_open(Tally& tally, const std::string& where) {
  tally.add(decision(Verdict::undecided, 1, 1), [&] { return std::pair(two_logits(3), where); });
}

TEST(Tally, MergedInOrderEqualsOneTally) {
  const Claim& claim = find_claim("corollary3");
  const std::vector<std::function<void(Tally&)>> steps = {
      [&](Tally& tally) { add_gap(tally, claim, 7); },
      [&](Tally& tally) { add(tally, sampled(Verdict::holds)); },
      [&](Tally& tally) { add(tally, outside("order")); },
      [&](Tally& tally) { add_gap(tally, claim, 0); },
      [&](Tally& tally) { add(tally, sampled(Verdict::undecided)); },
      [&](Tally& tally) { add(tally, outside("sum")); },
      [&](Tally& tally) { add_gap(tally, claim, 5); },
      [&](Tally& tally) { add(tally, outside("order")); },
      [&](Tally& tally) { add_open(tally, "the first"); },
      [&](Tally& tally) { add_gap(tally, claim, 0); },
      [&](Tally& tally) { add_open(tally, "the second"); },
      [&](Tally& tally) { add_gap(tally, claim, 1); }};
  Tally whole(claim, Stage::gpt2);
  for (const auto& step : steps) step(whole);
  EXPECT_EQ(whole.counts().sampled, 2u);
  const Counts unmet = {{"order", 2}, {"sum", 1}};
  EXPECT_EQ(whole.counts().unmet, unmet);
  EXPECT_EQ(record_of(whole).first_undecided.value().where, "the first");
  for (std::size_t cut = 0; cut <= steps.size(); ++cut) {
    Tally first(claim, Stage::gpt2), second(claim, Stage::gpt2);
    for (std::size_t i = 0; i < steps.size(); ++i) steps[i](i < cut ? first : second);
    first.merge(second);
    EXPECT_EQ(text(record_of(first)), text(record_of(whole))) << "cut at " << cut;
  }
}

TEST(Tally, RefusesToMergeAnotherClaimOrStage) {
  Tally tally(find_claim("corollary3"), Stage::synthetic);
  EXPECT_THROW(tally.merge(Tally(find_claim("corollary3.sharp"), Stage::synthetic)),
               std::logic_error);
  EXPECT_THROW(tally.merge(Tally(find_claim("corollary3"), Stage::gpt2)), std::logic_error);
}

TEST(Tally, CountsACaseOutsideTheHypothesesWithoutDecidingIt) {
  Tally tally(find_claim("corollary3.sharp"), Stage::synthetic);
  add(tally, decision(Verdict::assumption_not_met, 5, 1));
  const ClaimRecord record = record_of(tally);
  EXPECT_EQ(record.assumption_not_met, 1u);
  EXPECT_EQ(record.outcome, Outcome::not_covered);
  EXPECT_FALSE(record.max_ratio);
  EXPECT_FALSE(record.worst);
}

/// As a tally would read it whose file was changed.
TEST(Tally, RefusesAWorstCaseThatDoesNotHaveTheLargestRatio) {
  const Claim& claim = find_claim("corollary3.sharp");
  Tally tally(claim, Stage::gpt2);
  add_gap(tally, claim, 1);
  nlohmann::json written = tally.to_json();
  written.at("counts").at("max_ratio") = 0.875;
  const Tally changed = Tally::from_json(claim, Stage::gpt2, written);
  EXPECT_THAT([&] { return record_of(changed); },
              testing::ThrowsMessage<std::logic_error>(
                  testing::AllOf(testing::StartsWith("corollary3.sharp: max_ratio is 0.875, and"),
                                 testing::EndsWith("(gap 1)"))));
}

TEST(Tally, KnowsNoRatioOfUnknownSides) {
  const Claim& claim = find_claim("corollary3.sharp");
  const Case input = two_logits(1);
  Decision unknown = decide(claim, input);
  unknown.rhs_bounds = {};
  Tally tally(claim, Stage::synthetic);
  tally.add(unknown, [&] { return std::pair(input, std::string()); });
  EXPECT_FALSE(record_of(tally).max_ratio);
  EXPECT_FALSE(record_of(tally).worst);
}

/// The ratio of an expectation is counted by the least that it could be, 0.1 here, and of the
/// certificate it is 0.786.
TEST(Tally, MovesTheWorstCaseToTheBinOfItsCertifiedRatio) {
  const Claim& claim = find_claim("corollary3.sharp");
  const Case input = two_logits(1);
  Decision rough = decide(claim, input);
  const double exact = rough.lhs / rough.rhs, rhs = rough.rhs;
  rough.sampled = true;
  rough.lhs_bounds = {0.12 * rhs, 0.9 * rhs};
  Tally tally(claim, Stage::gpt2);
  add(tally, decision(Verdict::holds, 0.03, 1));
  tally.add(rough, [&] { return std::pair(input, std::string("row 3")); });
  EXPECT_NEAR(*tally.counts().max_ratio, 0.12, 1e-12);
  std::vector<std::uint64_t> bins(kRatioBins + 1);
  bins[0] = bins[2] = 1;
  EXPECT_EQ(tally.counts().ratio_histogram, bins);
  const ClaimRecord record = record_of(tally);
  EXPECT_NEAR(*record.max_ratio, exact, 1e-12);
  bins[2] = 0;
  bins[15] = 1;
  EXPECT_EQ(record.ratio_histogram, bins);
  EXPECT_EQ(record.worst.value().where, "row 3");
}

/// The case is the worst of all, whatever came before or comes after, and goes both ways as JSON.
TEST(Tally, KeepsAViolationWithRightSideZeroAsTheWorst) {
  const Claim& claim = find_claim("separability.share.lower");
  const Case input = case_of_zero_share();
  const Decision decided = decide(claim, input);
  ASSERT_EQ(decided.verdict, Verdict::violated);
  Tally tally(claim, Stage::gpt2);
  const auto add = [&](const Decision& each, const char* where) {
    tally.add(each, [&] { return std::pair(input, std::string(where)); });
  };
  Decision other = decided;
  other.rhs = 0.5;
  other.rhs_bounds = {0.5, 0.5};
  add(other, "before");
  add(decided, "zero");
  add(other, "after");
  EXPECT_EQ(tally.counts().ratio_histogram.back(), 3U);
  const ClaimRecord record = record_of(tally);
  EXPECT_EQ(record.max_ratio, std::numeric_limits<double>::infinity());
  EXPECT_EQ(record.worst->where, "zero");
  const nlohmann::json written = json_of(record);
  EXPECT_EQ(written.at("max_ratio"), "inf");
  ClaimRecord again;
  read(Reader(written), again);
  EXPECT_EQ(again.max_ratio, record.max_ratio);
}

TEST(Tally, CountsTheWaysInWhichTokensWereSelected) {
  Tally first(find_claim("corollary3"), Stage::gpt2), second = first;
  const auto add = [](Tally& tally, Verdict verdict, std::string_view set) {
    tally.add(
        decision(verdict, 1, 0.5), [] { return std::pair(two_logits(0), std::string()); }, {}, set);
  };
  add(first, Verdict::violated, kLargestWeights);
  add(first, Verdict::holds, kRandomSet);
  add(second, Verdict::violated, kRandomSet);
  add(second, Verdict::assumption_not_met, kRandomSet);
  first.merge(second);
  const SetCounts& largest = first.counts().sets.at("N largest weights");
  EXPECT_EQ(largest.cases, 1U);
  EXPECT_EQ(largest.violated, 1U);
  const SetCounts& random = first.counts().sets.at("random set");
  EXPECT_EQ(random.cases, 3U);
  EXPECT_EQ(random.violated, 1U);
  EXPECT_EQ(random.assumption_not_met, 1U);
}

/// Sides that are exactly zero: of a right side of zero nothing is counted but the verdict.
TEST(Tally, CountsSidesOfZero) {
  Tally tally(find_claim("corollary3.sharp"), Stage::gpt2);
  add(tally, decision(Verdict::equal, 0, 0));
  EXPECT_EQ(tally.counts().equal, 1U);
  EXPECT_FALSE(tally.counts().max_ratio);
  EXPECT_EQ(tally.counts().ratio_histogram, std::vector<std::uint64_t>(kRatioBins + 1));
  EXPECT_FALSE(record_of(tally).worst);
}

TEST(RatioBin, HasItsLowerEnd) {
  EXPECT_EQ(ratio_bin(-7), 0U);
  EXPECT_EQ(ratio_bin(0), 0U);
  for (std::size_t bin = 1; bin < kRatioBins; ++bin) {
    const double end = static_cast<double>(bin) / kRatioBins;
    EXPECT_EQ(ratio_bin(end), bin);
    EXPECT_EQ(ratio_bin(end - 1e-9), bin - 1);
  }
  EXPECT_EQ(ratio_bin(1), kRatioBins - 1);
  EXPECT_EQ(ratio_bin(std::nextafter(1.0, 2.0)), kRatioBins);
  EXPECT_EQ(ratio_bin(std::numeric_limits<double>::infinity()), kRatioBins);
}

}  // namespace
}  // namespace attn::report
