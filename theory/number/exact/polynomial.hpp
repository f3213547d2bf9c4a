#pragma once

#include <optional>
#include <vector>

#include "theory/number/exact/exponent.hpp"

namespace attn::symbolic {

/// factor * e^exponent.
struct Term {
  Exponent exponent;
  Rational factor;
  bool operator==(const Term&) const = default;
};

/// A sum of terms of different exponents, falling, none with the factor 0. Sparse: what it costs is
/// a matter of its terms, whatever their exponents are. Without logarithms it is zero just where it
/// has no term (Lindemann and Weierstrass).
///
/// Every operation spends work (see work.hpp).
struct Polynomial {
  std::vector<Term> terms;

  static Polynomial constant(const Rational& value);

  [[nodiscard]] bool is_zero() const { return terms.empty(); }
  /// The term of the largest exponent, and of the least, where there is one.
  [[nodiscard]] const Term& lead() const { return terms.front(); }
  [[nodiscard]] const Term& last() const { return terms.back(); }
  /// Whether logarithms take part, so that it may be zero where it has terms.
  [[nodiscard]] bool has_logarithms() const;
  bool operator==(const Polynomial&) const = default;
};

Polynomial operator-(Polynomial a);
Polynomial operator+(const Polynomial& a, const Polynomial& b);
Polynomial operator-(const Polynomial& a, const Polynomial& b);
Polynomial operator*(const Polynomial& a, const Term& term);
Polynomial operator*(const Polynomial& a, const Rational& factor);
Polynomial operator*(const Polynomial& a, const Polynomial& b);

/// a/b, neither zero, where that is one term: the only quotients that are looked for, since longer
/// ones are rare and dear.
std::optional<Term> quotient(const Polynomial& a, const Polynomial& b);

/// h with h^2 = f and a leading factor > 0, of f that is not zero and has the leading exponent 0
/// and the leading factor 1; nothing where there is certainly none.
std::optional<Polynomial> root(const Polynomial& f);

/// A polynomial over its leading term, so that the leading exponent is 0 and the leading factor 1.
struct Normalised {
  Polynomial polynomial;
  Term lead;  ///< the leading term that it was divided by
};

/// p over its leading term; p is not zero.
Normalised normalised(const Polynomial& p);

}  // namespace attn::symbolic
