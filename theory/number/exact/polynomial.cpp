#include "theory/number/exact/polynomial.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "theory/number/exact/residues.hpp"
#include "theory/number/exact/tables.hpp"
#include "theory/number/exact/work.hpp"

namespace attn::symbolic {
namespace {

/// Adds up neighbours of one exponent, and drops what comes to 0.
void collect(std::vector<Term>& terms) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < terms.size();) {
    Term sum = std::move(terms[i]);
    for (++i; i < terms.size() && terms[i].exponent == sum.exponent; ++i) {
      sum.factor += terms[i].factor;
    }
    if (sum.factor != 0) terms[kept++] = std::move(sum);
  }
  terms.resize(kept);
}

/// What an operation on each term costs: of a long factor it takes a greatest common divisor.
std::size_t cost_of(const Polynomial& p) {
  constexpr std::size_t kOfLong = 64;
  std::size_t cost = 0;
  for (const auto& [exponent, factor] : p.terms) {
    cost += 1 + (factor.is_short() ? 0 : kOfLong + cost_of_length(factor));
  }
  return cost;
}

/// What is left of a polynomial, of which the leading term is taken again and again.
class Remainder {
 public:
  explicit Remainder(const Polynomial& p) {
    for (const Term& term : p.terms) rest_.emplace_hint(rest_.end(), term.exponent, term.factor);
  }
  [[nodiscard]] bool is_zero() const { return rest_.empty(); }
  [[nodiscard]] Term lead() const { return {rest_.begin()->first, rest_.begin()->second}; }
  void subtract(const Exponent& exponent, const Rational& factor) {
    const auto [at, is_new] = rest_.try_emplace(exponent);
    at->second -= factor;
    if (at->second == 0) rest_.erase(at);
  }

 private:
  struct Falling {
    bool operator()(const Exponent& a, const Exponent& b) const { return order(a, b) > 0; }
  };
  std::map<Exponent, Rational, Falling> rest_;
};

/// What a term costs in a step of a division: a search in a map, beside an addition.
constexpr std::size_t kOfStep = 8;

}  // namespace

Polynomial Polynomial::constant(const Rational& value) {
  return value == 0 ? Polynomial{} : Polynomial{{{Exponent{}, value}}};
}

bool Polynomial::has_logarithms() const {
  return std::ranges::any_of(terms,
                             [](const Term& term) { return is_of_logarithms(term.exponent); });
}

Polynomial operator-(Polynomial a) {
  Work::spend(a.terms.size());
  for (Term& term : a.terms) term.factor = -term.factor;
  return a;
}

Polynomial operator+(const Polynomial& a, const Polynomial& b) {
  Work::spend(cost_of(a) + cost_of(b));
  Polynomial sum;
  sum.terms.reserve(a.terms.size() + b.terms.size());
  std::ranges::merge(
      a.terms, b.terms, std::back_inserter(sum.terms),
      [](const Exponent& x, const Exponent& y) { return order(x, y) > 0; }, &Term::exponent,
      &Term::exponent);
  collect(sum.terms);
  return sum;
}

Polynomial operator-(const Polynomial& a, const Polynomial& b) {
  return a + -b;
}

Polynomial operator*(const Polynomial& a, const Term& term) {
  Work::spend(a.terms.size());
  Polynomial product;
  if (term.factor == 0) return product;
  product.terms.reserve(a.terms.size());
  for (const auto& [exponent, factor] : a.terms) {
    product.terms.push_back({exponent + term.exponent, factor * term.factor});
  }
  return product;
}

Polynomial operator*(const Polynomial& a, const Rational& factor) {
  return a * Term{{}, factor};
}

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  if (a.is_zero() || b.is_zero()) return {};
  if (b.terms.size() == 1) return a * b.lead();
  if (a.terms.size() == 1) return b * a.lead();
  constexpr std::size_t kSorted = 4;  // what the order of a product costs beside it
  Work::spend(kSorted * a.terms.size() * b.terms.size());
  Work::spend(cost_of(a) * b.terms.size() + cost_of(b) * a.terms.size());
  Polynomial product;
  product.terms.reserve(a.terms.size() * b.terms.size());
  for (const Term& x : a.terms) {
    for (const Term& y : b.terms) {
      product.terms.push_back({x.exponent + y.exponent, x.factor * y.factor});
    }
  }
  std::ranges::sort(
      product.terms, [](const Exponent& x, const Exponent& y) { return order(x, y) > 0; },
      &Term::exponent);
  collect(product.terms);
  return product;
}

std::optional<Term> quotient(const Polynomial& a, const Polynomial& b) {
  if (a.terms.size() != b.terms.size()) return std::nullopt;
  Work::spend(a.terms.size());
  const Term ratio{a.lead().exponent - b.lead().exponent, a.lead().factor / b.lead().factor};
  const auto is_multiple = [&](const Term& of_a, const Term& of_b) {
    return of_a.factor == ratio.factor * of_b.factor &&
           of_a.exponent == ratio.exponent + of_b.exponent;
  };
  if (!std::ranges::equal(a.terms, b.terms, is_multiple)) return std::nullopt;
  return ratio;
}

// As long division does: what is left of f after h^2 begins with twice the product of the leading
// term of h and its next one. All exponents of h lie between those of its first term and its last.
std::optional<Polynomial> root(const Polynomial& f) {
  if (f.last().factor < 0 || !exact_root(f.last().factor)) return std::nullopt;
  if (!may_be_square(f)) return std::nullopt;
  const Exponent least = times(f.last().exponent, Rational(1, 2));
  Remainder rest(f);
  rest.subtract({}, 1);
  Polynomial h = Polynomial::constant(1);
  while (!rest.is_zero()) {
    const Term lead = rest.lead();
    const Term next{lead.exponent, lead.factor / 2};
    if (order(next.exponent, least) < 0) return std::nullopt;
    Work::spend(kOfStep * (h.terms.size() + 1));
    for (const auto& [exponent, factor] : h.terms) {
      rest.subtract(exponent + next.exponent, 2 * factor * next.factor);
    }
    rest.subtract(times(next.exponent, 2), square(next.factor));
    h.terms.push_back(next);
  }
  return h;
}

Normalised normalised(const Polynomial& p) {
  const Term lead = p.lead();
  return {p * Term{-lead.exponent, 1 / lead.factor}, lead};
}

}  // namespace attn::symbolic
