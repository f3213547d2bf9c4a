#include "gpt2_check/tests/support.hpp"
#include "gpt2_check/tokenizer/text.hpp"

namespace attn {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(CountCharacters, CountsCodePoints) {
  EXPECT_EQ(count_characters("", "text"), 0);
  EXPECT_EQ(count_characters("abc\n", "text"), 4);
  EXPECT_EQ(count_characters("\u00E9\u4E16\U0001F30D", "text"), 3);
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

}  // namespace
}  // namespace attn
