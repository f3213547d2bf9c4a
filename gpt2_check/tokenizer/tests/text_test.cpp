#include "gpt2_check/tokenizer/text.hpp"

#include <set>

#include "gpt2_check/tests/support.hpp"

namespace attn {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ByteSymbols, AreAllDifferent) {
  const std::set<std::string> symbols(byte_symbols().begin(), byte_symbols().end());
  EXPECT_EQ(symbols.size(), 256U);
}

TEST(ByteSymbols, ArePrintingCharacters) {
  const std::pair<std::size_t, const char*> expected[] = {
      {'!', "!"},       {'~', "~"},       {0x00, "\u0100"}, {'\n', "\u010A"}, {' ', "\u0120"},
      {0x7F, "\u0121"}, {0xA0, "\u0142"}, {0xA1, "\u00A1"}, {0xAD, "\u0143"}, {0xFF, "\u00FF"}};
  for (const auto& [byte, text] : expected) EXPECT_EQ(byte_symbols()[byte], text);
}

TEST(CountCharacters, CountsCodePoints) {
  EXPECT_EQ(count_characters("", "text"), 0);
  EXPECT_EQ(count_characters("abc\n", "text"), 4);
  EXPECT_EQ(count_characters("\u00E9\u4E16\U0001F30D", "text"), 3);
}

/// No version of Unicode has a character in the planes 4 to 13.
TEST(NewerCharacters, AreThoseThatIcuDoesNotKnow) {
  EXPECT_EQ(newer_characters("", "letter.txt"), "");
  EXPECT_EQ(newer_characters("a\u00E9\u4E16\U0001F30D\uE000\uFFFF\n", "letter.txt"), "");
  EXPECT_THAT(
      newer_characters("a\u00E9\U00040000", "letter.txt"),
      ::testing::StartsWith("letter.txt: U+40000 at byte offset 3, characters that Unicode "));
  EXPECT_THAT(newer_characters("\U00040000\U00040001 \U0004ABCD", "letter.txt"),
              ::testing::StartsWith("letter.txt: U+40000 at byte offset 0 and 2 more, "));
  EXPECT_BAD_INPUT(newer_characters("ab\xE4", "letter.txt"),
                   {.kind = BadInputKind::malformed, .where = "letter.txt"});
}

TEST(IcuVersion, NamesThatOfUnicode) {
  EXPECT_THAT(icu_version(),
              ::testing::MatchesRegex("[0-9]+\\.[0-9]+ \\(Unicode [0-9]+\\.[0-9]+\\)"));
}

TEST(CountCharacters, NamesTheTextAndTheOffsetOfTheFirstBadByte) {
  const auto refused = [](std::string_view text, const std::string& offset) {
    EXPECT_BAD_INPUT(count_characters(text, "letter.txt"),
                     {.kind = BadInputKind::malformed,
                      .where = "letter.txt",
                      .expected = "UTF-8",
                      .found = "byte offset " + offset + " "});
  };
  refused("\xFF", "0");
  refused("ab\x80", "2");                  // a continuation without a start
  refused("ab\xC3", "2");                  // cut off
  refused("\u00E9\xE4\xB8", "2");          // cut off after two bytes
  refused("a\xC0\xAF", "1");               // overlong
  refused("\xED\xA0\x80", "0");            // a surrogate
  refused("\u4E16\xF4\x90\x80\x80", "3");  // above U+10FFFF
}

TEST(SplitWords, KeepsTheSpaceBeforeAWord) {
  EXPECT_THAT(split_words(""), IsEmpty());
  EXPECT_THAT(split_words("Two cups, 40 pence."),
              ElementsAre("Two", " cups", ",", " 40", " pence", "."));
  EXPECT_THAT(split_words("a  b"), ElementsAre("a", " ", " b"));
  EXPECT_THAT(split_words("a \n\n b \t"), ElementsAre("a", " \n\n", " b", " \t"));
}

TEST(SplitWords, CutsEnglishContractionsInLowerCase) {
  EXPECT_THAT(split_words("we'll I'm it's HE'S"),
              ElementsAre("we", "'ll", " I", "'m", " it", "'s", " HE", "'", "S"));
}

TEST(SplitWords, KnowsLettersNumbersAndSpacesOfAllScripts) {
  EXPECT_THAT(split_words("\u043C\u0438\u0440 \u0663\u00BD\u3000\u4E16!"),
              ElementsAre("\u043C\u0438\u0440", " \u0663\u00BD", "\u3000", "\u4E16", "!"));
}

TEST(SplitWords, TakesRunsOfAnyLength) {
  constexpr std::size_t kLong = 3'000'000;
  for (const std::string run : {" ", "\u3000", "a", "1", "!"}) {
    std::string text = "x";
    for (std::size_t i = 0; i < kLong; ++i) text += run;
    text += "x";
    EXPECT_LE(split_words(text).size(), 4U) << run;
  }
}

}  // namespace
}  // namespace attn
