#include "theory/base/bad_input.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "theory/base/tests/expect_bad_input.hpp"

namespace attn {
namespace {

using testing::EndsWith;

std::string what(BadInputParts parts) {
  return BadInput(std::move(parts)).what();
}

TEST(BadInput, SaysEachPartInOneSentence) {
  EXPECT_EQ(what({.kind = BadInputKind::out_of_range,
                  .where = "file.json: field 'N'",
                  .expected = "an integer in 1..9",
                  .found = "10",
                  .advice = "lower it"}),
            "file.json: field 'N': expected an integer in 1..9, found 10; lower it");
}

TEST(BadInput, LeavesOutWhatIsEmptyWithItsPunctuation) {
  const auto kind = BadInputKind::missing;
  EXPECT_EQ(what({.kind = kind}), "");
  EXPECT_EQ(what({.kind = kind, .where = "w", .found = "f"}), "w: found f");
  EXPECT_EQ(what({.kind = kind, .where = "w", .advice = "a"}), "w; a");
  EXPECT_EQ(what({.kind = kind, .expected = "e", .advice = "a"}), "expected e; a");
}

TEST(BadInput, IsOneLineOfValidUtf8WhateverTheInput) {
  EXPECT_EQ(what({.kind = BadInputKind::missing,
                  .where = "a\nb",
                  .expected = "c\x1b[1A\r\x7f",
                  .found = "\xff\xc3(\xed\xa0\x80",
                  .advice = "caf\xc3\xa9\t"}),
            "a b: expected c [1A  , found \uFFFD\uFFFD(\uFFFD\uFFFD\uFFFD; caf\u00E9 ");
}

TEST(BadInput, HasNoCharacterThatATerminalObeysOrThatTurnsText) {
  for (const char* const control : {"\u0080", "\u009B", "\u009F", "\u061C", "\u200E", "\u200F",
                                    "\u2028", "\u2029", "\u202A", "\u202E", "\u2066", "\u2069"}) {
    EXPECT_EQ(what({.kind = BadInputKind::missing, .where = fmt::format("a{}b", control)}), "a b");
  }
  for (const char* const text : {"\u00A0", "\u2027", "\u202F", "\u2065", "\u206A", "\u061B"}) {
    EXPECT_EQ(what({.kind = BadInputKind::missing, .where = text}), text);
  }
}

TEST(BadInput, KeepsItsPartsWhereThePlaceGrows) {
  const BadInput field({.kind = BadInputKind::malformed,
                        .where = "field 'logits'",
                        .expected = "an array",
                        .found = "1",
                        .advice = "write one"});
  const BadInput file = field.within("entry 3").within("file.json");
  EXPECT_EQ(file.parts().kind, BadInputKind::malformed);
  EXPECT_EQ(file.parts().where, "file.json: entry 3: field 'logits'");
  EXPECT_EQ(file.parts().expected, "an array");
  EXPECT_EQ(file.parts().found, "1");
  EXPECT_EQ(file.parts().advice, "write one");
  EXPECT_STREQ(file.what(),
               "file.json: entry 3: field 'logits': expected an array, found 1; write one");
  EXPECT_EQ(BadInput({.kind = BadInputKind::missing}).within("file").parts().where, "file");
}

TEST(ValidUtf8, ReplacesWhatIsNoText) {
  for (const char* const text : {"", "plain", "caf\u00E9", "\u2264", "\U0001F600", "a\nb\x01"}) {
    EXPECT_EQ(valid_utf8(text), text);
  }
  EXPECT_EQ(valid_utf8("a\xff.txt"), "a\uFFFD.txt");
  EXPECT_EQ(valid_utf8("a\xe2\x89"), "a\uFFFD");
  EXPECT_EQ(valid_utf8(std::string_view("a\0b\xfe", 4)), std::string("a\0b\uFFFD", 6));
  for (int byte = 0; byte < 256; ++byte) {
    const std::string name{'n', static_cast<char>(byte), 'm'};
    EXPECT_NO_THROW(static_cast<void>(nlohmann::json(valid_utf8(name)).dump())) << byte;
  }
}

TEST(Shortened, CutsBetweenCharacters) {
  EXPECT_EQ(shortened(std::string(60, 'a')), std::string(60, 'a'));
  EXPECT_EQ(shortened(std::string(61, 'a')), fmt::format("{}...", std::string(60, 'a')));
  std::string accents = "a";
  while (accents.size() < 99) accents += "\u00E9";
  EXPECT_EQ(shortened(accents), fmt::format("{}...", accents.substr(0, 59)));
  EXPECT_EQ(shortened("abc", 3), "abc");
  EXPECT_EQ(shortened("ab\u2264", 4), "ab...");
  EXPECT_EQ(in_quotes("a b"), "'a b'");
  EXPECT_THAT(in_quotes(std::string(99, 'a')), EndsWith("a...'"));
}

TEST(ShownJson, PrintsWhatIsFlatAndNamesWhatIsNested) {
  using nlohmann::json;
  EXPECT_EQ(shown_json("a\xC3\xA9\xFF"), R"("a\u00e9\ufffd")");
  EXPECT_EQ(shown_json({2, 3}), "an array of 2 entries, [2,3]");
  EXPECT_EQ(shown_json({{"a", nullptr}}), R"(an object of 1 entries, {"a":null})");
  EXPECT_EQ(shown_json(json::array()), "an array of 0 entries");
  EXPECT_EQ(shown_json(json::array({json::array()})), "an array of 1 entries");
  EXPECT_EQ(shown_json({{"a", {1}}, {"b", 2}}), "an object of 2 entries");
  EXPECT_THAT(shown_json(std::vector<int>(99)), EndsWith("..."));
  constexpr std::size_t kDeep = 400'000;
  const json deep = json::parse(std::string(kDeep, '[') + std::string(kDeep, ']'));
  EXPECT_EQ(shown_json(deep), "an array of 1 entries");
}

}  // namespace
}  // namespace attn
