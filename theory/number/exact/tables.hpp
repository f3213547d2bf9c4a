#pragma once

#include <compare>
#include <cstddef>
#include <deque>
#include <map>
#include <vector>

#include "theory/number/exact/polynomial.hpp"

namespace attn::symbolic {

// Generators of the group of monomials, by number: 0 stands for e; 1 and on for e^sqrt(n_k), n_k
// the k-th square class; then those of the k-th polynomial P of the table of logarithms, |P|
// itself, of which rational powers are taken, and |log |P||.
inline constexpr int kFirstPower = 1'000'000;
inline constexpr int kFirstLogarithm = 2'000'000;

inline bool is_of_logarithms(const Exponent& exponent) {
  return !exponent.others.empty() && exponent.others.back().first >= kFirstPower;
}

/// Different polynomials by number, from 0 on, each with its sign once that has been asked for.
class PolynomialTable {
 public:
  std::size_t id_of(const Polynomial& p);

  [[nodiscard]] const Polynomial& operator[](std::size_t id) const { return entries_.at(id).first; }
  /// The sign of a polynomial; 0 where it is not known yet.
  [[nodiscard]] int& sign(std::size_t id) { return entries_.at(id).second; }

 private:
  struct Before {
    bool operator()(const Polynomial& a, const Polynomial& b) const;
  };
  std::map<Polynomial, std::size_t, Before> ids_;
  std::deque<std::pair<Polynomial, int>> entries_;
};

/// sqrt(n) = factor sqrt(square class).
struct RootOfRational {
  int square_class;
  Rational factor;
};

/// The rationals > 0 up to squares of rationals: an integer for each class, that of 1 first.
class SquareClasses {
 public:
  /// sqrt(n), n > 0.
  RootOfRational root_of(const Rational& n);

  [[nodiscard]] const Rational& operator[](int id) const {
    return classes_.at(static_cast<std::size_t>(id));
  }

 private:
  std::vector<Rational> classes_{Rational(1)};
  std::map<Rational, RootOfRational> found_;
};

/// What the numbers of one case are made of.
struct Tables {
  SquareClasses square_classes;
  PolynomialTable factors;    ///< polynomials that are factors of denominators
  PolynomialTable radicands;  ///< polynomials under square roots
  /// Polynomials P of which logarithms are taken; the sign is that of log |P|.
  PolynomialTable logarithms;
};

}  // namespace attn::symbolic
