#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn::tiny {

/// What makes a Tokenizer.
struct Bpe {
  std::vector<std::string> vocabulary;                      ///< entry of each id
  std::vector<std::pair<std::string, std::string>> merges;  ///< lowest rank first
};

/// Learns a byte-level BPE of `entries` entries from a UTF-8 text: the 256 byte symbols in GPT-2's
/// order, then one entry for each merge, then <|endoftext|>. Each merge joins the adjacent pair
/// that is most frequent within the words of the text; of equally frequent pairs, the one with the
/// smallest left id, then the smallest right id.
///
/// Throws BadInput where the text is not UTF-8, std::invalid_argument for fewer than 257 entries,
/// and BadInput where the text has too few pairs for so many entries.
Bpe train_bpe(std::string_view text, std::int64_t entries);

}  // namespace attn::tiny
