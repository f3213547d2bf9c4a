#pragma once

#include <cstdint>

namespace attn::gpt2 {

/// How many times as long a rank checks a layer as rank 0 takes to join what it showed: about.
inline constexpr double kChecksPerJoin = 14;

/// How long so many windows take that are cut into layers, in units of one window: the ranks check
/// the layers side by side, and rank 0 joins one after the other.
constexpr double windows_of_time(std::uint64_t cut, std::uint64_t ranks) {
  return static_cast<double>(cut) * (1 / static_cast<double>(ranks) + 1 / kChecksPerJoin);
}

/// How many windows at the end are cut into their layers, so that no rank waits while others
/// compute a last one: those that are left when each rank has had as many. None where they would
/// take longer than a whole window.
constexpr std::uint64_t cut_windows(std::uint64_t windows, std::uint64_t ranks,
                                    std::int64_t layers) {
  const std::uint64_t left = windows % ranks;
  return ranks > 1 && layers > 1 && windows_of_time(left, ranks) < 1 ? left : 0;
}

}  // namespace attn::gpt2
