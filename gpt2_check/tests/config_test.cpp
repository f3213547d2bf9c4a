#include <nlohmann/json.hpp>

#include "gpt2_check/checkpoint/checkpoint.hpp"
#include "gpt2_check/tests/support.hpp"

namespace attn::gpt2 {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using enum BadInputKind;

json minimal() {
  return {{"model_type", "gpt2"}, {"n_layer", 2},      {"n_head", 3},
          {"n_embd", 12},         {"n_positions", 16}, {"vocab_size", 20}};
}

Config parse(const json& fields) {
  return parse_config(fields.dump(), "config.json");
}

template <class Value>
void expect_field_refused(const char* field, const Value& value, BadInputKind kind,
                          const std::string& expected, const std::string& found = "") {
  json fields = minimal();
  fields[field] = value;
  EXPECT_BAD_INPUT(parse(fields), {.kind = kind,
                                   .where = "config.json: " + std::string(field),
                                   .expected = expected,
                                   .found = found});
}

TEST(Config, ReadsDefaultsOfMissingFields) {
  const Config config = parse(minimal());
  EXPECT_EQ(config.layers, 2);
  EXPECT_EQ(config.heads, 3);
  EXPECT_EQ(config.width, 12);
  EXPECT_EQ(config.positions, 16);
  EXPECT_EQ(config.vocabulary, 20);
  EXPECT_EQ(config.inner, 48);
  EXPECT_EQ(config.layer_norm_epsilon, 1e-5);
  EXPECT_EQ(config.activation, "gelu_new");
  EXPECT_TRUE(config.scale_weights);
  EXPECT_FALSE(config.scale_by_layer);
  EXPECT_TRUE(config.tied_head);
}

TEST(Config, ReadsEveryFieldAndWhatItWrites) {
  json fields = minimal();
  fields.update({{"architectures", {"GPT2LMHeadModel"}},
                 {"n_inner", 20},
                 {"layer_norm_epsilon", 1e-6},
                 {"activation_function", "gelu"},
                 {"scale_attn_weights", false},
                 {"scale_attn_by_inverse_layer_idx", true},
                 {"reorder_and_upcast_attn", true},
                 {"tie_word_embeddings", false},
                 {"task_specific_params", {{"text-generation", {{"max_length", 50}}}}}});
  const Config config = parse(fields);
  EXPECT_EQ(config.inner, 20);
  EXPECT_EQ(config.layer_norm_epsilon, 1e-6);
  EXPECT_EQ(config.activation, "gelu");
  EXPECT_FALSE(config.scale_weights);
  EXPECT_TRUE(config.scale_by_layer);
  EXPECT_FALSE(config.tied_head);
  const std::string text = to_json_text(config);
  EXPECT_EQ(to_json_text(parse_config(text, "again")), text);
  EXPECT_THAT(text, HasSubstr("\"n_inner\": 20"));
  EXPECT_EQ(parse_config(to_json_text(gpt2_124m()), "again").head_width(), 64);
}

TEST(Config, TakesTheFilesOfOlderVersions) {
  json fields = minimal();
  fields.erase("n_positions");
  fields["n_ctx"] = 32;
  fields.erase("model_type");
  fields["architectures"] = {"GPT2Model"};
  EXPECT_EQ(parse(fields).positions, 32);
  fields["n_positions"] = 16;
  EXPECT_EQ(parse(fields).positions, 16);
  fields.erase("architectures");
  EXPECT_BAD_INPUT(parse(fields), {.kind = missing, .where = "model_type"});
}

TEST(Config, RefusesOtherModels) {
  expect_field_refused("model_type", "llama", unsupported, "\"gpt2\"", "\"llama\"");
  expect_field_refused("model_type", nullptr, unsupported, "\"gpt2\"", "null");
  expect_field_refused("architectures", json::array({"LlamaForCausalLM"}), unsupported,
                       "GPT2LMHeadModel", "LlamaForCausalLM");
  expect_field_refused("activation_function", "prelu", unsupported, "gelu", "\"prelu\"");
  expect_field_refused("add_cross_attention", true, unsupported, "false", "true");
  // Deeper than anything that calls itself for each array could print.
  constexpr std::size_t kDeep = 400'000;
  const std::string deep = std::string(kDeep, '[') + std::string(kDeep, ']');
  EXPECT_BAD_INPUT(parse_config("{\"model_type\":" + deep + "}", "config.json"),
                   {.kind = unsupported, .found = "an array of 1 entries"});
}

TEST(Config, RefusesSizesOutOfRange) {
  for (const char* field :
       {"n_layer", "n_head", "n_embd", "n_positions", "vocab_size", "n_inner"}) {
    const std::string expected = "an integer in 1..";
    expect_field_refused(field, 0, out_of_range, expected, "0");
    expect_field_refused(field, -1, out_of_range, expected, "-1");
    expect_field_refused(field, 2.5, out_of_range, expected, "2.5");
    expect_field_refused(field, "12", out_of_range, expected, "\"12\"");
    expect_field_refused(field, std::uint64_t{1} << 63, out_of_range, expected,
                         "9223372036854775808");
  }
  json fields = minimal();
  fields["n_embd"] = 1 << 20;
  fields["n_head"] = 1;
  fields["vocab_size"] = 1 << 24;
  EXPECT_BAD_INPUT(parse(fields),
                   {.kind = too_large, .expected = "at most 17179869184 parameters"});
}

TEST(Config, RefusesMissingSizes) {
  for (const char* field : {"n_layer", "n_head", "n_embd", "n_positions", "vocab_size"}) {
    json fields = minimal();
    fields.erase(field);
    EXPECT_BAD_INPUT(parse(fields), {.kind = missing, .where = field, .found = "nothing"});
  }
}

TEST(Config, RefusesAWidthThatTheHeadsDoNotShare) {
  expect_field_refused("n_embd", 13, inconsistent, "a multiple of n_head = 3", "13");
}

TEST(Config, RefusesFlagsAndEpsilonsOfAnotherType) {
  expect_field_refused("scale_attn_weights", 1, malformed, "true or false");
  expect_field_refused("tie_word_embeddings", "yes", malformed, "true or false");
  expect_field_refused("layer_norm_epsilon", 0.0, out_of_range, "a number in (0, 1)");
  expect_field_refused("layer_norm_epsilon", "1e-5", out_of_range, "a number in (0, 1)");
}

TEST(Config, RefusesTextThatIsNotAnObject) {
  for (const char* text : {"", "[]", "{", "null", "{\"a\": 1} x"}) {
    EXPECT_BAD_INPUT(parse_config(text, "here"),
                     {.kind = malformed, .where = "here", .expected = "a JSON object"});
  }
}

TEST(Config, RefusesAFieldThatIsThereTwice) {
  EXPECT_BAD_INPUT(
      parse_config(R"({"n_layer": 1, "n_embd": 8, "n_layer": 2})", "c/config.json"),
      {.kind = inconsistent, .where = "c/config.json: at /", .found = "'n_layer' twice"});
}

class ConfigFile : public test::WithFolder {};

TEST_F(ConfigFile, ReadsAFileAndRefusesAMissingOne) {
  EXPECT_EQ(load_config(write("config.json", minimal().dump())).width, 12);
  EXPECT_BAD_INPUT(load_config(folder / "none.json"), {.kind = missing, .where = "none.json"});
}

TEST_F(ConfigFile, RefusesAFileThatIsTooLarge) {
  EXPECT_EQ(load_config(write("most", minimal().dump() +
                                          std::string((1 << 20) - minimal().dump().size(), ' ')))
                .width,
            12);
  EXPECT_BAD_INPUT(load_config(write("big", std::string((1 << 20) + 1, ' '))),
                   {.kind = too_large, .where = "big", .found = "1048577"});
}

}  // namespace
}  // namespace attn::gpt2
