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

}  // namespace
}  // namespace attn::recheck
