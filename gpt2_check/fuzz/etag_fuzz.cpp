// The ETag of a server's answer.
#include <cstdint>
#include <cstdlib>

#include "gpt2_check/hub/etag.hpp"
#include "theory/base/bad_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    // The hash names a file of the cache.
    const std::string hash = attn::hub::hash_of_etag({data, data + size}, "ETag");
    if (hash.find_first_not_of("0123456789abcdef") != std::string::npos) std::abort();
    if (hash.size() != 40 && hash.size() != 64) std::abort();
  } catch (const attn::BadInput&) {
  }
  return 0;
}
