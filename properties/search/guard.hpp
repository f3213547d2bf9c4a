#pragma once

#include <cstdint>

#include "properties/search/effort.hpp"
#include "reports/record/report.hpp"
#include "theory/claims/catalogue.hpp"

namespace attn::properties {

/// Draws the cases that `original`, the mutant's claim, is searched with until one violates the
/// mutant (or, where it is strict, attains its bound), at most `cases`; that case is shrunk a
/// little and certified. `seed`: of the mutant's search. Does not fill in `replay`.
report::MutantRecord try_mutant(const Claim& original, const Mutant& mutant, std::uint64_t seed,
                                std::size_t cases);

}  // namespace attn::properties
