#include "gpt2_check/tokenizer/tokenizer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <queue>
#include <sstream>
#include <tuple>

#include "gpt2_check/tokenizer/text.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/read_json.hpp"

namespace attn {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Ids = std::unordered_map<std::string, std::int64_t>;

std::uint64_t pair_key(std::int64_t left, std::int64_t right) {
  return static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint64_t>(right);
}

std::int64_t id_of(const Ids& ids, const std::string& entry, const std::string& name) {
  const auto found = ids.find(entry);
  if (found == ids.end())
    throw BadInput({.kind = BadInputKind::missing,
                    .where = name,
                    .expected = fmt::format("an entry {} in the vocabulary", shown_json(entry)),
                    .found = "none",
                    .advice = "vocab.json and merges.txt must be of the same tokenizer"});
  return found->second;
}

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
      {"/pre_tokenizer/add_prefix_space", false, true},
      {"/pre_tokenizer/use_regex", true},
      {"/post_processor/type", "ByteLevel"},
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

Tokenizer load_tokenizer_json(const fs::path& path) {
  json file = read_object(path);
  check_settings(file, path.string());
  json& model = file["model"];
  if (!model.is_object() || !model["vocab"].is_object())
    refuse_type(path.string() + ": at /model/vocab", "a JSON object from entry to id",
                model.is_object() ? model["vocab"] : model);
  std::set<std::string> added =
      add_tokens(model["vocab"], file["added_tokens"], path.string() + ": at /added_tokens");
  return Tokenizer(vocabulary_of(model["vocab"], path.string()),
                   merges_of(model["merges"], path.string() + ": at /model/merges"), path.string(),
                   std::move(added));
}

Tokenizer load_two_files(const fs::path& folder) {
  json ids = read_object(folder / "vocab.json");
  std::set<std::string> added;
  if (const fs::path path = folder / "added_tokens.json"; fs::exists(path)) {
    const json tokens = read_object(path);
    for (const auto& [token, id] : tokens.items()) {
      add_token(ids, token, id, path.string());
      added.insert(token);
    }
  }
  const auto vocabulary = vocabulary_of(ids, (folder / "vocab.json").string());
  return Tokenizer(vocabulary, read_merges(folder / "merges.txt"), folder.string(),
                   std::move(added));
}

}  // namespace

Tokenizer::Tokenizer(const std::vector<std::string>& vocabulary, const std::vector<Merge>& merges,
                     const std::string& name, std::set<std::string> added) {
  Ids ids;
  for (std::size_t id = 0; id < vocabulary.size(); ++id)
    if (!ids.emplace(vocabulary[id], static_cast<std::int64_t>(id)).second)
      throw BadInput({.kind = BadInputKind::inconsistent,
                      .where = name,
                      .expected = "each entry once",
                      .found = fmt::format("the entry {} twice", shown_json(vocabulary[id]))});

  for (std::size_t byte = 0; byte < 256; ++byte) {
    byte_ids_[byte] = id_of(ids, byte_symbols()[byte], name);
  }
  if (ids.contains(std::string(kEndOfText))) added.emplace(kEndOfText);
  added.erase("");
  for (const std::string& token : added) {
    added_.push_back({token, id_of(ids, token, name)});
    added_begin_ += token.front();
  }
  std::ranges::stable_sort(added_, std::greater<>(),
                           [](const Added& token) { return token.text.size(); });

  for (const auto& [left, right] : merges) {
    const std::uint64_t key = pair_key(id_of(ids, left, name), id_of(ids, right, name));
    const Merged merged{static_cast<std::int64_t>(merges_.size()), id_of(ids, left + right, name)};
    if (!merges_.emplace(key, merged).second)
      throw BadInput(
          {.kind = BadInputKind::inconsistent,
           .where = name,
           .expected = "each merge once",
           .found = fmt::format("the merge {} {} twice", shown_json(left), shown_json(right))});
  }
}

Tokenizer Tokenizer::load(const std::filesystem::path& folder) {
  if (fs::exists(folder / "tokenizer.json")) return load_tokenizer_json(folder / "tokenizer.json");
  if (fs::exists(folder / "vocab.json")) return load_two_files(folder);
  throw BadInput({.kind = BadInputKind::missing,
                  .where = folder.string(),
                  .expected = "tokenizer.json, or vocab.json and merges.txt",
                  .found = "neither",
                  .advice = "save the tokenizer there with save_pretrained"});
}

const Tokenizer::Merged* Tokenizer::merge_of(std::int64_t left, std::int64_t right) const {
  const auto found = merges_.find(pair_key(left, right));
  return found == merges_.end() ? nullptr : &found->second;
}

void Tokenizer::append_word(std::string_view word, std::vector<std::int64_t>& ids) const {
  // A linked list of symbols and a queue of the pairs that can be merged, lowest rank first and
  // leftmost among equals, so that a word of n bytes takes O(n log n).
  struct Symbol {
    std::int64_t id, previous, next;
  };
  constexpr std::int64_t kNone = -1;
  const auto length = static_cast<std::int64_t>(word.size());
  std::vector<Symbol> symbols;
  for (std::int64_t i = 0; i < length; ++i)
    symbols.push_back({byte_ids_[static_cast<unsigned char>(word[static_cast<std::size_t>(i)])],
                       i - 1, i + 1 < length ? i + 1 : kNone});
  const auto at = [&](std::int64_t i) -> Symbol& { return symbols[static_cast<std::size_t>(i)]; };

  using Candidate = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
  const auto offer = [&](std::int64_t left) {
    if (left == kNone || at(left).next == kNone) return;
    const std::int64_t right_id = at(at(left).next).id;
    if (const Merged* merged = merge_of(at(left).id, right_id))
      queue.emplace(merged->rank, left, at(left).id, right_id);
  };
  for (std::int64_t i = 0; i < length; ++i) offer(i);

  while (!queue.empty()) {
    const auto [rank, left, left_id, right_id] = queue.top();
    queue.pop();
    const std::int64_t right = at(left).id == left_id ? at(left).next : kNone;
    if (right == kNone || at(right).id != right_id) continue;  // merged with another meanwhile
    at(left).id = merge_of(left_id, right_id)->id;
    at(left).next = at(right).next;
    at(right).id = kNone;
    if (at(left).next != kNone) at(at(left).next).previous = left;
    offer(at(left).previous);
    offer(left);
  }
  for (std::int64_t i = length == 0 ? kNone : 0; i != kNone; i = at(i).next)
    ids.push_back(at(i).id);
}

std::vector<std::int64_t> Tokenizer::encode(std::string_view text, bool is_plain) const {
  count_characters(text, "text");
  std::vector<std::int64_t> ids;
  const auto append_text = [&](std::string_view part) {
    for (const std::string_view word : split_words(part)) append_word(word, ids);
  };
  std::size_t start = 0;  // of what is not yet encoded
  std::size_t at = is_plain ? std::string_view::npos : 0;
  while ((at = text.find_first_of(added_begin_, at)) != std::string_view::npos) {
    const auto token = std::ranges::find_if(
        added_, [&](const Added& one) { return text.substr(at).starts_with(one.text); });
    if (token == added_.end()) {
      ++at;
      continue;
    }
    append_text(text.substr(start, at - start));
    ids.push_back(token->id);
    at += token->text.size();
    start = at;
  }
  append_text(text.substr(start));
  return ids;
}

}  // namespace attn
