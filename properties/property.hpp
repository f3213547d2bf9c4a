#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "properties/generators/draw_case.hpp"
#include "properties/generators/family.hpp"
#include "theory/claims/claim.hpp"

namespace attn::properties {

class CaseFeatures;

/// A kind of case that a search must meet often enough: else its silence says little.
/// Who belongs is decided exactly for every case drawn, whatever family it came from.
struct InputClass {
  std::string_view name;
  bool (*contains)(const CaseFeatures&);
  double least_share;  ///< the least share of all cases of the search that are to be of the class
};

/// One claim as a property: for all inputs of its kind, the claim.
///
/// A claim that mathematics proves must hold on every case; for one that is refuted the search must
/// find a violation by itself. The inequality, its proof or its witness are in the catalogue.
struct Property {
  std::vector<Family> families;         ///< in the order in which they are searched
  std::span<const InputClass> classes;  ///< what the search must meet, and how often
  std::size_t quick_cases;  ///< how many cases a quick search draws: fewer where they take longer
  DrawCase* draw;
};

/// The property of a claim, which follows from the kind of its input.
Property property_of(const Claim& claim);

/// Names what a search draws for the claim: it decides claims of one name on the same cases.
std::string cases_of(const Claim& claim);

}  // namespace attn::properties
