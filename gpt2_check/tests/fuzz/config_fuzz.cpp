// A config.json; what was read is written and read again.
#include <cstdint>
#include <cstdlib>

#include "gpt2_check/checkpoint/checkpoint.hpp"
#include "gpt2_check/model/gpt2.hpp"
#include "theory/base/bad_input.hpp"

/// The names alone: clang does not read the headers of every LibTorch's operations.
const std::map<std::string, attn::gpt2::Activation>& attn::gpt2::activations() {
  static const std::map<std::string, Activation> names = {{"gelu_new", {}}, {"relu", {}}};
  return names;
}

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
