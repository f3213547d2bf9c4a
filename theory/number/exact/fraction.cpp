#include "theory/number/exact/fraction.hpp"

#include <algorithm>
#include <utility>

#include "theory/number/exact/tables.hpp"
#include "theory/number/exact/work.hpp"

namespace attn::symbolic {
namespace {

using Bottom = std::map<std::size_t, int>;

const Polynomial& factor(std::size_t id) {
  return Work::tables().factors[id];
}

/// Divides p by a factor among those of `bottom` that it is a multiple of by one term.
void cancel(Polynomial& p, Bottom& bottom) {
  for (auto at = bottom.begin(); at != bottom.end() && p.terms.size() > 1; ++at) {
    const auto term = quotient(p, factor(at->first));
    if (!term) continue;
    p = Polynomial{{*term}};
    if (--at->second == 0) bottom.erase(at);
    return;
  }
}

Fraction reduced(Fraction x) {
  if (x.is_zero()) return {};
  cancel(x.top, x.bottom);
  return x;
}

/// p times the factors of `bottom` beyond those of `own`.
Polynomial over(Polynomial p, const Bottom& own, const Bottom& bottom) {
  for (const auto& [id, power] : bottom) {
    const auto at = own.find(id);
    for (int k = at == own.end() ? 0 : at->second; k < power; ++k) p = p * factor(id);
  }
  return p;
}

}  // namespace

Fraction operator+(const Fraction& a, const Fraction& b) {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  if (a.bottom == b.bottom) return reduced({a.top + b.top, a.bottom});
  Bottom bottom = a.bottom;
  for (const auto& [id, power] : b.bottom) bottom[id] = std::max(bottom[id], power);
  return reduced({over(a.top, a.bottom, bottom) + over(b.top, b.bottom, bottom), bottom});
}

Fraction operator*(const Fraction& a, const Fraction& b) {
  if (a.is_zero() || b.is_zero()) return {};
  Fraction x = a, y = b;
  cancel(x.top, y.bottom);
  cancel(y.top, x.bottom);
  x.top = x.top * y.top;
  for (const auto& [id, power] : y.bottom) x.bottom[id] += power;
  return x;
}

Fraction operator*(const Fraction& a, const Rational& by) {
  return by == 0 ? Fraction{} : Fraction{a.top * by, a.bottom};
}

Fraction operator*(const Fraction& a, const Polynomial& b) {
  return a * Fraction{b, {}};
}

Fraction inverse(const Fraction& a) {
  const auto [polynomial, lead] = normalised(a.top);
  Fraction inverted{{{{-lead.exponent, 1 / lead.factor}}}, {}};
  inverted.top = over(std::move(inverted.top), {}, a.bottom);
  if (polynomial.terms.size() > 1) inverted.bottom[Work::tables().factors.id_of(polynomial)] = 1;
  return inverted;
}

int sign_of(const Fraction& x) {
  if (x.is_zero()) return 0;
  int sign = sign_of(x.top);
  for (const auto& [id, power] : x.bottom) {
    if (power % 2 == 1) sign *= sign_of_factor(id);
  }
  return sign;
}

Scaled enclosed(const Fraction& x, unsigned bits) {
  Scaled result = enclosed(x.top, bits);
  for (const auto& [id, power] : x.bottom) {
    const Scaled divisor = enclosed(factor(id), bits);
    for (int k = 0; k < power; ++k) {
      result.about /= divisor.about;
      result.scale = result.scale - divisor.scale;
    }
  }
  return result;
}

}  // namespace attn::symbolic
