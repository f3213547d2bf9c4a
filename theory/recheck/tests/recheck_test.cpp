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
    {"theorem2.lower", sphere(R"("dimension":2)"), unsupported, "dimension"},
    {"corollary2.full_set",
     json{{"logits", std::vector(20, 0)}, {"N", 10}, {"embeddings", std::vector(20, json{1})}}
         .dump(),
     too_large, "N", "at most 20000 sets"},
    {"lipschitz.sinkhorn", R"({"plan":[["1/2","1/2"],["1/2","1/3"]]})", inconsistent, "plan",
     "sum exactly 1"},
    {"corollary1.lower", R"({"query":[1],"keys":[[1,2],[1,3]]})", inconsistent, "keys"},
    {"lse.upper", R"({"query":[1],"keys":[[1],[2]]})", inconsistent, "keys", "one row"},
    {"lse.upper", R"({"query":[1],"keys":[[1,2]]})", inconsistent, "keys"},
    {"lemma1.uniform", R"({"length":1001,"spread":1,"epsilon":1})", out_of_range, "length",
     "an even number"},
    {"rank_collapse.diameter", R"({"embeddings":[[1]]})", out_of_range, "embeddings", "at least 2"},
    {"sink.no_op", sink("[1,2]"), inconsistent, "direction"},
    {"sink.no_op", sink("[0]"), out_of_range, "direction"}};

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

/// Numbers beyond any exponent end as undecided, not in a wrong verdict.
TEST(Recheck, AdmitsWhatItCannotTell) {
  EXPECT_EQ(check("lemma2", R"({"logits":["1e9000","-1e9000"]})").verdict, "undecided");
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
  const Checks own{{"mine.half", {.sides = half}}};
  EXPECT_EQ(recheck(own, "mine.half", {{"L", "1/4"}}).verdict, "holds");
  EXPECT_EQ(recheck(own, "mine.half", {{"L", "1/2"}}).verdict, "equal");
  EXPECT_EQ(recheck(own, "mine.half", {{"L", "3/4"}}).verdict, "violated");
  EXPECT_BAD_INPUT(recheck(own, "corollary3", {{"L", "1/4"}}),
                   {.kind = unknown_name,
                    .expected = "a claim of the second implementation",
                    .found = "'corollary3'",
                    .advice = "there is: mine.half"});
}

}  // namespace
}  // namespace attn::recheck
