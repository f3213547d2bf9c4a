#include "theory/attention/norm/softmax_norm.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cstdint>
#include <limits>
#include <span>

namespace attn {
namespace {

/// The secular equation over a power of 2, `unit`: doubles hold its weights but the largest,
/// however small they are, where it is near them. t = unit tau.
struct ScaledEquation {
  double first;                    ///< a_(1)
  double rest;                     ///< (1 - a_(1)) / unit
  double unit;                     ///< 0 where no double is as small
  std::span<const double> others;  ///< a_(2), ..., a_(L), over unit

  /// (a_(1) - t) (tau - others[0]) times the secular function: positive below the root, negative
  /// above, and finite on the closed interval.
  double operator()(double tau) const {
    const double above = tau - others[0];
    double sum = 0;
    for (const double weight : others) {
      const double distance = tau - weight;
      sum += distance > 0 ? weight * weight * (above / distance) : weight * weight;
    }
    return (first * rest - tau) * above + (first - unit * tau) * sum;
  }
};

/// tau, by bracketing in [others[0], min(a_(1), 2 max a_i (1 - a_i))/unit]: the ends are within a
/// factor 2 L of each other, so that relative accuracy takes few steps however small the root is.
double root_of(const ScaledEquation& f) {
  constexpr double kAccuracy = 4 * std::numeric_limits<double>::epsilon();
  const double floor = f.others[0];
  const double gershgorin = 2 * std::max(f.first * f.rest, floor * (1 - f.unit * floor));
  const double ceiling = std::min(gershgorin, f.first / f.unit);
  const double at_floor = f(floor);
  const double at_ceiling = f(ceiling);
  if (!(at_floor > 0)) return floor;
  if (!(at_ceiling < 0)) return ceiling;
  // The signs at the ends are known to differ, and whoever uses the root checks it.
  namespace policies = boost::math::policies;
  constexpr policies::policy<policies::domain_error<policies::ignore_error>,
                             policies::evaluation_error<policies::ignore_error>>
      kNoErrors;
  constexpr std::uintmax_t kMaxSteps = 200;
  std::uintmax_t steps = kMaxSteps;
  const auto [low, high] = boost::math::tools::toms748_solve(
      f, floor, ceiling, at_floor, at_ceiling,
      [](double x, double y) { return y - x <= kAccuracy * y; }, steps, kNoErrors);
  return low + (high - low) / 2;
}

/// The root by Newton's method from a number near it, to about `accuracy`, relative. A step that
/// leads out of where the root is known to lie is one to the middle of that instead. After a step
/// the error is about its square over the distance from the nearest pole.
template <class P>
P refined(const std::vector<P>& a, const P& rest, P t, const P& accuracy) {
  P low = a[1], high = a[0];
  constexpr int kMaxSteps = 100;
  for (int steps = 0; steps < kMaxSteps; ++steps) {
    if (!(t > low && t < high)) t = low + (high - low) / 2;
    if (!(t > low && t < high)) return low;  // no number of P lies between them, or NaN
    const P above = t - a[1];
    P sum = 0, slopes = 0;
    for (std::size_t i = 1; i < a.size(); ++i) {
      const P distance = t - a[i];
      const P inverse = 1 / distance;
      const P term = a[i] * a[i] * inverse;
      sum += term;
      slopes += term * inverse * (distance - above);
    }
    const P value = (a[0] * rest - t + (a[0] - t) * sum) * above;
    const P slope = a[0] * rest - t - above - above * sum + (a[0] - t) * slopes;
    (value > 0 ? low : high) = t;
    const P step = value / slope;
    const P below = a[0] - t;
    t -= step;
    if (step * step <= accuracy * t * (above < below ? above : below)) return t;
  }
  return low + (high - low) / 2;
}

using End = Interval::End;

/// What is computed in before End is, which has the digits of the last level at every level: for up
/// to kFewKnown digits.
constexpr unsigned kFewKnown = 50;
using Few = Real<kFewKnown + 10>;

End power_of_two(mpfr_exp_t exponent) {
  End power;
  mpfr_set_ui_2exp(power.backend().data(), 1, exponent, MPFR_RNDN);
  return power;
}

double scaled(const End& x, mpfr_exp_t exponent) {
  End result;
  mpfr_mul_2si(result.backend().data(), x.backend().data(), -exponent, MPFR_RNDN);
  return static_cast<double>(result);
}

/// The root to about the digits of a double.
End near_root(const std::vector<End>& a, const End& rest) {
  const mpfr_exp_t exponent = mpfr_get_exp(a[1].backend().data());
  const End unit = power_of_two(exponent);
  std::vector<double> others;
  others.reserve(a.size() - 1);
  for (std::size_t i = 1; i < a.size(); ++i) others.push_back(scaled(a[i], exponent));
  return unit * root_of({.first = static_cast<double>(a[0]),
                         .rest = scaled(rest, exponent),
                         .unit = static_cast<double>(unit),
                         .others = others});
}

}  // namespace

double secular_root(const std::vector<double>& a, double rest) {
  return root_of({.first = a[0], .rest = rest, .unit = 1, .others = std::span(a).subspan(1)});
}

End secular_root(const std::vector<End>& a, const End& rest) {
  if (!(a[1] > 0)) return a[1];  // too small for an exponent, or NaN
  const std::vector<Few> few(a.begin(), a.end());
  const Few accuracy = pow(Few(10), -static_cast<int>(kFewKnown));
  const Few root = refined<Few>(few, Few(rest), Few(near_root(a, rest)), accuracy);
  if (WorkingDigits::now() <= kFewKnown) return End(root);
  return refined<End>(a, rest, End(root), ScalarTraits<Interval>::epsilon());
}

template ErrorDouble softmax_jacobian_norm(const SortedWeights<ErrorDouble>&);
template Interval softmax_jacobian_norm(const SortedWeights<Interval>&);

}  // namespace attn
