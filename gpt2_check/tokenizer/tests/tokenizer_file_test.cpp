#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "gpt2_check/tests/support.hpp"
#include "gpt2_check/tokenizer/tests/decode.hpp"
#include "gpt2_check/tokenizer/text.hpp"
#include "gpt2_check/tokenizer/tokenizer.hpp"

namespace attn {
namespace {

using ::testing::ElementsAre;
using enum BadInputKind;

class TokenizerFolder : public test::WithFolder {
 protected:
  void SetUp() override {
    for (const std::string& symbol : byte_symbols()) vocabulary[symbol] = vocabulary.size();
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

TEST_F(TokenizerFolder, LoadsMergesWithoutAVersionOrWithOtherLineEnds) {
  merges = "a b";
  save();
  EXPECT_THAT(Tokenizer::load(folder).encode("ab"), ElementsAre(256));
  merges = "#version: 0.2\r\na b\r\n";
  save();
  EXPECT_THAT(Tokenizer::load(folder).encode("ab"), ElementsAre(256));
}

/// An empty line is none, whatever ends it; the first line alone may be a version.
TEST_F(TokenizerFolder, TakesNoEmptyLineForAMerge) {
  for (const char* const text : {"a b\n\n", "a b\r\n\r\n", "\r\na b\r\n", "\na b",
                                 "#version: 0.2\r\n\r\na b\r\n", "a b\r"}) {
    merges = text;
    save();
    EXPECT_THAT(Tokenizer::load(folder).encode("ab"), ElementsAre(256)) << text;
  }
  for (const char* const text : {"a b\n#version: 0.2\n", "\n#version: 0.2\na b\n"}) {
    merges = text;
    save();
    EXPECT_BAD_INPUT(Tokenizer::load(folder),
                     {.kind = missing, .where = folder.string(), .expected = "in the vocabulary"});
  }
  for (const auto& [text, line] :
       {std::pair{"a b\n \n", 2}, {"a b\na\rb\n", 2}, {"\r\r\na b", 1}, {"a b\n\n\nab\n", 4}}) {
    merges = text;
    save();
    expect_refused("merges.txt", {.kind = malformed,
                                  .where = fmt::format(": line {}", line),
                                  .expected = "two symbols with one space between them"});
  }
}

TEST_F(TokenizerFolder, RefusesMissingFiles) {
  EXPECT_BAD_INPUT(Tokenizer::load(folder),
                   {.kind = missing,
                    .where = folder.string(),
                    .expected = "tokenizer.json, or vocab.json and merges.txt"});
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

TEST_F(TokenizerFolder, RefusesIdsWithAHoleAndOthersThatAreNone) {
  const std::pair<nlohmann::json, const char*> others[] = {
      {257, "257 for entry \"ab\""}, {255, "255"}, {-1, "-1"}, {1.5, "1.5"}, {"256", "string"}};
  for (const auto& [id, found] : others) {
    vocabulary["ab"] = id;
    save();
    expect_refused("vocab.json",
                   {.kind = out_of_range, .expected = "ids 0..256, each once", .found = found});
  }
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

TEST_F(TokenizerFolder, ReadsAddedTokensBesideTheTwoFiles) {
  save();
  write("added_tokens.json", R"({"<pad>": 257, "ab": 256})");
  EXPECT_THAT(Tokenizer::load(folder).encode("!<pad>cab"), ElementsAre('!', 257, 'c', 256));
  write("added_tokens.json", R"({"<pad>": 258})");
  expect_refused("vocab.json", {.kind = out_of_range, .found = "258 for entry \"<pad>\""});
  write("added_tokens.json", R"({"ab": 3})");
  expect_refused("added_tokens.json", {.kind = inconsistent, .expected = "256", .found = "3"});
}

/// A folder with a tokenizer.json alone.
class TokenizerJson : public TokenizerFolder {
 protected:
  void SetUp() override {
    TokenizerFolder::SetUp();
    file = {{"added_tokens", {{{"id", 257}, {"content", "<pad>"}, {"lstrip", false}}}},
            {"normalizer", nullptr},
            {"pre_tokenizer", {{"type", "ByteLevel"}, {"add_prefix_space", false}}},
            {"post_processor", {{"type", "ByteLevel"}}},
            {"model", {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", {"a b"}}}}};
  }

  void save_file() const { write("tokenizer.json", file.dump()); }

  nlohmann::json file;
};

TEST_F(TokenizerJson, IsReadAlone) {
  const auto pair = nlohmann::json::array({nlohmann::json::array({"a", "b"})});
  for (const nlohmann::json& merges : {nlohmann::json{"a b"}, pair}) {
    file["model"]["merges"] = merges;
    save_file();
    const Tokenizer tokenizer = Tokenizer::load(folder);
    EXPECT_THAT(tokenizer.encode("ab<pad>!"), ElementsAre(256, 257, '!'));
  }
}

TEST_F(TokenizerJson, RefusesWhatIsNotGpt2s) {
  using Parts = std::vector<std::pair<const char*, nlohmann::json>>;
  const Parts other_kinds = {{"/normalizer", {{"type", "NFC"}}},
                             {"/pre_tokenizer", nullptr},
                             {"/pre_tokenizer/type", "Sequence"},
                             {"/pre_tokenizer/use_regex", false},
                             {"/post_processor", {{"type", "BertProcessing"}}},
                             {"/model/type", "WordPiece"},
                             {"/model/dropout", 0.1},
                             {"/model/ignore_merges", true},
                             {"/added_tokens/0/lstrip", true}};
  const Parts other_forms = {{"/model/vocab", nlohmann::json::array()},
                             {"/model", "BPE"},
                             {"/model/merges", "a b"},
                             {"/pre_tokenizer/add_prefix_space", nullptr},
                             {"/pre_tokenizer/add_prefix_space", "yes"},
                             {"/model/merges/0", {"a", "b", "c"}},
                             {"/model/merges/0", "a  b"},
                             {"/added_tokens/0", "<pad>"},
                             {"/added_tokens/0/content", 1}};
  const nlohmann::json whole = file;
  for (const bool is_kind : {true, false}) {
    for (const auto& [pointer, value] : is_kind ? other_kinds : other_forms) {
      file = whole;
      file[nlohmann::json::json_pointer(pointer)] = value;
      save_file();
      if (is_kind) {
        expect_refused("tokenizer.json",
                       {.kind = unsupported, .where = std::string(": at ") + pointer});
      } else {
        expect_refused("tokenizer.json", {.kind = malformed});
      }
    }
  }
}

/// A post-processor that puts the pieces of `single` together; <pad> stands for two ids.
nlohmann::json processor_of(const std::string& single) {
  nlohmann::json processor = {{"type", "TemplateProcessing"},
                              {"single", nlohmann::json::parse(single)}};
  processor["special_tokens"]["<pad>"]["ids"] = {257, 3};
  return processor;
}

constexpr const char* kText = R"({"Sequence": {"id": "A", "type_id": 0}})";
constexpr const char* kPad = R"({"SpecialToken": {"id": "<pad>", "type_id": 0}})";

TEST_F(TokenizerJson, PutsAboutATextWhatItsTemplateSays) {
  const auto encode = [&](std::string single) {
    file["post_processor"] = processor_of("[" + single + "]");
    save_file();
    return Tokenizer::load(folder).encode("ab");
  };
  const std::string text = kText;
  const std::string pad = kPad;
  EXPECT_THAT(encode(text), ElementsAre(256));
  EXPECT_THAT(encode(pad + "," + text), ElementsAre(257, 3, 256));
  EXPECT_THAT(encode(text + "," + pad), ElementsAre(256, 257, 3));
  EXPECT_THAT(encode(pad + "," + text + "," + pad + "," + pad),
              ElementsAre(257, 3, 256, 257, 3, 257, 3));
}

TEST_F(TokenizerJson, RefusesATemplateThatItCannotFollow) {
  const std::string text = kText;
  for (const std::string& single : {std::string("[]"), std::string("{}"), std::string("[1]"), text,
                                    "[" + text + "," + text + "]", std::string("[") + kPad + "]",
                                    std::string(R"([{"Sequence": {"id": "B"}}])"),
                                    "[" + text + R"(, {"SpecialToken": {"id": "<bos>"}}])"}) {
    file["post_processor"] = processor_of(single);
    save_file();
    expect_refused("tokenizer.json", {.kind = unsupported, .where = ": at /post_processor"});
  }
  for (const nlohmann::json& ids : {nlohmann::json(), nlohmann::json(3), nlohmann::json{-1},
                                    nlohmann::json{18446744073709551615U}}) {
    file["post_processor"] = processor_of("[" + text + "," + kPad + "]");
    file["post_processor"]["special_tokens"]["<pad>"]["ids"] = ids;
    save_file();
    expect_refused("tokenizer.json", {.kind = unsupported, .where = ": at /post_processor"});
  }
}

TEST_F(TokenizerJson, PutsASpaceBeforeEachPartThatHasNone) {
  file["pre_tokenizer"]["add_prefix_space"] = true;
  save_file();
  const Tokenizer tokenizer = Tokenizer::load(folder);
  EXPECT_THAT(tokenizer.encode("ab<pad>ab<pad> ab<pad><pad>\n"),
              ElementsAre(' ', 256, 257, ' ', 256, 257, ' ', 256, 257, 257, ' ', '\n'));
  EXPECT_THAT(tokenizer.encode(""), ElementsAre());
}

/// Whether transformers would take it from tokenizer_config.json or from tokenizer.json depends on
/// its version and on the class.
TEST_F(TokenizerJson, IsRefusedWhereItsConfigSaysOtherwise) {
  const auto refused = [&](const std::string& field, const std::string& expected) {
    expect_refused("tokenizer_config.json", {.kind = inconsistent,
                                             .where = ": at /" + field,
                                             .expected = expected,
                                             .advice = "make them agree, or give token ids"});
  };
  save_file();
  for (const std::string field : {"add_prefix_space", "add_bos_token", "add_eos_token"}) {
    write("tokenizer_config.json", "{\"" + field + "\": true}");
    refused(field, "false, as the tokenizer's own files say");
    write("tokenizer_config.json", "{\"" + field + "\": 1}");
    expect_refused("tokenizer_config.json", {.kind = malformed, .where = ": at /" + field});
    for (const std::string value : {"false", "null"}) {
      write("tokenizer_config.json", "{\"" + field + "\": " + value + "}");
      EXPECT_THAT(Tokenizer::load(folder).encode("ab"), ElementsAre(256));
    }
  }
  file["pre_tokenizer"]["add_prefix_space"] = true;
  file["post_processor"] = processor_of(std::string("[") + kPad + "," + kText + "," + kPad + "]");
  save_file();
  for (const std::string field : {"add_prefix_space", "add_bos_token", "add_eos_token"}) {
    write("tokenizer_config.json", "{\"" + field + "\": false}");
    refused(field, "true, as the tokenizer's own files say");
  }
  write("tokenizer_config.json",
        R"({"add_prefix_space": true, "add_bos_token": true, "add_eos_token": true})");
  EXPECT_THAT(Tokenizer::load(folder).encode("ab"), ElementsAre(257, 3, ' ', 256, 257, 3));
  write("tokenizer_config.json", R"({"tokenizer_class": "GPT2Tokenizer"})");
  refused("add_prefix_space", "true");
  write("tokenizer_config.json", R"({"tokenizer_class": "TokenizersBackend"})");
  EXPECT_THAT(Tokenizer::load(folder).encode("ab"), ElementsAre(257, 3, ' ', 256, 257, 3));
}

TEST_F(TokenizerFolder, FollowsItsConfigBesideTheTwoFiles) {
  save();
  write("tokenizer_config.json", R"({"add_prefix_space": true})");
  EXPECT_THAT(Tokenizer::load(folder).encode("ab"), ElementsAre(' ', 256));
  write("tokenizer_config.json", R"({"add_bos_token": true})");
  expect_refused("tokenizer_config.json",
                 {.kind = missing, .where = ": at /bos_token", .found = "<|endoftext|>"});
  write("tokenizer_config.json",
        R"({"add_bos_token": true, "bos_token": "a", "add_prefix_space": true})");
  EXPECT_THAT(Tokenizer::load(folder).encode("ab"), ElementsAre('a', ' ', 256));
  write("tokenizer_config.json",
        R"({"add_eos_token": true, "eos_token": {"content": "b"}, "add_bos_token": false})");
  EXPECT_THAT(Tokenizer::load(folder).encode("ab"), ElementsAre(256, 'b'));
  write("tokenizer_config.json", "[]");
  expect_refused("tokenizer_config.json", {.kind = malformed});
}

/// As a tokenizer that was trained on a text without the other bytes.
TEST_F(TokenizerJson, NeedsTheBytesOfTheTextAlone) {
  file["model"]["vocab"] = {{"a", 0}, {"b", 1}, {"ab", 2}, {"<unk>", 3}};
  file["added_tokens"] = nlohmann::json::array();
  save_file();
  EXPECT_THAT(Tokenizer::load(folder).encode("abba"), ElementsAre(2, 1, 0));
  const BadInputParts refusal = {.kind = unsupported,
                                 .expected = "bytes that the vocabulary has an entry for",
                                 .found = "byte offset 2 (0xC3)",
                                 .advice = "give token ids"};
  EXPECT_BAD_INPUT(Tokenizer::load(folder).encode("ab\u00E9"), refusal);
  file["model"]["unk_token"] = "<unk>";
  save_file();
  EXPECT_THAT(Tokenizer::load(folder).encode("ab\u00E9c"), ElementsAre(2, 3, 3, 3));
  file["model"]["fuse_unk"] = true;
  save_file();
  EXPECT_BAD_INPUT(Tokenizer::load(folder).encode("ab\u00E9"), refusal);
  file["model"]["fuse_unk"] = false;
  file["model"]["unk_token"] = "<none>";
  save_file();
  expect_refused("tokenizer.json", {.kind = missing, .expected = "\"<none>\""});
}

TEST(RealTokenizer, GivesThePublishedIds) {
  const char* folder = std::getenv("ATTN_GPT2_TOKENIZER");
  if (folder == nullptr)
    GTEST_SKIP() << "ATTN_GPT2_TOKENIZER names no folder with vocab.json, merges.txt, cases.json";
  const Tokenizer tokenizer = Tokenizer::load(folder);
  const std::vector<std::string> vocabulary = test::vocabulary_in(folder);
  EXPECT_EQ(vocabulary.size(), 50257U);
  EXPECT_THAT(tokenizer.encode("Hello<|endoftext|>world"), ElementsAre(15496, 50256, 6894));
  const auto cases = nlohmann::json::parse(read_file(std::filesystem::path(folder) / "cases.json"));
  ASSERT_FALSE(cases.empty());
  for (const auto& item : cases) {
    const auto text = item.at("text").get<std::string>();
    const auto ids = item.at("ids").get<std::vector<std::int64_t>>();
    EXPECT_EQ(tokenizer.encode(text), ids) << text;
    EXPECT_EQ(test::decode(vocabulary, ids), text);
  }
}

}  // namespace
}  // namespace attn
