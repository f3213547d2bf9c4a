#pragma once

#include <string_view>

#include "theory/claims/define.hpp"

namespace attn::claims {

inline constexpr std::string_view kCage =
    "arXiv 2005.09561: Normalized attention without probability cage";

}  // namespace attn::claims
