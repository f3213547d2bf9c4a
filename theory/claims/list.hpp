#pragma once

#include <vector>

#include "theory/claims/claim.hpp"

namespace attn {

/// The claims that theory/claims/list.cmake names, in its order.
std::vector<Claim> listed_claims();

}  // namespace attn
