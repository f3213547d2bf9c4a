#include "theory/recheck/jacobian.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "theory/base/bad_input.hpp"
#include "theory/recheck/scores.hpp"

namespace attn::recheck {
namespace {

/// A square matrix: Arb's arb_mat_t with an owner.
class Matrix {
 public:
  explicit Matrix(std::size_t n) : n_(n) {
    arb_mat_init(x_, static_cast<slong>(n), static_cast<slong>(n));
  }
  Matrix(const Matrix& other) : Matrix(other.n_) { arb_mat_set(x_, other.x_); }
  Matrix& operator=(const Matrix&) = delete;
  ~Matrix() { arb_mat_clear(x_); }

  [[nodiscard]] arb_ptr at(std::size_t i, std::size_t j) { return arb_mat_entry(x_, i, j); }
  [[nodiscard]] arb_srcptr at(std::size_t i, std::size_t j) const {
    return arb_mat_entry(x_, i, j);
  }
  [[nodiscard]] std::size_t size() const { return n_; }
  [[nodiscard]] Arb trace() const {
    Arb sum;
    arb_mat_trace(sum.get(), x_, working_bits);
    return sum;
  }
  void scale(long power_of_two) { arb_mat_scalar_mul_2exp_si(x_, x_, power_of_two); }
  void square() { arb_mat_mul(x_, x_, x_, working_bits); }
  [[nodiscard]] std::vector<Arb> times(const std::vector<Arb>& v) const {
    std::vector<Arb> product(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < n_; ++j) {
        arb_addmul(product[i].get(), at(i, j), v[j].get(), working_bits);
      }
    }
    return product;
  }

 private:
  std::size_t n_;
  arb_mat_t x_;
};

/// The squared length of u - factor v.
Arb squared_difference(const std::vector<Arb>& u, const Arb& factor, const std::vector<Arb>& v) {
  Arb sum;
  for (std::size_t i = 0; i < u.size(); ++i) sum += square(u[i] - factor * v[i]);
  return sum;
}

/// m^T m.
Matrix gram(const Rows& m) {
  const std::size_t n = m.front().size();
  Matrix g(n);
  for (const std::vector<Arb>& row : m) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (i == j) {
          arb_add(g.at(i, i), g.at(i, i), square(row[i]).get(), working_bits);
        } else {
          arb_addmul(g.at(i, j), row[i].get(), row[j].get(), working_bits);
        }
      }
    }
  }
  return g;
}

/// The powers G^(2^k) = 2^exponent H of a positive semidefinite matrix G, H of trace about 1.
class Powers {
 public:
  explicit Powers(const Matrix& g) : h_(g) { normalize(); }

  void advance() {
    h_.square();
    exponent_ *= 2;
    ++doublings_;
    normalize();
  }

  [[nodiscard]] const Matrix& h() const { return h_; }

  /// The eigenvalue of G that belongs to an eigenvalue x > 0 of H.
  [[nodiscard]] Arb root(const Arb& x) const {
    Arb log_power;
    arb_const_log2(log_power.get(), working_bits);
    log_power *= Arb(exponent_);
    log_power += log(x);
    arb_mul_2exp_si(log_power.get(), log_power.get(), -doublings_);
    return exp(log_power);
  }

  /// The middles of H's column with the largest diagonal entry: near the top eigenvector.
  [[nodiscard]] std::vector<Arb> column() const {
    std::size_t top = 0;
    for (std::size_t i = 1; i < h_.size(); ++i) {
      if (arf_cmp(arb_midref(h_.at(i, i)), arb_midref(h_.at(top, top))) > 0) top = i;
    }
    std::vector<Arb> v(h_.size());
    for (std::size_t i = 0; i < v.size(); ++i) {
      arb_get_mid_arb(v[i].get(), h_.at(i, top));
    }
    return v;
  }

 private:
  void normalize() {
    const Arb trace = h_.trace();
    const long shift = arf_abs_bound_lt_2exp_si(arb_midref(trace.get()));
    h_.scale(-shift);
    exponent_ += shift;
  }

  Matrix h_;
  mpz_class exponent_{0};
  long doublings_{0};
};

