#include "gpt2_check/experiments/held.hpp"

#include <algorithm>
#include <functional>

namespace attn::gpt2 {
namespace {

/// The least N for which `is_enough` of the sum of the first N numbers; how many there are where it
/// is of no sum.
template <class IsEnough>
std::size_t least_count(std::span<const double> numbers, const IsEnough& is_enough) {
  ErrorDouble sum(0);
  for (std::size_t n = 1; n < numbers.size(); ++n) {
    sum += numbers[n - 1];
    if (is_enough(sum)) return n;
  }
  return numbers.size();
}

}  // namespace

/// Shares are compared as they stand in exp((l_i - l_(1))/T), without a quotient. The sum of the N
/// largest lower ends is no more than that of the N largest numbers, that of the N largest upper
/// ends no less, whichever tokens these are. What has no bound lies between 0 and infinity.
std::vector<TokensHolding> tokens_holding(const RowWeights& weights,
                                          std::span<const int> percents) {
  std::vector<double> lower, upper;
  for (std::size_t i = 0; i < weights.tokens(); ++i) {
    const double least = weights.f(i).lower(), most = weights.f(i).upper();
    lower.push_back(least > 0 ? least : 0);
    upper.push_back(most < kInfinity ? most : kInfinity);
  }
  std::ranges::sort(lower, std::greater());
  std::ranges::sort(upper, std::greater());
  std::vector<TokensHolding> found;
  for (const int percent : percents) {
    const ErrorDouble needed = ErrorDouble(percent) * weights.total();
    const auto above = [&](const ErrorDouble& sum) { return ErrorDouble(100) * sum - needed; };
    found.push_back({.possible = least_count(
                         upper, [&](const ErrorDouble& sum) { return !(above(sum).upper() < 0); }),
                     .certain = least_count(
                         lower, [&](const ErrorDouble& sum) { return above(sum).lower() >= 0; })});
  }
  return found;
}

}  // namespace attn::gpt2
