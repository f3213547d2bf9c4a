#pragma once

#include <boost/random/uniform_int_distribution.hpp>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>

namespace attn {

/// The random numbers of a seed, of which every part counts by its low 32 bits.
inline std::mt19937_64 random_stream(std::initializer_list<std::uint64_t> seed) {
  std::seed_seq sequence(seed);
  return std::mt19937_64(sequence);
}

/// Uniform in [0, n). Boost draws the same numbers everywhere; the distributions of the standard
/// library may differ from one implementation to the next.
inline std::size_t below(std::mt19937_64& random, std::size_t n) {
  return boost::random::uniform_int_distribution<std::size_t>(0, n - 1)(random);
}

}  // namespace attn