/// The largest eigenvalue of a positive semidefinite matrix of positive trace.
///
/// With H = G^m up to scale and t = trace H, largest^m lies in [t/n, t]; a vector's Rayleigh
/// quotient rho is below the largest; and the other eigenvalues' powers add up to t less the
/// largest^m, which bounds the second one by nu and lets Temple's inequality bound the largest from
/// above. Each squaring of H halves the width, more than that where the largest is simple.
Arb largest_eigenvalue(const Matrix& g) {
  const auto n = Arb(g.size());
  constexpr slong kLeastBits = 8;
  constexpr int kPatience = 4;
  Powers powers(g);
  Arb low;
  Arb high = upper(g.trace());
  slong best = 0;
  for (int idle = 0; idle < kPatience; ++idle) {
    const Arb t = powers.h().trace();
    if (arb_rel_accuracy_bits(t.get()) < kLeastBits) break;  // rounding has caught up
    const std::vector<Arb> v = powers.column();
    const Arb length = dot(v, v);
    const std::vector<Arb> gv = g.times(v);
    const Arb rho = dot(v, gv) / length;
    low = max(low, max(lower(powers.root(t / n)), lower(rho)));
    high = min(high, upper(powers.root(t)));
    const Arb rest = upper(t - dot(v, powers.h().times(v)) / length);
    const Arb nu = rest > Arb(0) ? powers.root(rest) : Arb(0);
    if (nu < rho) {
      high = min(high, upper(temple(rho, squared_difference(gv, rho, v) / length, nu)));
    }
    const slong accuracy = arb_rel_accuracy_bits(hull(low, high).get());
    if (accuracy > best) idle = 0;
    best = std::max(best, accuracy);
    powers.advance();
  }
  return hull(low, high);
}

/// A number near the eigenvalue of diag(a) - a a^T above a[1], by bisection in plain arithmetic of
/// a[0]/(a[0] - t) - sum_{j > 0} a[j]/(t - a[j]), which grows from minus to plus infinity between
/// a[1] and a[0] and is zero where the eigenvector a[i]/(a[i] - t) is orthogonal to 1.
Arb near_eigenvalue(const std::vector<Arb>& a, Arb low, Arb high) {
  for (slong step = 0; step < working_bits; ++step) {
    const Arb t = middle((low + high) / Arb(2));
    Arb balance = a[0] / (a[0] - t);
    for (std::size_t j = 1; j < a.size(); ++j) balance -= a[j] / (t - a[j]);
    (middle(balance) < Arb(0) ? low : high) = t;
  }
  return low;
}

constexpr std::size_t kMaxPlan = 12;

using Plan = std::vector<std::vector<Rational>>;

/// P [n][n], positive, every row and column of sum 1.
Plan plan_of(const Input& input) {
  Plan p = input.rows("plan");
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

/// How the unknowns df_1 .. df_n, dg_1 .. dg_n of
///     df_i + sum_j P_ij dg_j = b_i and sum_i P_ij df_i + dg_j = b_{n+j}
/// answer to b, where dg_n = 0 and the last equation, which follows from the others, is left out:
/// the inverse of [[I, P], [P^T, I]] without its last row and column, which are 0 here. It is
/// positive definite, so that no pivot of Gauss and Jordan is zero. [2n][2n]
std::vector<std::vector<Rational>> responses(const Plan& p) {
  const std::size_t n = p.size();
  std::vector<std::vector<Rational>> a(2 * n, std::vector<Rational>(2 * n));
  for (std::size_t i = 0; i + 1 < 2 * n; ++i) a[i][i] = 1;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j + 1 < n; ++j) a[i][n + j] = a[n + j][i] = p[i][j];
  }
  for (std::size_t pivot = 0; pivot + 1 < 2 * n; ++pivot) {
    const Rational scale = std::exchange(a[pivot][pivot], 1);
    for (Rational& entry : a[pivot]) entry /= scale;
    for (std::size_t i = 0; i + 1 < 2 * n; ++i) {
      if (i == pivot) continue;
      const Rational factor = std::exchange(a[i][pivot], 0);
      for (std::size_t k = 0; k < 2 * n; ++k) a[i][k] -= factor * a[pivot][k];
    }
  }
  return a;
}

/// J of Sinkhorn's fixed point P = diag(e^f) e^(C/eps) diag(e^g), times eps: dP_ij = P_ij (dC_ij +
/// df_i + dg_j), where df and dg keep the sums of rows and columns. A unit of C_kl moves b_k and
/// b_{n+l} of their equations by -P_kl. [n^2][n^2]
Rows sinkhorn_jacobian(const Plan& p) {
  const std::size_t n = p.size();
  const auto response = responses(p);
  Rows jacobian(n * n, std::vector<Arb>(n * n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t l = 0; l < n; ++l) {
          const Rational potentials =
              response[i][k] + response[i][n + l] + response[n + j][k] + response[n + j][n + l];
          const Rational itself = i == k && j == l ? 1 : 0;
          jacobian[i * n + j][k * n + l] = Arb(p[i][j] * (itself - p[k][l] * potentials));
        }
      }
    }
  }
  return jacobian;
}

}  // namespace

// (G - largest)(G - nu) is positive semidefinite, and v.(...)v >= 0 says the rest.
Arb temple(const Arb& rho, const Arb& residual, const Arb& nu) {
  return rho + residual / (rho - nu);
}

