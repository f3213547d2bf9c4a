#include "theory/attention/norm/softmax_norm.hpp"

#include <algorithm>
#include <cmath>

#include "theory/base/lanes.hpp"
#include "theory/base/processor.hpp"

namespace attn {
namespace {

/// psi(t) = sum_i a_i^2 / (t - a_i) over all weights but the largest, and sum_i (a_i/(t - a_i))^2,
/// which is -psi'(t), at t = second + above.
struct Secular {
  double psi, slope;
};

ATTN_EACH_VECTOR_WIDTH Secular secular(const double* a, std::size_t size, double second,
                                       double above) {
  Lanes psi, slope;
  in_lanes(size, [&](std::size_t i, std::size_t lane) {
    // t - a_i as a sum of two terms >= 0: no digits cancel next to the pole at `second`.
    const double ratio = a[i] / (above + (second - a[i]));
    psi.at[lane] += a[i] * ratio;
    slope.at[lane] += ratio * ratio;
  });
  return {psi.sum(), slope.sum()};
}

/// The positive root v of a v^2 + b v = c, where a > 0, c >= 0.
double positive_root(double a, double b, double c) {
  const double root = std::hypot(b, 2 * std::sqrt(a) * std::sqrt(c));
  return b > 0 ? 2 * c / (b + root) : (root - b) / (2 * a);
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
  const SecularEquation over_unit{static_cast<double>(a[0]), scaled(rest, exponent),
                                  static_cast<double>(unit), others, others.front()};
  return unit * over_unit.root();
}

}  // namespace

/// With t, second and rest over unit, (first - unit t) psi(t) = t - first rest. As a function of w
/// = 1/(t - second), psi is concave: its terms are a_i^2 w / (1 + w (second - a_i)). So its tangent
/// in w lies above it, and the root of the equation with the tangent in place of psi lies above the
/// true root. From there on the tangents' roots fall to it, quadratically; each takes a quadratic
/// equation. Where the last step was eta relative in w, psi was off by at most eta^2 relative, and
/// so is t.
double SecularEquation::root() const {
  if (others.empty()) return first * rest;
  const double gap = first - unit * second;
  const double gershgorin = 2 * std::max(first * rest, second * (1 - unit * second));
  double above = std::min(first / unit, gershgorin) - second;
  if (above <= 0) return second;
  constexpr double kLastStep = 1e-8;
  constexpr int kMostSteps = 100;
  for (int step = 0; step < kMostSteps; ++step) {
    const Secular at = secular(others.data(), others.size(), second, above);
    // The tangent is constant + pole above / (t - second); the unknown is v = (t - second)/above.
    const double pole = above * at.slope;
    const double constant = at.psi - pole;
    const double v =
        positive_root((1 + unit * constant) * above,
                      second - first * rest + unit * above * pole - constant * gap, gap * pole);
    above *= v;
    if (!(v < 1 - kLastStep)) break;
  }
  return second + above;
}

double secular_root(const std::vector<double>& a, double rest) {
  return SecularEquation{a[0], rest, 1, std::span(a).subspan(1), a[1]}.root();
}

[[gnu::flatten]] ATTN_EACH_VECTOR_WIDTH ErrorDouble
detail::sum_over_poles(const std::vector<ErrorDouble>& weights, const ErrorDouble& t) {
  return sum_over_poles<ErrorDouble>(weights, t);
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
