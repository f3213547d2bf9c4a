#pragma once

#include <gmpxx.h>

// FLINT declares what takes numbers of GMP only where GMP was read before.
#include <flint/fmpq_mpoly.h>

#include <cstdint>
#include <vector>

#include "theory/recheck/ball.hpp"

// Polynomials with rational coefficients in numbers that are algebraically independent, so that one
// is zero only where all its coefficients are: FLINT's fmpq_mpoly.
//
// The variables are t_k = e^(sqrt(n_k)/g_k) with n_k of different square classes: their
// independence is the theorem of Lindemann and Weierstrass. Powers p^(1/h) of primes reduce by
// their h-th power, and are linearly independent with those of other primes (Besicovitch).
// Logarithms are variables too, but no theorem makes those independent: a polynomial in them that
// is not zero as one may be zero as a number.

namespace attn::recheck::exact {

/// Thrown where an exact comparison ends without an answer: it takes too much work, or needs
/// numbers that are none of a `Ring`'s.
struct Beyond {};

class Ring;

/// The exponents of a monomial. [variables]
using Exponents = std::vector<mpz_class>;

/// A polynomial of a ring, which outlives it.
class Polynomial {
 public:
  explicit Polynomial(Ring& ring);
  Polynomial(Ring& ring, const Rational& value);
  Polynomial(Ring& ring, const Rational& coefficient, const Exponents& exponents);
  Polynomial(const Polynomial& other);
  Polynomial(Polynomial&& other) noexcept;
  Polynomial& operator=(Polynomial other) noexcept;
  ~Polynomial();

  Polynomial& operator+=(const Polynomial& other);
  Polynomial& operator*=(const Polynomial& other);
  Polynomial& operator*=(const Rational& factor);
  friend Polynomial operator*(Polynomial x, const Polynomial& y) { return x *= y; }
  friend bool operator==(const Polynomial& x, const Polynomial& y);

  [[nodiscard]] Ring& ring() const { return *ring_; }
  [[nodiscard]] bool is_zero() const { return length() == 0; }
  [[nodiscard]] bool is_constant() const;
  [[nodiscard]] Rational constant() const;  ///< the constant, where the polynomial is one
  [[nodiscard]] std::size_t length() const;
  [[nodiscard]] Rational coefficient(std::size_t term) const;
  [[nodiscard]] Exponents exponents(std::size_t term) const;

  /// The factor that makes it primitive, of integer coefficients without a common divisor of which
  /// the first is positive, once `take_content` has taken it out; not of zero.
  Rational take_content();
  /// The largest monomial that divides it, once it is taken out; not of zero.
  Exponents take_monomial();
  /// Makes a root of a primitive polynomial of itself, where it is a square; else says that it is
  /// none and stays as it is.
  bool take_root();

  /// The value of the polynomial, to about the working precision as far as its terms do not cancel.
  [[nodiscard]] Arb enclosure() const;

 private:
  Ring* ring_;
  fmpq_mpoly_t x_;
};

/// What the value of a polynomial at fixed points says modulo fixed primes: a bit of 1 where it is
/// no square. The signatures of two numbers are equal where their product is a square.
using Signature = std::uint32_t;
Signature signature_of(const Polynomial& x);

/// What stands below a root: positive, an integer or primitive.
struct Radicand {
  Polynomial value;
  Signature signature;
};

/// e^(sqrt(n)/g).
struct ExponentialUnit {
  mpz_class n, g;
};

/// What numbers a comparison speaks of, before the polynomials in them are made.
struct Generators {
  std::vector<ExponentialUnit> units;
  std::vector<mpz_class> primes;  ///< p of p^(1/h)
  mpz_class h{1};
  std::size_t logarithms{};  ///< for how many there is room
};

/// The variables of polynomials, in the order of `Generators`, and how much has been computed.
class Ring {
 public:
  /// `spent` counts its work, and that of others beside it.
  Ring(Generators generators, std::size_t& spent);
  ~Ring();
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  [[nodiscard]] std::size_t variables() const;
  [[nodiscard]] const Generators& generators() const { return generators_; }
  [[nodiscard]] std::size_t variable_of_prime(std::size_t k) const {
    return generators_.units.size() + k;
  }
  [[nodiscard]] std::size_t variable_of_logarithm(std::size_t k) const {
    return variable_of_prime(generators_.primes.size()) + k;
  }
  /// The place of log|x| among the logarithms, x primitive; it is made one where it is none.
  std::size_t logarithm_of(const Polynomial& x);
  [[nodiscard]] std::size_t logarithms() const { return logarithms_.size(); }
  [[nodiscard]] const Polynomial& inside_logarithm(std::size_t k) const { return logarithms_[k]; }
  /// Whether a polynomial that is not zero may be zero as a number.
  [[nodiscard]] bool has_logarithms() const { return !logarithms_.empty(); }

  /// The place of a primitive polynomial among the factors of denominators; it is made one where it
  /// is none.
  std::size_t factor_of(const Polynomial& x);
  [[nodiscard]] const Polynomial& factor(std::size_t k) const { return factors_[k]; }
  /// What stands below roots; no product of two of them is a square.
  std::vector<Radicand>& radicands() { return radicands_; }

  /// Counts work; throws Beyond where it becomes too much.
  void spend(std::size_t terms);

  [[nodiscard]] const fmpq_mpoly_ctx_struct* context() const { return context_; }
  /// A monomial's value.
  [[nodiscard]] Arb enclosure(const Exponents& exponents) const;

 private:
  Generators generators_;
  fmpq_mpoly_ctx_t context_;
  std::vector<Polynomial> logarithms_, factors_;
  std::vector<Radicand> radicands_;
  std::size_t* spent_;
};

/// FLINT's integer from GMP's, and back.
class FlintInteger {
 public:
  explicit FlintInteger(const mpz_class& value = 0) {
    fmpz_init(x_);
    fmpz_set_mpz(x_, value.get_mpz_t());
  }
  ~FlintInteger() { fmpz_clear(x_); }
  FlintInteger(const FlintInteger&) = delete;
  FlintInteger& operator=(const FlintInteger&) = delete;
  [[nodiscard]] fmpz* get() { return x_; }
  [[nodiscard]] mpz_class value() const;

 private:
  fmpz_t x_;
};

}  // namespace attn::recheck::exact
