#include "properties/property.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace attn::properties {

std::vector<Property> declared_properties() {
  std::vector<Property> all;
  for (const auto& family :
       {dispersion_properties(), distance_properties(), random_set_properties(),
        separability_properties(), gradient_properties(), normalizer_properties()}) {
    all.insert(all.end(), family.begin(), family.end());
  }
  return all;
}

Property property_of(const Claim& claim) {
  const std::vector<Property> all = declared_properties();
  const auto at = std::ranges::find(all, claim.id, &Property::claim);
  if (at != all.end()) return *at;
  throw std::logic_error("no property is declared for claim " + std::string(claim.id));
}

}  // namespace attn::properties
