#include "theory/attention/sinkhorn.hpp"

namespace attn {

std::vector<std::vector<Rational>> sinkhorn_jacobian(const std::vector<std::vector<Rational>>& p) {
  const std::size_t n = p.size();
  const std::size_t sums = 2 * n - 1;  // the last column's sum follows from the others
  const auto meets = [n](std::size_t sum, std::size_t i, std::size_t j) {
    return sum < n ? i == sum : j == sum - n;
  };
  // [B D B^T | B D] to [I | X], X = (B D B^T)^-1 B D, by Gauss-Jordan: B D B^T is positive
  // definite.
  std::vector<std::vector<Rational>> m(sums, std::vector<Rational>(sums + n * n));
  for (std::size_t s = 0; s < sums; ++s) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (!meets(s, i, j)) continue;
        m[s][sums + i * n + j] = p[i][j];
        for (std::size_t t = 0; t < sums; ++t) {
          if (meets(t, i, j)) m[s][t] += p[i][j];
        }
      }
    }
  }
  for (std::size_t pivot = 0; pivot < sums; ++pivot) {
    const Rational scale = m[pivot][pivot];
    for (Rational& entry : m[pivot]) entry /= scale;
    for (std::size_t row = 0; row < sums; ++row) {
      if (row == pivot || m[row][pivot] == 0) continue;
      const Rational factor = m[row][pivot];
      for (std::size_t k = pivot; k < m[row].size(); ++k) m[row][k] -= factor * m[pivot][k];
    }
  }
  std::vector<std::vector<Rational>> jacobian(n * n, std::vector<Rational>(n * n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t e = 0; e < n * n; ++e) {
        Rational constrained = m[i][sums + e];
        if (j + 1 < n) constrained += m[n + j][sums + e];
        jacobian[i * n + j][e] = (i * n + j == e ? p[i][j] : Rational(0)) - p[i][j] * constrained;
      }
    }
  }
  return jacobian;
}

}  // namespace attn
