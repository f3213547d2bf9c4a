#pragma once

#include <algorithm>
#include <cstddef>

namespace attn {

/// Long sums are added up in so many lanes, whatever the width of the processor's vectors, so that
/// they are the same numbers on every processor.
inline constexpr std::size_t kLanes = 8;

/// The lanes of one sum, minimum or maximum: lane k takes the terms whose numbers leave the rest k
/// mod kLanes.
struct Lanes {
  double at[kLanes] = {};

  static constexpr Lanes all(double value) {
    Lanes lanes;
    for (double& lane : lanes.at) lane = value;
    return lanes;
  }
  [[nodiscard]] double sum() const {
    return ((at[0] + at[4]) + (at[2] + at[6])) + ((at[1] + at[5]) + (at[3] + at[7]));
  }
  [[nodiscard]] double least() const { return *std::min_element(at, at + kLanes); }
  [[nodiscard]] double most() const { return *std::max_element(at, at + kLanes); }
};

/// For the long step that in_lanes calls: it is put in its place, since a compiler that leaves it a
/// function of its own vectorises nothing of it.
#define ATTN_INLINED __attribute__((always_inline))

/// step(i, lane) for i = 0..count-1; those of one round of lanes side by side.
[[gnu::always_inline]] inline void in_lanes(std::size_t count, const auto& step) {
  const std::size_t whole = count - count % kLanes;
  for (std::size_t first = 0; first < whole; first += kLanes) {
#pragma omp simd
    for (std::size_t lane = 0; lane < kLanes; ++lane) step(first + lane, lane);
  }
  for (std::size_t lane = 0; lane < count - whole; ++lane) step(whole + lane, lane);
}

}  // namespace attn
