#include "properties/search/seed.hpp"

#include <fmt/format.h>
#include <openssl/sha.h>

#include <array>

namespace attn::properties {

std::uint64_t property_seed(std::uint64_t run_seed, std::string_view claim_id) {
  const std::string text = fmt::format("{}:{}", run_seed, claim_id);
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  std::uint64_t seed = 0;
  for (std::size_t i = 0; i < 8; ++i) seed = seed << 8 | digest[i];
  return seed;
}

}  // namespace attn::properties
