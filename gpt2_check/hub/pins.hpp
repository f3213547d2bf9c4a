#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace attn::hub {

/// A file of a checkpoint that is known to the byte.
struct PinnedFile {
  std::string name;
  std::uint64_t size{};  ///< bytes
  std::string sha256;    ///< 64 hexadecimal digits
};

/// A checkpoint of the Hub that is known to the byte.
struct Pin {
  std::string repository;  ///< owner/name
  std::string commit;      ///< 40 hexadecimal digits
  std::vector<PinnedFile> files;

  /// Throws std::out_of_range for a file that is not pinned.
  [[nodiscard]] const PinnedFile& file(const std::string& name) const;
};

/// openai-community/gpt2: the 124M parameters that the suite's known numbers were computed with.
const Pin& gpt2_pin();

/// The pin of a repository, or nullptr.
const Pin* find_pin(const std::string& repository);

}  // namespace attn::hub
