// vocab.json and merges.txt, with a line of bytes 0 between them.
#include "gpt2_check/tests/fuzz/scratch.hpp"
#include "gpt2_check/tokenizer/tokenizer.hpp"
#include "theory/base/bad_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(bytes.find('\0'), bytes.size());
  attn::fuzz::write("vocab.json", bytes.substr(0, end));
  attn::fuzz::write("merges.txt", bytes.substr(std::min(end + 1, bytes.size())));
  try {
    attn::Tokenizer::load(attn::fuzz::scratch());
  } catch (const attn::BadInput&) {
  }
  return 0;
}
