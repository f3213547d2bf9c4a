#include "theory/number/exact/elementary.hpp"

#include <algorithm>

#include "theory/number/exact/tables.hpp"
#include "theory/number/exact/work.hpp"

namespace attn::symbolic {
namespace {

RootSum of_term(Term term) {
  return RootSum(Fraction{{{std::move(term)}}, {}});
}

/// times * log |P| for an entry of the table of logarithms.
RootSum multiple_of_logarithm(std::size_t id, const Rational& times) {
  const int generator = kFirstLogarithm + static_cast<int>(id);
  const Rational factor = sign_of_logarithm(id) > 0 ? times : -times;
  return of_term({Exponent{0, {{generator, 1}}}, factor});
}

bool is_one(const Polynomial& p) {
  return p == Polynomial::constant(1);
}

RootSum multiple_of_logarithm(const Polynomial& p, const Rational& times) {
  if (is_one(p) || times == 0) return {};
  return multiple_of_logarithm(Work::tables().logarithms.id_of(p), times);
}

/// times * log(k), k >= 1.
RootSum multiple_of_logarithm(Integer k, const Rational& times) {
  constexpr unsigned kMostPrime = 4096;
  RootSum sum;
  for (unsigned prime = 2; prime < kMostPrime && k > 1; ++prime) {
    Work::spend(2);
    int power = 0;
    for (; k % prime == 0; k /= prime) ++power;
    if (power == 0) continue;
    sum = sum + multiple_of_logarithm(Polynomial::constant(prime), power * times);
  }
  return sum + multiple_of_logarithm(Polynomial::constant(Rational(k)), times);
}

/// times * the logarithm of a generator.
RootSum multiple_of_logarithm(int generator, const Rational& times) {
  if (generator >= kFirstLogarithm) throw BeyondExact("a logarithm of a logarithm");
  if (generator >= kFirstPower) {
    return multiple_of_logarithm(static_cast<std::size_t>(generator - kFirstPower), times);
  }
  RootSum sum;
  sum.add(Root{generator, {}}, Fraction{Polynomial::constant(times), {}});
  return sum;
}

/// |P|^power of an entry of the table of logarithms: itself where the power is a small integer,
/// else a power of its generator.
RootSum power_of(std::size_t id, const Rational& power) {
  constexpr int kMostOfConstant = 4096, kMostOfPolynomial = 16;
  const Polynomial& p = Work::tables().logarithms[id];
  const int most = p.terms.size() == 1 ? kMostOfConstant : kMostOfPolynomial;
  if (denominator(power) != 1 || abs(power) > Rational(most)) {
    return of_term({Exponent{0, {{kFirstPower + static_cast<int>(id), power}}}, 1});
  }
  Polynomial product = Polynomial::constant(1);
  for (int k = 0; k < abs(power).nearest(); ++k) product = product * p;
  if (sign_of(product) < 0) product = -product;
  const Fraction result{product, {}};
  return RootSum(power < 0 ? inverse(result) : result);
}

/// e^(factor |log |P||) = |P|^(+-factor), of a term that is a multiple of a logarithm.
RootSum power_of_logarithm(const Term& term) {
  const int generator = term.exponent.others.front().first;
  const auto id = static_cast<std::size_t>(generator - kFirstLogarithm);
  return power_of(id, sign_of_logarithm(id) > 0 ? term.factor : -term.factor);
}

bool is_logarithm(const Exponent& exponent) {
  return exponent.plain == 0 && exponent.others.size() == 1 &&
         exponent.others.front().first >= kFirstLogarithm && exponent.others.front().second == 1;
}

}  // namespace

RootSum exponential(const RootSum& x) {
  Exponent exponent;
  RootSum product(Rational(1));
  for (const auto& [root, factor] : x.parts) {
    if (root.radicand || !factor.bottom.empty()) throw BeyondExact("an exponential of a fraction");
    for (const Term& term : factor.top.terms) {
      if (term.exponent.is_zero() && root.square_class == 0) {
        exponent.plain += term.factor;
      } else if (term.exponent.is_zero()) {
        exponent = exponent + Exponent{0, {{root.square_class, term.factor}}};
      } else if (root.square_class == 0 && is_logarithm(term.exponent)) {
        product = product * power_of_logarithm(term);
      } else {
        throw BeyondExact("an exponential of an exponential");
      }
    }
  }
  return of_term({exponent, 1}) * product;
}

RootSum logarithm(const RootSum& x) {
  const auto fraction = x.as_fraction();
  if (!fraction || fraction->is_zero()) throw BeyondExact("a logarithm of roots");
  const auto [monic, lead] = normalised(fraction->top);
  const Rational factor = abs(lead.factor);
  RootSum sum = multiple_of_logarithm(numerator(factor), 1) +
                multiple_of_logarithm(denominator(factor), -1) + multiple_of_logarithm(monic, 1) +
                RootSum(lead.exponent.plain);
  for (const auto& [generator, power] : lead.exponent.others) {
    sum = sum + multiple_of_logarithm(generator, power);
  }
  for (const auto& [id, power] : fraction->bottom) {
    sum = sum + multiple_of_logarithm(Work::tables().factors[id], -power);
  }
  return sum;
}

}  // namespace attn::symbolic
