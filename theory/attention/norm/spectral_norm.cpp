#include "theory/attention/norm/spectral_norm.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace attn {
namespace {

using End = Interval::End;

/// x of m x = b by Gaussian elimination with partial pivoting; not finite where m is singular.
/// Eigen's own factorisation is written for speed in hardware arithmetic, and takes ten seconds to
/// compile.
Vector<End> solve(Matrix<End> m, Vector<End> b) {
  const Eigen::Index n = m.rows();
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::Index pivot = k;
    for (Eigen::Index i = k + 1; i < n; ++i) {
      if (abs(m(i, k)) > abs(m(pivot, k))) pivot = i;
    }
    for (Eigen::Index j = k; j < n; ++j) std::swap(m(k, j), m(pivot, j));
    std::swap(b(k), b(pivot));
    for (Eigen::Index i = k + 1; i < n && m(k, k) != 0; ++i) {
      const End factor = m(i, k) / m(k, k);
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

/// How often the correct digits of a double triple until they are the working ones, and one to
/// spare.
int triplings() {
  int count = 1;
  for (unsigned digits = 15; digits < WorkingDigits::now(); digits *= 3) ++count;
  return count;
}

}  // namespace

/// By powers of the matrix, where its largest eigenvalue stands well above the next, and else from
/// the full decomposition, which takes twenty times as long.
Vector<double> top_eigenvector(const Matrix<double>& symmetric) {
  constexpr int kPowers = 64;
  constexpr double kConverged = 1e-11;  // of the eigenvalue: what is left beside it
  const Eigen::Index n = symmetric.rows();
  const double scale = symmetric.cwiseAbs().maxCoeff();
  if (!(scale > 0) || !std::isfinite(scale)) return Vector<double>::Ones(n);
  const Matrix<double> scaled = symmetric / scale;
  // Near none of the vectors that the matrices at hand take to 0.
  Vector<double> v(n);
  for (Eigen::Index i = 0; i < n; ++i) v(i) = 0.6180339887 * static_cast<double>((i + 1) * (i + 1));
  v.array() -= v.array().floor() + 0.4;
  for (int i = 0; i < kPowers; ++i) {
    v.normalize();
    Vector<double> next = scaled * v;
    const double value = v.dot(next);
    if (value > 0 && (next - value * v).norm() <= kConverged * value) return next;
    v.swap(next);
  }
  const Eigen::SelfAdjointEigenSolver<Matrix<double>> solver(scaled);
  return solver.eigenvectors().col(n - 1);
}

/// Starts from the eigenvector in double and refines it by Rayleigh quotient iteration, which
/// triples the correct digits each time.
Vector<End> top_eigenvector(const Matrix<End>& symmetric) {
  const Eigen::Index n = symmetric.rows();
  const End scale = symmetric.cwiseAbs().maxCoeff();
  if (!(scale > 0) || !isfinite(scale)) return Vector<End>::Ones(n);
  const Matrix<End> scaled = symmetric / scale;
  const Matrix<double> coarse =
      scaled.unaryExpr([](const End& x) { return x.convert_to<double>(); });
  Vector<End> v = top_eigenvector(coarse).cast<End>();
  for (int i = 0; i < triplings(); ++i) {
    const End quotient = v.dot(detail::product(scaled, v)) / v.squaredNorm();
    Matrix<End> shifted = scaled;
    for (Eigen::Index k = 0; k < n; ++k) shifted(k, k) -= quotient;
    const Vector<End> next = solve(shifted, v);
    const End largest = next.cwiseAbs().maxCoeff();
    // A shift that meets the eigenvalue to the last digit leaves a singular matrix: v is good.
    if (!(largest > 0) || !isfinite(largest)) break;
    v = next / largest;
  }
  return v;
}

Vector<End> decomposed_eigenvector(const Matrix<End>& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Matrix<End>> solver(symmetric);
  return solver.eigenvectors().col(symmetric.rows() - 1);
}

namespace detail {

Matrix<ErrorDouble> gram(const Matrix<ErrorDouble>& m) {
  const Matrix<double> values = m.unaryExpr([](const ErrorDouble& x) { return x.value(); });
  const Matrix<double> errors = m.unaryExpr([](const ErrorDouble& x) { return x.error(); });
  const Matrix<double> sizes = values.cwiseAbs() + errors;
  Matrix<double> middle = Matrix<double>::Zero(m.cols(), m.cols());
  middle.selfadjointView<Eigen::Upper>().rankUpdate(values.transpose());
  const double terms = static_cast<double>(m.rows()) + 1;
  // E^T W + W^T E + 2 n u W^T W, by one product.
  const Matrix<double> inherited =
      (errors + terms * ErrorDouble::kUnit * sizes).transpose() * sizes;
  // Covers the rounding of what is not negative as well.
  const double slack = 1 + 8 * terms * ErrorDouble::kUnit;
  Matrix<ErrorDouble> g(m.cols(), m.cols());
  for (Eigen::Index j = 0; j < m.cols(); ++j) {
    for (Eigen::Index i = 0; i <= j; ++i) {
      const double underflow = terms * ErrorDouble::kTiny;
      g(i, j) = {middle(i, j), (inherited(i, j) + inherited(j, i) + underflow) * slack};
      g(j, i) = g(i, j);
    }
  }
  return g;
}

}  // namespace detail

template ErrorDouble spectral_norm(const Matrix<ErrorDouble>&);
template Interval spectral_norm(const Matrix<Interval>&);

}  // namespace attn
