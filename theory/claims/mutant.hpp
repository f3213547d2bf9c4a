#pragma once

#include <vector>

#include "theory/claims/catalogue.hpp"

namespace attn {

/// The mutants of every claim of a catalogue.
std::vector<Mutant> all_mutants(const Catalogue& claims);

/// The mutant of that id. Throws BadInput, naming those of its claim, where there is none.
Mutant find_mutant(const Catalogue& claims, std::string_view id);

/// The claim it is a wrong version of. Throws BadInput where that is not in the catalogue.
const Claim& original(const Catalogue& claims, const Mutant& mutant);

/// The mutant of that claim as a claim that poses as proved.
Claim as_mutated_claim(const Claim& original, const Mutant& mutant);

}  // namespace attn
