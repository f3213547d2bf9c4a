// What holds of every byte-level tokenizer, for the project's own and, where ATTN_GPT2_TOKENIZER
// names its folder, for GPT-2's.
#include <rapidcheck.h>

#include <cstdlib>

#include "gpt2_check/tests/support.hpp"
#include "gpt2_check/tokenizer/tests/decode.hpp"
#include "gpt2_check/tokenizer/text.hpp"
#include "gpt2_check/tokenizer/tokenizer.hpp"

namespace attn {
namespace {

using Ids = std::vector<std::int64_t>;

/// UTF-8 of a character.
std::string utf8(char32_t c) {
  const auto tail = [](char32_t bits) { return static_cast<char>(0x80 | (bits & 0x3F)); };
  if (c < 0x80) return {static_cast<char>(c)};
  if (c < 0x800) return {static_cast<char>(0xC0 | (c >> 6)), tail(c)};
  if (c < 0x10000) return {static_cast<char>(0xE0 | (c >> 12)), tail(c >> 6), tail(c)};
  return {static_cast<char>(0xF0 | (c >> 18)), tail(c >> 12), tail(c >> 6), tail(c)};
}

/// Any character but the surrogates; those that the word pattern tells apart are frequent.
rc::Gen<std::string> any_character() {
  const auto in = [](char32_t first, char32_t last) {
    return rc::gen::map(rc::gen::inRange<std::uint32_t>(first, last + 1),
                        [](std::uint32_t c) { return utf8(c); });
  };
  return rc::gen::weightedOneOf<std::string>(
      {{6, in('a', 'e')},
       {4, rc::gen::elementOf(std::vector<std::string>{" ", "'", "\n", "\t", "s", "ll", "'re"})},
       {2, in(0, 0x7F)},
       {1, in(0x80, 0x7FF)},
       {1, in(0x800, 0xD7FF)},
       {1, in(0xE000, 0xFFFF)},
       {1, in(0x10000, 0x10FFFF)}});
}

/// One of the things that the word pattern or the merges may trip over.
rc::Gen<std::string> awkward_piece() {
  static const char* const words[] = {"'",  "''", "'s",    "'t",     "'re",  "'ve", "'m",  "'ll",
                                      "'d", "'S", "can't", " we'll", "it's", "  ",  "   ", " the"};
  static const char* const others[] = {"\u2019s",
                                       "\"",
                                       "\n\n",
                                       " \n",
                                       "\t\t ",
                                       "\r\n",
                                       "\u00A0",
                                       "\u3000",
                                       "\u2028",
                                       "\u200B",
                                       "\u0301",
                                       "e\u0301",
                                       "a\u0308\u0323",
                                       "\u0915\u093F",
                                       "\u0663",
                                       "\u00BD",
                                       "\u2163",
                                       "\U0001F468\u200D\U0001F469",
                                       "\U0001F1E9\U0001F1EA",
                                       "\U00020000",
                                       "\U0010FFFF",
                                       "\uFEFF",
                                       "<|endoftext|>",
                                       "\u0120",
                                       "1234567890"};
  std::vector<std::string> pieces{std::string(1, '\0')};
  pieces.insert(pieces.end(), std::begin(words), std::end(words));
  pieces.insert(pieces.end(), std::begin(others), std::end(others));
  return rc::gen::elementOf(pieces);
}

/// A character or a piece again and again, up to thousands of times.
rc::Gen<std::string> long_run() {
  return rc::gen::apply(
      [](const std::string& piece, int times) {
        std::string run;
        for (int i = 0; i < times; ++i) run += piece;
        return run;
      },
      rc::gen::oneOf(any_character(), awkward_piece()), rc::gen::inRange(1, 3000));
}

rc::Gen<std::string> awkward_text() {
  const auto pieces =
      rc::gen::container<std::vector<std::string>>(rc::gen::weightedOneOf<std::string>(
          {{8, any_character()}, {8, awkward_piece()}, {1, long_run()}}));
  return rc::gen::map(pieces, [](const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) text += part;
    return text;
  });
}

/// Whether a word is a run of white space: it then makes one word with more of it.
bool is_space(std::string_view word) {
  return split_words(std::string(word) + "\n").size() == 1;
}

/// The end of a word that is no white space, or 0.
std::size_t any_end_of_a_solid_word(const std::string& text) {
  const auto words = split_words(text);
  std::size_t count = *rc::gen::inRange<std::size_t>(0, words.size() + 1);
  while (count > 0 && is_space(words[count - 1])) --count;
  return count == 0 ? 0 : static_cast<std::size_t>(words[count - 1].end() - words.front().begin());
}

void expect_gives_back_any_text(const std::filesystem::path& folder) {
  const Tokenizer tokenizer = Tokenizer::load(folder);
  const std::vector<std::string> vocabulary = test::vocabulary_in(folder);
  EXPECT_TRUE(rc::check("decode(encode(text)) == text, by ids of the vocabulary", [&] {
    const std::string text = *awkward_text();
    const Ids ids = tokenizer.encode(text);
    RC_ASSERT(ids.size() <= text.size());
    RC_ASSERT(test::decode(vocabulary, ids) == text);
  }));
}

// The word pattern never looks back, and it looks ahead at the end of a run of white space only:
// " " and U+2028 before a letter are two words, but one at the end of a text. So a cut after any
// other word leaves all words as they are.
void expect_words_are_encoded_one_by_one(const Tokenizer& tokenizer) {
  EXPECT_TRUE(rc::check("encode(a + b) == encode(a) + encode(b) where a ends in a solid word", [&] {
    const std::string text = *awkward_text();
    const std::size_t cut = any_end_of_a_solid_word(text);
    const auto encode = [&](const std::string& part) {
      return tokenizer.encode(part, /*is_plain=*/true);
    };
    Ids joined = encode(text.substr(0, cut));
    const Ids rest = encode(text.substr(cut));
    joined.insert(joined.end(), rest.begin(), rest.end());
    RC_ASSERT(joined == encode(text));
  }));
}

TEST(TinyTokenizer, GivesBackAnyText) {
  expect_gives_back_any_text(ATTN_TINY_MODEL);
}

TEST(TinyTokenizer, EncodesWordsOneByOne) {
  expect_words_are_encoded_one_by_one(Tokenizer::load(ATTN_TINY_MODEL));
}

/// GPT-2's own vocabulary and merges.
class Gpt2Tokenizer : public ::testing::Test {
 protected:
  void SetUp() override {
    folder = std::getenv("ATTN_GPT2_TOKENIZER");
    if (folder == nullptr) {
      GTEST_SKIP() << "ATTN_GPT2_TOKENIZER names no folder with vocab.json and merges.txt";
    }
  }
  const char* folder{};
};

TEST_F(Gpt2Tokenizer, GivesBackAnyText) {
  expect_gives_back_any_text(folder);
}

TEST_F(Gpt2Tokenizer, EncodesWordsOneByOne) {
  expect_words_are_encoded_one_by_one(Tokenizer::load(folder));
}

}  // namespace
}  // namespace attn
