// Section 4 of the paper: the Lipschitz constants of other normalisers, z = l/T. J = da/dl.
#include <fmt/format.h>

#include <algorithm>

#include "theory/recheck/check.hpp"
#include "theory/recheck/jacobian.hpp"
#include "theory/recheck/scores.hpp"

namespace attn::recheck {
namespace {

Arb half_over(const Rational& t) {
  return Arb(Rational(1 / (2 * t)));
}

/// A claim speaks of its own normaliser: a case that names one must name that.
void require_normalizer(const Input& input, const std::string& name) {
  require(!input.has("normalizer") || input.word("normalizer") == name, "normalizer", name,
          input.has("normalizer") ? input.word("normalizer") : name);
}

Sides quotient(const Input& input, const std::string& name) {
  require_normalizer(input, name);
  const Arb t(input.temperature());
  std::vector<Arb> f;
  std::vector<Arb> slope;
  for (const Rational& z : input.scaled_logits()) {
    const Slope at = normalizer_at(name, z);
    f.push_back(at.value);
    slope.push_back(at.derivative / t);
  }
  return {spectral_norm(quotient_jacobian(f, slope)), half_over(input.temperature())};
}

/// ||J|| <= 1/(2T) for F(z)/sum F(z).
Sides sigmoid(const Input& input) {
  return quotient(input, "sigmoid");
}
Sides softplus(const Input& input) {
  return quotient(input, "softplus");
}
Sides taylor(const Input& input) {
  return quotient(input, "taylor");
}

/// a_i in proportion to L^(z_i), that is softmax of z ln L: ||J|| <= ln(L)/(2T).
Sides scalable_softmax(const Input& input) {
  require_normalizer(input, "scalable_softmax");
  const std::vector<Rational> z = input.scaled_logits();
  const Arb log_length = log(Arb(static_cast<long>(z.size())));
  std::vector<Rational> sorted = z;
  std::ranges::sort(sorted, std::greater<>());
  std::vector<Arb> a;
  Arb sum;
  for (const Rational& x : sorted) {
    a.push_back(exp(Arb(Rational(x - sorted[0])) * log_length));
    sum += a.back();
  }
  for (Arb& weight : a) weight /= sum;
  const Arb per_t = log_length / Arb(input.temperature());
  return {softmax_norm(a) * per_t, per_t / Arb(2)};
}

/// a_i = e^z_i/(1 + sum_j e^z_j): ||J|| <= 1/(2T).
Sides softmax1(const Input& input) {
  require_normalizer(input, "softmax1");
  const Arb t(input.temperature());
  std::vector<Arb> e;
  std::vector<Arb> slope;
  for (const Rational& z : input.scaled_logits()) {
    e.push_back(exp(Arb(z)));
    slope.push_back(e.back() / t);
  }
  return {spectral_norm(quotient_jacobian(e, slope, Arb(1))), half_over(input.temperature())};
}

/// a_i = 1/(1 + exp(-(z_i - ln L))), with nothing shared: J is diagonal. ||J|| <= 1/(4T).
Sides sigmoid_attention(const Input& input) {
  require_normalizer(input, "sigmoid_attention");
  const std::vector<Rational> z = input.scaled_logits();
  const Arb length(static_cast<long>(z.size()));
  const Rational t = input.temperature();
  Arb largest;
  for (const Rational& x : z) {
    const Arb down = length * exp(Arb(Rational(-x)));
    largest = max(largest, down / square(Arb(1) + down));
  }
  return {largest / Arb(t), Arb(Rational(1 / (4 * t)))};
}

Rational mean_of(const std::vector<Rational>& values) {
  Rational sum = 0;
  for (const Rational& value : values) sum += value;
  return sum / Rational(values.size());
}

/// The population variance.
Rational variance_of(const std::vector<Rational>& values) {
  const Rational mean = mean_of(values);
  std::vector<Rational> offset;
  for (const Rational& value : values) offset.emplace_back(value - mean);
  return squared_norm(offset) / Rational(values.size());
}

/// a_i = gain (z_i - mean)/std: ||J|| <= gain/(T std). With e = (z - mean)/(std sqrt L), J =
/// gain/(T std) (I - 1 1^T/L - e e^T) is a multiple of the projection that leaves out 1 and e, two
/// orthogonal directions: nothing is left where L = 2.
Sides pooling(const Input& input) {
  require_normalizer(input, "pooling");
  const std::vector<Rational> z = input.scaled_logits();
  const Arb std = sqrt(variance_of(z));
  const Arb bound = Arb(Rational(input.positive("gain") / input.temperature())) / std;
  return {z.size() > 2 ? bound : Arb(0), bound};
}

std::string pooling_unmet(const Input& input) {
  return variance_of(input.scaled_logits()) > 0 ? "" : "std > 0: logits that are not all equal";
}

/// base^exponent.
Rational power(const Rational& base, unsigned long exponent) {
  Rational result;
  mpz_pow_ui(result.get_num_mpz_t(), base.get_num_mpz_t(), exponent);
  mpz_pow_ui(result.get_den_mpz_t(), base.get_den_mpz_t(), exponent);
  return result;
}

Rational largest_size(const std::vector<Rational>& values) {
  Rational largest = 0;
  for (const Rational& value : values) largest = std::max(largest, Rational(::abs(value)));
  return largest;
}

/// a_i = z_i^p/sqrt(L), |l_i| <= a: ||J|| <= p (a/T)^(p-1)/(sqrt(L) T). J is diagonal.
Sides polynomial(const Input& input) {
  require_normalizer(input, "polynomial");
  constexpr std::size_t kMaxDegree = 1000;
  const std::size_t p = input.count("p");
  require(p <= kMaxDegree, "p", fmt::format("at most {}", kMaxDegree), fmt::format("{}", p));
  const std::vector<Rational> z = input.scaled_logits();
  const Rational t = input.temperature();
  const Arb root = sqrt(Arb(static_cast<long>(z.size())));
  const Rational slope = Rational(p) * power(largest_size(z), p - 1) / t;
  const Rational bound = Rational(p) * power(Rational(input.not_negative("a") / t), p - 1) / t;
  return {Arb(slope) / root, Arb(bound) / root};
}

std::string polynomial_unmet(const Input& input) {
  return largest_size(input.numbers("logits")) <= input.not_negative("a") ? "" : "|l_i| <= a";
}

/// The roots u_i of the weights of 1.5-entmax, and ||J||: J = (diag u - u u^T/U)/T with U = sum u,
/// that is U/T times diag b - b b^T with b = u/U.
struct Entmax {
  Arb largest;  ///< max_i u_i
  Arb norm;