namespace {

std::vector<Step> steps_of(const std::vector<Arb>& numbers) {
  std::vector<Step> steps;
  for (const Arb& x : numbers) steps.push_back(x.step());
  return steps;
}

/// A norm of numbers, enclosed without a record of how, as a step of its own.
Arb recorded_norm(Record record, Arb enclosure) {
  const Step step = tape == nullptr ? kNoStep : tape->add(std::move(record));
  return std::move(enclosure).at(step);
}

Arb enclosed_spectral_norm(const Rows& m) {
  const NotRecorded enclosed;
  constexpr std::size_t kMaxColumns = 256;
  if (m.front().size() > kMaxColumns) {
    throw BadInput({.kind = BadInputKind::too_large,
                    .where = "case",
                    .expected = fmt::format("a Jacobian of at most {} columns", kMaxColumns),
                    .found = fmt::format("{}", m.front().size())});
  }
  const Matrix g = gram(m);
  const Arb trace = g.trace();
  if (!(trace > Arb(0))) return hull(Arb(0), sqrt(upper(trace)));
  return sqrt(largest_eigenvalue(g));
}

Arb enclosed_softmax_norm(const std::vector<Arb>& a) {
  const NotRecorded enclosed;
  if (a.size() == 1) return Arb(0);  // the only weight is 1
  Arb others;
  for (std::size_t j = 1; j < a.size(); ++j) others += a[j];
  // The eigenvalues interlace the weights, and Gershgorin's discs reach to 2 max a_i (1 - a_i).
  const Arb floor = lower(a[1]);
  const Arb ceiling = upper(a[0]);
  const Arb from = upper(a[1]);
  const Arb to = min(lower(a[0]), upper(Arb(2) * max(a[0] * others, a[1])));
  if (!(from < to)) return hull(floor, ceiling);
  const Arb t = near_eigenvalue(a, from, to);
  std::vector<Arb> v(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) v[i] = middle(a[i] / (a[i] - t));
  // With u = v - v[0] and mean = a.u, the matrix times v is a_i (u_i - mean): no digits cancel.
  Arb mean;
  for (std::size_t i = 1; i < a.size(); ++i) mean += a[i] * (v[i] - v[0]);
  std::vector<Arb> image(a.size());
  Arb stretched;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Arb offset = v[i] - v[0] - mean;
    image[i] = a[i] * offset;
    stretched += image[i] * offset;
  }
  const Arb length = dot(v, v);
  const Arb rho = stretched / length;
  const Arb low = max(floor, lower(rho));
  if (!(a[1] < rho)) return hull(low, ceiling);
  const Arb residual = squared_difference(image, rho, v) / length;
  return hull(low, min(ceiling, upper(temple(rho, residual, a[1]))));
}

}  // namespace

Arb spectral_norm(const Rows& m) {
  std::vector<Step> entries;
  for (const std::vector<Arb>& row : m) {
    const std::vector<Step> steps = steps_of(row);
    entries.insert(entries.end(), steps.begin(), steps.end());
  }
  return recorded_norm({.operation = Operation::spectral_norm,
                        .entries = std::move(entries),
                        .columns = m.front().size()},
                       enclosed_spectral_norm(m));
}

Arb softmax_norm(const std::vector<Arb>& a) {
  return recorded_norm({.operation = Operation::softmax_norm, .entries = steps_of(a)},
                       enclosed_softmax_norm(a));
}

Rows quotient_jacobian(const std::vector<Arb>& f, const std::vector<Arb>& slope, const Arb& rest) {
  const std::size_t n = f.size();
  const std::vector<Arb> others = sums_of_others(f);
  const Arb sum = rest + others[0] + f[0];
  const Arb squared = square(sum);
  Rows j(n, std::vector<Arb>(n));
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t col = 0; col < n; ++col) {
      const Arb factor = row == col ? others[row] + rest : -f[row];
      j[row][col] = factor * slope[col] / squared;
    }
  }
  return j;
}

Quotient::Quotient(const Input& input, const std::string& normalizer) {
  const Arb t(input.temperature());
  for (const Rational& z : input.scaled_logits()) {
    const Slope at = normalizer_at(normalizer, z);
    f.push_back(at.value);
    slope.push_back(at.derivative / t);
  }
}

SoftmaxGradient::SoftmaxGradient(const Input& input) : t(input.temperature()) {
  require_softmax(input);
  a = softmax_scores(input.scaled_logits()).sorted();
  norm = softmax_norm(a) / t;
}

std::vector<Arb> SoftmaxGradient::diagonal() const {
  const std::vector<Arb> rest = sums_of_others(a);
  std::vector<Arb> diagonal;
  for (std::size_t i = 0; i < a.size(); ++i) diagonal.push_back(a[i] * rest[i]);
  return diagonal;
}

Arb local_bound(const std::vector<Arb>& a) {
  Arb sum = a[1];
  for (std::size_t i = 1; i < a.size(); ++i) sum += a[i];
  return a[0] * sum;
}

Arb half_over(const Rational& t) {
  return Arb(1 / (2 * t));
}

Arb sinkhorn_norm(const Input& input) {
  return spectral_norm(sinkhorn_jacobian(plan_of(input))) / Arb(input.temperature());
}

}  // namespace attn::recheck
