#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/isfinite.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "gpt2_check/checkpoint/safetensors.hpp"
#include "gpt2_check/checkpoint/safetensors_format.hpp"
#include "theory/base/bad_input.hpp"

namespace attn::safetensors {
namespace {

static_assert(std::endian::native == std::endian::little, "tensor bytes are copied as they are");

using nlohmann::json;

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

/// The multi-index of a flat one, as "[i, j]".
std::string to_index(std::int64_t flat, at::IntArrayRef shape) {
  std::vector<std::int64_t> index(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    index[axis] = flat % shape[axis];
    flat /= shape[axis];
  }
  return fmt::format("{}", index);
}

}  // namespace

at::Tensor File::read(const std::string& name) const {
  using enum BadInputKind;
  const Complaint complaint(path_);
  const Entry& entry = this->entry(name);
  complaint.unless(entry.dtype != at::ScalarType::Undefined, unsupported, place(name),
                   "F64, F32, F16, BF16, I64, I32, I16, I8, U8 or BOOL", one_line(entry.type),
                   "convert it");
  at::Tensor tensor = at::empty(entry.shape, at::TensorOptions(entry.dtype));
  stream_.clear();
  stream_.seekg(static_cast<std::streamoff>(data_start_ + entry.begin));
  stream_.read(static_cast<char*>(tensor.data_ptr()),
               static_cast<std::streamsize>(entry.end - entry.begin));
  complaint.unless(static_cast<bool>(stream_), unreadable, place(name), "data that can be read",
                   "none", "did the file change?");
  expect_unchanged();
  if (entry.dtype == at::kBool) {
    const auto* bytes = static_cast<const unsigned char*>(tensor.data_ptr());
    const bool valid =
        std::all_of(bytes, bytes + tensor.numel(), [](unsigned char b) { return b <= 1; });
    complaint.unless(valid, out_of_range, place(name), "a BOOL that is 0 or 1", "another byte");
  }
  return tensor;
}

at::Tensor File::read_finite(const std::string& name) const {
  at::Tensor tensor = read(name);
  if (!at::isFloatingType(tensor.scalar_type())) return tensor;
  const at::Tensor finite = at::isfinite(tensor);
  if (finite.all().item<bool>()) return tensor;
  const auto flat = finite.logical_not().flatten().nonzero()[0].item<std::int64_t>();
  Complaint(path_).refuse(
      BadInput({.kind = BadInputKind::out_of_range,
                .where = place(name),
                .expected = "finite numbers",
                .found = fmt::format("{} at {}", tensor.flatten()[flat].item<double>(),
                                     to_index(flat, tensor.sizes()))}));
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

void write(const std::filesystem::path& path, const std::map<std::string, at::Tensor>& tensors,
           const std::map<std::string, std::string>& metadata) {
  std::vector<Slot> slots;
  for (const auto& [name, tensor] : tensors) {
    slots.push_back({name, tensor.scalar_type(), tensor.sizes().vec()});
  }
  Writer writer(path, std::move(slots), metadata);
  for (const auto& [name, tensor] : tensors) writer.append(name, tensor);
  writer.commit();
}

}  // namespace attn::safetensors
