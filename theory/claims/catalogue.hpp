#pragma once

#include <span>
#include <string_view>

#include "theory/claims/claim.hpp"

namespace attn {

/// Every claim, in the paper's order.
std::span<const Claim> catalogue();

/// The claim of that id. Throws BadInput, naming the nearest ids, where there is none.
const Claim& find_claim(std::string_view id);

}  // namespace attn
