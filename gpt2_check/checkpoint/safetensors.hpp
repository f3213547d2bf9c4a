#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "theory/base/bad_input.hpp"
#include "theory/base/pending_output.hpp"

/// The safetensors format: a little-endian u64 N <= 100,000,000, N bytes of JSON that map a name to
/// {dtype, shape, data_offsets}, then the tensors' bytes, row-major, with no hole between them.
namespace attn::safetensors {

inline constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;

/// What is wrong in one file.
class Complaint {
 public:
  explicit Complaint(const std::filesystem::path& path) : path_(path.string()) {}

  [[noreturn]] void refuse(const BadInput& wrong) const { throw wrong.within(path_); }
  /// `where`: in the file; empty of the whole of it.
  void unless(bool holds, BadInputKind kind, std::string where, std::string expected,
              std::string found, std::string advice = "") const {
    if (holds) return;
    refuse(BadInput({.kind = kind,
                     .where = std::move(where),
                     .expected = std::move(expected),
                     .found = std::move(found),
                     .advice = std::move(advice)}));
  }

 private:
  std::string path_;
};

/// The place of a tensor in its file.
inline std::string place(const std::string& tensor) {
  return "tensor " + in_quotes(tensor);
}

/// Where a tensor lies in its file.
struct Entry {
  at::ScalarType dtype{};  ///< Undefined for a type that is not read here
  std::string type;        ///< the name of the type in the file
  std::vector<std::int64_t> shape;
  std::uint64_t begin{}, end{};  ///< bytes from the start of the data, end exclusive
};

/// A safetensors file open for reading, by several threads at once.
///
/// The whole header is checked against the size of the file before anything is allocated for a
/// tensor: the header's length and its first byte, its JSON (duplicate names included), each shape
/// and offset without overflow, no hole, no overlap, and the last byte of data the last of the
/// file. F64 F32 F16 BF16 I64 I32 I16 I8 U8 BOOL can be read; a tensor of another type may lie
/// beside them.
class File {
 public:
  /// Throws BadInput, naming the file, the tensor, what was expected and what was found.
  explicit File(std::filesystem::path path);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] Complaint complaint() const { return Complaint(path_); }
  [[nodiscard]] const std::map<std::string, Entry>& entries() const { return entries_; }
  /// The metadata, by name.
  [[nodiscard]] const std::map<std::string, std::string>& all_metadata() const { return metadata_; }
  /// What the metadata say under that name.
  [[nodiscard]] std::optional<std::string> metadata(const std::string& name) const {
    const auto found = metadata_.find(name);
    return found == metadata_.end() ? std::nullopt : std::optional(found->second);
  }
  [[nodiscard]] bool contains(const std::string& name) const { return entries_.contains(name); }

  /// The entry of that name. Throws BadInput where there is none.
  [[nodiscard]] const Entry& entry(const std::string& name) const;

  /// Reads one tensor, contiguous, in the dtype stored. Throws BadInput where there is none of that
  /// name or it is of a type that is not read, or where the file cannot be read or is not what it
  /// was when it was opened.
  [[nodiscard]] at::Tensor read(const std::string& name) const;

  /// Reads a part of a tensor, as many numbers as `shape` has, from number `first` on, row-major,
  /// in the dtype stored. Throws BadInput as `read` does, std::out_of_range for a part that it does
  /// not have.
  [[nodiscard]] at::Tensor read_part(const std::string& name, std::int64_t first,
                                     const std::vector<std::int64_t>& shape) const;

  /// `read`, then refuses NaN and infinities (BadInput with the index of the first one).
  [[nodiscard]] at::Tensor read_finite(const std::string& name) const;

  /// Refuses NaN and infinities of what was read of a tensor, of whose shape `numbers` is (BadInput
  /// with the index of the first one, and the advice).
  void expect_finite(const std::string& name, const at::Tensor& numbers,
                     std::string advice = "") const;

  /// The SHA-256 of the file. Throws BadInput where it is not what it was when it was opened: what
  /// was read and what is named must be one file.
  [[nodiscard]] std::string sha256() const;

 private:
  void expect_unchanged() const;
  void expect_booleans(const std::string& name, const at::Tensor& tensor) const;

  std::filesystem::path path_;
  mutable std::ifstream stream_;
  mutable std::mutex reading_;  ///< what `stream_` reads
  std::uintmax_t bytes_{};
  std::filesystem::file_time_type written_;
  std::uint64_t data_start_{};
  std::map<std::string, Entry> entries_;
  std::map<std::string, std::string> metadata_;
};

/// What a file is to hold at one place: announced before the first tensor is written.
struct Slot {
  std::string name;
  at::ScalarType dtype{};
  std::vector<std::int64_t> shape;
};

/// Writes a safetensors file one tensor after another, so that only one need be in memory. The file
/// appears at its path when `commit` is called, whole, or never.
class Writer {
 public:
  /// Throws BadInput where the path cannot be written to, std::invalid_argument for a dtype that
  /// the format does not have or a name given twice.
  Writer(const std::filesystem::path& path, std::vector<Slot> slots,
         const std::map<std::string, std::string>& metadata = {});

  /// Writes the next slot's tensor. Throws std::invalid_argument unless `name`, the dtype and the
  /// shape are those announced, BadInput where the disk is full.
  void append(const std::string& name, const at::Tensor& tensor);

  /// Throws std::logic_error while a slot is unwritten.
  void commit();

 private:
  PendingOutput output_;
  std::ofstream stream_;
  std::vector<Slot> slots_;
  std::size_t next_{0};
};

}  // namespace attn::safetensors
