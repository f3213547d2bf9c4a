#pragma once

#include <span>
#include <string_view>

#include "properties/generators/classes.hpp"
#include "properties/generators/family.hpp"
#include "theory/claims/claim.hpp"

namespace attn::properties {

/// One claim as a property: for all inputs that are `given`, under the `hypotheses`, the claim.
///
/// A claim that mathematics proves must hold on every case; for one that is refuted the search must
/// find a violation by itself. The inequality, its proof or its witness are in the catalogue.
struct Property {
  std::string_view given;       ///< what is drawn, in words
  std::string_view hypotheses;  ///< what the paper assumes, and how the generator meets it
  std::span<const InputClass> classes{};  ///< what the search must meet, and how often
};

/// The property of a claim, which follows from the kind of its input; the hypotheses are the
/// claim's own where it has some.
Property property_of(const Claim& claim);

/// What the claim's cases are made of.
inline InputDomain given(const Claim& claim) {
  return {claim.kind, claim.radius};
}

}  // namespace attn::properties
