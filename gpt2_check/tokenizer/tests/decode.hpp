#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gpt2_check/tokenizer/text.hpp"
#include "theory/base/atomic_file.hpp"

namespace attn::test {

/// The entry of each id, in byte symbols, of the vocab.json of a folder.
inline std::vector<std::string> vocabulary_in(const std::filesystem::path& folder) {
  const auto ids = nlohmann::json::parse(read_file(folder / "vocab.json"));
  std::vector<std::string> vocabulary(ids.size());
  for (const auto& [entry, id] : ids.items()) vocabulary.at(id.get<std::size_t>()) = entry;
  return vocabulary;
}

/// The bytes that ids stand for.
inline std::string decode(const std::vector<std::string>& vocabulary,
                          const std::vector<std::int64_t>& ids) {
  std::unordered_map<std::string_view, char> byte_of;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    byte_of.emplace(byte_symbols()[byte], static_cast<char>(byte));
  }
  std::string text;
  for (const std::int64_t id : ids) {
    std::string_view entry = vocabulary.at(static_cast<std::size_t>(id));
    while (!entry.empty()) {
      const std::size_t bytes = static_cast<unsigned char>(entry[0]) < 0x80 ? 1 : 2;
      text += byte_of.at(entry.substr(0, bytes));
      entry.remove_prefix(bytes);
    }
  }
  return text;
}

}  // namespace attn::test
