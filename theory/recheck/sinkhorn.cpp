#include <fmt/format.h>

#include <utility>

#include "theory/recheck/jacobian.hpp"

namespace attn::recheck {

namespace {

constexpr std::size_t kMaxPlan = 12;

/// P [n][n], positive, every row and column of sum 1.
std::vector<std::vector<Rational>> plan_of(const Input& input) {
  auto p = input.rows("plan");
  const std::size_t n = p.front().size();
  require(p.size() == n && n >= 2 && n <= kMaxPlan, BadInputKind::out_of_range, "plan",
          fmt::format("a square matrix of 2..{} rows", kMaxPlan),
          fmt::format("{} rows of {}", p.size(), n));
  for (std::size_t i = 0; i < n; ++i) {
    Rational row = 0;
    Rational column = 0;
    for (std::size_t j = 0; j < n; ++j) {
      require(p[i][j] > 0, BadInputKind::out_of_range, "plan", "entries > 0", p[i][j].get_str());
      row += p[i][j];
      column += p[j][i];
    }
    require(row == 1, BadInputKind::inconsistent, "plan", "rows of sum exactly 1", row.get_str());
    require(column == 1, BadInputKind::inconsistent, "plan", "columns of sum exactly 1",
            column.get_str());
  }
  return p;
}

/// J of Sinkhorn's fixed point P = diag(e^f) e^(C/eps) diag(e^g): dP_ij = P_ij (dC_ij/eps + df_i +
/// dg_j), where df and dg keep the sums of rows and columns:
/// df_i + sum_j P_ij dg_j = -sum_j P_ij dC_ij/eps, and the same for columns. Without the last
/// column and with dg = 0 there, the equations have one solution. [n^2][n^2], times eps.
class SinkhornJacobian {
 public:
  explicit SinkhornJacobian(std::vector<std::vector<Rational>> plan)
      : p_(std::move(plan)), n_(p_.size()) {}

  [[nodiscard]] Rows rows() const {
    const std::vector<std::vector<Rational>> response = responses();
    Rows j(n_ * n_, std::vector<Arb>(n_ * n_));
    for (std::size_t k = 0; k < n_; ++k) {
      for (std::size_t l = 0; l < n_; ++l) {
        for (std::size_t row = 0; row < n_; ++row) {
          for (std::size_t col = 0; col < n_; ++col) {
            // C_kl moves row k's and column l's equations by -P_kl.
            Rational change = potential(response, row, k, l) + potential(response, n_ + col, k, l);
            change *= -p_[k][l];
            if (row == k && col == l) change += 1;
            j[row * n_ + col][k * n_ + l] = Arb(Rational(p_[row][col] * change));
          }
        }
      }
    }
    return j;
  }

 private:
  [[nodiscard]] std::size_t unknowns() const { return 2 * n_ - 1; }

  /// How unknown u answers to a unit on the equations of row k and column l.
  [[nodiscard]] Rational potential(const std::vector<std::vector<Rational>>& response,
                                   std::size_t u, std::size_t k, std::size_t l) const {
    if (u == unknowns()) return 0;
    Rational value = response[u][k];
    if (n_ + l < unknowns()) value += response[u][n_ + l];
    return value;
  }

  /// The inverse of [[I, P], [P^T, I]] without the last row and column, by Gauss-Jordan: positive
  /// definite, so that no pivot is zero.
  [[nodiscard]] std::vector<std::vector<Rational>> responses() const {
    const std::size_t m = unknowns();
    std::vector<std::vector<Rational>> a(m, std::vector<Rational>(2 * m));
    for (std::size_t i = 0; i < m; ++i) {
      a[i][i] = 1;
      a[i][m + i] = 1;
    }
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j + 1 < n_; ++j) {
        a[i][n_ + j] = p_[i][j];
        a[n_ + j][i] = p_[i][j];
      }
    }
    for (std::size_t pivot = 0; pivot < m; ++pivot) {
      const Rational scale = a[pivot][pivot];
      for (Rational& entry : a[pivot]) entry /= scale;
      for (std::size_t i = 0; i < m; ++i) {
        if (i == pivot || a[i][pivot] == 0) continue;
        const Rational factor = a[i][pivot];
        for (std::size_t k = 0; k < 2 * m; ++k) a[i][k] -= factor * a[pivot][k];
      }
    }
    for (auto& row : a) row.erase(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(m));
    return a;
  }

  std::vector<std::vector<Rational>> p_;
  std::size_t n_;
};

}  // namespace

Arb sinkhorn_norm(const Input& input) {
  return spectral_norm(SinkhornJacobian(plan_of(input)).rows()) / Arb(input.temperature());
}

}  // namespace attn::recheck
