#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <utility>

#include "gpt2_check/tokenizer/tokenizer.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/read_json.hpp"

namespace attn {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

[[noreturn]] void refuse_type(const std::string& where, const std::string& expected,
                              const json& found) {
  throw BadInput({.kind = BadInputKind::malformed,
                  .where = where,
                  .expected = expected,
                  .found = fmt::format("a JSON {}", found.type_name())});
}

json read_object(const fs::path& path) {
  const std::string text = read_file(path);
  json object;
  try {
    object = read_json(text, "JSON");
  } catch (const BadInput& error) {
    throw error.within(path.string());
  }
  if (!object.is_object()) refuse_type(path.string(), "a JSON object", object);
  return object;
}

/// The entries in the order of their ids.
std::vector<std::string> vocabulary_of(const json& ids, const std::string& where) {
  std::vector<std::string> vocabulary(ids.size());
  std::vector<bool> seen(ids.size(), false);
  for (const auto& [entry, id] : ids.items()) {
    if (!id.is_number_unsigned() || id.get<std::uint64_t>() >= ids.size() ||
        seen[id.get<std::size_t>()])
      throw BadInput(
          {.kind = BadInputKind::out_of_range,
           .where = where,
           .expected = fmt::format("ids 0..{}, each once", ids.size() - 1),
           .found = fmt::format("{} for entry {}", id.is_number() ? id.dump() : id.type_name(),
                                shown_json(entry))});
    seen[id.get<std::size_t>()] = true;
    vocabulary[id.get<std::size_t>()] = entry;
  }
  return vocabulary;
}

Tokenizer::Merge merge_from(std::string_view pair, const std::string& where) {
  const std::size_t space = pair.find(' ');
  if (space == 0 || space == std::string_view::npos || space + 1 == pair.size() ||
      pair.find(' ', space + 1) != std::string_view::npos)
    throw BadInput({.kind = BadInputKind::malformed,
                    .where = where,
                    .expected = "two symbols with one space between them",
                    .found = fmt::format("{} bytes", pair.size())});
  return {std::string(pair.substr(0, space)), std::string(pair.substr(space + 1))};
}

std::vector<Tokenizer::Merge> read_merges(const fs::path& path) {
  std::istringstream stream(read_file(path));
  std::vector<Tokenizer::Merge> merges;
  std::string line;
  for (std::int64_t number = 1; std::getline(stream, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || (number == 1 && line.starts_with("#version"))) continue;
    merges.push_back(merge_from(line, fmt::format("{}: line {}", path.string(), number)));
  }
  return merges;
}

/// Each is "left right", or ["left", "right"] as newer files have it.
std::vector<Tokenizer::Merge> merges_of(const json& list, const std::string& where) {
  if (!list.is_array()) refuse_type(where, "a list of merges", list);
  std::vector<Tokenizer::Merge> merges;
  for (const json& merge : list) {
    const std::string place = fmt::format("{}/{}", where, merges.size());
    const bool is_pair =
        merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string();
    if (!is_pair && !merge.is_string()) refuse_type(place, "a merge of two symbols", merge);
    merges.push_back(is_pair ? merge.get<Tokenizer::Merge>()
                             : merge_from(merge.get_ref<const std::string&>(), place));
  }
  return merges;
}

/// Adds a token to the vocabulary, where it may be already.
void add_token(json& ids, const std::string& token, const json& id, const std::string& where) {
  const auto [entry, is_new] = ids.emplace(token, id);
  if (is_new || *entry == id) return;
  throw BadInput({.kind = BadInputKind::inconsistent,
                  .where = where,
                  .expected = fmt::format("the id of {} in the vocabulary, {}", shown_json(token),
                                          shown_json(*entry)),
                  .found = shown_json(id)});
}

/// What makes a tokenizer.json GPT-2's byte-level BPE; what is not there or null is as expected,
/// but where it must be there.
struct Setting {
  const char* pointer;
  json expected;
  bool required{false};
};

void check_settings(const json& file, const std::string& where) {
  static const Setting settings[] = {
      {"/normalizer", nullptr},
      {"/pre_tokenizer/type", "ByteLevel", true},
      {"/pre_tokenizer/use_regex", true},
      {"/model/type", "BPE"},
      {"/model/dropout", 0},
      {"/model/continuing_subword_prefix", ""},
      {"/model/end_of_word_suffix", ""},
      {"/model/byte_fallback", false},
      {"/model/ignore_merges", false},
  };
  for (const Setting& setting : settings) {
    const json::json_pointer pointer(setting.pointer);
    const json found = file.contains(pointer) ? file.at(pointer) : json();
    if (found == setting.expected || (found.is_null() && !setting.required)) continue;
    throw BadInput(
        {.kind = BadInputKind::unsupported,
         .where = fmt::format("{}: at {}", where, setting.pointer),
         .expected = fmt::format("{}, as GPT-2's byte-level BPE has", shown_json(setting.expected)),
         .found = shown_json(found),
         .advice = "give token ids in place of a text"});
  }
}

/// Adds the tokens of a tokenizer.json to its vocabulary; returns their texts.
std::set<std::string> add_tokens(json& ids, const json& tokens, const std::string& where) {
  std::set<std::string> added;
  for (const json& token : tokens) {
    const std::string place = fmt::format("{}/{}", where, added.size());
    if (!token.is_object() || !token.contains("id") || !token.contains("content") ||
        !token["content"].is_string())
      refuse_type(place, "an added token, with id and content", token);
    const auto content = token["content"].get<std::string>();
    for (const char* const flag : {"single_word", "lstrip", "rstrip"})
      if (token.contains(flag) && token[flag] != false)
        throw BadInput({.kind = BadInputKind::unsupported,
                        .where = fmt::format("{}/{}", place, flag),
                        .expected = "false",
                        .found = shown_json(token[flag]),
                        .advice = "give token ids in place of a text"});
    add_token(ids, content, token["id"], place);
    added.insert(content);
  }
  return added;
}

/// A field that is true, or false, or not there.
std::optional<bool> switch_at(const json& file, const std::string& pointer,
                              const std::string& where) {
  const json::json_pointer place(pointer);
  if (!file.contains(place) || file.at(place).is_null()) return std::nullopt;
  if (!file.at(place).is_boolean()) {
    refuse_type(fmt::format("{}: at {}", where, pointer), "true or false", file.at(place));
  }
  return file.at(place).get<bool>();
}

bool prefix_space_of(const json& file, const std::string& where) {
  const std::string pointer = "/pre_tokenizer/add_prefix_space";
  const std::optional<bool> value = switch_at(file, pointer, where);
  if (!value) refuse_type(fmt::format("{}: at {}", where, pointer), "true or false", nullptr);
  return *value;
}

[[noreturn]] void refuse_template(const std::string& where, const json& found) {
  throw BadInput({.kind = BadInputKind::unsupported,
                  .where = where,
                  .expected = "ByteLevel, or a TemplateProcessing of special tokens about one A",
                  .found = shown_json(found),
                  .advice = "give token ids in place of a text"});
}

/// The ids of a special token of a template.
std::vector<std::int64_t> ids_of_special(const json& processor, const json& piece,
                                         const std::string& where) {
  const json::json_pointer name("/SpecialToken/id");
  if (!piece.contains(name) || !piece.at(name).is_string()) refuse_template(where, piece);
  const json tokens = processor.value("special_tokens", json());
  const auto token = tokens.find(piece.at(name).get<std::string>());
  if (!tokens.is_object() || token == tokens.end() || !token->is_object()) {
    refuse_template(where, tokens);
  }
  const json ids = token->value("ids", json());
  const auto is_id = [](const json& id) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();
    return id.is_number_unsigned() && id.get<std::uint64_t>() <= kMost;
  };
  if (!ids.is_array() || !std::ranges::all_of(ids, is_id)) refuse_template(where, ids);
  return ids.get<std::vector<std::int64_t>>();
}

