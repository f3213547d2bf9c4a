#include "gpt2_check/checkpoint/safetensors.hpp"

#include <ATen/ops/tensor.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "theory/base/read_json.hpp"
#include "theory/base/sha256.hpp"

namespace attn::safetensors {
namespace {

static_assert(std::endian::native == std::endian::little, "tensor bytes are copied as they are");

using nlohmann::json;

constexpr std::size_t kLengthBytes = 8;

struct Dtype {
  std::string_view name;
  at::ScalarType type;
  std::uint64_t bytes;
};

constexpr Dtype kDtypes[] = {
    {"F64", at::kDouble, 8},    {"F32", at::kFloat, 4}, {"F16", at::kHalf, 2},
    {"BF16", at::kBFloat16, 2}, {"I64", at::kLong, 8},  {"I32", at::kInt, 4},
    {"I16", at::kShort, 2},     {"I8", at::kChar, 1},   {"U8", at::kByte, 1},
    {"BOOL", at::kBool, 1},
};

/// Bytes of a tensor, or nothing where they, or the strides of an empty tensor, overflow.
std::optional<std::uint64_t> byte_size(const std::vector<std::int64_t>& shape,
                                       std::uint64_t item_bytes) {
  std::uint64_t extent = item_bytes;
  bool empty = false;
  for (const std::int64_t size : shape) {
    empty = empty || size == 0;
    const auto count = static_cast<std::uint64_t>(std::max<std::int64_t>(size, 1));
    const bool overflows = __builtin_mul_overflow(extent, count, &extent);
    if (overflows || extent > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  }
  return empty ? 0 : extent;
}

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

bool is_size(const json& value) {
  return value.is_number_unsigned() &&
         value.get<std::uint64_t>() <= std::numeric_limits<std::int64_t>::max();
}

Entry to_entry(const std::string& name, const json& value, const Complaint& complaint) {
  using enum BadInputKind;
  const auto unless = [&](bool holds, BadInputKind kind, std::string expected, std::string found) {
    complaint.unless(holds, kind, place(name), std::move(expected), std::move(found));
  };
  unless(value.is_object(), malformed, "an object with dtype, shape and data_offsets",
         value.type_name());
  for (const char* field : {"dtype", "shape", "data_offsets"}) {
    unless(value.contains(field), missing, fmt::format("a field {}", field), "none");
  }
  for (const auto& item : value.items()) {
    unless(item.key() == "dtype" || item.key() == "shape" || item.key() == "data_offsets",
           unknown_name, "the fields dtype, shape and data_offsets", in_quotes(item.key()));
  }

  const json &type = value["dtype"], &shape = value["shape"], &offsets = value["data_offsets"];
  unless(type.is_string(), malformed, "a dtype that is a name", shown_json(type));
  Entry entry;
  entry.type = type.get<std::string>();
  const auto* dtype = std::ranges::find(kDtypes, entry.type, &Dtype::name);
  const bool is_known = dtype != std::end(kDtypes);
  entry.dtype = is_known ? dtype->type : at::ScalarType::Undefined;
  unless(shape.is_array(), malformed, "a shape that is a list", shown_json(shape));
  const auto other = std::ranges::find_if_not(shape, is_size);
  unless(other == shape.end(), malformed, "a shape that is a list of integers in [0, 2^63)",
         other == shape.end() ? "" : shown_json(*other));
  entry.shape = shape.get<std::vector<std::int64_t>>();
  unless(offsets.is_array() && offsets.size() == 2 && offsets[0].is_number_unsigned() &&
             offsets[1].is_number_unsigned(),
         malformed, "data_offsets that are two integers in [0, 2^64)", shown_json(offsets));
  entry.begin = offsets[0].get<std::uint64_t>();
  entry.end = offsets[1].get<std::uint64_t>();
  unless(entry.begin <= entry.end, inconsistent, "data_offsets that do not end before they begin",
         shown_json(offsets));

  // Of a type that is not read the size of an element does not matter: 1 stands for it.
  const auto bytes = byte_size(entry.shape, is_known ? dtype->bytes : 1);
  unless(bytes.has_value(), too_large, "a shape of less than 2^63 bytes", shown_json(shape));
  unless(!is_known || entry.end - entry.begin == *bytes, inconsistent,
         fmt::format("{} bytes for shape {} of {}", *bytes, shortened(shape.dump()), entry.type),
         fmt::format("data_offsets that hold {}", entry.end - entry.begin));
  return entry;
}

std::map<std::string, std::string> to_metadata(const json& value, const Complaint& complaint) {
  using enum BadInputKind;
  complaint.unless(value.is_object(), malformed, "__metadata__", "an object of strings",
                   value.type_name());
  std::map<std::string, std::string> metadata;
  for (const auto& item : value.items()) {
    complaint.unless(item.value().is_string(), malformed,
                     fmt::format("__metadata__ {}", in_quotes(item.key())), "a string",
                     shown_json(item.value()));
    metadata[item.key()] = item.value().get<std::string>();
  }
  return metadata;
}

/// Checks that there is no hole and no overlap between the tensors, and that the last end is the
/// end of the file.
void check_layout(const std::map<std::string, Entry>& entries, std::uint64_t data_bytes,
                  const Complaint& complaint) {
  using enum BadInputKind;
  std::vector<const std::map<std::string, Entry>::value_type*> order;
  for (const auto& entry : entries) order.push_back(&entry);
  std::ranges::sort(
      order, {}, [](const auto* item) { return std::pair(item->second.begin, item->second.end); });
  std::uint64_t end = 0;
  for (const auto* item : order) {
    const std::uint64_t begin = item->second.begin;
    complaint.unless(begin == end, inconsistent, place(item->first),
                     fmt::format("data that begin at byte {}", end),
                     fmt::format("{}: byte {}", begin > end ? "a hole" : "an overlap", begin));
    end = item->second.end;
  }
  const bool is_short = end > data_bytes;
  complaint.unless(end == data_bytes, inconsistent, "",
                   fmt::format("{} bytes of data, as the header promises", end),
                   is_short ? fmt::format("{}", data_bytes)
                            : fmt::format("{} more, after the last tensor", data_bytes - end),
                   is_short ? kCutShort : "");
}

/// What git leaves in the place of a large file that was not fetched.
constexpr std::string_view kGitLfsPointer = "version https://git-lfs";

}  // namespace

File::File(std::filesystem::path path) : path_(std::move(path)) {
  using enum BadInputKind;
  const Complaint complaint(path_);
  std::error_code error;
  const auto status = std::filesystem::status(path_, error);
  const auto check_readable = [&](bool is_readable) {
    complaint.unless(is_readable, unreadable, "", "a file that can be read", "one that cannot",
                     "check who may read it");
  };
  check_readable(status.type() != std::filesystem::file_type::none);
  complaint.unless(std::filesystem::exists(status), missing, "", "a file", "none",
                   "check the path");
  complaint.unless(std::filesystem::is_regular_file(status), malformed, "", "a regular file",
                   "something else", "check the path");
  stream_.open(path_, std::ios::binary);
  bytes_ = std::filesystem::file_size(path_, error);
  if (!error) written_ = std::filesystem::last_write_time(path_, error);
  check_readable(stream_ && !error);
  complaint.unless(bytes_ >= kLengthBytes, malformed, "",
                   fmt::format("at least {} bytes", kLengthBytes), fmt::format("{}", bytes_),
                   kIsItOne);
  std::string beginning(kGitLfsPointer.size(), '\0');
  stream_.read(beginning.data(), std::ssize(beginning));
  complaint.unless(beginning != kGitLfsPointer, malformed, "", "tensors",
                   "a Git LFS pointer, which stands for a file that was not fetched",
                   "run git lfs pull where it comes from");
  stream_.clear();
  stream_.seekg(0);
  std::uint64_t header_bytes = 0;
  stream_.read(reinterpret_cast<char*>(&header_bytes), kLengthBytes);
  check_readable(static_cast<bool>(stream_));
  complaint.unless(header_bytes <= kMaxHeaderBytes, too_large, "header",
                   fmt::format("at most {} bytes, the format's limit", kMaxHeaderBytes),
                   fmt::format("a length of {}", header_bytes), kIsItOne);
  complaint.unless(header_bytes <= bytes_ - kLengthBytes, inconsistent, "header",
                   fmt::format("{} bytes", header_bytes), fmt::format("{}", bytes_ - kLengthBytes),
                   kCutShort);
  std::string header(header_bytes, '\0');
  stream_.read(header.data(), static_cast<std::streamsize>(header_bytes));
  check_readable(static_cast<bool>(stream_));
  complaint.unless(header.starts_with('{'), malformed, "header", "'{' at its beginning",
                   in_quotes(header.substr(0, 1)), kIsItOne);

  const json names = parse_header(header, complaint);
  for (const auto& item : names.items()) {
    if (item.key() == "__metadata__") {
      metadata_ = to_metadata(item.value(), complaint);
    } else {
      entries_[item.key()] = to_entry(item.key(), item.value(), complaint);
    }
  }
  data_start_ = kLengthBytes + header_bytes;
  check_layout(entries_, bytes_ - data_start_, complaint);
}

std::string File::sha256() const {
  std::string digest = sha256_of_file(path_);
  expect_unchanged();
  return digest;
}

void File::expect_unchanged() const {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path_, error);
  Complaint(path_).unless(
      !error && bytes == bytes_ && std::filesystem::last_write_time(path_, error) == written_,
      BadInputKind::inconsistent, "", "the file that was opened", "one written since then",
      "run again when nothing writes it");
}

const Entry& File::entry(const std::string& name) const {
  const auto found = entries_.find(name);
  Complaint(path_).unless(found != entries_.end(), BadInputKind::missing, place(name),
                          "it in the file", fmt::format("{} other tensors", entries_.size()));
  return found->second;
}

namespace {

constexpr std::size_t kAlignment = 8;

const Dtype& dtype_of(at::ScalarType type) {
  const auto* found = std::ranges::find(kDtypes, type, &Dtype::type);
  if (found == std::end(kDtypes)) {
    throw std::invalid_argument(
        fmt::format("safetensors has no dtype for {}", c10::toString(type)));
  }
  return *found;
}

void check_written(const std::ofstream& stream, const std::filesystem::path& path) {
  Complaint(path).unless(static_cast<bool>(stream), BadInputKind::unwritable, "",
                         "a file that can be written", "one that cannot", "is the disk full?");
}

}  // namespace

at::Tensor File::read(const std::string& name) const {
  return read_part(name, 0, entry(name).shape);
}

at::Tensor File::read_part(const std::string& name, std::int64_t first,
                           const std::vector<std::int64_t>& shape) const {
  using enum BadInputKind;
  const Complaint complaint(path_);
  const Entry& entry = this->entry(name);
  complaint.unless(entry.dtype != at::ScalarType::Undefined, unsupported, place(name),
                   "F64, F32, F16, BF16, I64, I32, I16, I8, U8 or BOOL", one_line(entry.type),
                   "convert it");
  // Not at::empty, whose header Clang cannot read in LibTorch 1.
  at::Tensor tensor = at::tensor(0).new_empty(shape, at::TensorOptions(entry.dtype));
  const std::uint64_t begin = entry.begin + static_cast<std::uint64_t>(first) * tensor.itemsize();
  if (first < 0 || begin + tensor.nbytes() > entry.end) {
    throw std::out_of_range(fmt::format("a part that tensor '{}' does not have", name));
  }
  const bool is_read = [&] {
    const std::lock_guard lock(reading_);
    stream_.clear();
    stream_.seekg(static_cast<std::streamoff>(data_start_ + begin));
    stream_.read(static_cast<char*>(tensor.data_ptr()),
                 static_cast<std::streamsize>(tensor.nbytes()));
    return static_cast<bool>(stream_);
  }();
  complaint.unless(is_read, unreadable, place(name), "data that can be read", "none",
                   "did the file change?");
  expect_unchanged();
  if (entry.dtype == at::kBool) expect_booleans(name, tensor);
  return tensor;
}

void File::expect_booleans(const std::string& name, const at::Tensor& tensor) const {
  const auto* bytes = static_cast<const unsigned char*>(tensor.data_ptr());
  const auto* other =
      std::find_if(bytes, bytes + tensor.numel(), [](auto byte) { return byte > 1; });
  Complaint(path_).unless(other == bytes + tensor.numel(), BadInputKind::out_of_range, place(name),
                          "bytes 0 and 1, as of booleans",
                          other == bytes + tensor.numel() ? "" : fmt::format("{}", *other));
}

at::Tensor File::read_finite(const std::string& name) const {
  at::Tensor tensor = read(name);
  if (at::isFloatingType(tensor.scalar_type())) expect_finite(name, tensor);
  return tensor;
}

void File::expect_finite(const std::string& name, const at::Tensor& tensor,
                         std::string advice) const {
  // A sum is finite where all its terms are, unless it overflows, and takes no memory.
  if (std::isfinite(tensor.sum().item<double>())) return;
  const at::Tensor others = tensor.isfinite().logical_not();
  if (!others.any().item<bool>()) return;
  const at::Tensor places = others.nonzero();  // which may lie in columns
  std::vector<std::int64_t> index;
  for (std::int64_t axis = 0; axis < places.size(1); ++axis) {
    index.push_back(places[0][axis].item<std::int64_t>());
  }
  Complaint(path_).refuse(
      BadInput({.kind = BadInputKind::out_of_range,
                .where = place(name),
                .expected = "finite numbers",
                .found = fmt::format("{} at [{}]", tensor.masked_select(others)[0].item<double>(),
                                     fmt::join(index, ", ")),
                .advice = std::move(advice)}));
}

Writer::Writer(const std::filesystem::path& path, std::vector<Slot> slots,
               const std::map<std::string, std::string>& metadata)
    : output_(path), slots_(std::move(slots)) {
  json header = json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::uint64_t offset = 0;
  for (const Slot& slot : slots_) {
    const Dtype& dtype = dtype_of(slot.dtype);
    const auto bytes = byte_size(slot.shape, dtype.bytes);
    if (!bytes || header.contains(slot.name)) {
      throw std::invalid_argument(
          fmt::format("tensor '{}' is too large or announced twice", slot.name));
    }
    header[slot.name] = {
        {"dtype", dtype.name}, {"shape", slot.shape}, {"data_offsets", {offset, offset + *bytes}}};
    offset += *bytes;
  }
  std::string text = header.dump();
  text.resize((text.size() + kAlignment - 1) / kAlignment * kAlignment, ' ');
  const std::uint64_t length = text.size();
  stream_.open(output_.path(), std::ios::binary);
  stream_.write(reinterpret_cast<const char*>(&length), kLengthBytes);
  stream_.write(text.data(), static_cast<std::streamsize>(text.size()));
  check_written(stream_, path);
}

void Writer::append(const std::string& name, const at::Tensor& tensor) {
  if (next_ == slots_.size() || name != slots_[next_].name ||
      tensor.scalar_type() != slots_[next_].dtype || tensor.sizes() != slots_[next_].shape) {
    throw std::invalid_argument(fmt::format("tensor '{}' is not the one announced", name));
  }
  ++next_;
  const at::Tensor dense = tensor.to(at::kCPU).contiguous();
  stream_.write(static_cast<const char*>(dense.data_ptr()),
                static_cast<std::streamsize>(dense.nbytes()));
  check_written(stream_, output_.path());
}

void Writer::commit() {
  if (next_ != slots_.size()) {
    throw std::logic_error(fmt::format("tensor '{}' was never written", slots_[next_].name));
  }
  stream_.close();
  check_written(stream_, output_.path());
  output_.commit();
}

}  // namespace attn::safetensors
