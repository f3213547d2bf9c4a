#include "theory/attention/norm/spectral_norm.hpp"

namespace attn {
namespace detail {

Matrix<ErrorDouble> gram(const Matrix<ErrorDouble>& m) {
  const Matrix<double> values = m.unaryExpr([](const ErrorDouble& x) { return x.value(); });
  const Matrix<double> errors = m.unaryExpr([](const ErrorDouble& x) { return x.error(); });
  const Matrix<double> sizes = values.cwiseAbs() + errors;
  const Matrix<double> middle = values.transpose() * values;
  const Matrix<double> inherited = errors.transpose() * sizes;
  const Matrix<double> all = sizes.transpose() * sizes;
  const double terms = static_cast<double>(m.rows()) + 1;
  // Covers the rounding of what is not negative as well.
  const double slack = 1 + 8 * terms * ErrorDouble::kUnit;
  Matrix<ErrorDouble> g(m.cols(), m.cols());
  for (Eigen::Index j = 0; j < m.cols(); ++j) {
    for (Eigen::Index i = 0; i <= j; ++i) {
      const double rounding =
          2 * terms * ErrorDouble::kUnit * all(i, j) + terms * ErrorDouble::kTiny;
      g(i, j) = {middle(i, j), (inherited(i, j) + inherited(j, i) + rounding) * slack};
      g(j, i) = g(i, j);
    }
  }
  return g;
}

}  // namespace detail

template ErrorDouble spectral_norm(const Matrix<ErrorDouble>&);
template Interval spectral_norm(const Matrix<Interval>&);

}  // namespace attn
