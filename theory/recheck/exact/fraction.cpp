#include "theory/recheck/exact/fraction.hpp"

#include <algorithm>

namespace attn::recheck::exact {
namespace {

Polynomial monomial_of(Ring& ring, const Exponents& exponents) {
  return {ring, 1, exponents};
}

bool is_one(const Exponents& exponents) {
  return std::ranges::all_of(exponents, [](const mpz_class& x) { return x == 0; });
}

/// The larger of both exponents of every variable; an empty one stands for zeros.
Exponents common(const Exponents& x, const Exponents& y) {
  if (x.empty()) return y;
  Exponents all = x;
  for (std::size_t k = 0; k < y.size(); ++k) all[k] = std::max(x[k], y[k]);
  return all;
}

/// to/from, where `to` is a multiple.
Exponents missing(const Exponents& from, Exponents to) {
  for (std::size_t k = 0; k < from.size(); ++k) to[k] -= from[k];
  return to;
}

}  // namespace

Fraction::Fraction(Polynomial numerator) : numerator_(std::move(numerator)) {}

Fraction& Fraction::operator+=(const Fraction& other) {
  if (other.is_zero()) return *this;
  if (is_zero()) return *this = other;
  const Exponents monomial = common(monomial_, other.monomial_);
  auto factors = factors_;
  for (const auto& [place, power] : other.factors_) {
    factors[place] = std::max(factors[place], power);
  }
  const auto over_common = [&](const Fraction& x) {
    Polynomial result = x.numerator_;
    if (!is_one(missing(x.monomial_, monomial))) {
      result *= monomial_of(ring(), missing(x.monomial_, monomial));
    }
    for (const auto& [place, power] : factors) {
      const auto own = x.factors_.find(place);
      for (unsigned k = own == x.factors_.end() ? 0 : own->second; k < power; ++k) {
        result *= ring().factor(place);
      }
    }
    return result;
  };
  Polynomial sum = over_common(*this);
  sum += over_common(other);
  numerator_ = std::move(sum);
  monomial_ = monomial;
  factors_ = std::move(factors);
  divide_out();
  return *this;
}

Fraction& Fraction::operator*=(const Fraction& other) {
  numerator_ *= other.numerator_;
  if (monomial_.empty()) {
    monomial_ = other.monomial_;
  } else {
    for (std::size_t k = 0; k < other.monomial_.size(); ++k) monomial_[k] += other.monomial_[k];
  }
  for (const auto& [place, power] : other.factors_) factors_[place] += power;
  divide_out();
  return *this;
}

Fraction& Fraction::operator*=(const Rational& factor) {
  numerator_ *= factor;
  return *this;
}

// Factors that both denominators share are not multiplied out.
Fraction& Fraction::operator/=(Fraction other) {
  for (auto& [place, power] : factors_) {
    const auto own = other.factors_.find(place);
    if (own == other.factors_.end()) continue;
    const unsigned shared = std::min(power, own->second);
    power -= shared;
    own->second -= shared;
  }
  const auto is_gone = [](const auto& factor) { return factor.second == 0; };
  std::erase_if(factors_, is_gone);
  std::erase_if(other.factors_, is_gone);
  return *this *= other.inverse();
}

/// Takes out what numerator and denominator share: their monomial, and factors that make the whole
/// rest of the numerator.
void Fraction::divide_out() {
  if (is_polynomial()) return;
  if (is_zero()) {
    monomial_.clear();
    factors_.clear();
    return;
  }
  Exponents above = numerator_.take_monomial();
  for (std::size_t k = 0; k < monomial_.size(); ++k) {
    const mpz_class shared = std::min(above[k], monomial_[k]);
    above[k] -= shared;
    monomial_[k] -= shared;
  }
  if (is_one(monomial_)) monomial_.clear();
  const Rational content = numerator_.take_content();
  const auto whole = std::ranges::find_if(
      factors_, [&](const auto& factor) { return ring().factor(factor.first) == numerator_; });
  if (whole != factors_.end()) {
    numerator_ = Polynomial(ring(), 1);
    if (--whole->second == 0) factors_.erase(whole);
  }
  numerator_ *= content;
  if (!is_one(above)) numerator_ *= monomial_of(ring(), above);
}

Fraction Fraction::inverse() const {
  Polynomial rest = numerator_;
  const Exponents below = rest.take_monomial();
  const Rational content = rest.take_content();
  Polynomial above(ring(), 1 / content);
  if (!monomial_.empty()) above *= monomial_of(ring(), monomial_);
  for (const auto& [place, power] : factors_) {
    for (unsigned k = 0; k < power; ++k) above *= ring().factor(place);
  }
  Fraction result(std::move(above));
  result.monomial_ = below;
  if (!rest.is_constant()) result.factors_[ring().factor_of(rest)] = 1;
  result.divide_out();
  return result;
}

Arb Fraction::enclosure() const {
  Arb value = numerator_.enclosure();
  if (!monomial_.empty()) value /= ring().enclosure(monomial_);
  for (const auto& [place, power] : factors_) {
    const Arb factor = ring().factor(place).enclosure();
    for (unsigned k = 0; k < power; ++k) value /= factor;
  }
  return value;
}

}  // namespace attn::recheck::exact
