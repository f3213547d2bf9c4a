#include "gpt2_check/checkpoint/safetensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "gpt2_check/checkpoint/safetensors_format.hpp"
#include "theory/base/bad_input.hpp"
#include "theory/base/read_json.hpp"
#include "theory/base/sha256.hpp"

namespace attn::safetensors {
namespace {

using nlohmann::json;

constexpr int kMaxHeaderDepth = 4;  // {name: {field: [number]}} and its scalars

// What to do about a file that is not as the format says.
constexpr const char* kIsItOne = "is this a safetensors file?";
constexpr const char* kCutShort = "the file is cut short: copy it again";

json parse_header(const std::string& text, const Complaint& complaint) {
  using Event = json::parse_event_t;
  const auto is_shallow = [](int depth, Event event, const json&) {
    const bool opens = event == Event::object_start || event == Event::array_start;
    if (!opens || depth < kMaxHeaderDepth) return true;
    throw BadInput({.kind = BadInputKind::malformed,
                    .expected = fmt::format("JSON of depth {} at most", kMaxHeaderDepth),
                    .found = "JSON that is nested deeper"});
  };
  try {
    return read_json(text, "JSON, as in a safetensors file", is_shallow);
  } catch (const BadInput& error) {
    complaint.refuse(error.within("header"));
  }
}

std::int64_t to_size(const json& value, const std::string& name, const Complaint& complaint) {
  if (!value.is_number_unsigned() ||
      value.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max()) {
    complaint.refuse({.kind = BadInputKind::malformed,
                      .where = place(name),
                      .expected = "a shape that is a list of integers in [0, 2^63)",
                      .found = shown_json(value)});
  }
  return value.get<std::int64_t>();
}

Entry to_entry(const std::string& name, const json& value, const Complaint& complaint) {
  if (!value.is_object()) {
    complaint.refuse({.kind = BadInputKind::malformed,
                      .where = place(name),
                      .expected = "an object with dtype, shape and data_offsets",
                      .found = value.type_name()});
  }
  for (const char* field : {"dtype", "shape", "data_offsets"}) {
    if (!value.contains(field)) {
      complaint.refuse({.kind = BadInputKind::missing,
                        .where = place(name),
                        .expected = fmt::format("a field {}", field),
                        .found = "none"});
    }
  }
  for (const auto& item : value.items()) {
    if (item.key() != "dtype" && item.key() != "shape" && item.key() != "data_offsets") {
      complaint.refuse({.kind = BadInputKind::unknown_name,
                        .where = place(name),
                        .expected = "the fields dtype, shape and data_offsets",
                        .found = in_quotes(item.key())});
    }
  }

  const json& type = value["dtype"];
  if (!type.is_string()) {
    complaint.refuse({.kind = BadInputKind::malformed,
                      .where = place(name),
                      .expected = "a dtype that is a name",
                      .found = shown_json(type)});
  }
  Entry entry;
  entry.type = type.get<std::string>();
  const auto* dtype = std::ranges::find(kDtypes, entry.type, &Dtype::name);
  const bool is_known = dtype != std::end(kDtypes);
  entry.dtype = is_known ? dtype->type : at::ScalarType::Undefined;
  if (!value["shape"].is_array()) {
    complaint.refuse({.kind = BadInputKind::malformed,
                      .where = place(name),
                      .expected = "a shape that is a list",
                      .found = shown_json(value["shape"])});
  }
  for (const json& size : value["shape"]) entry.shape.push_back(to_size(size, name, complaint));

  const json& offsets = value["data_offsets"];
  if (!offsets.is_array() || offsets.size() != 2 || !offsets[0].is_number_unsigned() ||
      !offsets[1].is_number_unsigned()) {
    complaint.refuse({.kind = BadInputKind::malformed,
                      .where = place(name),
                      .expected = "data_offsets that are two integers in [0, 2^64)",
                      .found = shown_json(offsets)});
  }
  entry.begin = offsets[0].get<std::uint64_t>();
  entry.end = offsets[1].get<std::uint64_t>();
  if (entry.end < entry.begin) {
    complaint.refuse({.kind = BadInputKind::inconsistent,
                      .where = place(name),
                      .expected = "data_offsets that do not end before they begin",
                      .found = shown_json(offsets)});
  }

  // Of a type that is not read the size of an element does not matter: 1 stands for it.
  const auto bytes = byte_size(entry.shape, is_known ? dtype->bytes : 1);
  if (!bytes) {
    complaint.refuse({.kind = BadInputKind::too_large,
                      .where = place(name),
                      .expected = "a shape of less than 2^63 bytes",
                      .found = shown_json(value["shape"])});
  }
  if (is_known && entry.end - entry.begin != *bytes) {
    complaint.refuse({.kind = BadInputKind::inconsistent,
                      .where = place(name),
                      .expected = fmt::format("{} bytes for shape {} of {}", *bytes,
                                              shortened(value["shape"].dump()), entry.type),
                      .found = fmt::format("data_offsets that hold {}", entry.end - entry.begin)});
  }
  return entry;
}

std::map<std::string, std::string> to_metadata(const json& value, const Complaint& complaint) {
  if (!value.is_object()) {
    complaint.refuse({.kind = BadInputKind::malformed,
                      .where = "__metadata__",
                      .expected = "an object of strings",
                      .found = value.type_name()});
  }
  std::map<std::string, std::string> metadata;
  for (const auto& item : value.items()) {
    if (!item.value().is_string()) {
      complaint.refuse({.kind = BadInputKind::malformed,
                        .where = fmt::format("__metadata__ {}", in_quotes(item.key())),
                        .expected = "a string",
                        .found = shown_json(item.value())});
    }
    metadata[item.key()] = item.value().get<std::string>();
  }
  return metadata;
}

/// No hole, no overlap, and the last end is the end of the file.
void check_layout(const std::map<std::string, Entry>& entries, std::uint64_t data_bytes,
                  const Complaint& complaint) {
  std::vector<const std::map<std::string, Entry>::value_type*> order;
  order.reserve(entries.size());
  for (const auto& entry : entries) order.push_back(&entry);
  std::ranges::sort(
      order, {}, [](const auto* item) { return std::pair(item->second.begin, item->second.end); });
  std::uint64_t expected = 0;
  for (const auto* item : order) {
    if (item->second.begin != expected) {
      const bool is_hole = item->second.begin > expected;
      complaint.refuse({.kind = BadInputKind::inconsistent,
                        .where = place(item->first),
                        .expected = fmt::format("data that begin at byte {}", expected),
                        .found = fmt::format("{}: byte {}", is_hole ? "a hole" : "an overlap",
                                             item->second.begin)});
    }
    expected = item->second.end;
  }
  if (expected > data_bytes) {
    complaint.refuse({.kind = BadInputKind::inconsistent,
                      .expected = fmt::format("{} bytes of data, as the header promises", expected),
                      .found = fmt::format("{}", data_bytes),
                      .advice = kCutShort});
  }
  if (expected < data_bytes) {
    complaint.refuse(
        {.kind = BadInputKind::inconsistent,
         .expected = fmt::format("{} bytes of data, as the header promises", expected),
         .found = fmt::format("{} more, after the last tensor", data_bytes - expected)});
  }
}

/// What git leaves in the place of a large file that was not fetched.
constexpr std::string_view kGitLfsPointer = "version https://git-lfs";

BadInputParts unreadable() {
  return {.kind = BadInputKind::unreadable,
          .expected = "a file that can be read",
          .found = "one that cannot",
          .advice = "check who may read it"};
}

}  // namespace

File::File(std::filesystem::path path) : path_(std::move(path)) {
  const Complaint complaint(path_);
  std::error_code error;
  const auto status = std::filesystem::status(path_, error);
  if (!std::filesystem::exists(status)) {
    complaint.refuse({.kind = BadInputKind::missing,
                      .expected = "a file",
                      .found = "none",
                      .advice = "check the path"});
  }
  if (!std::filesystem::is_regular_file(status)) {
    complaint.refuse({.kind = BadInputKind::malformed,
                      .expected = "a regular file",
                      .found = "something else",
                      .advice = "check the path"});
  }
  stream_.open(path_, std::ios::binary);
  const std::uint64_t file_bytes = std::filesystem::file_size(path_, error);
  bytes_ = file_bytes;
  if (!error) written_ = std::filesystem::last_write_time(path_, error);
  if (!stream_ || error) complaint.refuse(unreadable());

  if (file_bytes < kLengthBytes) {
    complaint.refuse({.kind = BadInputKind::malformed,
                      .expected = fmt::format("at least {} bytes", kLengthBytes),
                      .found = fmt::format("{}", file_bytes),
                      .advice = kIsItOne});
  }
  std::string beginning(kGitLfsPointer.size(), '\0');
  stream_.read(beginning.data(), std::ssize(beginning));
  if (beginning == kGitLfsPointer) {
    complaint.refuse({.kind = BadInputKind::malformed,
                      .expected = "tensors",
                      .found = "a Git LFS pointer, which stands for a file that was not fetched",
                      .advice = "run git lfs pull where it comes from"});
  }
  stream_.clear();
  stream_.seekg(0);
  std::uint64_t header_bytes = 0;
  stream_.read(reinterpret_cast<char*>(&header_bytes), kLengthBytes);
  if (!stream_) complaint.refuse(unreadable());
  if (header_bytes > kMaxHeaderBytes) {
    complaint.refuse(
        {.kind = BadInputKind::too_large,
         .where = "header",
         .expected = fmt::format("at most {} bytes, the format's limit", kMaxHeaderBytes),
         .found = fmt::format("a length of {}", header_bytes),
         .advice = kIsItOne});
  }
  if (header_bytes > file_bytes - kLengthBytes) {
    complaint.refuse({.kind = BadInputKind::inconsistent,
                      .where = "header",
                      .expected = fmt::format("{} bytes", header_bytes),
                      .found = fmt::format("{}", file_bytes - kLengthBytes),
                      .advice = kCutShort});
  }
  std::string header(header_bytes, '\0');
  stream_.read(header.data(), static_cast<std::streamsize>(header_bytes));
  if (!stream_) complaint.refuse(unreadable());
  if (!header.starts_with('{')) {
    complaint.refuse({.kind = BadInputKind::malformed,
                      .where = "header",
                      .expected = "'{' at its beginning",
                      .found = in_quotes(header.substr(0, 1)),
                      .advice = kIsItOne});
  }

  const json names = parse_header(header, complaint);
  for (const auto& item : names.items()) {
    if (item.key() == "__metadata__") {
      metadata_ = to_metadata(item.value(), complaint);
    } else {
      entries_[item.key()] = to_entry(item.key(), item.value(), complaint);
    }
  }
  data_start_ = kLengthBytes + header_bytes;
  check_layout(entries_, file_bytes - data_start_, complaint);
}

std::string File::sha256() const {
  std::string digest = sha256_of_file(path_);
  expect_unchanged();
  return digest;
}

void File::expect_unchanged() const {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path_, error);
  if (!error && bytes == bytes_ && std::filesystem::last_write_time(path_, error) == written_) {
    return;
  }
  Complaint(path_).refuse({.kind = BadInputKind::inconsistent,
                           .expected = "the file that was opened",
                           .found = "one written since then",
                           .advice = "run again when nothing writes it"});
}

const Entry& File::entry(const std::string& name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) {
    Complaint(path_).refuse({.kind = BadInputKind::missing,
                             .where = place(name),
                             .expected = "it in the file",
                             .found = fmt::format("{} other tensors", entries_.size())});
  }
  return found->second;
}

}  // namespace attn::safetensors
