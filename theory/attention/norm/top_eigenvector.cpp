#include <Eigen/Eigenvalues>

#include "theory/attention/norm/spectral_norm.hpp"

namespace attn {
namespace {

template <class P>
P largest_magnitude(const P* first, Eigen::Index count) {
  P largest = 0;
  for (const P* x = first; x != first + count; ++x) {
    if (abs(*x) > largest) largest = abs(*x);
  }
  return largest;
}

template <class P>
P dot(const Vector<P>& x, const Vector<P>& y) {
  P sum = 0;
  for (Eigen::Index i = 0; i < x.size(); ++i) sum += x(i) * y(i);
  return sum;
}

/// x of m x = b by Gaussian elimination with partial pivoting; not finite where m is singular.
/// Eigen's own factorisation is written for speed in hardware arithmetic, and takes tens of seconds
/// to compile for three widths.
template <class P>
Vector<P> solve(Matrix<P> m, Vector<P> b) {
  const Eigen::Index n = m.rows();
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::Index pivot = k;
    for (Eigen::Index i = k + 1; i < n; ++i) {
      if (abs(m(i, k)) > abs(m(pivot, k))) pivot = i;
    }
    for (Eigen::Index j = k; j < n; ++j) std::swap(m(k, j), m(pivot, j));
    std::swap(b(k), b(pivot));
    for (Eigen::Index i = k + 1; i < n && m(k, k) != 0; ++i) {
      const P factor = m(i, k) / m(k, k);
      for (Eigen::Index j = k + 1; j < n; ++j) m(i, j) -= factor * m(k, j);
      b(i) -= factor * b(k);
    }
  }
  for (Eigen::Index k = n - 1; k >= 0; --k) {
    for (Eigen::Index j = k + 1; j < n; ++j) b(k) -= m(k, j) * b(j);
    b(k) /= m(k, k);
  }
  return b;
}

using Widest = Real<kCapDigits>;

/// The rotation of rows and columns p and q that makes m(p, q) zero, applied to m and to the
/// columns of `vectors`.
void rotate(Matrix<Widest>& m, Matrix<Widest>& vectors, Eigen::Index p, Eigen::Index q) {
  const Widest theta = (m(q, q) - m(p, p)) / (2 * m(p, q));
  const Widest size = 1 / (abs(theta) + sqrt(theta * theta + 1));
  const Widest tangent = theta < 0 ? Widest(-size) : size;
  const Widest cosine = 1 / sqrt(tangent * tangent + 1);
  const Widest sine = tangent * cosine;
  const auto mix = [&](Widest& x, Widest& y) {
    const Widest old = x;
    x = cosine * old - sine * y;
    y = sine * old + cosine * y;
  };
  for (Eigen::Index i = 0; i < m.rows(); ++i) mix(m(i, p), m(i, q));
  for (Eigen::Index i = 0; i < m.rows(); ++i) mix(m(p, i), m(q, i));
  for (Eigen::Index i = 0; i < m.rows(); ++i) mix(vectors(i, p), vectors(i, q));
}

/// The eigenvector of the largest eigenvalue by Jacobi's cyclic rotations.
Vector<Widest> decomposed(Matrix<Widest> m) {
  const Eigen::Index n = m.rows();
  Matrix<Widest> vectors = Matrix<Widest>::Identity(n, n);
  const Widest negligible =
      largest_magnitude(m.data(), m.size()) * std::numeric_limits<Widest>::epsilon();
  constexpr int kMostSweeps = 50;
  bool rotated = true;
  for (int sweep = 0; rotated && sweep < kMostSweeps; ++sweep) {
    rotated = false;
    for (Eigen::Index q = 1; q < n; ++q) {
      for (Eigen::Index p = 0; p < q; ++p) {
        if (!(abs(m(p, q)) > negligible)) continue;
        rotate(m, vectors, p, q);
        rotated = true;
      }
    }
  }
  Eigen::Index top = 0;
  for (Eigen::Index i = 1; i < n; ++i) {
    if (m(i, i) > m(top, top)) top = i;
  }
  return vectors.col(top);
}

}  // namespace

template <>
Vector<double> top_eigenvector(const Matrix<double>& symmetric) {
  const double scale = symmetric.cwiseAbs().maxCoeff();
  if (!(scale > 0) || !std::isfinite(scale)) return Vector<double>::Ones(symmetric.rows());
  const Eigen::SelfAdjointEigenSolver<Matrix<double>> solver(symmetric / scale);
  return solver.eigenvectors().col(symmetric.rows() - 1);
}

/// Starts from the eigenvector in double and refines it by Rayleigh quotient iteration, which
/// triples the correct digits each time.
template <class P>
Vector<P> top_eigenvector(const Matrix<P>& symmetric) {
  const Eigen::Index n = symmetric.rows();
  const P scale = largest_magnitude(symmetric.data(), symmetric.size());
  if (!(scale > 0) || !isfinite(scale)) return Vector<P>::Ones(n);
  Matrix<P> scaled = symmetric;
  for (P& x : scaled.reshaped()) x /= scale;
  const Matrix<double> coarse =
      scaled.unaryExpr([](const P& x) { return x.template convert_to<double>(); });
  Vector<P> v = top_eigenvector<double>(coarse).template cast<P>();
  constexpr int kTriplings = 4;  // 15 -> 45 -> 135 -> 405 digits, and one to spare
  for (int i = 0; i < kTriplings; ++i) {
    const P quotient = dot(v, detail::product(scaled, v)) / dot(v, v);
    Matrix<P> shifted = scaled;
    for (Eigen::Index k = 0; k < n; ++k) shifted(k, k) -= quotient;
    Vector<P> next = solve(shifted, v);
    const P largest = largest_magnitude(next.data(), n);
    // A shift that meets the eigenvalue to the last digit leaves a singular matrix: v is good.
    if (!(largest > 0) || !isfinite(largest)) break;
    for (P& x : next) x /= largest;
    v = next;
  }
  return v;
}

/// In the arithmetic of the last level whatever P is: rare, and slow to compile.
template <class P>
Vector<P> decomposed_eigenvector(const Matrix<P>& symmetric) {
  const Matrix<Widest> widest = symmetric.unaryExpr([](const P& x) { return Widest(x); });
  return decomposed(widest).unaryExpr([](const Widest& x) { return P(x); });
}

template Vector<Real<50>> top_eigenvector(const Matrix<Real<50>>&);
template Vector<Real<100>> top_eigenvector(const Matrix<Real<100>>&);
template Vector<Real<kCapDigits>> top_eigenvector(const Matrix<Real<kCapDigits>>&);
template Vector<Real<50>> decomposed_eigenvector(const Matrix<Real<50>>&);
template Vector<Real<100>> decomposed_eigenvector(const Matrix<Real<100>>&);
template Vector<Real<kCapDigits>> decomposed_eigenvector(const Matrix<Real<kCapDigits>>&);

}  // namespace attn
