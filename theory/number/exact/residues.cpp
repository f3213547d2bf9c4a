#include "theory/number/exact/residues.hpp"

#include <algorithm>
#include <optional>

#include "theory/number/exact/work.hpp"

namespace attn::symbolic {
namespace {

/// A prime, and the order of the group of its residues.
constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;
constexpr std::uint64_t kOrder = kPrime - 1;

/// How many maps are asked: each knows about half of all numbers that are no squares.
constexpr int kMaps = 32;

__extension__ using Wide = unsigned __int128;

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>(Wide{a} * b % kPrime);
}

std::uint64_t power(std::uint64_t base, std::uint64_t exponent) {
  std::uint64_t result = 1;
  for (; exponent != 0; exponent /= 2) {
    if (exponent % 2 == 1) result = product(result, base);
    base = product(base, base);
  }
  return result;
}

std::uint64_t remainder(const Integer& value, std::uint64_t divisor) {
  return mpz_fdiv_ui(value.backend().data(), divisor);
}

bool is_residue(std::uint64_t value) {
  return power(value, kOrder / 2) == 1;
}

/// The residue that a generator is taken to, any but 0: numbers that look like random ones.
std::uint64_t image_of(int generator) {
  std::uint64_t x = static_cast<std::uint64_t>(generator) * 0x9e3779b97f4a7c15 + 0x632be59bd9b4e019;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return (x ^ (x >> 31)) % kOrder + 1;
}

/// A polynomial under maps that take each generator to the k-th power of its image: k = 1 first.
class Residues {
 public:
  /// `scale`: whose product with every exponent is an integer. Exponents of all polynomials are
  /// multiplied by it first, which keeps sums and products of them.
  Residues(const Polynomial& p, const Integer& scale) {
    for (const auto& [exponent, factor] : p.terms) {
      const std::uint64_t bottom = remainder(denominator(factor), kPrime);
      known_ = known_ && bottom != 0;
      factors_.push_back(product(remainder(numerator(factor), kPrime), power(bottom, kPrime - 2)));
      bases_.push_back(image_of(exponent, scale));
      powers_.push_back(bases_.back());
    }
  }

  /// False where a denominator is a multiple of the prime.
  [[nodiscard]] bool is_known() const { return known_; }

  /// The value under the next map.
  std::uint64_t next() {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < factors_.size(); ++i) {
      sum = (sum + product(factors_[i], powers_[i])) % kPrime;
      powers_[i] = product(powers_[i], bases_[i]);
    }
    return sum;
  }

 private:
  static std::uint64_t image_of(const Exponent& exponent, const Integer& scale) {
    std::uint64_t image = of_power(0, exponent.plain, scale);
    for (const auto& [generator, by] : exponent.others) {
      image = product(image, of_power(generator, by, scale));
    }
    return image;
  }
  static std::uint64_t of_power(int generator, const Rational& exponent, const Integer& scale) {
    const Integer whole = numerator(exponent) * (scale / denominator(exponent));
    return power(symbolic::image_of(generator), remainder(whole, kOrder));
  }

  bool known_{true};
  std::vector<std::uint64_t> factors_, bases_, powers_;
};

/// The least common multiple of all denominators of exponents.
Integer common_scale(std::span<const Polynomial* const> polynomials) {
  Integer scale = 1;
  const auto include = [&](const Rational& exponent) {
    if (!exponent.is_double() || exponent.nearest() != std::floor(exponent.nearest())) {
      scale = lcm(scale, denominator(exponent));
    }
  };
  for (const Polynomial* const p : polynomials) {
    for (const Term& term : p->terms) {
      include(term.exponent.plain);
      for (const auto& [generator, by] : term.exponent.others) include(by);
    }
  }
  return scale;
}

/// Under all polynomials; empty where one of them is not known.
std::vector<Residues> residues_of(std::span<const Polynomial* const> polynomials) {
  const Integer scale = common_scale(polynomials);
  std::vector<Residues> residues;
  for (const Polynomial* const p : polynomials) {
    constexpr std::size_t kOfPower = 8;  // an image is as dear as so many operations
    Work::spend(kOfPower * p->terms.size());
    residues.emplace_back(*p, scale);
    if (!residues.back().is_known()) return {};
  }
  return residues;
}

}  // namespace

bool may_be_square(const Polynomial& f) {
  const Polynomial* const only[] = {&f};
  auto residues = residues_of(only);
  for (int map = 0; map < kMaps && !residues.empty(); ++map) {
    const std::uint64_t value = residues.front().next();
    if (value != 0 && !is_residue(value)) return false;
  }
  return true;
}

std::vector<std::uint64_t> square_signatures(std::span<const Polynomial* const> polynomials) {
  std::vector<std::uint64_t> signatures(polynomials.size());
  auto residues = residues_of(polynomials);
  if (residues.empty()) return signatures;
  for (int map = 0; map < kMaps; ++map) {
    std::vector<std::uint64_t> values;
    for (Residues& of_one : residues) values.push_back(of_one.next());
    // A map that takes one of them to 0 says nothing of its products.
    if (std::ranges::find(values, 0) != values.end()) continue;
    for (std::size_t i = 0; i < values.size(); ++i) {
      signatures[i] = 2 * signatures[i] + (is_residue(values[i]) ? 1 : 0);
    }
  }
  return signatures;
}

}  // namespace attn::symbolic
