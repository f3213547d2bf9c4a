#include "theory/recheck/exact/surd.hpp"

#include <algorithm>
#include <iterator>
#include <span>

namespace attn::recheck::exact {
namespace {

std::optional<Rational> root_if_square(const Rational& x) {
  const bool is_square = sgn(x) >= 0 && mpz_perfect_square_p(x.get_num_mpz_t()) != 0 &&
                         mpz_perfect_square_p(x.get_den_mpz_t()) != 0;
  if (!is_square) return std::nullopt;
  return Rational(::sqrt(x.get_num()), ::sqrt(x.get_den()));
}

constexpr slong kFirstBits = 128;
/// A near tie to as many binary digits is told.
constexpr slong kLastBits = 1 << 15;

/// The sign of what is not zero; throws Beyond where that many bits do not show it.
int sign_by_enclosure(const auto& x, slong most_bits = kLastBits) {
  for (slong bits = kFirstBits; bits <= most_bits; bits *= 4) {
    const Precision precision(bits);
    const Arb value = x.enclosure();
    if (Arb(0) < value) return 1;
    if (value < Arb(0)) return -1;
  }
  throw Beyond();
}

/// |root of x| of a positive polynomial that is a square; else nothing.
std::optional<Polynomial> root_if_square(Polynomial x) {
  const auto content = root_if_square(x.take_content());
  if (!content || !x.take_root()) return std::nullopt;
  x *= *content;
  if (sign_by_enclosure(x) < 0) x *= Rational(-1);
  return x;
}

Fraction over(Polynomial numerator, Ring& ring, std::span<const std::size_t> radicands) {
  Fraction result(std::move(numerator));
  for (const std::size_t k : radicands) result /= Fraction(ring.radicands()[k].value);
  return result;
}

/// The root of a positive number, an integer or primitive: fraction and radicands.
std::pair<Surd::Roots, Fraction> root_of(const Polynomial& x) {
  Ring& ring = x.ring();
  const Signature signature = signature_of(x);
  if (signature == 0) {
    if (auto root = root_if_square(x)) return {{}, Fraction(std::move(*root))};
  }
  std::vector<Radicand>& known = ring.radicands();
  for (std::size_t k = 0; k < known.size(); ++k) {
    if (known[k].signature != signature) continue;
    if (auto root = root_if_square(known[k].value * x)) {
      return {{k}, over(std::move(*root), ring, std::vector{k})};
    }
  }
  known.push_back({.value = x, .signature = signature});
  return {{known.size() - 1}, Fraction(ring, 1)};
}

/// What two lists of places in increasing order have in common and have not: the places in both, in
/// one alone, and in the first alone.
struct Overlap {
  Surd::Roots both, one, first;

