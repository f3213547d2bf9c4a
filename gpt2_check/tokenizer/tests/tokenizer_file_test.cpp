#include <cstdlib>
#include <nlohmann/json.hpp>

#include "gpt2_check/tests/support.hpp"
#include "gpt2_check/tokenizer/byte_symbols.hpp"
#include "gpt2_check/tokenizer/tokenizer.hpp"

namespace attn {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using enum BadInputKind;

class TokenizerFolder : public test::WithFolder {
 protected:
  void SetUp() override {
    WithFolder::SetUp();
    for (const unsigned char byte : bytes_by_symbol())
      vocabulary[byte_symbols()[byte]] = vocabulary.size();
    vocabulary["ab"] = 256;
  }

  void save() const {
    write("vocab.json", vocabulary.dump());
    write("merges.txt", merges);
  }

  void expect_refused(const std::string& file, BadInputParts parts) const {
    parts.where = (folder / file).string() + parts.where;
    EXPECT_BAD_INPUT(Tokenizer::load(folder), parts);
  }

  nlohmann::json vocabulary = nlohmann::json::object();
  std::string merges = "#version: 0.2\na b\n";
};

TEST_F(TokenizerFolder, Loads) {
  save();
  const Tokenizer tokenizer = Tokenizer::load(folder);
  EXPECT_EQ(tokenizer.size(), 257);
  EXPECT_THAT(tokenizer.encode("ab!"), ElementsAre(256, 0));
}

TEST_F(TokenizerFolder, LoadsMergesWithoutAVersionOrWithOtherLineEnds) {
  merges = "a b";
  save();
  EXPECT_THAT(Tokenizer::load(folder).encode("ab"), ElementsAre(256));
  merges = "#version: 0.2\r\na b\r\n";
  save();
  EXPECT_THAT(Tokenizer::load(folder).encode("ab"), ElementsAre(256));
}

TEST_F(TokenizerFolder, RefusesMissingFiles) {
  expect_refused("vocab.json", {.kind = missing});
  write("vocab.json", vocabulary.dump());
  expect_refused("merges.txt", {.kind = missing});
}

TEST_F(TokenizerFolder, RefusesAVocabularyThatIsNone) {
  save();
  write("vocab.json", "{\"a\": 1");
  expect_refused("vocab.json", {.kind = malformed, .expected = "JSON"});
  write("vocab.json", "[1, 2]");
  expect_refused("vocab.json", {.kind = malformed, .found = "a JSON array"});
}

TEST_F(TokenizerFolder, RefusesIdsWithAHole) {
  vocabulary["ab"] = 257;
  save();
  expect_refused(
      "vocab.json",
      {.kind = out_of_range, .expected = "ids 0..256, each once", .found = "257 for entry \"ab\""});
}

TEST_F(TokenizerFolder, RefusesAnIdGivenTwice) {
  vocabulary["ab"] = 255;
  save();
  expect_refused("vocab.json", {.kind = out_of_range, .expected = "each once", .found = "255"});
}

TEST_F(TokenizerFolder, RefusesIdsThatAreNoNumbers) {
  vocabulary["ab"] = -1;
  save();
  expect_refused("vocab.json", {.kind = out_of_range, .found = "-1"});
  vocabulary["ab"] = 1.5;
  save();
  expect_refused("vocab.json", {.kind = out_of_range, .found = "1.5"});
  vocabulary["ab"] = "256";
  save();
  expect_refused("vocab.json", {.kind = out_of_range, .found = "string"});
}

TEST_F(TokenizerFolder, RefusesAMergeThatIsNoPair) {
  for (const std::string line : {"ab", "a  b", " ab", "ab ", "a b c"}) {
    merges = "#version: 0.2\na b\n" + line + "\n";
    save();
    expect_refused("merges.txt",
                   {.kind = malformed, .where = ": line 3", .expected = "two symbols"});
  }
}

TEST_F(TokenizerFolder, RefusesAMergeOfAnotherTokenizer) {
  merges = "a b\nb a\n";
  save();
  EXPECT_BAD_INPUT(Tokenizer::load(folder),
                   {.kind = missing, .where = folder.string(), .expected = "\"ba\""});
}

TEST(RealTokenizer, GivesThePublishedIds) {
  const char* folder = std::getenv("ATTN_GPT2_TOKENIZER");
  if (folder == nullptr)
    GTEST_SKIP() << "ATTN_GPT2_TOKENIZER names no folder with vocab.json, merges.txt, cases.json";
  const Tokenizer tokenizer = Tokenizer::load(folder);
  EXPECT_EQ(tokenizer.size(), 50257);
  EXPECT_EQ(tokenizer.end_of_text(), 50256);
  const auto cases =
      nlohmann::json::parse(test::read_bytes(std::filesystem::path(folder) / "cases.json"));
  ASSERT_FALSE(cases.empty());
  for (const auto& item : cases) {
    const auto text = item.at("text").get<std::string>();
    const auto ids = item.at("ids").get<std::vector<std::int64_t>>();
    EXPECT_EQ(tokenizer.encode(text), ids) << text;
    EXPECT_EQ(tokenizer.decode(ids), text);
  }
}

}  // namespace
}  // namespace attn
