#pragma once

#include <string>

#include "theory/claims/claim.hpp"

namespace attn {

/// The claim's argument in full, with its formulas marked: the proof, or why the printed inequality
/// fails and the witness, printed from the claim's example, with both sides.
std::string argument_text(const Claim& claim);

}  // namespace attn
