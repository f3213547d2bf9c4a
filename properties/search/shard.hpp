#pragma once

#include <vector>

#include "reports/record/shard.hpp"
#include "theory/claims/catalogue.hpp"

namespace attn::properties {

// A search cut into parts that different machines run; `report merge` joins what they write.

using report::kMostShards;
using report::shard_from;

/// The claims that fall to a shard: every `count`-th of `all`, in its order, from the
/// `index`-th on. Neighbours, which take about as long as each other, so go to different shards.
/// Each claim falls to one shard; to some shards none does where there are more of them than
/// claims.
std::vector<Claim> claims_of(const report::Shard& shard, const Catalogue& all);

}  // namespace attn::properties
