// A config.json; what was read is written and read again.
#include <cstdint>
#include <cstdlib>

#include "gpt2_check/checkpoint/config.hpp"
#include "theory/base/bad_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace attn::gpt2;
  try {
    const std::string text =
        to_json_text(parse_config({reinterpret_cast<const char*>(data), size}, "config.json"));
    if (to_json_text(parse_config(text, "config.json")) != text) std::abort();
  } catch (const attn::BadInput&) {
  }
  return 0;
}
