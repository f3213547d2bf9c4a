#pragma once

#include <string_view>

#include "theory/claims/define.hpp"

namespace attn::claims {

inline constexpr std::string_view kCage =
    "Other works: Normalized attention without probability cage, arXiv 2005.09561";

}  // namespace attn::claims
