#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "theory/attention/norm/spectral_norm.hpp"

namespace attn {

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
  using std::abs;
  using std::isfinite;
  const Eigen::Index n = symmetric.rows();
  P scale = 0;
  for (const P& x : symmetric.reshaped()) scale = abs(x) > scale ? P(abs(x)) : scale;
  if (!(scale > 0) || !isfinite(scale)) return Vector<P>::Ones(n);
  const Matrix<P> scaled = symmetric / scale;
  const Matrix<double> coarse =
      scaled.unaryExpr([](const P& x) { return x.template convert_to<double>(); });
  Vector<P> v = top_eigenvector<double>(coarse).template cast<P>();
  constexpr int kTriplings = 4;  // 15 -> 45 -> 135 -> 405 digits, and one to spare
  for (int i = 0; i < kTriplings; ++i) {
    const P quotient = v.dot(scaled * v) / v.squaredNorm();
    Matrix<P> shifted = scaled;
    for (Eigen::Index k = 0; k < n; ++k) shifted(k, k) -= quotient;
    const Vector<P> next = shifted.partialPivLu().solve(v);
    P largest = 0;
    for (const P& x : next) largest = abs(x) > largest ? P(abs(x)) : largest;
    // A shift that meets the eigenvalue to the last digit leaves a singular matrix: v is good.
    if (!(largest > 0) || !isfinite(largest)) break;
    v = next / largest;
  }
  return v;
}

template <class P>
Vector<P> decomposed_eigenvector(const Matrix<P>& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Matrix<P>> solver(symmetric);
  if (solver.info() != Eigen::Success) return Vector<P>::Ones(symmetric.rows());
  return solver.eigenvectors().col(symmetric.rows() - 1);
}

template Vector<Real<50>> top_eigenvector(const Matrix<Real<50>>&);
template Vector<Real<100>> top_eigenvector(const Matrix<Real<100>>&);
template Vector<Real<kCapDigits>> top_eigenvector(const Matrix<Real<kCapDigits>>&);
template Vector<Real<50>> decomposed_eigenvector(const Matrix<Real<50>>&);
template Vector<Real<100>> decomposed_eigenvector(const Matrix<Real<100>>&);
template Vector<Real<kCapDigits>> decomposed_eigenvector(const Matrix<Real<kCapDigits>>&);

}  // namespace attn
