#pragma once

#include <span>

#include "theory/claims/claim.hpp"
#include "theory/claims/evaluation.hpp"

namespace attn {

/// The claims of each section, in the paper's order; `catalogue` joins them.
std::span<const Claim> dispersion_claims();
std::span<const Claim> distance_claims();
std::span<const Claim> random_set_claims();
std::span<const Claim> separability_claims();
std::span<const Claim> gradient_claims();
std::span<const Claim> normalizer_claims();

}  // namespace attn