/// What the post-processor puts before and after a text.
void read_template(const json& file, const std::string& path, TokenizerOptions& options) {
  const std::string where = path + ": at /post_processor";
  const json processor = file.value("post_processor", json());
  if (processor.is_null()) return;
  const json type = processor.is_object() ? processor.value("type", json()) : json();
  if (type == "ByteLevel") return;
  const json pieces = type == "TemplateProcessing" ? processor.value("single", json()) : json();
  if (!pieces.is_array()) refuse_template(where, processor);
  bool has_text = false;
  for (const json& piece : pieces) {
    if (piece.is_object() && piece.contains("Sequence")) {
      const json::json_pointer name("/Sequence/id");
      if (has_text || !piece.contains(name) || piece.at(name) != "A") refuse_template(where, piece);
      has_text = true;
      continue;
    }
    const std::vector<std::int64_t> ids = ids_of_special(processor, piece, where);
    auto& side = has_text ? options.after : options.before;
    side.insert(side.end(), ids.begin(), ids.end());
  }
  if (!has_text) refuse_template(where, pieces);
}

/// Refuses a tokenizer_config.json that says otherwise than the files of the tokenizer, of which
/// one version of transformers reads this and another that.
void check_agrees(const json& config, const std::string& path, const char* field, bool there) {
  const std::optional<bool> asked = switch_at(config, std::string("/") + field, path);
  if (!asked || *asked == there) return;
  throw BadInput({.kind = BadInputKind::inconsistent,
                  .where = fmt::format("{}: at /{}", path, field),
                  .expected = fmt::format("{}, as the tokenizer's own files say", there),
                  .found = fmt::format("{}", *asked),
                  .advice = "versions of transformers follow the one or the other: make them "
                            "agree, or give token ids in place of a text"});
}