  Overlap(const Surd::Roots& x, const Surd::Roots& y) {
    std::ranges::set_intersection(x, y, std::back_inserter(both));
    std::ranges::set_symmetric_difference(x, y, std::back_inserter(one));
    std::ranges::set_difference(x, y, std::back_inserter(first));
  }
};

Polynomial product(Ring& ring, const Surd::Roots& radicands) {
  Polynomial result(ring, 1);
  for (const std::size_t k : radicands) result *= ring.radicands()[k].value;
  return result;
}

Signature class_of(Ring& ring, const Surd::Roots& radicands) {
  Signature signature = 0;
  for (const std::size_t k : radicands) signature ^= ring.radicands()[k].signature;
  return signature;
}

/// x/y of the products of both roots, where that is no root any more.
std::optional<Fraction> quotient(Ring& ring, const Surd::Roots& x, const Surd::Roots& y) {
  if (class_of(ring, x) != class_of(ring, y)) return std::nullopt;
  const Overlap overlap(y, x);
  auto root = root_if_square(product(ring, overlap.one));
  if (!root) return std::nullopt;
  return over(std::move(*root), ring, overlap.first);
}

}  // namespace

Surd::Surd(Fraction value) : ring_(&value.ring()) {
  if (!value.is_zero()) terms_.emplace(Roots{}, std::move(value));
}

void Surd::add(const Roots& roots, const Fraction& factor) {
  const auto [place, inserted] = terms_.emplace(roots, factor);
  if (!inserted) place->second += factor;
  if (place->second.is_zero()) terms_.erase(place);
}

Surd& Surd::operator+=(const Surd& other) {
  for (const auto& [roots, factor] : other.terms_) add(roots, factor);
  return *this;
}

Surd& Surd::operator-=(const Surd& other) {
  Surd negative = other;
  negative *= Rational(-1);
  return *this += negative;
}

Surd& Surd::operator*=(const Surd& other) {
  Surd result(*ring_, 0);
  for (const auto& [roots, factor] : terms_) {
    for (const auto& [other_roots, other_factor] : other.terms_) {
      const Overlap overlap(roots, other_roots);
      Fraction all = factor * other_factor;
      if (!overlap.both.empty()) all *= Fraction(product(*ring_, overlap.both));
      result.add(overlap.one, all);
    }
  }
  return *this = std::move(result);
}

Surd& Surd::operator*=(const Rational& factor) {
  if (factor == 0) terms_.clear();
  for (auto& [roots, value] : terms_) value *= factor;
  return *this;
}

Surd& Surd::operator/=(Surd other) {
  other.collect();
  if (other.terms_.empty()) throw Beyond();
  const Fraction* const divisor = other.fraction();
  if (divisor == nullptr) return *this *= other.inverse();
  for (auto& [roots, factor] : terms_) factor /= *divisor;
  return *this;
}

/// The inverse of collected terms: with u + v s, s the first root, (u - v s)/(u^2 - v^2 s^2).
Surd Surd::inverse() const {
  const Roots& some =
      std::ranges::find_if(terms_, [](const auto& term) { return !term.first.empty(); })->first;
  const std::size_t root = some.front();
  Surd conjugate(*ring_, 0);
  for (const auto& [roots, factor] : terms_) {
    const bool turned = std::ranges::binary_search(roots, root);
    conjugate.add(roots, turned ? factor * Fraction(*ring_, -1) : factor);
  }
  conjugate /= *this * conjugate;
  return conjugate;
}

const Fraction* Surd::fraction() const {
  if (terms_.size() == 1 && terms_.begin()->first.empty()) return &terms_.begin()->second;
  return nullptr;
}

std::optional<Rational> Surd::rational() const {
  if (terms_.empty()) return Rational(0);
  const Fraction* const value = fraction();
  if (value == nullptr || !value->is_constant()) return std::nullopt;
  return value->numerator().constant();
}

void Surd::collect() {
  Surd collected(*ring_, 0);
  for (const auto& [roots, factor] : terms_) {
    auto like = std::optional<Fraction>();
    for (const auto& [known, sum] : collected.terms_) {
      like = quotient(*ring_, roots, known);
      if (!like) continue;
      collected.add(Roots(known), factor * *like);
      break;
    }
    if (!like) collected.add(roots, factor);
  }
  *this = std::move(collected);
}

Arb Surd::enclosure() const {
  Arb sum;
  for (const auto& [roots, factor] : terms_) {
    Arb value = factor.enclosure();
    for (const std::size_t k : roots) value *= sqrt(ring_->radicands()[k].value.enclosure());
    sum += value;
  }
  return sum;
}

namespace {

/// A monomial of which half the exponents are taken: the root of the rest, and the rest.
struct HalvedMonomial {
  Fraction root;
  Polynomial rest;

