#include "gpt2_check/tokenizer/tokenizer.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <queue>
#include <sstream>
#include <tuple>

#include "gpt2_check/tokenizer/byte_symbols.hpp"
#include "gpt2_check/tokenizer/utf8.hpp"
#include "gpt2_check/tokenizer/words.hpp"
#include "theory/base/atomic_file.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/one_line.hpp"
#include "theory/base/read_json.hpp"
#include "theory/base/shown_json.hpp"

namespace attn {
namespace {

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

/// The bytes that an entry stands for; characters that stand for no byte (in a special token, say)
/// stand for themselves.
std::string bytes_of(const std::string& entry,
                     const std::unordered_map<std::string, unsigned char>& byte_of) {
  std::string bytes;
  for (std::size_t at = 0; at < entry.size();) {
    std::size_t end = at + 1;
    while (end < entry.size() && (static_cast<unsigned char>(entry[end]) & 0xC0) == 0x80) ++end;
    const std::string symbol = entry.substr(at, end - at);
    const auto found = byte_of.find(symbol);
    if (found == byte_of.end())
      bytes += symbol;
    else
      bytes += static_cast<char>(found->second);
    at = end;
  }
  return bytes;
}

std::vector<std::string> read_vocabulary(const std::filesystem::path& path) {
  const std::string text = read_file(path);
  nlohmann::json json;
  try {
    json = read_json(text, "JSON");
  } catch (const BadInput& error) {
    throw error.within(path.string());
  }
  if (!json.is_object())
    throw BadInput({.kind = BadInputKind::malformed,
                    .where = path.string(),
                    .expected = "a JSON object from entry to id",
                    .found = fmt::format("a JSON {}", json.type_name())});
  std::vector<std::string> vocabulary(json.size());
  std::vector<bool> seen(json.size(), false);
  for (const auto& [entry, id] : json.items()) {
    if (!id.is_number_unsigned() || id.get<std::uint64_t>() >= json.size() ||
        seen[id.get<std::size_t>()])
      throw BadInput(
          {.kind = BadInputKind::out_of_range,
           .where = path.string(),
           .expected = fmt::format("ids 0..{}, each once", json.size() - 1),
           .found = fmt::format("{} for entry {}", id.is_number() ? id.dump() : id.type_name(),
                                shown_json(entry))});
    seen[id.get<std::size_t>()] = true;
    vocabulary[id.get<std::size_t>()] = entry;
  }
  return vocabulary;
}

std::vector<Tokenizer::Merge> read_merges(const std::filesystem::path& path) {
  std::istringstream stream(read_file(path));
  std::vector<Tokenizer::Merge> merges;
  std::string line;
  for (std::int64_t number = 1; std::getline(stream, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || (number == 1 && line.starts_with("#version"))) continue;
    const std::size_t space = line.find(' ');
    if (space == 0 || space == std::string::npos || space + 1 == line.size() ||
        line.find(' ', space + 1) != std::string::npos)
      throw BadInput({.kind = BadInputKind::malformed,
                      .where = fmt::format("{}: line {}", path.string(), number),
                      .expected = "two symbols with one space between them",
                      .found = fmt::format("{} bytes", line.size())});
    merges.emplace_back(line.substr(0, space), line.substr(space + 1));
  }
  return merges;
}

}  // namespace

Tokenizer::Tokenizer(std::vector<std::string> vocabulary, const std::vector<Merge>& merges,
                     const std::string& name)
    : vocabulary_(std::move(vocabulary)) {
  Ids ids;
  for (std::size_t id = 0; id < vocabulary_.size(); ++id)
    if (!ids.emplace(vocabulary_[id], static_cast<std::int64_t>(id)).second)
      throw BadInput({.kind = BadInputKind::inconsistent,
                      .where = name,
                      .expected = "each entry once",
                      .found = fmt::format("the entry {} twice", shown_json(vocabulary_[id]))});

  std::unordered_map<std::string, unsigned char> byte_of;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    byte_ids_[byte] = id_of(ids, byte_symbols()[byte], name);
    byte_of.emplace(byte_symbols()[byte], static_cast<unsigned char>(byte));
  }
  for (const std::string& entry : vocabulary_) bytes_.push_back(bytes_of(entry, byte_of));
  if (const auto found = ids.find(std::string(kEndOfText)); found != ids.end())
    end_of_text_ = found->second;

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
  std::vector<std::string> vocabulary = read_vocabulary(folder / "vocab.json");
  return Tokenizer(std::move(vocabulary), read_merges(folder / "merges.txt"), folder.string());
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

void Tokenizer::append_text(std::string_view text, std::vector<std::int64_t>& ids) const {
  for (const std::string_view word : split_words(text)) append_word(word, ids);
}

std::vector<std::int64_t> Tokenizer::encode(std::string_view text, EndOfText special) const {
  count_characters(text, "text");
  std::vector<std::int64_t> ids;
  if (special == EndOfText::kToken) {
    if (!end_of_text_) {
      throw BadInput({.kind = BadInputKind::missing,
                      .where = "text",
                      .expected = "a tokenizer with an <|endoftext|> token",
                      .found = "one without"});
    }
    for (std::size_t found; (found = text.find(kEndOfText)) != std::string_view::npos;
         text.remove_prefix(found + kEndOfText.size())) {
      append_text(text.substr(0, found), ids);
      ids.push_back(*end_of_text_);
    }
  }
  append_text(text, ids);
  return ids;
}

std::string Tokenizer::decode(std::span<const std::int64_t> ids) const {
  std::string text;
  for (const std::int64_t id : ids) {
    if (id < 0 || id >= size())
      throw BadInput({.kind = BadInputKind::out_of_range,
                      .where = "tokens",
                      .expected = fmt::format("ids in 0..{}", size() - 1),
                      .found = fmt::format("{}", id)});
    text += bytes_[static_cast<std::size_t>(id)];
  }
  return text;
}

}  // namespace attn
