#pragma once

#include <vector>

#include "theory/recheck/exact/surd.hpp"

// Exponentials and logarithms of what a ring has. All throw Beyond for others.

namespace attn::recheck::exact {

/// What stands in an exponent: sum of factor sqrt(n), and of factor times a logarithm of the ring.
struct LinearForm {
  struct OfRoot {
    mpz_class n;
    Rational factor;
  };
  struct OfLogarithm {
    std::size_t place;
    Rational factor;
  };
  std::vector<OfRoot> roots;
  std::vector<OfLogarithm> logarithms;

  /// The form that x is. Throws Beyond for what is no such sum.
  explicit LinearForm(const Surd& x);
};

/// Makes room in the generators for e to the power of the form, whose logarithms are `ring`'s.
void provide(Generators& generators, const LinearForm& form, const Ring& ring);

/// e to the power of the form, for which the ring has room.
Surd exponential(const LinearForm& form, Ring& ring);

/// The logarithm of a positive fraction.
Surd logarithm(const Surd& x);

}  // namespace attn::recheck::exact
