#include "theory/attention/sinkhorn.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace attn {
namespace {

using Square = std::vector<std::vector<Rational>>;

/// Whether a symmetric matrix has the least eigenvalue 0, by symmetric elimination.
bool is_semidefinite_and_singular(Square m) {
  std::vector<std::size_t> left(m.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  while (!left.empty()) {
    const auto found = std::ranges::find_if(left, [&](std::size_t i) { return m[i][i] != 0; });
    if (found == left.end()) break;
    const std::size_t pivot = *found;
    if (m[pivot][pivot] < 0) return false;
    left.erase(found);
    for (const std::size_t i : left) {
      if (m[i][pivot] == 0) continue;
      const Rational factor = m[i][pivot] / m[pivot][pivot];
      for (const std::size_t j : left) m[i][j] -= factor * m[pivot][j];
    }
  }
  // A semidefinite matrix of zero diagonal is zero.
  return !left.empty() && std::ranges::all_of(left, [&](std::size_t i) {
    return std::ranges::all_of(left, [&](std::size_t j) { return m[i][j] == 0; });
  });
}

}  // namespace

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

bool is_sinkhorn_norm(const std::vector<std::vector<Rational>>& p, const Rational& norm) {
  // norm sum w^2/p - sum w^2 for w with w_ij, i and j below n - 1, free: the last row and column
  // make the sums 0, so that each w_ij is met in (i, j), (i, n-1), (n-1, j) and (n-1, n-1).
  const std::size_t free = p.size() - 1;
  const auto form = [&](std::size_t i, std::size_t j) { return Rational(norm / p[i][j] - 1); };
  Square m(free * free, std::vector<Rational>(free * free, form(free, free)));
  for (std::size_t i = 0; i < free; ++i) {
    for (std::size_t j = 0; j < free; ++j) {
      auto& row = m[i * free + j];
      for (std::size_t k = 0; k < free; ++k) {
        row[i * free + k] += form(i, free);
        row[k * free + j] += form(free, j);
      }
      row[i * free + j] += form(i, j);
    }
  }
  return is_semidefinite_and_singular(std::move(m));
}

}  // namespace attn
