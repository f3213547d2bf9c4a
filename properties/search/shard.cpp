#include "properties/search/shard.hpp"

namespace attn::properties {

std::vector<Claim> claims_of(const report::Shard& shard, const Catalogue& all) {
  std::vector<Claim> claims;
  for (std::size_t i = shard.index - 1; i < all.size(); i += shard.count) {
    claims.push_back(all[i]);
  }
  return claims;
}

}  // namespace attn::properties
