#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "theory/attention/case.hpp"
#include "theory/number/rational.hpp"

namespace attn::test {

/// Reproducible draws. Every test that draws at random says the seed in its failures.
class Random {
 public:
  static constexpr std::uint64_t kSeed = 250817821;

  /// Uniform in 0..n-1; n >= 1.
  std::uint64_t below(std::uint64_t n) { return engine_() % n; }

  /// Uniform in low..high.
  int between(int low, int high) {
    return low + static_cast<int>(below(static_cast<std::uint64_t>(high - low) + 1));
  }

  bool one_in(std::uint64_t n) { return below(n) == 0; }

  /// Uniform in [0, 1), a multiple of 2^-53.
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

  /// Standard normal.
  double normal() { return normal_(engine_); }

  /// k/1000 with |k| <= 1000 most: a short decimal that no double holds.
  Rational decimal(int most) { return {between(-1000 * most, 1000 * most), 1000}; }

  /// `count` positive rationals that sum to exactly 1; about half the time some are equal.
  std::vector<Rational> weights(std::size_t count);

 private:
  std::mt19937_64 engine_{kSeed};
  std::normal_distribution<double> normal_;
};

/// The line that failures of random test number `trial` carry.
std::string replay(int trial);

/// The case of that kind written as JSON.
Case case_of(const InputKind& kind, const std::string& json);

/// P(||sum_j b_j u_j|| <= r) by the written formula, over every one of the 2^n sign patterns.
Rational plain_probability(std::vector<Rational> radii, const Rational& r, std::size_t d);

Rational sum_of(const std::vector<Rational>& values);

/// {p, q, ...} from strings.
std::vector<Rational> rationals(const std::vector<std::string>& texts);

}  // namespace attn::test
