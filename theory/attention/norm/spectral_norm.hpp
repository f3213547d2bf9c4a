#pragma once

#include <Eigen/Core>
#include <type_traits>

#include "theory/number/exact.hpp"
#include "theory/number/scalar.hpp"

namespace attn {

template <class S>
using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
template <class S>
using Vector = Eigen::Matrix<S, Eigen::Dynamic, 1>;

/// An approximate eigenvector of the largest eigenvalue of a symmetric matrix, to ten
/// digits or the working digits. Not certified: whoever uses it must check.
Vector<double> top_eigenvector(const Matrix<double>& symmetric);
Vector<Interval::End> top_eigenvector(const Matrix<Interval::End>& symmetric);

/// An approximate eigenvector of the largest eigenvalue of a symmetric matrix, to about the working
/// digits, from a full decomposition: slower than top_eigenvector, and sure to be of the largest
/// eigenvalue.
Vector<Interval::End> decomposed_eigenvector(const Matrix<Interval::End>& symmetric);

/// Certainly positive definite: every pivot of the Cholesky factorisation in enclosures is
/// certainly positive (false also where the enclosures are too wide to tell).
template <class S>
bool certainly_positive_definite(Matrix<S> m) {
  const Eigen::Index n = m.rows();
  for (Eigen::Index k = 0; k < n; ++k) {
    if (!certainly_positive(m(k, k))) return false;
    for (Eigen::Index i = k + 1; i < n; ++i) {
      const S factor = m(i, k) / m(k, k);
      for (Eigen::Index j = k + 1; j <= i; ++j) m(i, j) -= factor * m(j, k);
    }
  }
  return true;
}

namespace detail {

/// The root of the sum of the squared entries, of a matrix or a vector.
template <class Entries>
auto frobenius_norm(const Entries& entries) {
  using S = typename Entries::Scalar;
  S sum(0.0);
  for (const S& x : entries.reshaped()) sum += square(x);
  return sqrt_nonnegative(sum);
}

/// m v, entry by entry: Eigen's own product asks for comparisons that enclosures do not have.
template <class S>
Vector<S> product(const Matrix<S>& m, const Vector<S>& v) {
  Vector<S> result = Vector<S>::Constant(m.rows(), S(0.0));
  for (Eigen::Index j = 0; j < m.cols(); ++j) {
    for (Eigen::Index i = 0; i < m.rows(); ++i) result(i) += m(i, j) * v(j);
  }
  return result;
}

/// m^T m, with squares on the diagonal so that no enclosure there reaches below zero.
template <class S>
Matrix<S> gram(const Matrix<S>& m) {
  Matrix<S> g(m.cols(), m.cols());
  for (Eigen::Index i = 0; i < m.cols(); ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) {
      S sum(0.0);
      for (Eigen::Index k = 0; k < m.rows(); ++k) {
        sum += i == j ? square(m(k, i)) : m(k, i) * m(k, j);
      }
      g(i, j) = sum;
      g(j, i) = sum;
    }
  }
  return g;
}

/// m^T m, with one bound on the rounding of each sum, by products of plain matrices: with the
/// middles V and the errors E of m, and W = |V| + E, each entry is within E^T W + W^T E of V^T V,
/// and that within 2 n u |V|^T |V| of what is computed, in any order of its n terms (Higham,
/// section 3.5).
Matrix<ErrorDouble> gram(const Matrix<ErrorDouble>& m);

/// t^2 I - g certainly positive definite, hence every singular value certainly below t.
template <class S>
bool certainly_below(const Matrix<S>& g, const Point<S>& t) {
  const S square_t = square(ScalarTraits<S>::from_point(t));
  Matrix<S> difference = -g;
  for (Eigen::Index i = 0; i < g.rows(); ++i) difference(i, i) += square_t;
  return certainly_positive_definite(difference);
}

template <class S>
struct NormAlong {
  S norm;
  bool sharp;  ///< to nearly all digits
};

/// The enclosure that an approximate top eigenvector of m^T m leads to.
template <class S>
NormAlong<S> norm_along(const Matrix<S>& m, const Matrix<S>& g, const S& frobenius,
                        const Vector<Point<S>>& v) {
  using Traits = ScalarTraits<S>;
  using P = Point<S>;
  const P above = Traits::upper(frobenius);
  const Vector<S> direction = v.unaryExpr(&Traits::from_point);
  const S stretched = frobenius_norm(product(m, direction)) / frobenius_norm(direction);
  const P low = Traits::lower(stretched) > 0 ? Traits::lower(stretched) : P(0);
  const P sharp = P(1e6) * Traits::epsilon();
  for (P step = 256 * Traits::epsilon(); step < P(0.25); step *= 16) {
    const P t = Traits::upper(stretched) * (1 + step);
    if (!(t < above)) break;
    if (certainly_below(g, t)) return {Traits::enclose(low, t), step < sharp};
  }
  return {Traits::enclose(low, above), false};
}

}  // namespace detail

/// ||m||, the largest singular value: an enclosure.
///
/// Lower end: ||m v|| / ||v|| for some vector v. Upper end: a t for which t^2 I - m^T m has a
/// Cholesky factorisation in enclosures. The eigenvector that guides both is approximate; it can
/// make the enclosure wide, never wrong. Falls back to the Frobenius norm above.
template <class S>
S spectral_norm(const Matrix<S>& m) {
  using Traits = ScalarTraits<S>;
  using P = Point<S>;
  S frobenius = detail::frobenius_norm(m);
  if (!(Traits::upper(frobenius) > 0)) return frobenius;
  const Matrix<S> g = detail::gram(m);
  const Matrix<P> middle = g.unaryExpr(&Traits::middle);
  const auto quick = detail::norm_along(m, g, frobenius, top_eigenvector(middle));
  if constexpr (std::is_same_v<P, double>) {
    return quick.norm;  // wide at worst, so that intervals decide
  } else {
    // Where the largest singular values all but coincide, the iteration may have met another one.
    return quick.sharp ? quick.norm
                       : detail::norm_along(m, g, frobenius, decomposed_eigenvector(middle)).norm;
  }
}

/// A number that is compared: x is above it just where x^2 I - m^T m is positive definite, which
/// elimination tells.
template <>
Exact spectral_norm(const Matrix<Exact>& m);

// Compiled once, in spectral_norm.cpp: eigenvalue solvers take long.
extern template ErrorDouble spectral_norm(const Matrix<ErrorDouble>&);
extern template Interval spectral_norm(const Matrix<Interval>&);

}  // namespace attn
