#include "theory/recheck/exact/ring.hpp"

#include <flint/ulong_extras.h>

#include <algorithm>
#include <array>

namespace attn::recheck::exact {
namespace {

/// Products of terms, about, that are worth a verdict.
constexpr std::size_t kMostWork = 1 << 24;

Rational rational_of(const fmpq_t x) {
  Rational value;
  fmpq_get_mpq(value.get_mpq_t(), x);
  return value;
}

class FlintRational {
 public:
  explicit FlintRational(const Rational& value = 0) {
    fmpq_init(x_);
    fmpq_set_mpq(x_, value.get_mpq_t());
  }
  ~FlintRational() { fmpq_clear(x_); }
  FlintRational(const FlintRational&) = delete;
  FlintRational& operator=(const FlintRational&) = delete;
  [[nodiscard]] fmpq* get() { return x_; }

 private:
  fmpq_t x_;
};

/// Exponents as FLINT takes and gives them.
class FlintExponents {
 public:
  explicit FlintExponents(std::size_t count) : values_(count) {
    for (fmpz& value : values_) {
      fmpz_init(&value);
      pointers_.push_back(&value);
    }
  }
  explicit FlintExponents(const Exponents& exponents) : FlintExponents(exponents.size()) {
    for (std::size_t k = 0; k < exponents.size(); ++k) {
      fmpz_set_mpz(&values_[k], exponents[k].get_mpz_t());
    }
  }
  ~FlintExponents() {
    for (fmpz& value : values_) fmpz_clear(&value);
  }
  FlintExponents(const FlintExponents&) = delete;
  FlintExponents& operator=(const FlintExponents&) = delete;

  [[nodiscard]] fmpz** get() { return pointers_.data(); }
  [[nodiscard]] const fmpz& operator[](std::size_t k) const { return values_[k]; }
  [[nodiscard]] Exponents values() const {
    Exponents all(values_.size());
    for (std::size_t k = 0; k < all.size(); ++k) fmpz_get_mpz(all[k].get_mpz_t(), &values_[k]);
    return all;
  }

