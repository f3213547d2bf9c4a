#include "theory/recheck/exact/elementary.hpp"

#include <algorithm>
#include <numeric>

namespace attn::recheck::exact {
namespace {

/// sqrt(n) = factor sqrt(m), where their product is a square; else nothing.
std::optional<Rational> same_class(const mpz_class& n, const mpz_class& m) {
  const mpz_class product = n * m;
  if (mpz_perfect_square_p(product.get_mpz_t()) == 0) return std::nullopt;
  Rational factor(::sqrt(product), m);
  factor.canonicalize();
  return factor;
}

/// base^exponent of a small whole exponent.
Rational power(const mpz_class& base, const mpz_class& exponent) {
  constexpr long kMostBits = 1 << 16;
  const mpz_class size = ::abs(exponent);
  if (size * mpz_sizeinbase(base.get_mpz_t(), 2) > kMostBits) throw Beyond();
  mpz_class result;
  mpz_pow_ui(result.get_mpz_t(), base.get_mpz_t(), size.get_ui());
  return exponent < 0 ? Rational(1, result) : Rational(result);
}

/// e^(factor log|P|).
Surd power_of(const Polynomial& inside, const Rational& factor, Ring& ring) {
  if (inside.is_constant()) {
    const mpz_class base = inside.constant().get_num();
    mpz_class whole;
    mpz_fdiv_q(whole.get_mpz_t(), factor.get_num_mpz_t(), factor.get_den_mpz_t());
    const Rational rest = (factor - whole) * ring.generators().h;
    Surd result(ring, power(base, whole));
    if (rest == 0) return result;
    const auto& primes = ring.generators().primes;
    const auto prime = std::ranges::find(primes, base);
    if (prime == primes.end() || rest.get_den() != 1) throw Beyond();
    Exponents exponents(ring.variables());
    exponents[ring.variable_of_prime(static_cast<std::size_t>(prime - primes.begin()))] =
        rest.get_num();
    return result *= Surd(Fraction(Polynomial(ring, 1, exponents)));
  }
  constexpr long kMostPower = 16;
  if (factor.get_den() != 1 || ::abs(factor) > kMostPower) throw Beyond();
  Surd base{Fraction(inside)};
  if (known_sign_of(base) < 0) base *= Rational(-1);
  Surd result(ring, 1);
  for (mpz_class k = ::abs(factor.get_num()); k > 0; --k) {
    if (factor > 0) {
      result *= base;
    } else {
      result /= base;
    }
  }
  return result;
}

/// factor log|x| as a variable of the ring, x primitive or a prime.
Surd logarithm_variable(const Polynomial& x, const Rational& factor) {
  Ring& ring = x.ring();
  Exponents exponents(ring.variables());
  exponents[ring.variable_of_logarithm(ring.logarithm_of(x))] = 1;
  return Surd(Fraction(Polynomial(ring, factor, exponents)));
}

/// The logarithm of a positive integer, by its small primes.
Surd logarithm(Ring& ring, mpz_class n) {
  constexpr unsigned long kLargestPrime = 4096;
  Surd sum(ring, 0);
  for (unsigned long p = 2; p <= kLargestPrime && n > 1; ++p) {
    long power = 0;
    for (; mpz_divisible_ui_p(n.get_mpz_t(), p) != 0; ++power) n /= p;
    if (power > 0) sum += logarithm_variable(Polynomial(ring, Rational(p)), Rational(power));
  }
  if (n > 1) sum += logarithm_variable(Polynomial(ring, Rational(n)), 1);
  return sum;
}

/// The logarithm of a monomial, to a factor.
Surd logarithm(Ring& ring, const Exponents& exponents, const Rational& factor) {
  Surd sum(ring, 0);
  const Generators& generators = ring.generators();
  for (std::size_t k = 0; k < exponents.size(); ++k) {
    if (exponents[k] == 0) continue;
    if (k < generators.units.size()) {
      const auto& [n, g] = generators.units[k];
      Surd root = root_of(Surd(ring, Rational(n)));
      sum += root *= Rational(factor * exponents[k] / g);
    } else if (k < ring.variable_of_logarithm(0)) {
      Surd of_prime = logarithm(ring, generators.primes[k - generators.units.size()]);
      sum += of_prime *= Rational(factor * exponents[k] / generators.h);
    } else {
      throw Beyond();
    }
  }
  return sum;
}

}  // namespace

LinearForm::LinearForm(const Surd& x) {
  for (const auto& [places, factor] : x.terms()) {
    if (!factor.is_polynomial()) throw Beyond();
    mpz_class n = 1;
    for (const std::size_t place : places) {
      const Polynomial& radicand = x.ring().radicands()[place].value;
      if (!radicand.is_constant()) throw Beyond();
      n *= radicand.constant().get_num();
    }
    const Polynomial& sum = factor.numerator();
    for (std::size_t term = 0; term < sum.length(); ++term) {
      const Exponents exponents = sum.exponents(term);
      const mpz_class degree = std::accumulate(exponents.begin(), exponents.end(), mpz_class(0));
      if (degree == 0) {
        roots.push_back({.n = n, .factor = sum.coefficient(term)});
        continue;
      }
      if (degree != 1 || n != 1) throw Beyond();
      const auto variable =
          static_cast<std::size_t>(std::ranges::find(exponents, 1) - exponents.begin());
      const std::size_t first = x.ring().variable_of_logarithm(0);
      if (variable < first) throw Beyond();
      logarithms.push_back({.place = variable - first, .factor = sum.coefficient(term)});
    }
  }
}

void provide(Generators& generators, const LinearForm& form, const Ring& ring) {
  for (const auto& [n, factor] : form.roots) {
    auto& units = generators.units;
    const auto unit = std::ranges::find_if(
        units, [&](const ExponentialUnit& known) { return same_class(n, known.n).has_value(); });
    if (unit == units.end()) {
      units.push_back({.n = n, .g = factor.get_den()});
    } else {
      const Rational of_unit = factor * *same_class(n, unit->n);
      unit->g = lcm(unit->g, of_unit.get_den());
    }
  }
  for (const auto& [place, factor] : form.logarithms) {
    const Polynomial& inside = ring.inside_logarithm(place);
    if (factor.get_den() == 1 || !inside.is_constant()) continue;
    const mpz_class prime = inside.constant().get_num();
    if (std::ranges::count(generators.primes, prime) == 0) generators.primes.push_back(prime);
    generators.h = lcm(generators.h, factor.get_den());
  }
}

Surd exponential(const LinearForm& form, Ring& ring) {
  const auto& units = ring.generators().units;
  Exponents above(ring.variables());
  Exponents below(ring.variables());
  for (const auto& [n, factor] : form.roots) {
    const auto unit = std::ranges::find_if(
        units, [&](const ExponentialUnit& known) { return same_class(n, known.n).has_value(); });
    if (unit == units.end()) throw Beyond();
    const Rational exponent = factor * *same_class(n, unit->n) * unit->g;
    if (exponent.get_den() != 1) throw Beyond();
    const auto variable = static_cast<std::size_t>(unit - units.begin());
    (exponent < 0 ? below : above)[variable] = ::abs(exponent.get_num());
  }
  Fraction value(Polynomial(ring, 1, above));
  value /= Fraction(Polynomial(ring, 1, below));
  Surd result(std::move(value));
  for (const auto& [place, factor] : form.logarithms) {
    result *= power_of(ring.inside_logarithm(place), factor, ring);
  }
  return result;
}

Surd logarithm(const Surd& x) {
  Ring& ring = x.ring();
  if (x.terms().size() != 1 || !x.terms().begin()->first.empty()) throw Beyond();
  const Fraction& value = x.terms().begin()->second;
  Polynomial rest = value.numerator();
  Surd sum = logarithm(ring, rest.take_monomial(), 1);
  sum += logarithm(ring, value.monomial(), -1);
  const Rational content = ::abs(rest.take_content());
  sum += logarithm(ring, content.get_num());
  sum -= logarithm(ring, content.get_den());
  if (!rest.is_constant()) sum += logarithm_variable(rest, 1);
  for (const auto& [place, power] : value.factors()) {
    sum += logarithm_variable(ring.factor(place), Rational(-static_cast<long>(power)));
  }
  return sum;
}

}  // namespace attn::recheck::exact
