#pragma once

#include <span>
#include <string_view>

#include "theory/claim.hpp"

namespace attn::properties {

/// A wrong version of a claim, posing as proved: one change to one formula. The search that guards
/// the claim must find a violation, or it would not notice the mistake in the claim either.
struct Mutant {
  std::string_view change;  ///< what was done to the formula
  Claim claim;
};

std::span<const Mutant> distance_mutants();
std::span<const Mutant> separability_mutants();
std::span<const Mutant> gradient_mutants();

/// A mutant whose sides `Formula` computes. The id is that of the claim, and a word on the change.
template <class Formula>
constexpr Mutant mutant(std::string_view id, std::string_view change, Shape shape) {
  return {change,
          {.id = id,
           .title = "mutant",
           .statement = change,
           .paper = "none",
           .provenance = Provenance::derived,
           .status = Status::proved,
           .argument = "false on purpose",
           .shape = shape,
           .evaluators = evaluators_of<Formula>()}};
}

}  // namespace attn::properties