 private:
  std::vector<fmpz> values_;
  std::vector<fmpz*> pointers_;
};

/// x^exponent.
Arb power(const Arb& x, const mpz_class& exponent) {
  Arb result;
  arb_pow_fmpz(result.get(), x.get(), FlintInteger(exponent).get(), working_bits);
  return result;
}

/// p^(k/h) for k >= h is p^(k/h - 1) p, and so on.
Polynomial reduced(const Polynomial& x) {
  Ring& ring = x.ring();
  const Generators& generators = ring.generators();
  Polynomial sum(ring);
  for (std::size_t term = 0; term < x.length(); ++term) {
    Exponents exponents = x.exponents(term);
    Rational coefficient = x.coefficient(term);
    for (std::size_t k = 0; k < generators.primes.size(); ++k) {
      mpz_class& exponent = exponents[ring.variable_of_prime(k)];
      const mpz_class whole = exponent / generators.h;
      if (!whole.fits_ulong_p()) throw Beyond();
      mpz_class factor;
      mpz_pow_ui(factor.get_mpz_t(), generators.primes[k].get_mpz_t(), whole.get_ui());
      coefficient *= factor;
      exponent -= whole * generators.h;
    }
    sum += Polynomial(ring, coefficient, exponents);
  }
  return sum;
}

/// The least primes above 2^60, and for each a point of its own.
constexpr std::size_t kPrimes = 8 * sizeof(Signature);

std::array<ulong, kPrimes> large_primes() {
  std::array<ulong, kPrimes> primes{};
  ulong last = 1UL << 60;
  for (ulong& prime : primes) prime = last = n_nextprime(last, 1);
  return primes;
}

/// The variable's value at the point of a prime: Weyl's sequence, stirred.
ulong value_at(std::size_t variable, ulong prime) {
  ulong x = (variable + 1) * 0x9e3779b97f4a7c15UL ^ prime;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9UL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebUL;
  return (x ^ (x >> 31)) % (prime - 1) + 1;
}

}  // namespace

mpz_class FlintInteger::value() const {
  mpz_class result;
  fmpz_get_mpz(result.get_mpz_t(), x_);
  return result;
}

Polynomial::Polynomial(Ring& ring) : ring_(&ring) {
  fmpq_mpoly_init(x_, ring.context());
}

Polynomial::Polynomial(Ring& ring, const Rational& value) : Polynomial(ring) {
  fmpq_mpoly_set_fmpq(x_, FlintRational(value).get(), ring.context());
}

Polynomial::Polynomial(Ring& ring, const Rational& coefficient, const Exponents& exponents)
    : Polynomial(ring) {
  if (coefficient == 0) return;
  fmpq_mpoly_push_term_fmpq_fmpz(x_, FlintRational(coefficient).get(),
                                 FlintExponents(exponents).get(), ring.context());
  fmpq_mpoly_reduce(x_, ring.context());
}

Polynomial::Polynomial(const Polynomial& other) : Polynomial(*other.ring_) {
  fmpq_mpoly_set(x_, other.x_, ring_->context());
}

Polynomial::Polynomial(Polynomial&& other) noexcept : Polynomial(*other.ring_) {
  fmpq_mpoly_swap(x_, other.x_, ring_->context());
}

Polynomial& Polynomial::operator=(Polynomial other) noexcept {
  fmpq_mpoly_swap(x_, other.x_, ring_->context());
  return *this;
}

Polynomial::~Polynomial() {
  fmpq_mpoly_clear(x_, ring_->context());
}

Polynomial& Polynomial::operator+=(const Polynomial& other) {
  ring_->spend(length() + other.length());
  fmpq_mpoly_add(x_, x_, other.x_, ring_->context());
  return *this;
}

Polynomial& Polynomial::operator*=(const Polynomial& other) {
  ring_->spend(length() * other.length());
  fmpq_mpoly_mul(x_, x_, other.x_, ring_->context());
  if (!ring_->generators().primes.empty()) *this = reduced(*this);
  return *this;
}

Polynomial& Polynomial::operator*=(const Rational& factor) {
  fmpq_mpoly_scalar_mul_fmpq(x_, x_, FlintRational(factor).get(), ring_->context());
  return *this;
}

bool operator==(const Polynomial& x, const Polynomial& y) {
  return fmpq_mpoly_equal(x.x_, y.x_, x.ring_->context()) != 0;
}

bool Polynomial::is_constant() const {
  return fmpq_mpoly_is_fmpq(x_, ring_->context()) != 0;
}

Rational Polynomial::constant() const {
  FlintRational value;
  fmpq_mpoly_get_fmpq(value.get(), x_, ring_->context());
  return rational_of(value.get());
}

std::size_t Polynomial::length() const {
  return static_cast<std::size_t>(fmpq_mpoly_length(x_, ring_->context()));
}

Rational Polynomial::coefficient(std::size_t term) const {
  FlintRational value;
  fmpq_mpoly_get_term_coeff_fmpq(value.get(), x_, static_cast<slong>(term), ring_->context());
  return rational_of(value.get());
}

Exponents Polynomial::exponents(std::size_t term) const {
  FlintExponents exponents(ring_->variables());
  fmpq_mpoly_get_term_exp_fmpz(exponents.get(), x_, static_cast<slong>(term), ring_->context());
  return exponents.values();
}

Rational Polynomial::take_content() {
  const Rational content = rational_of(x_->content);
  *this *= Rational(1 / content);
  return content;
}

Exponents Polynomial::take_monomial() {
  const auto* const context = ring_->context()->zctx;
  fmpz_mpoly_t common;
  fmpz_mpoly_init(common, context);
  fmpz_mpoly_term_content(common, x_->zpoly, context);
  FlintExponents exponents(ring_->variables());
  fmpz_mpoly_get_term_exp_fmpz(exponents.get(), common, 0, context);
  fmpz_mpoly_divides(x_->zpoly, x_->zpoly, common, context);
  fmpz_mpoly_clear(common, context);
  return exponents.values();
}

bool Polynomial::take_root() {
  const auto* const context = ring_->context()->zctx;
  ring_->spend(length());
  fmpz_mpoly_t root;
  fmpz_mpoly_init(root, context);
  const bool is_square = fmpz_mpoly_sqrt(root, x_->zpoly, context) != 0;
  if (is_square) fmpz_mpoly_swap(x_->zpoly, root, context);
  fmpz_mpoly_clear(root, context);
  return is_square;
}

Arb Polynomial::enclosure() const {
  constexpr std::size_t kBitsPerTerm = 16;
  ring_->spend(length() * static_cast<std::size_t>(working_bits) / kBitsPerTerm);
  Arb sum;
  for (std::size_t term = 0; term < length(); ++term) {
    sum += Arb(coefficient(term)) * ring_->enclosure(exponents(term));
  }
  return sum;
}

Ring::Ring(Generators generators, std::size_t& spent)
    : generators_(std::move(generators)), spent_(&spent) {
  // FLINT does not take a ring without variables everywhere.
  const std::size_t count = variable_of_logarithm(generators_.logarithms);
  if (count == 0) generators_.logarithms = 1;
  fmpq_mpoly_ctx_init(context_, static_cast<slong>(variables()), ORD_LEX);
}

Ring::~Ring() {
  logarithms_.clear();
  factors_.clear();
  radicands_.clear();
  fmpq_mpoly_ctx_clear(context_);
}

std::size_t Ring::variables() const {
  return variable_of_logarithm(generators_.logarithms);
}

std::size_t Ring::logarithm_of(const Polynomial& x) {
  const auto found = std::ranges::find(logarithms_, x);
  if (found != logarithms_.end()) return static_cast<std::size_t>(found - logarithms_.begin());
  if (logarithms_.size() == generators_.logarithms) throw Beyond();
  logarithms_.push_back(x);
  return logarithms_.size() - 1;
}

std::size_t Ring::factor_of(const Polynomial& x) {
  const auto found = std::ranges::find(factors_, x);
  if (found != factors_.end()) return static_cast<std::size_t>(found - factors_.begin());
  factors_.push_back(x);
  return factors_.size() - 1;
}

void Ring::spend(std::size_t terms) {
  *spent_ += terms;
  if (*spent_ > kMostWork) throw Beyond();
}

Arb Ring::enclosure(const Exponents& exponents) const {
  Arb value(1);
  Arb exponent;
  bool is_exponential = false;
  for (std::size_t k = 0; k < generators_.units.size(); ++k) {
    if (exponents[k] == 0) continue;
    const auto& [n, g] = generators_.units[k];
    // An error of the exponent is a relative one of the power: as many bits more as it is long.
    const Precision precision(working_bits +
                              static_cast<slong>(mpz_sizeinbase(exponents[k].get_mpz_t(), 2)) +
                              static_cast<slong>(mpz_sizeinbase(n.get_mpz_t(), 2)));
    exponent += sqrt(Arb(Rational(n))) * Arb(Rational(exponents[k], g));
    is_exponential = true;
  }
  if (is_exponential) value = exp(exponent);
  for (std::size_t k = 0; k < generators_.primes.size(); ++k) {
    const mpz_class& of_prime = exponents[variable_of_prime(k)];
    if (of_prime == 0) continue;
    value *=
        exp(log(Arb(Rational(generators_.primes[k]))) * Arb(Rational(of_prime, generators_.h)));
  }
  for (std::size_t k = 0; k < logarithms_.size(); ++k) {
    const mpz_class& of_logarithm = exponents[variable_of_logarithm(k)];
    if (of_logarithm == 0) continue;
    value *= power(log(abs(logarithms_[k].enclosure())), of_logarithm);
  }
  return value;
}

Signature signature_of(const Polynomial& x) {
  static const std::array<ulong, kPrimes> primes = large_primes();
  Ring& ring = x.ring();
  ring.spend(kPrimes * x.length());
  std::array<ulong, kPrimes> sums{};
  for (std::size_t term = 0; term < x.length(); ++term) {
    FlintInteger coefficient(x.coefficient(term).get_num());
    FlintExponents exponents(x.exponents(term));
    for (std::size_t k = 0; k < kPrimes; ++k) {
      const ulong p = primes[k];
      const ulong inverse = n_preinvert_limb(p);
      ulong value = fmpz_fdiv_ui(coefficient.get(), p);
      for (std::size_t variable = 0; variable < ring.variables(); ++variable) {
        if (fmpz_is_zero(&exponents[variable]) != 0) continue;
        const ulong power = fmpz_fdiv_ui(&exponents[variable], p - 1);
        value = n_mulmod2_preinv(
            value, n_powmod2_ui_preinv(value_at(variable, p), power, p, inverse), p, inverse);
      }
      sums[k] = n_addmod(sums[k], value, p);
    }
  }
  Signature signature = 0;
  for (std::size_t k = 0; k < kPrimes; ++k) {
    const bool is_square = n_jacobi_unsigned(sums[k], primes[k]) >= 0;
    signature = 2 * signature + (is_square ? 0 : 1);
  }
  return signature;
}

}  // namespace attn::recheck::exact
