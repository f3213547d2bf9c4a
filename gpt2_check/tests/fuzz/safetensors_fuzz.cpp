// A safetensors file, as far as its header.
#include "gpt2_check/checkpoint/safetensors.hpp"
#include "gpt2_check/tests/fuzz/scratch.hpp"
#include "theory/base/bad_input.hpp"

namespace {

/// A header behind its length, and its data. The first byte tells whether the length is written
/// here, which bytes alone seldom get right, and how many zeros stand for data.
std::string file_of(std::string_view bytes) {
  if (bytes.empty() || bytes[0] == 'r') return std::string(bytes.substr(bytes.empty() ? 0 : 1));
  const std::uint64_t length = bytes.size() - 1;
  std::string file(reinterpret_cast<const char*>(&length), sizeof length);
  file += bytes.substr(1);
  file.append(static_cast<unsigned char>(bytes[0]), '\0');
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto path =
      attn::fuzz::write("model.safetensors", file_of({reinterpret_cast<const char*>(data), size}));
  try {
    const attn::safetensors::File file(path);
    std::uint64_t end = 0;
    for (const auto& [name, entry] : file.entries()) end = std::max(end, entry.end);
    if (end > std::filesystem::file_size(path)) std::abort();
  } catch (const attn::BadInput&) {
  }
  return 0;
}
