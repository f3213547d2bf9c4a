#pragma once

#include <string_view>

#include "reports/record/report.hpp"

namespace attn::report {

/// More shards than this are a slip of the hand.
inline constexpr unsigned kMostShards = 1000;

/// The shard of "K/N". Throws BadInput unless 1 <= K <= N <= kMostShards.
Shard shard_from(std::string_view text);

}  // namespace attn::report
