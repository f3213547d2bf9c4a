#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "gpt2_check/tiny/trainer.hpp"
#include "gpt2_check/tokenizer/text.hpp"
#include "gpt2_check/tokenizer/tokenizer.hpp"
#include "theory/base/bad_input.hpp"

namespace attn::tiny {
namespace {

struct Word {
  std::vector<std::uint32_t> ids;
  std::int64_t count{};
};

/// How often each adjacent pair of ids occurs, by left id << 32 | right id.
using PairCounts = std::unordered_map<std::uint64_t, std::int64_t>;

std::uint64_t pair_key(std::uint32_t left, std::uint32_t right) {
  return static_cast<std::uint64_t>(left) << 32 | right;
}

std::vector<Word> count_words(std::string_view text) {
  std::array<std::uint32_t, 256> id_of_byte{};
  for (std::uint32_t id = 0; id < 256; ++id) id_of_byte[bytes_by_symbol()[id]] = id;

  std::map<std::string_view, std::int64_t> counts;
  for (const std::string_view word : split_words(text)) ++counts[word];
  std::vector<Word> words;
  for (const auto& [letters, count] : counts) {
    Word word{{}, count};
    for (const char letter : letters)
      word.ids.push_back(id_of_byte[static_cast<unsigned char>(letter)]);
    words.push_back(std::move(word));
  }
  return words;
}

void add_pairs(const Word& word, std::int64_t sign, PairCounts& counts) {
  for (std::size_t i = 0; i + 1 < word.ids.size(); ++i)
    counts[pair_key(word.ids[i], word.ids[i + 1])] += sign * word.count;
}

bool has_pair(const Word& word, std::uint64_t pair) {
  for (std::size_t i = 0; i + 1 < word.ids.size(); ++i)
    if (pair_key(word.ids[i], word.ids[i + 1]) == pair) return true;
  return false;
}

void merge_pair(Word& word, std::uint64_t pair, std::uint32_t merged) {
  std::vector<std::uint32_t> ids;
  for (std::size_t i = 0; i < word.ids.size(); ++i) {
    if (i + 1 < word.ids.size() && pair_key(word.ids[i], word.ids[i + 1]) == pair) {
      ids.push_back(merged);
      ++i;
    } else {
      ids.push_back(word.ids[i]);
    }
  }
  word.ids = std::move(ids);
}

std::uint64_t most_frequent(const PairCounts& counts, std::size_t found, std::int64_t wanted) {
  const auto best =
      std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) {
        return a.second != b.second ? a.second < b.second : a.first > b.first;
      });
  if (best == counts.end() || best->second <= 0)
    throw BadInput({.kind = BadInputKind::out_of_range,
                    .where = "text",
                    .expected = fmt::format("pairs for a vocabulary of {} entries", wanted),
                    .found = fmt::format("pairs for {}", found + 1),
                    .advice = "give a longer text"});
  return best->first;
}

}  // namespace

Bpe train_bpe(std::string_view text, std::int64_t entries) {
  Bpe bpe;
  for (const unsigned char byte : bytes_by_symbol()) bpe.vocabulary.push_back(byte_symbols()[byte]);

  std::vector<Word> words = count_words(text);
  PairCounts counts;
  for (const Word& word : words) add_pairs(word, 1, counts);
  while (bpe.vocabulary.size() + 1 < static_cast<std::size_t>(entries)) {
    const std::uint64_t pair = most_frequent(counts, bpe.vocabulary.size(), entries);
    const auto merged = static_cast<std::uint32_t>(bpe.vocabulary.size());
    for (Word& word : words) {
      if (!has_pair(word, pair)) continue;
      add_pairs(word, -1, counts);
      merge_pair(word, pair, merged);
      add_pairs(word, 1, counts);
    }
    const std::string& left = bpe.vocabulary[pair >> 32];
    const std::string& right = bpe.vocabulary[pair & 0xFFFFFFFF];
    bpe.merges.emplace_back(left, right);
    bpe.vocabulary.push_back(left + right);
  }
  bpe.vocabulary.emplace_back(kEndOfText);
  return bpe;
}

}  // namespace attn::tiny
