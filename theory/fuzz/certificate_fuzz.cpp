// A certificate, from JSON to what the second implementation says of it.
#include <cstdint>
#include <nlohmann/json.hpp>

#include "theory/base/bad_input.hpp"
#include "theory/cli/certificate.hpp"
#include "theory/recheck/recheck.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    attn::recheck_certificate(attn::recheck::listed_checks(),
                              nlohmann::json::parse(data, data + size, nullptr, false));
  } catch (const attn::BadInput&) {
  }
  return 0;
}
