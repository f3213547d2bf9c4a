#include "gpt2_check/tests/support.hpp"
#include "gpt2_check/tiny/trainer.hpp"
#include "gpt2_check/tokenizer/tokenizer.hpp"

namespace attn::tiny {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(TrainBpe, JoinsTheMostFrequentPairAndBreaksTiesByTheSmallestIds) {
  // a b occurs 3 times, then space ab twice; of the pairs that occur once, c d has the smaller left
  // id: bytes are numbered from '!' on, and the space comes after all that print.
  const Bpe bpe = train_bpe("ab ab ab cd", 256 + 4 + 1);
  EXPECT_THAT(bpe.merges, ElementsAre(Pair("a", "b"), Pair("\u0120", "ab"), Pair("c", "d"),
                                      Pair("\u0120", "cd")));
  ASSERT_EQ(bpe.vocabulary.size(), 261U);
  EXPECT_EQ(bpe.vocabulary[0], "!");
  EXPECT_EQ(bpe.vocabulary[220], "\u0120");
  EXPECT_EQ(bpe.vocabulary[256], "ab");
  EXPECT_EQ(bpe.vocabulary[259], "\u0120cd");
  EXPECT_EQ(bpe.vocabulary[260], kEndOfText);
}

TEST(TrainBpe, NeverJoinsAcrossWords) {
  const Bpe bpe = train_bpe("a, a, a, a, b", 256 + 1 + 1);
  EXPECT_THAT(bpe.merges, ElementsAre(Pair("\u0120", "a")));  // "a" and "," are words of their own
}

TEST(TrainBpe, CountsARepeatedLetterOnceForEachMerge) {
  const Bpe bpe = train_bpe("aaaa", 256 + 2 + 1);
  EXPECT_THAT(bpe.merges, ElementsAre(Pair("a", "a"), Pair("aa", "aa")));
}

TEST(TrainBpe, RefusesWhatItCannotLearnFrom) {
  EXPECT_BAD_INPUT(train_bpe("ab", 256 + 2 + 1), {.kind = BadInputKind::out_of_range,
                                                  .expected = "vocabulary of 259 entries",
                                                  .found = "pairs for 258"});
  EXPECT_BAD_INPUT(train_bpe("ab\xFF", 300),
                   {.kind = BadInputKind::malformed, .expected = "UTF-8"});
}

}  // namespace
}  // namespace attn::tiny
