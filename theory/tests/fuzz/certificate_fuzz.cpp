// A certificate, from JSON to what the second implementation says of it.
#include <cstdint>
#include <string_view>

#include "theory/base/bad_input.hpp"
#include "theory/base/read_json.hpp"
#include "theory/cli/certificate.hpp"
#include "theory/recheck/recheck.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    attn::recheck_certificate(attn::recheck::listed_checks(),
                              attn::read_json(text, "a certificate"));
  } catch (const attn::BadInput&) {
  }
  return 0;
}
