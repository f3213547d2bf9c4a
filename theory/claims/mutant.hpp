#pragma once

#include <vector>

#include "theory/claims/claim.hpp"

namespace attn {

/// The mutants of every claim of the catalogue.
std::vector<Mutant> all_mutants();

/// The mutants of one claim. Throws BadInput where the catalogue has no such claim.
std::vector<Mutant> mutants_of(std::string_view claim_id);

/// The mutant of that id. Throws BadInput, naming those of its claim, where there is none.
Mutant find_mutant(std::string_view id);

/// The claim it is a wrong version of. Throws BadInput where that is not in the catalogue.
const Claim& original(const Mutant& mutant);

/// The mutant as a claim that poses as proved.
Claim posing(const Mutant& mutant);

}  // namespace attn
