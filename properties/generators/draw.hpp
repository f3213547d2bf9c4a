#pragma once

#include <rapidcheck/Random.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "theory/number/rational.hpp"

namespace attn::properties {

/// Draws exact numbers from RapidCheck's random engine.
///
/// Everything is made of integers, so a case is exact and the same on every machine. RapidCheck's
/// `gen::exec` and `operator*` are not used: they keep their state in process-wide stacks, and
/// claims are searched in parallel.
class Draw {
 public:
  explicit Draw(const rc::Random& random) : random_(random) {}

  /// Uniform in [low, high], both ends included. Needs low <= high.
  std::int64_t integer(std::int64_t low, std::int64_t high);

  /// Uniform in [low, high], both ends included.
  std::size_t index(std::size_t low, std::size_t high);

  /// True once in `n` draws.
  bool one_in(std::int64_t n) { return integer(1, n) == 1; }

  /// k * 2^-fraction_bits, uniform in [-bound, bound]. Needs bound < 2^20, fraction_bits <= 40.
  Rational dyadic(std::int64_t bound, unsigned fraction_bits);

  /// A positive power of two, 2^low .. 2^high, each as likely. Needs -40 <= low <= high <= 40.
  Rational power_of_two(std::int64_t low, std::int64_t high);

  /// One of the values, each as likely as the others.
  std::int64_t one_of(std::initializer_list<std::int64_t> values);

  /// Grows with RapidCheck's size: uniform in [low, top], where top goes from low to high as `size`
  /// goes from 0 to 75, and stays there; each end is drawn once in eight on purpose.
  std::size_t grown(std::size_t low, std::size_t high, int size);

  /// `count` distinct indices of [0, n), in ascending order. Needs count <= n.
  std::vector<std::size_t> subset(std::size_t count, std::size_t n);

 private:
  rc::Random random_;
};

/// k * 2^-fraction_bits.
Rational dyadic(std::int64_t k, unsigned fraction_bits);

}  // namespace attn::properties