  explicit Entmax(const Input& input) {
    require_normalizer(input, "entmax");
    std::vector<Rational> z = input.scaled_logits();
    std::ranges::sort(z, std::greater<>());
    std::vector<Arb> u = entmax_roots(z);
    std::erase_if(u, [](const Arb& root) { return is_zero(root); });
    largest = u[0];
    Arb sum;
    for (const Arb& root : u) sum += root;
    for (Arb& root : u) root /= sum;
    norm = softmax_norm(u) * sum / Arb(input.temperature());
  }
};

/// ||J|| <= 2^(-1/2)/T.
Sides entmax_any_length(const Input& input) {
  const Rational t = input.temperature();
  return {Entmax(input).norm, sqrt(Rational(1 / (2 * t * t)))};
}

/// ||J|| <= max_i sqrt(a_i)/T.
Sides entmax(const Input& input) {
  const Entmax e(input);
  return {e.norm, e.largest / Arb(input.temperature())};
}

/// Where a step takes z: (l + h)/T.
std::vector<Rational> moved(const Input& input) {
  std::vector<Rational> z = input.scaled_logits();
  const std::vector<Rational> h = input.move("step");
  const Rational t = input.temperature();
  for (std::size_t i = 0; i < z.size(); ++i) z[i] += h[i] / t;
  return z;
}

/// ||u - v||.
Arb distance(const std::vector<Rational>& u, const std::vector<Rational>& v) {
  std::vector<Rational> gap;
  for (std::size_t i = 0; i < u.size(); ++i) gap.emplace_back(u[i] - v[i]);
  return sqrt(squared_norm(gap));
}

/// factor ||h||.
Arb step_length(const Input& input, const Rational& factor) {
  return sqrt(Rational(factor * factor * squared_norm(input.move("step"))));
}

/// ||f(l + h) - f(l)|| <= ||h||/T.
Sides sparsemax_step(const Input& input) {
  require_normalizer(input, "sparsemax");
  return {distance(sparsemax(moved(input)), sparsemax(input.scaled_logits())),
          step_length(input, Rational(1 / input.temperature()))};
}

/// max(z_i, 0)/L.
std::vector<Rational> relu(std::vector<Rational> z) {
  const Rational length(z.size());
  for (Rational& x : z) x = x > 0 ? Rational(x / length) : Rational(0);
  return z;
}

/// ||f(l + h) - f(l)|| <= ||h||/(L T).
Sides relu_attention(const Input& input) {
  require_normalizer(input, "relu_attention");
  const std::vector<Rational> z = input.scaled_logits();
  const Rational per_length = 1 / (Rational(z.size()) * input.temperature());
  return {distance(relu(moved(input)), relu(z)), step_length(input, per_length)};
}

/// lo = min(min z, 0) and hi - lo, hi = max(max z, 0).
struct Range {
  Rational low, width;
  explicit Range(const std::vector<Rational>& z)
      : low(std::min(*std::ranges::min_element(z), Rational(0))),
        width(std::max(*std::ranges::max_element(z), Rational(0)) - low) {}
};

/// softmax(z)_i (z_i - lo)/(hi - lo).
std::vector<Arb> self_adjusted(const std::vector<Rational>& z) {
  const Range range(z);
  std::vector<Arb> f = softmax_scores(z).a;
  for (std::size_t i = 0; i < z.size(); ++i)
    f[i] *= Arb(Rational((z[i] - range.low) / range.width));
  return f;
}

/// ||f(l + h) - f(l)|| <= K ||h||/T.
Sides self_adjusted_step(const Input& input) {
  require_normalizer(input, "self_adjusted");
  std::vector<Arb> difference = self_adjusted(moved(input));
  const std::vector<Arb> from = self_adjusted(input.scaled_logits());
  for (std::size_t i = 0; i < from.size(); ++i) difference[i] -= from[i];
  return {norm(difference),
          step_length(input, Rational(input.positive("K") / input.temperature()))};
}

std::string self_adjusted_unmet(const Input& input) {
  const bool spread = Range(input.scaled_logits()).width > 0 && Range(moved(input)).width > 0;
  return spread ? "" : "logits that are not all zero, before the step and after it";
}

constexpr std::size_t kMaxPlan = 12;

/// P [n][n], positive, every row and column of sum 1.
std::vector<std::vector<Rational>> plan_of(const Input& input) {
  const auto p = input.rows("plan");
  const std::size_t n = p.front().size();
  require(p.size() == n && n >= 2 && n <= kMaxPlan, "plan",
          fmt::format("a square matrix of 2..{} rows", kMaxPlan),
          fmt::format("{} rows of {}", p.size(), n));
  for (std::size_t i = 0; i < n; ++i) {
    Rational row = 0;
    Rational column = 0;
    for (std::size_t j = 0; j < n; ++j) {
      require(p[i][j] > 0, "plan", "entries > 0", p[i][j].get_str());
      row += p[i][j];
      column += p[j][i];
    }
    require(row == 1, "plan", "rows of sum exactly 1", row.get_str());
    require(column == 1, "plan", "columns of sum exactly 1", column.get_str());
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

Arb sinkhorn_norm(const Input& input) {
  return spectral_norm(SinkhornJacobian(plan_of(input)).rows()) / Arb(input.temperature());
}

/// ||J|| <= 1/eps.
Sides sinkhorn(const Input& input) {
  return {sinkhorn_norm(input), Arb(Rational(1 / input.temperature()))};
}

/// ||J|| <= 1/(2 eps).
Sides sinkhorn_sharp(const Input& input) {
  return {sinkhorn_norm(input), half_over(input.temperature())};
}

constexpr Check kChecks[] = {
    {"lipschitz.sigmoid", sigmoid},
    {"lipschitz.softplus", softplus},
    {"lipschitz.taylor", taylor},
    {"lipschitz.scalable_softmax", scalable_softmax},
    {"lipschitz.softmax1", softmax1},
    {"lipschitz.sigmoid_attention", sigmoid_attention},
    {"lipschitz.pooling", pooling, pooling_unmet},
    {"lipschitz.polynomial", polynomial, polynomial_unmet},
    {"lipschitz.entmax.any_length", entmax_any_length},
    {"lipschitz.entmax", entmax},
    {"lipschitz.sparsemax", sparsemax_step},
    {"lipschitz.relu_attention", relu_attention},
    {"lipschitz.self_adjusted", self_adjusted_step, self_adjusted_unmet},
    {"lipschitz.sinkhorn", sinkhorn},
    {"lipschitz.sinkhorn.sharp", sinkhorn_sharp},
};

}  // namespace

std::span<const Check> normalizers_checks() {
  return kChecks;
}

}  // namespace attn::recheck
