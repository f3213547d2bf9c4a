#pragma once

#include <cstddef>

namespace attn::report {

/// A claim whose sides take much arithmetic is decided on few rows of real input: those of 2, 4, 8
/// and so on visible tokens, up to this many.
inline constexpr std::size_t kMostTokensOfFewRows = 64;

}  // namespace attn::report