  HalvedMonomial(Ring& ring, Exponents above, const Exponents& below)
      : root(ring, 1), rest(ring, 1) {
    Exponents up(above.size());
    Exponents down(above.size());
    for (std::size_t k = 0; k < above.size(); ++k) {
      if (!below.empty()) above[k] -= below[k];
      mpz_class half;
      mpz_fdiv_q_2exp(half.get_mpz_t(), above[k].get_mpz_t(), 1);
      above[k] -= 2 * half;
      (half > 0 ? up : down)[k] = ::abs(half);
    }
    root = Fraction(Polynomial(ring, 1, up));
    root /= Fraction(Polynomial(ring, 1, down));
    rest = Polynomial(ring, 1, above);
  }
};

}  // namespace

namespace {

/// The root of u + v s, s a root: sqrt((u + n)/2) +- sqrt((u - n)/2) with n = sqrt(u^2 - v^2 s^2),
/// where that is a fraction.
Surd root_of_two(const Surd& x) {
  if (x.terms().size() != 2 || !x.terms().begin()->first.empty()) throw Beyond();
  const Fraction& u = x.terms().begin()->second;
  const auto& [roots, v] = *std::next(x.terms().begin());
  Surd squares{v * v * Fraction(product(x.ring(), roots))};
  squares *= Rational(-1);
  squares += Surd(u * u);
  Surd n = root_of(squares);
  if (n.fraction() == nullptr) throw Beyond();
  const Rational half(1, 2);
  n *= half;
  Surd middle{u};
  middle *= half;
  const Surd larger = root_of(middle + n);
  const Surd smaller = root_of(middle - n);
  return sign_by_enclosure(v) > 0 ? larger + smaller : larger - smaller;
}

}  // namespace

// c P m/(f^2 g ..): what stands below the root, P g .. and what is left of the monomial m, is made
// positive together with the number c, of which the root of p/q is that of p q over q.
Surd root_of(const Surd& x) {
  if (x.terms_.empty()) return x;
  const Fraction* const value = x.fraction();
  if (value == nullptr) return root_of_two(x);
  Ring& ring = x.ring();
  Polynomial radicand = value->numerator();
  const HalvedMonomial monomial(ring, radicand.take_monomial(), value->monomial());
  Rational content = radicand.take_content();
  radicand *= monomial.rest;
  Fraction outside = monomial.root;
  for (const auto& [place, power] : value->factors()) {
    if (power % 2 == 1) radicand *= ring.factor(place);
    for (unsigned k = 0; k < (power + 1) / 2; ++k) outside /= Fraction(ring.factor(place));
  }
  if (sign_by_enclosure(outside) < 0) outside *= Rational(-1);
  if (sign_by_enclosure(radicand) < 0) {
    radicand *= Rational(-1);
    content = -content;
  }
  if (content < 0) throw Beyond();
  outside *= Rational(1 / Rational(content.get_den()));
  Surd root(std::move(outside));
  for (const Polynomial& part :
       {Polynomial(ring, Rational(content.get_num() * content.get_den())), radicand}) {
    const auto [roots, factor] = root_of(part);
    Surd of_part(ring, 0);
    of_part.add(roots, factor);
    root *= of_part;
  }
  return root;
}

namespace {

/// The sign of u + v of two classes, by u^2 - v^2 where they differ in sign.
int sign_of_two(const Surd& x) {
  const auto& [roots, factor] = *x.terms().begin();
  const auto& [other_roots, other] = *std::next(x.terms().begin());
  const int sign = sign_by_enclosure(factor);
  if (sign == sign_by_enclosure(other)) return sign;
  Fraction squares = other * other * Fraction(product(x.ring(), other_roots));
  squares *= Rational(-1);
  squares += factor * factor * Fraction(product(x.ring(), roots));
  return sign * sign_by_enclosure(squares);
}

}  // namespace

Sign sign_of(Surd x) {
  const auto found = [&]() -> std::optional<int> {
    try {
      return sign_by_enclosure(x, kFirstBits);
    } catch (const Beyond&) {
      return std::nullopt;
    }
  }();
  if (found) return {.value = found, .differs = true};
  x.collect();
  if (x.terms().empty()) return {.value = 0, .differs = false};
  try {
    return {.value = x.terms().size() == 2 ? sign_of_two(x) : sign_by_enclosure(x),
            .differs = true};
  } catch (const Beyond&) {
    return {.value = std::nullopt, .differs = !x.ring().has_logarithms()};
  }
}

int known_sign_of(Surd x) {
  const Sign sign = sign_of(std::move(x));
  if (!sign.value) throw Beyond();
  return *sign.value;
}

}  // namespace attn::recheck::exact
