#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "gpt2_check/checkpoint/checkpoint.hpp"
#include "gpt2_check/model/gpt2.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/read_json.hpp"

namespace attn::gpt2 {
namespace {

using nlohmann::json;

constexpr std::uintmax_t kMaxConfigBytes = 1 << 20;
constexpr std::int64_t kMaxLayers = 1 << 12;
constexpr std::int64_t kMaxWidth = 1 << 20;
constexpr std::int64_t kMaxInner = 1 << 22;
constexpr std::int64_t kMaxRows = 1 << 24;  // positions, vocabulary
constexpr std::int64_t kMaxParameters = std::int64_t{1} << 34;

/// Typed fields of config.json, each refused by name.
class Fields {
 public:
  Fields(const json& object, const std::string& where) : object_(object), where_(where) {}

  [[noreturn]] void refuse(BadInputKind kind, const char* field,
                           const std::string& expected) const {
    const bool given = object_.contains(field);
    throw BadInput({.kind = given ? kind : BadInputKind::missing,
                    .where = fmt::format("{}: {}", where_, field),
                    .expected = expected,
                    .found = given ? shown_json(object_[field]) : "nothing"});
  }

  [[nodiscard]] bool is_set(const char* field) const {
    return object_.contains(field) && !object_[field].is_null();
  }

  [[nodiscard]] std::int64_t size(const char* field, std::int64_t limit) const {
    const bool valid = is_set(field) && object_[field].is_number_integer() && object_[field] >= 1 &&
                       object_[field] <= limit;
    if (!valid)
      refuse(BadInputKind::out_of_range, field, fmt::format("an integer in 1..{}", limit));
    return object_[field].get<std::int64_t>();
  }

  [[nodiscard]] bool flag(const char* field, bool fallback) const {
    if (!is_set(field)) return fallback;
    if (!object_[field].is_boolean()) refuse(BadInputKind::malformed, field, "true or false");
    return object_[field].get<bool>();
  }

  [[nodiscard]] double epsilon(const char* field, double fallback) const {
    if (!is_set(field)) return fallback;
    const bool valid = object_[field].is_number() && object_[field].get<double>() > 0 &&
                       object_[field].get<double>() < 1;
    if (!valid) refuse(BadInputKind::out_of_range, field, "a number in (0, 1)");
    return object_[field].get<double>();
  }

  [[nodiscard]] std::string activation(const char* field, const std::string& fallback) const {
    if (!is_set(field)) return fallback;
    if (!object_[field].is_string() || !activations().contains(object_[field].get<std::string>())) {
      std::vector<std::string> names;
      for (const auto& [name, function] : activations()) names.push_back(name);
      refuse(BadInputKind::unsupported, field, fmt::format("one of {}", fmt::join(names, ", ")));
    }
    return object_[field].get<std::string>();
  }

