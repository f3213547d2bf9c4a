#pragma once

#include <cstdint>

namespace attn::gpt2 {

/// How many times as long a rank checks a layer as rank 0 takes to join what it showed: about.
inline constexpr double kChecksPerJoin = 14;

/// How many windows at the end are cut into their layers, so that no rank waits while others
/// compute a last one: those that are left when each rank has had as many. None where rank 0, which
/// joins the layers, would be waited for longer than for a whole window.
constexpr std::uint64_t cut_windows(std::uint64_t windows, std::uint64_t ranks,
                                    std::int64_t layers) {
  const std::uint64_t left = windows % ranks;
  const double of_a_window =
      static_cast<double>(left) * (1 / static_cast<double>(ranks) + 1 / kChecksPerJoin);
  return ranks > 1 && layers > 1 && of_a_window < 1 ? left : 0;
}

}  // namespace attn::gpt2
