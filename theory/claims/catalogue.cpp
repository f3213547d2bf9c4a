#include "theory/claims/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "theory/base/bad_input.hpp"
#include "theory/base/nearest.hpp"
#include "theory/claims/list.hpp"

namespace attn {

Catalogue::Catalogue(std::string_view name, std::vector<Claim> claims)
    : name_(name), claims_(std::move(claims)) {
  std::set<std::string_view> ids;
  for (const Claim& claim : claims_) {
    if (!ids.insert(claim.id).second) {
      throw std::logic_error(fmt::format("catalogue {}: two claims '{}'", name_, claim.id));
    }
  }
}

const Claim* Catalogue::find(std::string_view id) const {
  const auto found = std::ranges::find(claims_, id, &Claim::id);
  return found == claims_.end() ? nullptr : &*found;
}

const Claim& Catalogue::at(std::string_view id) const {
  if (const Claim* const found = find(id)) return *found;
  std::vector<std::string_view> known;
  for (const Claim& claim : claims_) known.push_back(claim.id);
  throw no_claim(id, name_, std::move(known));
}

const Catalogue& catalogue() {
  static const Catalogue all("attention_limits", listed_claims());
  return all;
}

const Claim& find_claim(std::string_view id) {
  return catalogue().at(id);
}

}  // namespace attn
