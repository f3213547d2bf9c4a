#include "theory/recheck/recheck.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "theory/base/bad_input.hpp"
#include "theory/base/tests/expect_bad_input.hpp"
#include "theory/recheck/check.hpp"

namespace attn::recheck {
namespace {

using nlohmann::json;

/// The ends of the enclosure lie within 10^-digits of `value`, relative.
bool agree(const Ball& ball, const std::string& value, unsigned long digits) {
  const Rational exact = rational_from(value, "golden");
  Rational tolerance = ::abs(exact);
  mpz_class scale;
  mpz_ui_pow_ui(scale.get_mpz_t(), 10, digits);
  tolerance /= scale;
  const Rational low = rational_from(ball.lower, "lower");
  const Rational high = rational_from(ball.upper, "upper");
  return low <= high && ::abs(low - exact) <= tolerance && ::abs(high - exact) <= tolerance;
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
  for (std::size_t i = 0; i < golden.size(); ++i) {
    const auto id = golden[i].at("claim").get<std::string>();
    SCOPED_TRACE(id + ", entry " + std::to_string(i));
    const Rechecked result = recheck(listed_checks(), id, golden[i].at("case"));
    EXPECT_EQ(result.verdict, golden[i].at("verdict").get<std::string>());
    const auto lhs = golden[i].at("lhs").get<std::string>();
    const auto rhs = golden[i].at("rhs").get<std::string>();
    EXPECT_TRUE(agree(result.lhs, lhs, 40)) << result.lhs.lower << " against " << lhs;
    EXPECT_TRUE(agree(result.rhs, rhs, 40)) << result.rhs.lower << " against " << rhs;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, GoldenCases,
                         testing::Values("ATTN_GOLDEN_CASES", "ATTN_GOLDEN_CASES_2",
                                         "ATTN_GOLDEN_CASES_3"),
                         [](const auto& info) { return std::string(info.param); });

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
                   {.kind = BadInputKind::unknown_name,
                    .expected = "a claim of the second implementation",
                    .found = "'corollary3'",
                    .advice = "there is: mine.half"});
}

}  // namespace
}  // namespace attn::recheck
