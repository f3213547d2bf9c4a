#include "gpt2_check/tests/support.hpp"
#include "gpt2_check/tokenizer/tests/texts.hpp"
#include "gpt2_check/tokenizer/text.hpp"

namespace attn {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

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

TEST(SplitWords, RefusesWhatIsNotUtf8) {
  EXPECT_BAD_INPUT(split_words("ab\xFF"),
                   {.kind = BadInputKind::malformed, .found = "byte offset 2"});
}

TEST(SplitWords, CoversAnyText) {
  EXPECT_TRUE(rc::check("the words of a text, put together, are the text", [] {
    const std::string text = *test::any_text();
    std::string joined;
    for (const std::string_view word : split_words(text)) {
      RC_ASSERT(!word.empty());
      joined += word;
    }
    RC_ASSERT(joined == text);
  }));
}

}  // namespace
}  // namespace attn
