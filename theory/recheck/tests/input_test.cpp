#include "theory/recheck/input.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "theory/base/bad_input.hpp"

namespace attn::recheck {
namespace {

using nlohmann::json;
using testing::HasSubstr;

std::string complaint(const auto& read) {
  try {
    static_cast<void>(read());
  } catch (const BadInput& e) {
    return e.what();
  }
  return "no complaint";
}

TEST(RationalFrom, ReadsEveryForm) {
  const auto read = [](const json& value) { return rational_from(value, "x"); };
  EXPECT_EQ(read("0.1"), Rational(1, 10));
  EXPECT_EQ(read("-0.25"), Rational(-1, 4));
  EXPECT_EQ(read("+12.50e-3"), Rational(1, 80));
  EXPECT_EQ(read("1E2"), Rational(100));
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
    EXPECT_THAT(complaint([&] { rational_from(value, "field"); }), HasSubstr("'field'"))
        << value.dump();
  }
}

TEST(Input, RefusesUnknownFields) {
  const json fields = {{"logit", {1}}};
  EXPECT_THAT(complaint([&] { Input{fields}; }), HasSubstr("'logit' is unknown"));
  const json list = json::array();
  EXPECT_THAT(complaint([&] { Input{list}; }), HasSubstr("an object"));
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
  EXPECT_THAT(complaint([&] { return input.temperature(); }), HasSubstr("'temperature'"));
  EXPECT_THAT(complaint([&] { return input.selected(3); }), HasSubstr("1..L-1 = 1..2"));
  EXPECT_THAT(complaint([&] { return input.indices("set", 3); }), HasSubstr("0 twice"));
  EXPECT_THAT(complaint([&] { return input.rows("embeddings"); }), HasSubstr("a row of 2"));
  EXPECT_THAT(complaint([&] { return input.move("step"); }), HasSubstr("zero"));
  EXPECT_THAT(complaint([&] { return input.move("direction"); }), HasSubstr("1 entries"));
  EXPECT_THAT(complaint([&] { return input.not_negative("r"); }), HasSubstr("'r'"));
  EXPECT_THAT(complaint([&] { return input.count("L"); }), HasSubstr("'L'"));
  EXPECT_THAT(complaint([&] { return input.normalizer(); }), HasSubstr("'normalizer'"));
  EXPECT_THAT(complaint([&] { return input.number("delta"); }), HasSubstr("found none"));
  EXPECT_THAT(complaint([&] { return input.indices("set", 0); }), HasSubstr("'set'"));
}

}  // namespace
}  // namespace attn::recheck
