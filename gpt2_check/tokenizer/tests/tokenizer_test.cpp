#include "gpt2_check/tokenizer/tokenizer.hpp"

#include <rapidcheck.h>

#include <algorithm>

#include "gpt2_check/tests/support.hpp"
#include "gpt2_check/tokenizer/text.hpp"

namespace attn {
namespace {

using Merges = std::vector<Tokenizer::Merge>;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// The 256 bytes, one entry for each merge, then <|endoftext|>.
std::vector<std::string> vocabulary_of(const Merges& merges) {
  std::vector<std::string> vocabulary(byte_symbols().begin(), byte_symbols().end());
  for (const auto& [left, right] : merges) vocabulary.push_back(left + right);
  vocabulary.emplace_back(kEndOfText);
  return vocabulary;
}

Tokenizer tokenizer_of(const Merges& merges) {
  return {vocabulary_of(merges), merges};
}

/// Ranks out of the order in which entries build on one another, and overlapping pairs.
const Merges kMerges{{"b", "c"},  {"a", "b"}, {"a", "a"},   {"aa", "a"},     {"ab", "c"},
                     {"bc", "a"}, {"d", "e"}, {"de", "de"}, {"\u0120", "a"}, {"\u0120a", "b"}};

/// The definition, step by step: join every occurrence of the lowest-ranked pair, until there is
/// none.
std::vector<std::string> merge_by_definition(std::vector<std::string> symbols) {
  for (;;) {
    auto best = kMerges.end();
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i)
      best =
          std::min(best, std::ranges::find(kMerges, Tokenizer::Merge{symbols[i], symbols[i + 1]}));
    if (best == kMerges.end()) return symbols;
    std::vector<std::string> joined;
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const bool found =
          i + 1 < symbols.size() && symbols[i] == best->first && symbols[i + 1] == best->second;
      joined.push_back(found ? symbols[i] + symbols[i + 1] : symbols[i]);
      if (found) ++i;
    }
    symbols = joined;
  }
}

TEST(Tokenizer, MergesTheLowestRankFirst) {
  const Tokenizer tokenizer = tokenizer_of(kMerges);
  EXPECT_THAT(tokenizer.encode(""), IsEmpty());
  EXPECT_THAT(tokenizer.encode("abc"), ElementsAre('a', 256));        // b c before a b
  EXPECT_THAT(tokenizer.encode("aaaa"), ElementsAre(258, 258));       // a a twice, not aa a
  EXPECT_THAT(tokenizer.encode("aaa"), ElementsAre(259));             // aa a
  EXPECT_THAT(tokenizer.encode("a ab"), ElementsAre('a', ' ', 257));  // a b before the space
}

TEST(Tokenizer, DoesWhatTheDefinitionSays) {
  const Tokenizer tokenizer = tokenizer_of(kMerges);
  const std::vector<std::string> vocabulary = vocabulary_of(kMerges);
  EXPECT_TRUE(rc::check("the queue of pairs gives what the definition gives", [&] {
    const auto word = *rc::gen::container<std::string>(rc::gen::inRange('a', 'f'));
    std::vector<std::string> symbols;
    for (const char letter : word) symbols.emplace_back(1, letter);
    std::vector<std::string> found;
    for (const std::int64_t id : tokenizer.encode(word))
      found.push_back(vocabulary[static_cast<std::size_t>(id)]);
    RC_ASSERT(found == merge_by_definition(symbols));
  }));
}

TEST(Tokenizer, EncodesALongWordInTime) {
  const Tokenizer tokenizer = tokenizer_of(kMerges);
  const std::string word(1'000'000, 'a');
  EXPECT_EQ(tokenizer.encode(word).size(), 500'000U);
}

TEST(Tokenizer, FindsEndOfTextUnlessATextIsPlain) {
  const Tokenizer tokenizer = tokenizer_of(kMerges);
  const std::int64_t id = std::ssize(vocabulary_of(kMerges)) - 1;
  EXPECT_EQ(tokenizer.encode("b<|endoftext|>", /*is_plain=*/true).size(), 14U);
  EXPECT_THAT(tokenizer.encode("b<|endoftext|><|endoftext|><c"),
              ElementsAre('b', id, id, '<', 'c'));
  EXPECT_THAT(tokenizer.encode("<|endoftext|>"), ElementsAre(id));
  std::vector<std::string> without = vocabulary_of({});
  without.pop_back();
  EXPECT_EQ(Tokenizer(without, {}).encode("<|endoftext|>").size(), 13U);
}

TEST(Tokenizer, FindsTheLongestAddedToken) {
  std::vector<std::string> vocabulary = vocabulary_of(kMerges);
  const auto id = std::ssize(vocabulary);
  for (const char* const token : {"<x>", "<x>>", "a \u00E9"}) vocabulary.emplace_back(token);
  const Tokenizer tokenizer(vocabulary, kMerges, "t", {.added = {"<x>", "<x>>", "a \u00E9", ""}});
  EXPECT_THAT(tokenizer.encode("bc<x>>a \u00E9a <x>"),
              ElementsAre(256, id + 1, id + 2, 'a', ' ', id));
}

TEST(Tokenizer, RefusesTextThatIsNotUtf8) {
  EXPECT_BAD_INPUT(tokenizer_of({}).encode("abc\xE4"),
                   {.kind = BadInputKind::malformed, .found = "byte offset 3"});
}

TEST(Tokenizer, RefusesATextWithAByteThatHasNoEntry) {
  std::vector<std::string> short_of_a_byte = vocabulary_of({});
  short_of_a_byte['q'] = "qq";
  const Tokenizer tokenizer(short_of_a_byte, {}, "t", {.added = {"qq"}});
  EXPECT_THAT(tokenizer.encode("aqqb"), ElementsAre('a', 'q', 'b'));
  EXPECT_BAD_INPUT(tokenizer.encode("qqaqqbq"),
                   {.kind = BadInputKind::unsupported, .found = "byte offset 6 (0x71)"});
  short_of_a_byte[' '] = "xy";
  EXPECT_BAD_INPUT(Tokenizer(short_of_a_byte, {}, "t", {.prefix_space = true}),
                   {.kind = BadInputKind::missing, .where = "t", .expected = R"("\u0120")"});
}

TEST(Tokenizer, RefusesPartsThatDoNotFitTogether) {
  const auto refused = [](const std::vector<std::string>& vocabulary, const Merges& merges,
                          BadInputParts parts) {
    parts.where = "folder";
    EXPECT_BAD_INPUT(Tokenizer(vocabulary, merges, "folder"), parts);
  };
  const Merges merges{{"a", "b"}};
  std::vector<std::string> twice = vocabulary_of(merges);
  twice.emplace_back("ab");
  refused(twice, merges, {.kind = BadInputKind::inconsistent, .found = "\"ab\" twice"});
  refused(vocabulary_of(merges), {{"a", "c"}},
          {.kind = BadInputKind::missing, .expected = "\"ac\""});
  refused(vocabulary_of(merges), {{"a", "b"}, {"a", "b"}},
          {.kind = BadInputKind::inconsistent, .found = "\"a\" \"b\" twice"});
}

}  // namespace
}  // namespace attn
