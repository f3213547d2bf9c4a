#include "properties/property.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace attn::properties {

const Property& property_of(const Claim& claim) {
  for (const auto& section :
       {distance_properties(), separability_properties(), gradient_properties()}) {
    const auto at = std::find_if(section.begin(), section.end(),
                                 [&](const Property& p) { return p.claim == claim.id; });
    if (at != section.end()) return *at;
  }
  throw std::logic_error("no property is declared for claim " + std::string(claim.id));
}

}  // namespace attn::properties
