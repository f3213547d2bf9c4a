#include "theory/attention/norm/spectral_norm.hpp"

namespace attn {
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
