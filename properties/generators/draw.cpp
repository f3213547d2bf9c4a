#include "properties/generators/draw.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace attn::properties {

namespace {

constexpr int kFullSize = 75;  // a quarter of a search has the full range

}  // namespace

std::int64_t Draw::integer(std::int64_t low, std::int64_t high) {
  const auto span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  // The bias of the remainder is below span / 2^64: of no account for a search.
  const std::uint64_t offset = span == 0 ? random_.next() : random_.next() % span;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset);
}

std::size_t Draw::index(std::size_t low, std::size_t high) {
  return static_cast<std::size_t>(
      integer(static_cast<std::int64_t>(low), static_cast<std::int64_t>(high)));
}

Rational Draw::dyadic(std::int64_t bound, unsigned fraction_bits) {
  const std::int64_t scaled = bound << fraction_bits;
  return properties::dyadic(integer(-scaled, scaled), fraction_bits);
}

Rational Draw::power_of_two(std::int64_t low, std::int64_t high) {
  const std::int64_t exponent = integer(low, high);
  const std::int64_t size = std::int64_t{1} << std::abs(exponent);
  return exponent < 0 ? Rational(1, size) : Rational(size);
}

std::int64_t Draw::one_of(std::initializer_list<std::int64_t> values) {
  return values.begin()[index(0, values.size() - 1)];
}

std::size_t Draw::grown(std::size_t low, std::size_t high, int size) {
  const auto share = static_cast<std::size_t>(std::clamp(size, 0, kFullSize));
  const std::size_t top = low + (high - low) * share / kFullSize;
  switch (integer(0, 7)) {
    case 0:
      return low;
    case 1:
      return top;
    default:
      return index(low, top);
  }
}

std::vector<std::size_t> Draw::subset(std::size_t count, std::size_t n) {
  std::vector<std::size_t> all(n);
  std::iota(all.begin(), all.end(), std::size_t{0});
  for (std::size_t i = 0; i < count; ++i) std::swap(all[i], all[index(i, n - 1)]);
  all.resize(count);
  std::sort(all.begin(), all.end());
  return all;
}

Rational dyadic(std::int64_t k, unsigned fraction_bits) {
  constexpr std::int64_t kMost = std::int64_t{1} << 53;
  const double unit = 1.0 / static_cast<double>(std::int64_t{1} << fraction_bits);
  // A double holds such a k, and its product with a power of two.
  if (k >= -kMost && k <= kMost) return Rational(static_cast<double>(k) * unit);
  return Rational(k) * Rational(unit);
}

}  // namespace attn::properties
