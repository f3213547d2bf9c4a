#pragma once

#include <cstdint>
#include <string_view>

namespace attn::properties {

/// The seed of one claim's search: the first 8 bytes, most significant first, of the SHA-256 of
/// "<run seed in decimal>:<claim id>". It depends on nothing else, so neither a filter nor the
/// number of threads nor another claim changes the cases of this one.
std::uint64_t property_seed(std::uint64_t run_seed, std::string_view claim_id);

}  // namespace attn::properties
