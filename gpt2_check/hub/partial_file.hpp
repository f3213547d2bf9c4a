#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace attn::hub {

/// A download on its way. What is written is there for a later run, however this one ends.
class PartialFile {
 public:
  /// Opens it, and creates it where it is not there. Throws BadInput where the system refuses.
  explicit PartialFile(std::filesystem::path path);
  ~PartialFile();
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// Makes `bytes` the end of the file, from position `at` <= size() on. Throws BadInput where the
  /// system refuses, on a full disk for instance.
  void write(std::uint64_t at, std::string_view bytes);

  void clear();

  /// Renames it onto `target` once its bytes are on the disk.
  void publish(const std::filesystem::path& target);

  /// Deletes it.
  void remove();

 private:
  void cut_at(std::uint64_t size);

  std::filesystem::path path_;
  int descriptor_{-1};
  std::uint64_t size_{};
};

}  // namespace attn::hub
