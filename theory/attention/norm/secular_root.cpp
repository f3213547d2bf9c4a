#include "theory/attention/norm/secular_root.hpp"

#include <algorithm>
#include <limits>

#include "theory/number/scalar.hpp"

namespace attn {
namespace {

/// The root by Newton's method from `t`, or where that is nowhere near, from
/// corollary3.local.lower, which the root exceeds by less than a factor of 2; to about `accuracy`,
/// relative. A step that leads out of where the root is known to lie is one to the middle of that
/// instead. After a step the error is about its square over the distance from the nearest pole.
template <class P>
P root_from(const std::vector<P>& a, const P& rest, P t, const P& accuracy) {
  P low = a[1], high = a[0];
  const P count = static_cast<double>(a.size());
  const P least = count / (count - 1) * std::max<P>(a[0] * rest, a[1] * (1 - a[1]));
  if (!(t >= least && t <= 2 * least)) t = least;
  constexpr int kMaxSteps = 100;
  for (int steps = 0; steps < kMaxSteps; ++steps) {
    if (!(t > low && t < high)) t = low + (high - low) / 2;
    if (!(t > low && t < high)) return low;  // no number of P lies between them, or NaN
    const P above = t - a[1];
    P sum = 0, slopes = 0;
    for (std::size_t i = 1; i < a.size(); ++i) {
      const P distance = t - a[i];
      const P inverse = 1 / distance;
      const P term = a[i] * (a[i] * inverse);  // the square may be too small for a double
      sum += term;
      slopes += term * inverse * (distance - above);
    }
    // Of value times above, which has no pole at a[1].
    const P value = a[0] * rest - t + (a[0] - t) * sum;
    const P slope = a[0] * rest - t - above - above * sum + (a[0] - t) * slopes;
    (value > 0 ? low : high) = t;
    const P step = value * (above / slope);
    const P below = a[0] - t;
    t -= step;
    if (step * (step / std::min(above, below)) <= accuracy * t) return t;
  }
  return low + (high - low) / 2;
}

using End = Interval::End;

/// What is computed in before End is, which has the digits of the last level at every level: for up
/// to kFewKnown digits.
constexpr unsigned kFewKnown = 50;
using Few = Real<kFewKnown + 10>;

}  // namespace

double secular_root(const std::vector<double>& a, double rest) {
  return root_from(a, rest, 0.0, 4 * std::numeric_limits<double>::epsilon());
}

End secular_root(const std::vector<End>& a, const End& rest) {
  if (!(a[1] > 0)) return a[1];  // too small for an exponent, or NaN
  std::vector<double> coarse;
  for (const End& weight : a) coarse.push_back(static_cast<double>(weight));
  const double start = secular_root(coarse, static_cast<double>(rest));
  const std::vector<Few> few(a.begin(), a.end());
  const Few accuracy = pow(Few(10), -static_cast<int>(kFewKnown));
  const Few root = root_from<Few>(few, Few(rest), Few(start), accuracy);
  if (WorkingDigits::now() <= kFewKnown) return End(root);
  return root_from<End>(a, rest, End(root), ScalarTraits<Interval>::epsilon());
}

}  // namespace attn