 private:
  const json& object_;
  const std::string& where_;
};

/// Hugging Face's classes of GPT-2, which differ in their heads.
const std::set<std::string> kArchitectures = {
    "GPT2DoubleHeadsModel",       "GPT2ForQuestionAnswering", "GPT2ForSequenceClassification",
    "GPT2ForTokenClassification", "GPT2LMHeadModel",          "GPT2Model"};

void check_architecture(const json& object, const Fields& fields) {
  const bool has_architecture = fields.is_set("architectures");
  if (fields.is_set("model_type") ? object["model_type"] != "gpt2" : !has_architecture) {
    fields.refuse(BadInputKind::unsupported, "model_type", "\"gpt2\"");
  }
  if (has_architecture) {
    const json& names = object["architectures"];
    const bool known =
        names.is_array() && !names.empty() && std::ranges::all_of(names, [](const json& name) {
          return name.is_string() && kArchitectures.contains(name.get<std::string>());
        });
    if (!known) {
      fields.refuse(BadInputKind::unsupported, "architectures",
                    fmt::format("of {}", fmt::join(kArchitectures, ", ")));
    }
  }
  if (fields.flag("add_cross_attention", false))
    fields.refuse(BadInputKind::unsupported, "add_cross_attention", "false");
}

std::int64_t parameters(const Config& config) {
  return config.width * (config.vocabulary * (config.tied_head ? 1 : 2) + config.positions) +
         config.layers * config.width * (4 * config.width + 2 * config.inner);
}

json read_object(const std::string& text, const std::string& where) {
  const std::string expected = "a JSON object, as in a config.json";
  try {
    json object = read_json(text, expected);
    if (object.is_object()) return object;
    throw BadInput(
        {.kind = BadInputKind::malformed, .expected = expected, .found = object.type_name()});
  } catch (const BadInput& error) {
    throw error.within(where);
  }
}

}  // namespace

Config parse_config(const std::string& text, const std::string& where) {
  const json object = read_object(text, where);
  const Fields fields(object, where);
  check_architecture(object, fields);

  Config config;
  config.layers = fields.size("n_layer", kMaxLayers);
  config.width = fields.size("n_embd", kMaxWidth);
  config.heads = fields.size("n_head", config.width);
  if (config.width % config.heads != 0) {
    fields.refuse(BadInputKind::inconsistent, "n_embd",
                  fmt::format("a multiple of n_head = {}", config.heads));
  }
  const bool has_older_name = fields.is_set("n_ctx") && !fields.is_set("n_positions");
  config.positions = fields.size(has_older_name ? "n_ctx" : "n_positions", kMaxRows);
  config.vocabulary = fields.size("vocab_size", kMaxRows);
  config.inner = fields.is_set("n_inner") ? fields.size("n_inner", kMaxInner) : 4 * config.width;
  config.layer_norm_epsilon = fields.epsilon("layer_norm_epsilon", 1e-5);
  config.activation = fields.activation("activation_function", config.activation);
  config.scale_weights = fields.flag("scale_attn_weights", true);
  config.scale_by_layer = fields.flag("scale_attn_by_inverse_layer_idx", false);
  config.tied_head = fields.flag("tie_word_embeddings", true);
  if (parameters(config) > kMaxParameters) {
    throw BadInput({.kind = BadInputKind::too_large,
                    .where = where,
                    .expected = fmt::format("at most {} parameters", kMaxParameters),
                    .found = fmt::format("sizes that make {}", parameters(config))});
  }
  return config;
}

Config load_config(const std::filesystem::path& file) {
  std::error_code missing;  // which read_file tells
  const std::uintmax_t bytes = std::filesystem::file_size(file, missing);
  if (!missing && bytes > kMaxConfigBytes) {
    throw BadInput({.kind = BadInputKind::too_large,
                    .where = file.string(),
                    .expected = fmt::format("a config.json of at most {} bytes", kMaxConfigBytes),
                    .found = fmt::format("{}", bytes)});
  }
  return parse_config(read_file(file), file.string());
}

std::string to_json_text(const Config& config) {
  const nlohmann::ordered_json object = {
      {"model_type", "gpt2"},
      {"architectures", {"GPT2LMHeadModel"}},
      {"n_layer", config.layers},
      {"n_head", config.heads},
      {"n_embd", config.width},
      {"n_positions", config.positions},
      {"n_ctx", config.positions},
      {"vocab_size", config.vocabulary},
      {"n_inner", config.inner},
      {"layer_norm_epsilon", config.layer_norm_epsilon},
      {"activation_function", config.activation},
      {"scale_attn_weights", config.scale_weights},
      {"scale_attn_by_inverse_layer_idx", config.scale_by_layer},
      {"tie_word_embeddings", config.tied_head},
  };
  return object.dump(2) + "\n";
}

Config gpt2_124m() {
  return {.layers = 12,
          .heads = 12,
          .width = 768,
          .positions = 1024,
          .vocabulary = 50257,
          .inner = 3072};
}

}  // namespace attn::gpt2
