#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace attn {

inline constexpr std::string_view kEndOfText = "<|endoftext|>";

/// What "<|endoftext|>" in a text stands for.
enum class EndOfText {
  kText,   ///< those thirteen characters, as any others
  kToken,  ///< the one token that separates documents
};

/// GPT-2's byte-level byte-pair encoding. Any UTF-8 text can be encoded; decode(encode(t)) == t.
class Tokenizer {
 public:
  using Merge = std::pair<std::string, std::string>;

  /// `vocabulary[i]` is the entry with id i, `merges` the pairs from the lowest rank on, both
  /// written in byte_symbols(). Throws BadInput, naming `name`, where an entry is there twice, one
  /// of the 256 byte symbols is missing, a merge is given twice or a part or the result of one is
  /// no entry.
  Tokenizer(std::vector<std::string> vocabulary, const std::vector<Merge>& merges,
            const std::string& name = "tokenizer");

  /// Reads vocab.json and merges.txt of a checkpoint folder. Throws BadInput, naming the file and
  /// what is wrong in it, where one is missing or is not a vocabulary (ids 0..n-1, each once) or a
  /// list of merges ("left right", one a line, after an optional line "#version...").
  static Tokenizer load(const std::filesystem::path& folder);

  /// The number of entries.
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(vocabulary_.size()); }

  /// The id of <|endoftext|>, where the vocabulary has it.
  [[nodiscard]] std::optional<std::int64_t> end_of_text() const { return end_of_text_; }

  /// The token ids of a text. Throws BadInput where it is not UTF-8, naming the byte offset, and
  /// where `special` asks for a token that the vocabulary does not have.
  [[nodiscard]] std::vector<std::int64_t> encode(std::string_view text,
                                                 EndOfText special = EndOfText::kText) const;

  /// The bytes that the ids stand for. Throws BadInput for an id outside 0..size()-1.
  [[nodiscard]] std::string decode(std::span<const std::int64_t> ids) const;

 private:
  struct Merged {
    std::int64_t rank{}, id{};
  };

  [[nodiscard]] const Merged* merge_of(std::int64_t left, std::int64_t right) const;
  void append_word(std::string_view word, std::vector<std::int64_t>& ids) const;
  void append_text(std::string_view text, std::vector<std::int64_t>& ids) const;

  std::vector<std::string> vocabulary_;  ///< entry of each id, in byte symbols
  std::vector<std::string> bytes_;       ///< what each id decodes to
  std::array<std::int64_t, 256> byte_ids_{};
  std::unordered_map<std::uint64_t, Merged> merges_;  ///< by left id << 32 | right id
  std::optional<std::int64_t> end_of_text_;
};

}  // namespace attn
