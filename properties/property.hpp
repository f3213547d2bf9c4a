#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "properties/generators/classes.hpp"
#include "properties/generators/family.hpp"
#include "theory/claims/claim.hpp"

namespace attn::properties {

/// One claim as a property: for all inputs that are `given`, under the `hypotheses`, the claim.
///
/// A claim that mathematics proves must hold on every case; for one that is refuted the search must
/// find a violation by itself. The inequality, its proof or its witness are in the catalogue.
struct Property {
  std::string_view claim;       ///< id in the catalogue
  std::string_view given;       ///< what is drawn, in words
  std::string_view hypotheses;  ///< what the paper assumes, and how the generator meets it
  std::span<const InputClass> classes{};  ///< what the search must meet, and how often
  Given::Radius radius{Given::Radius::any};
};

/// The properties of each family of claims, in the order of the catalogue.
std::span<const Property> dispersion_properties();
std::span<const Property> distance_properties();
std::span<const Property> random_set_properties();
std::span<const Property> separability_properties();
std::span<const Property> gradient_properties();
std::span<const Property> normalizer_properties();

/// All of them.
std::vector<Property> declared_properties();

/// The property of a claim. Throws std::logic_error where none is declared: a claim that nobody
/// checks is an error of this project.
Property property_of(const Claim& claim);

/// What the property's cases are made of: the claim's kind, and the property's own restriction.
inline Given given(const Claim& claim, const Property& property) {
  return {claim.kind, property.radius};
}

}  // namespace attn::properties
