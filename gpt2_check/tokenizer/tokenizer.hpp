#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace attn {

inline constexpr std::string_view kEndOfText = "<|endoftext|>";

/// What a tokenizer has beside its vocabulary and merges.
struct TokenizerOptions {
  /// Entries that are texts: they are found before a text is split into words, and <|endoftext|> is
  /// one of them where the vocabulary has it.
  std::set<std::string> added{};
  /// The entry that stands for each byte that has none of its own; without it a text with such a
  /// byte is refused.
  std::optional<std::string> unknown{};
  /// Whether a space is put before each part of a text, between added tokens, that does not begin
  /// with one.
  bool prefix_space{};
  std::vector<std::int64_t> before{}, after{};  ///< ids put before and after every text
};

/// GPT-2's byte-level byte-pair encoding. Any UTF-8 text of whose bytes the vocabulary has entries
/// can be encoded; the entries of its ids give it back.
class Tokenizer {
 public:
  using Merge = std::pair<std::string, std::string>;

  /// `vocabulary[i]` is the entry with id i, `merges` the pairs from the lowest rank on, both
  /// written in byte_symbols(). Throws BadInput, naming `name`, where an entry is there twice, a
  /// merge is given twice, a part or the result of one is no entry, or an option names none.
  Tokenizer(const std::vector<std::string>& vocabulary, const std::vector<Merge>& merges,
            const std::string& name = "tokenizer", TokenizerOptions options = {});

  /// Reads tokenizer.json of a checkpoint folder; where there is none, vocab.json and merges.txt,
  /// and added_tokens.json where it is there; and tokenizer_config.json where it is there. Throws
  /// BadInput, naming the file and what is wrong in it, where one is missing or is not a vocabulary
  /// (ids 0..n-1, each once) or a list of merges ("left right", one a line, after an optional line
  /// "#version..."), for a tokenizer.json that is not GPT-2's kind, byte-level BPE, and where
  /// tokenizer_config.json says another thing of what is put before a text.
  static Tokenizer load(const std::filesystem::path& folder);

  /// The token ids of a text. Of added tokens that begin at one place the longest is found, as
  /// Hugging Face's tokenizers do; in a plain text they are characters like any others. Throws
  /// BadInput where the text is not UTF-8, or has a byte without an entry, naming the byte offset.
  [[nodiscard]] std::vector<std::int64_t> encode(std::string_view text,
                                                 bool is_plain = false) const;

 private:
  struct Merged {
    std::int64_t rank{}, id{};
  };
  struct Added {
    std::string text;
    std::int64_t id{};
  };

  [[nodiscard]] const Merged* merge_of(std::int64_t left, std::int64_t right) const;
  void check_bytes(std::string_view part, std::size_t offset) const;
  void append_word(std::string_view word, std::vector<std::int64_t>& ids) const;

  TokenizerOptions options_;
  std::array<std::int64_t, 256> byte_ids_{};          ///< -1: none
  std::unordered_map<std::uint64_t, Merged> merges_;  ///< by left id << 32 | right id
  std::vector<Added> added_;                          ///< the longest first
  std::string added_begin_;                           ///< the bytes that added tokens begin with
};

}  // namespace attn
