#pragma once

#include <optional>
#include <vector>

#include "properties/search/run.hpp"

namespace attn::properties {

/// What a search came to.
struct Searched {
  int code;
  report::Report report;  ///< empty where a search failed (kInternal)
};

/// Searches the claims and says on stdout what came of each.
Searched search_and_print(const std::vector<Claim>& claims, const Run& run,
                          const std::optional<report::Shard>& shard);

}  // namespace attn::properties
