#include "gpt2_check/tokenizer/tokenizer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <queue>
#include <tuple>

#include "gpt2_check/tokenizer/text.hpp"
#include "theory/base/bad_input.hpp"

namespace attn {
namespace {

using Ids = std::unordered_map<std::string, std::int64_t>;

constexpr std::int64_t kNone = -1;

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

}  // namespace

Tokenizer::Tokenizer(const std::vector<std::string>& vocabulary, const std::vector<Merge>& merges,
                     const std::string& name, TokenizerOptions options)
    : options_(std::move(options)) {
  Ids ids;
  for (std::size_t id = 0; id < vocabulary.size(); ++id)
    if (!ids.emplace(vocabulary[id], static_cast<std::int64_t>(id)).second)
      throw BadInput({.kind = BadInputKind::inconsistent,
                      .where = name,
                      .expected = "each entry once",
                      .found = fmt::format("the entry {} twice", shown_json(vocabulary[id]))});

  const std::int64_t unknown = options_.unknown ? id_of(ids, *options_.unknown, name) : kNone;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    const auto found = ids.find(byte_symbols()[byte]);
    byte_ids_[byte] = found == ids.end() ? unknown : found->second;
  }
  if (options_.prefix_space) static_cast<void>(id_of(ids, byte_symbols()[' '], name));
  std::set<std::string> added = options_.added;
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

void Tokenizer::check_bytes(std::string_view part, std::size_t offset) const {
  for (std::size_t at = 0; at < part.size(); ++at) {
    const auto byte = static_cast<unsigned char>(part[at]);
    if (byte_ids_[byte] != kNone) continue;
    throw BadInput(
        {.kind = BadInputKind::unsupported,
         .expected = "bytes that the vocabulary has an entry for",
         .found = fmt::format("one that has none at byte offset {} (0x{:02X})", offset + at, byte),
         .advice = "Hugging Face's tokenizers may leave it out in silence: take it out of the "
                   "text, or give token ids"});
  }
}

std::vector<std::int64_t> Tokenizer::encode(std::string_view text, bool is_plain) const {
  count_characters(text, "text");
  std::vector<std::int64_t> ids = options_.before;
  const auto append_text = [&](std::string_view part) {
    if (part.empty()) return;
    check_bytes(part, static_cast<std::size_t>(part.data() - text.data()));
    const bool needs_space = options_.prefix_space && !part.starts_with(' ');
    std::string whole(part);
    if (needs_space) whole.insert(whole.begin(), ' ');
    for (const std::string_view word : split_words(whole)) append_word(word, ids);
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
  ids.insert(ids.end(), options_.after.begin(), options_.after.end());
  return ids;
}

}  // namespace attn
