#include "theory/claims/catalogue.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "theory/base/bad_input.hpp"
#include "theory/claims/list.hpp"

namespace attn {

std::span<const Claim> catalogue() {
  static const std::vector<Claim> all = listed_claims();
  return all;
}

const Claim& find_claim(std::string_view id) {
  const auto claims = catalogue();
  const auto found = std::ranges::find(claims, id, &Claim::id);
  if (found != claims.end()) return *found;
  std::vector<std::string_view> near;
  const auto stem = id.substr(0, id.find('.'));
  for (const Claim& claim : claims) {
    if (!stem.empty() && claim.id.starts_with(stem)) near.push_back(claim.id);
  }
  const auto shown = id.substr(0, 60);
  throw BadInput(near.empty()
                     ? fmt::format("no claim '{}'; `claims list` shows every id", shown)
                     : fmt::format("no claim '{}'; nearest: {}", shown, fmt::join(near, ", ")));
}

}  // namespace attn
