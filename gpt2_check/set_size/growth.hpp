#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace attn::gpt2 {

/// By how much of itself the loss may grow: the tolerances of N*.
inline constexpr double kTolerances[] = {0.01, 0.05, 0.1};

/// The least number of random orders, where so many may be drawn.
inline constexpr std::uint64_t kFirstOrders = 4;

/// By how much of itself the mean of `whole` grows to that of `kept`.
double relative_growth(std::span<const double> kept, std::span<const double> whole);

/// The 95 % interval of relative_growth, by a bootstrap over the windows; nothing of one window.
std::optional<std::pair<double, double>> growth_interval(std::span<const double> kept,
                                                         std::span<const double> whole,
                                                         std::uint64_t seed);

/// The standard error of the mean of independent values of one distribution, at least two.
double standard_error(std::span<const double> values);

/// Whether no further random order is drawn after those of these relative growths: kFirstOrders or
/// more, whose mean has a standard error of no more than a quarter of its distance to the nearest
/// tolerance. Since drawing stops where it is small, the mean's true standard deviation can be up
/// to 1.4 times the average standard error.
bool are_enough_orders(std::span<const double> growths);

}  // namespace attn::gpt2