json read_config(const fs::path& folder) {
  const fs::path path = folder / "tokenizer_config.json";
  return fs::exists(path) ? read_object(path) : json::object();
}

std::string config_path(const fs::path& folder) {
  return (folder / "tokenizer_config.json").string();
}

/// The classes of transformers that take add_prefix_space of tokenizer_config.json alone, false
/// where it has none.
bool is_gpt2_class(const json& config) {
  const json name = config.value("tokenizer_class", json());
  return name == "GPT2Tokenizer" || name == "GPT2TokenizerFast";
}

void check_config(const fs::path& folder, const TokenizerOptions& options) {
  json config = read_config(folder);
  if (is_gpt2_class(config)) config.emplace("add_prefix_space", false);
  const std::string path = config_path(folder);
  check_agrees(config, path, "add_prefix_space", options.prefix_space);
  check_agrees(config, path, "add_bos_token", !options.before.empty());
  check_agrees(config, path, "add_eos_token", !options.after.empty());
}

/// The entry for bytes without one; several of them may not be one token.
std::optional<std::string> unknown_of(const json& model) {
  const json entry = model.value("unk_token", json());
  if (!entry.is_string() || model.value("fuse_unk", json()) == true) return std::nullopt;
  return entry.get<std::string>();
}

Tokenizer load_tokenizer_json(const fs::path& folder) {
  const std::string path = (folder / "tokenizer.json").string();
  json file = read_object(path);
  check_settings(file, path);
  json& model = file["model"];
  if (!model.is_object() || !model["vocab"].is_object())
    refuse_type(path + ": at /model/vocab", "a JSON object from entry to id",
                model.is_object() ? model["vocab"] : model);
  TokenizerOptions options;
  options.added = add_tokens(model["vocab"], file["added_tokens"], path + ": at /added_tokens");
  options.unknown = unknown_of(model);
  options.prefix_space = prefix_space_of(file, path);
  read_template(file, path, options);
  check_config(folder, options);
  return Tokenizer(vocabulary_of(model["vocab"], path),
                   merges_of(model["merges"], path + ": at /model/merges"), path,
                   std::move(options));
}

/// The id of the token of a text's beginning or end ("bos", "eos") where a tokenizer_config.json
/// beside two files asks for it.
std::vector<std::int64_t> asked_token(const json& config, const std::string& path,
                                      const std::string& which, const json& ids) {
  if (!switch_at(config, "/add_" + which + "_token", path).value_or(false)) return {};
  json token = config.value(which + "_token", json(kEndOfText));
  if (token.is_object()) token = token.value("content", json());
  const auto found = token.is_string() ? ids.find(token.get<std::string>()) : ids.end();
  if (found != ids.end() && found->is_number_unsigned()) return {found->get<std::int64_t>()};
  throw BadInput({.kind = BadInputKind::missing,
                  .where = fmt::format("{}: at /{}_token", path, which),
                  .expected = "an entry of the vocabulary",
                  .found = shown_json(token)});
}

Tokenizer load_two_files(const fs::path& folder) {
  json ids = read_object(folder / "vocab.json");
  TokenizerOptions options;
  if (const fs::path path = folder / "added_tokens.json"; fs::exists(path)) {
    const json tokens = read_object(path);
    for (const auto& [token, id] : tokens.items()) {
      add_token(ids, token, id, path.string());
      options.added.insert(token);
    }
  }
  const json config = read_config(folder);
  const std::string path = config_path(folder);
  options.prefix_space = switch_at(config, "/add_prefix_space", path).value_or(false);
  options.before = asked_token(config, path, "bos", ids);
  options.after = asked_token(config, path, "eos", ids);
  const auto vocabulary = vocabulary_of(ids, (folder / "vocab.json").string());
  return Tokenizer(vocabulary, read_merges(folder / "merges.txt"), folder.string(),
                   std::move(options));
}

}  // namespace

Tokenizer Tokenizer::load(const std::filesystem::path& folder) {
  if (fs::exists(folder / "tokenizer.json")) return load_tokenizer_json(folder);
  if (fs::exists(folder / "vocab.json")) return load_two_files(folder);
  throw BadInput({.kind = BadInputKind::missing,
                  .where = folder.string(),
                  .expected = "tokenizer.json, or vocab.json and merges.txt",
                  .found = "neither",
                  .advice = "save the tokenizer there with save_pretrained"});
}

}  // namespace attn
