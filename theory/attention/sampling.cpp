#include "theory/attention/sampling.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>

namespace attn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::mt19937_64 stream(std::size_t a, std::size_t b) {
  std::seed_seq sequence{static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)};
  return std::mt19937_64(sequence);
}

// Boost's distributions draw the same numbers from an engine everywhere; those of the standard
// library may differ from one implementation to the next.

/// Uniform in [0, n).
std::size_t below(std::mt19937_64& random, std::size_t n) {
  return boost::random::uniform_int_distribution<std::size_t>(0, n - 1)(random);
}

/// D for the set that is the first `count` entries of `tokens`.
ErrorDouble distance(const std::vector<std::vector<ErrorDouble>>& y,
                     const std::vector<std::size_t>& tokens, std::size_t count) {
  std::vector<ErrorDouble> s(y.front().size());
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t k = 0; k < s.size(); ++k) s[k] += y[tokens[j]][k];
  }
  ErrorDouble sum;
  for (std::size_t i = count; i < tokens.size(); ++i) {
    ErrorDouble squared;
    for (std::size_t k = 0; k < s.size(); ++k) squared += square(y[tokens[i]][k] - s[k]);
    sum += sqrt_nonnegative(squared);
  }
  return sum;
}

/// How far a mean of kSamples values of [0, most] is from its expectation, on one side: Maurer and
/// Pontil, Empirical Bernstein bounds, Theorem 4.
double bernstein(double variance, double most) {
  const double log_term = std::log(4 / (1 - kConfidence));
  const auto n = static_cast<double>(kSamples);
  return std::sqrt(2 * variance * log_term / n) + 7 * most * log_term / (3 * (n - 1));
}

double variance_of(const std::vector<double>& values, double mean) {
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(values.size() - 1);
}

}  // namespace

std::size_t sets_of(std::size_t n, std::size_t k) {
  std::size_t count = 1;
  for (std::size_t i = 1; i <= std::min(k, n - k); ++i) {
    count = count * (n - i + 1) / i;
    if (count > kMostSets) return count;
  }
  return count;
}

ConfidenceInterval sample_distance(const std::vector<std::vector<ErrorDouble>>& y,
                                   std::size_t count, const ErrorDouble& most) {
  std::mt19937_64 random = stream(y.size(), count);
  std::vector<std::size_t> tokens(y.size());
  std::iota(tokens.begin(), tokens.end(), std::size_t{0});
  std::vector<double> values;
  ErrorDouble sum;
  for (std::size_t draw = 0; draw < kSamples; ++draw) {
    for (std::size_t i = 0; i < count; ++i) {
      std::swap(tokens[i], tokens[i + below(random, tokens.size() - i)]);
    }
    const ErrorDouble d = distance(y, tokens, count);
    values.push_back(d.value());
    sum += d;
  }
  const ErrorDouble mean = sum / ErrorDouble(static_cast<double>(kSamples));
  // The rounding of the values moves the mean, which is bounded, and the variance, which is not:
  // the factor covers it many times over.
  constexpr double kSlack = 1 + 0x1p-20;
  const double reach = bernstein(variance_of(values, mean.value()), most.upper()) * kSlack;
  if (!std::isfinite(reach)) return {0, kInfinity};
  return {std::max(mean.lower() - reach, 0.0), mean.upper() + reach};
}

ConfidenceInterval sample_share(const std::vector<ErrorDouble>& radii, const ErrorDouble& r,
                                std::size_t dimension) {
  std::mt19937_64 random = stream(radii.size(), dimension);
  boost::random::normal_distribution<double> normal;
  const ErrorDouble reach = square(r);
  std::size_t certainly = 0;
  std::size_t possibly = 0;
  for (std::size_t draw = 0; draw < kSamples; ++draw) {
    const std::size_t left_out = below(random, radii.size());
    std::vector<ErrorDouble> sum(dimension);
    for (std::size_t j = 0; j < radii.size(); ++j) {
      if (j == left_out || radii[j].upper() <= 0) continue;
      std::vector<double> u(dimension);
      double squared = 0;
      for (double& x : u) {
        x = normal(random);
        squared += x * x;
      }
      const ErrorDouble length = radii[j] / ErrorDouble(std::sqrt(squared));
      for (std::size_t k = 0; k < dimension; ++k) sum[k] += length * ErrorDouble(u[k]);
    }
    ErrorDouble squared;
    for (const ErrorDouble& x : sum) squared += square(x);
    certainly += squared.upper() <= reach.lower() ? 1 : 0;
    possibly += squared.lower() > reach.upper() ? 0 : 1;
  }
  using Binomial = boost::math::binomial_distribution<double>;
  const double tail = (1 - kConfidence) / 2;
  const auto n = static_cast<double>(kSamples);
  return {Binomial::find_lower_bound_on_p(n, static_cast<double>(certainly), tail),
          Binomial::find_upper_bound_on_p(n, static_cast<double>(possibly), tail)};
}

}  // namespace attn
