#include "theory/recheck/input.hpp"

#include "theory/base/tests/expect_bad_input.hpp"

namespace attn::recheck {
namespace {

using nlohmann::json;
using enum BadInputKind;

BadInputParts at(BadInputKind kind, const std::string& field, const std::string& expected = "",
                 const std::string& found = "") {
  return {
      .kind = kind, .where = "case field '" + field + "'", .expected = expected, .found = found};
}

TEST(RationalFrom, ReadsEveryForm) {
  const auto read = [](const json& value) { return rational_from(value, "x"); };
  EXPECT_EQ(read("0.1"), Rational(1, 10));
  EXPECT_EQ(read("+12.50e-3"), Rational(1, 80));
  EXPECT_EQ(read(".5"), Rational(1, 2));
  EXPECT_EQ(read("5."), Rational(5));
  EXPECT_EQ(read("007"), Rational(7));
  EXPECT_EQ(read("-6/4"), Rational(-3, 2));
  EXPECT_EQ(read(-3), Rational(-3));
  EXPECT_EQ(read(18446744073709551615U), Rational("18446744073709551615"));
}

TEST(RationalFrom, RefusesWhatIsNotExact) {
  for (const json& value :
       {json(0.5), json(""), json("-"), json("."), json("1/0"), json("1/-2"), json("1.5/2"),
        json("1e"), json("1e100000"), json("0x10"), json("nan"), json(" 1"), json("1 "),
        json("1e1e1"), json("1.2.3"), json(true), json(nullptr), json::array()}) {
    EXPECT_BAD_INPUT(rational_from(value, "field"), at(malformed, "field")) << value.dump();
  }
}

TEST(Input, NamesTheFieldThatIsWrong) {
  const json fields = {{"logits", {"1"}},
                       {"temperature", "0"},
                       {"N", 3},
                       {"set", {0, 0}},
                       {"embeddings", {{1}, {1, 2}}},
                       {"step", {"0"}},
                       {"direction", {1, 2}},
                       {"r", "-1"},
                       {"L", 2.0},
                       {"normalizer", 3}};
  const Input input(fields);
  EXPECT_BAD_INPUT(input.temperature(), at(out_of_range, "temperature"));
  EXPECT_BAD_INPUT(input.selected(3), at(out_of_range, "N", "1..L-1 = 1..2"));
  EXPECT_BAD_INPUT(input.indices("set", 3), at(inconsistent, "set", "", "0 twice"));
  EXPECT_BAD_INPUT(input.rows("embeddings"), at(inconsistent, "embeddings", "", "a row of 2"));
  EXPECT_BAD_INPUT(input.move("step"), at(out_of_range, "step", "", "zero"));
  EXPECT_BAD_INPUT(input.move("direction"), at(inconsistent, "direction", "1 entries"));
  EXPECT_BAD_INPUT(input.not_negative("r"), at(out_of_range, "r"));
  EXPECT_BAD_INPUT(input.count("L"), at(out_of_range, "L"));
  EXPECT_BAD_INPUT(input.normalizer(), at(malformed, "normalizer"));
  EXPECT_BAD_INPUT(input.number("delta"), at(missing, "delta", "", "none"));
  EXPECT_BAD_INPUT(input.indices("set", 0), at(out_of_range, "set"));
}

/// A set has a token outside.
TEST(Input, TakesAnyTokensButAll) {
  const json fields = {{"set", {1, 0}}, {"none", json::array()}, {"negative", {-1}}};
  const Input input(fields);
  EXPECT_EQ(input.indices("set", 3), (std::vector<std::size_t>{1, 0}));
  EXPECT_BAD_INPUT(input.indices("set", 2), at(out_of_range, "set", "fewer than 2 tokens", "2"));
  EXPECT_BAD_INPUT(input.indices("set", 1), at(out_of_range, "set", "tokens in 0..0", "1"));
  EXPECT_BAD_INPUT(input.indices("none", 3), at(malformed, "none", "a non-empty array"));
  EXPECT_BAD_INPUT(input.indices("negative", 3), at(out_of_range, "negative", "0..1000000000"));
}

/// Both ends of each range.
TEST(Input, TakesTheEndsOfEachRange) {
  const json fields = {
      {"zero", 0},        {"one", 1},      {"most", 1'000'000'000}, {"more", 1'000'000'001},
      {"logits", {1, 2}}, {"step", {0, 0}}};
  const Input input(fields);
  EXPECT_EQ(input.not_negative("zero"), 0);
  EXPECT_BAD_INPUT(input.positive("zero"), at(out_of_range, "zero", "a number > 0"));
  EXPECT_EQ(input.count("one"), 1U);
  EXPECT_EQ(input.count("most"), 1'000'000'000U);
  EXPECT_BAD_INPUT(input.count("zero"), at(out_of_range, "zero", "1..1000000000"));
  EXPECT_BAD_INPUT(input.count("more"), at(out_of_range, "more", "1..1000000000"));
  EXPECT_EQ(input.logits_over(1).size(), 2U);
  EXPECT_BAD_INPUT(input.move("step"), at(out_of_range, "step", "other than zero", "zero"));
  const json selects = {{"N", 2}};
  EXPECT_EQ(Input(selects).selected(3), 2U);
  EXPECT_BAD_INPUT(Input(selects).selected(2), at(out_of_range, "N", "1..L-1 = 1..1"));
}

}  // namespace
}  // namespace attn::recheck
