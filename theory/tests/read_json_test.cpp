#include "theory/base/read_json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>

#include "theory/base/tests/expect_bad_input.hpp"

namespace attn {
namespace {

using nlohmann::json;
using enum BadInputKind;

json read(const std::string& text) {
  return read_json(text, "a document");
}

TEST(ReadJson, ReadsWhatJsonReads) {
  for (const char* const text :
       {"1", "[]", "{}", R"("a")", R"({"a": {"a": [1, {"a": 2}, {"a": 3}]}, "b": {"a": null}})"}) {
    EXPECT_EQ(read(text), json::parse(text));
    std::istringstream stream(text);
    EXPECT_EQ(read_json(stream, "a document"), json::parse(text));
  }
}

TEST(ReadJson, LeavesOutWhatIsNotKept) {
  const auto keep = [](int depth, json::parse_event_t event, const json&) {
    return depth != 1 || event != json::parse_event_t::object_start;
  };
  EXPECT_EQ(read_json(R"([1, {"a": [{"a": 1}]}, [{"a": 1}], {"a": 2}, 3])", "a document", keep),
            json::parse(R"([1, [{"a": 1}], 3])"));
}

TEST(ReadJson, SaysWhereATextIsNotJson) {
  for (const char* const text : {"", "{", "{} {}", "[1,]", "NaN", "[\"\xff\"]"}) {
    EXPECT_BAD_INPUT(
        read(text),
        {.kind = malformed, .expected = "a document", .found = "text that is not JSON at byte "});
  }
}

TEST(ReadJson, RefusesWhatFollowsAByte0) {
  for (const std::string rest : {"", " ", "{}", " garbage"}) {
    const std::string text = "{} " + std::string(1, '\0') + rest;
    const BadInputParts refusal = {.kind = malformed,
                                   .found = "not JSON from a byte of value 0 on"};
    EXPECT_BAD_INPUT(read(text), refusal);
    std::istringstream stream(text);
    EXPECT_BAD_INPUT(read_json(stream, "a document"), refusal);
  }
}

TEST(ReadJson, SaysWhichObjectHasANameTwice) {
  const std::pair<const char*, const char*> twice[] = {
      {R"({"a": 1, "a": 1})", "at /"},
      {R"({"a": {}, "b": [], "a": 1})", "at /"},
      {R"([1, [2, {"b": 1, "c": {"a": [], "d": 2, "a": 1}}]])", "at /1/1/c"},
      {R"([{"a": 1}, {"a": 1, "\u0061": 1}])", "at /1"},
  };
  for (const auto& [text, where] : twice) {
    EXPECT_BAD_INPUT(
        read(text),
        {.kind = inconsistent, .where = where, .expected = "once", .found = "'a' twice"})
        << text;
  }
}

TEST(ReadJson, SeesANameTwiceInWhatIsNotKept) {
  const auto keep = [](int depth, json::parse_event_t, const json&) { return depth < 1; };
  EXPECT_BAD_INPUT(read_json(R"({"b": [{"a": 1, "a": 1}]})", "a document", keep),
                   {.kind = inconsistent, .where = "at /b/0", .found = "'a' twice"});
}

TEST(ReadJson, SaysWhichNumberNoDoubleHolds) {
  const std::pair<const char*, const char*> large[] = {
      {"1e400", "at /"},
      {R"({"b": 1, "c": 1e400})", "at /c"},
      {R"([[], {}, [3, 4, 1e400]])", "at /2/2"},
  };
  for (const auto& [text, where] : large) {
    EXPECT_BAD_INPUT(read(text), {.kind = out_of_range, .where = where, .found = "'1e400'"})
        << text;
  }
}

TEST(ReadJson, ReadsWholeNumbersHoweverTheyAreWritten) {
  const std::pair<const char*, std::uint64_t> whole[] = {
      {"1.0", 1},
      {"3e2", 300},
      {"3E+2", 300},
      {"1.50e1", 15},
      {"1200e-2", 12},
      {"0.0", 0},
      {"0e5", 0},
      {"18446744073709551615.0", 18446744073709551615U},
      {"1844674407370955161.5e1", 18446744073709551615U}};
  for (const auto& [text, value] : whole) {
    const json found = read(text);
    EXPECT_TRUE(found.is_number_unsigned()) << text;
    EXPECT_EQ(found.get<std::uint64_t>(), value) << text;
  }
  EXPECT_TRUE(read("-3e2").is_number_integer());
  EXPECT_EQ(read("-3e2").get<std::int64_t>(), -300);
  EXPECT_EQ(read("-9223372036854775808.0").get<std::int64_t>(),
            std::numeric_limits<std::int64_t>::min());
  // What a double makes whole is not.
  for (const char* const other :
       {"0.5", "1.00000000000000000000000001", "3e-2", "15e-1", "-0.0", "1e20", "1e300",
        "18446744073709551616.0", "-9223372036854775809.0", "1e-99999999999999999999",
        "0.0e-99999999999999999999"}) {
    EXPECT_TRUE(read(other).is_number_float()) << other;
  }
  EXPECT_TRUE(std::signbit(read("-0.0").get<double>()));
}

TEST(ReadJson, ReadsDeepNesting) {
  constexpr std::size_t kDeep = 100'000;
  EXPECT_NO_THROW(read(std::string(kDeep, '[') + std::string(kDeep, ']')));
  std::string objects;
  for (std::size_t i = 0; i < kDeep; ++i) objects += R"({"a":)";
  EXPECT_BAD_INPUT(read(objects + R"({"b": 1, "b": 2})"),
                   {.kind = inconsistent, .where = "at /a/a/a", .found = "'b' twice"});
}

}  // namespace
}  // namespace attn
