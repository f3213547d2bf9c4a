#include <fmt/format.h>

#include <algorithm>

#include "theory/recheck/check.hpp"
#include "theory/recheck/jacobian.hpp"
#include "theory/recheck/scores.hpp"

namespace attn::recheck {
namespace {

/// ||J|| <= 1/(2T) for F(z)/sum F(z).
Sides quotient_sides(const Input& input, const std::string& name) {
  require_normalizer(input, name);
  return {Quotient(input, name).norm(), half_over(input.temperature())};
}

/// a_i in proportion to L^(z_i), that is softmax of z ln L: ||J|| <= ln(L)/(2T).
Sides lipschitz_scalable_softmax(const Input& input) {
  require_normalizer(input, "scalable_softmax");
  const std::vector<Rational> z = input.scaled_logits();
  const Arb per_t = log(Arb(z.size())) / Arb(input.temperature());
  return {softmax_norm(scalable_scores(z).sorted()) * per_t, per_t / Arb(2)};
}

/// factor ||h||.
Arb step_length(const Input& input, const Rational& factor) {
  return sqrt(Rational(factor * factor * squared_norm(input.move("step"))));
}

/// ||f(l + h) - f(l)|| <= ||h||/T.
Sides lipschitz_sparsemax(const Input& input) {
  require_normalizer(input, "sparsemax");
  return {sqrt(squared_distance(sparsemax(moved(input)), sparsemax(input.scaled_logits()))),
          step_length(input, Rational(1 / input.temperature()))};
}

/// The roots u_i of the weights of 1.5-entmax, and ||J||: J = (diag u - u u^T/U)/T with U = sum u,
/// that is U/T times diag b - b b^T with b = u/U.
struct Entmax {
  std::vector<Arb> u;  ///< the roots that are not zero, in decreasing order
  Arb sum;             ///< U
  Arb norm;

  explicit Entmax(const Input& input) {
    require_normalizer(input, "entmax");
    std::vector<Rational> z = input.scaled_logits();
    std::ranges::sort(z, std::greater<>());
    u = entmax_roots(z);
    std::erase_if(u, [](const Arb& root) { return is_zero(root); });
    for (const Arb& root : u) sum += root;
    std::vector<Arb> b = u;
    for (Arb& root : b) root /= sum;
    norm = softmax_norm(b) * sum / Arb(input.temperature());
  }
};

/// ||J|| <= 2^(-1/2)/T.
Sides lipschitz_entmax_any_length(const Input& input) {
  const Rational t = input.temperature();
  return {Entmax(input).norm, sqrt(Rational(1 / (2 * t * t)))};
}

/// ||J|| <= u_1 (2 u_2 + u_3 + ...)/(T sum u): exactly 0 where one token has all the weight.
Sides lipschitz_entmax(const Input& input) {
  const Entmax e(input);
  if (e.u.size() == 1) return {e.norm, Arb(0)};
  return {e.norm, local_bound(e.u) / (e.sum * Arb(input.temperature()))};
}

/// The ends that Self-Adjusted Softmax takes from z: min(z, 0) and max(z, 0), and the token that
/// each follows; none where it is 0.
struct Ends {
  Rational low, high;
  std::size_t least, largest;

  explicit Ends(const std::vector<Rational>& z) : least(z.size()), largest(z.size()) {
    for (std::size_t i = 0; i < z.size(); ++i) {
      if (z[i] < low) {
        low = z[i];
        least = i;
      }
      if (z[i] > high) {
        high = z[i];
        largest = i;
      }
    }
  }

  [[nodiscard]] Rational rho() const { return high - low; }
};

std::string self_adjusted_unmet(const Input& input) {
  const bool spread = Ends(input.scaled_logits()).rho() > 0 && Ends(moved(input)).rho() > 0;
  return spread ? "" : "logits that are not all zero, before the step and after it";
}

/// What a case lacks to be where the weights are differentiable; empty where nothing. A kink is
/// where an end is 0, or is followed by two tokens.
std::string self_adjusted_kink(const Input& input) {
  const std::vector<Rational> z = input.scaled_logits();
  const Ends ends(z);
  const auto kink = [&](const Rational& end) {
    return std::ranges::count(z, end) > (end == 0 ? 0 : 1);
  };
  return kink(ends.low) || kink(ends.high) ? "weights that are differentiable" : "";
}

/// da_i/dz_j, by the quotient rule for a_i = n_i/(s rho) with n_i = e^(z_i) (z_i - low), s = sum_j
/// e^(z_j).
Rows self_adjusted_jacobian(const std::vector<Rational>& z) {
  const Ends ends(z);
  const std::size_t n = z.size();
  const Arb rho(ends.rho());
  std::vector<Arb> e;
  Arb s;
  for (const Rational& x : z) {
    e.push_back(exp(Arb(x - z[0])));
    s += e.back();
  }
  Rows j(n, std::vector<Arb>(n));
  for (std::size_t col = 0; col < n; ++col) {
    const Arb low_moves(col == ends.least ? 1 : 0);
    const Arb high_moves(col == ends.largest ? 1 : 0);
    const Arb of_divisor = e[col] * rho + s * (high_moves - low_moves);
    for (std::size_t row = 0; row < n; ++row) {
      const Arb above_low(z[row] - ends.low);
      const Arb itself(row == col ? 1 : 0);
      const Arb of_numerator = e[row] * (itself * above_low + itself - low_moves);
      j[row][col] = (of_numerator * s * rho - e[row] * above_low * of_divisor) / square(s * rho);
    }
  }
  return j;
}

/// ||f(l + h) - f(l)|| <= K ||h||/T.
Sides lipschitz_self_adjusted(const Input& input) {
  require_normalizer(input, "self_adjusted");
  std::vector<Arb> difference = self_adjusted_scores(moved(input)).a;
  const std::vector<Arb> from = self_adjusted_scores(input.scaled_logits()).a;
  for (std::size_t i = 0; i < from.size(); ++i) difference[i] -= from[i];
  return {norm(difference),
          step_length(input, Rational(input.positive("K") / input.temperature()))};
}

/// ||J|| <= (1/2 + sqrt(2)/rho)/T.
Sides lipschitz_self_adjusted_repaired(const Input& input) {
  require_normalizer(input, "self_adjusted");
  const std::vector<Rational> z = input.scaled_logits();
  const Ends ends(z);
  const Arb t(input.temperature());
  const Arb bound = Arb(Rational(1, 2)) + sqrt(Arb(2)) / Arb(ends.rho());
  return {spectral_norm(self_adjusted_jacobian(z)) / t, bound / t};
}

/// p_(1) (1 - p_(1) + p_(2)) + sqrt(2 sum p_i^2)/rho, over all tokens but the two ends.
Arb bound_at_one(const std::vector<Rational>& z) {
  const Scores p = softmax_scores(z);
  const Ends ends(z);
  Arb squares;
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (i != ends.least && i != ends.largest) squares += square(p.a[i]);
  }
  return local_bound(p.sorted()) + sqrt(Arb(2) * squares) / Arb(ends.rho());
}

Sides lipschitz_self_adjusted_sharp(const Input& input) {
  require_normalizer(input, "self_adjusted");
  const std::vector<Rational> z = input.scaled_logits();
  const Arb t(input.temperature());
  return {spectral_norm(self_adjusted_jacobian(z)) / t, bound_at_one(z) / t};
}

/// a_i = e^z_i/(1 + sum_j e^z_j): ||J|| <= 1/(2T).
Sides lipschitz_softmax1(const Input& input) {
  require_normalizer(input, "softmax1");
  const Quotient e(input, "softmax");
  return {spectral_norm(quotient_jacobian(e.f, e.slope, Arb(1))), half_over(input.temperature())};
}

/// a_i = 1/(1 + exp(-(z_i - ln L))), with nothing shared: J is diagonal. ||J|| <= 1/(4T).
Sides lipschitz_sigmoid_attention(const Input& input) {
  require_normalizer(input, "sigmoid_attention");
  const std::vector<Rational> z = input.scaled_logits();
  const Arb length(z.size());
  const Rational t = input.temperature();
  Arb largest;
  for (const Rational& x : z) {
    const Arb down = length * exp(Arb(-x));
    largest = max(largest, down / square(Arb(1) + down));
  }
  return {largest / Arb(t), Arb(1 / (4 * t))};
}

/// ||f(l + h) - f(l)|| <= ||h||/(L T).
Sides lipschitz_relu_attention(const Input& input) {
  require_normalizer(input, "relu_attention");
  const std::vector<Rational> z = input.scaled_logits();
  const Rational per_length = 1 / (Rational(z.size()) * input.temperature());
  return {sqrt(squared_distance(relu_weights(moved(input)), relu_weights(z))),
          step_length(input, per_length)};
}

std::string pooling_unmet(const Input& input) {
  return Spread(input.scaled_logits()).scatter > 0 ? "" : "std > 0: logits that are not all equal";
}

/// a_i = gain (z_i - mean)/std: ||J|| <= gain/(T std). With e = (z - mean)/(std sqrt L), J =
/// gain/(T std) (I - 1 1^T/L - e e^T) is a multiple of the projection that leaves out 1 and e, two
/// orthogonal directions: nothing is left where L = 2.
Sides lipschitz_pooling(const Input& input) {
  require_normalizer(input, "pooling");
  const std::vector<Rational> z = input.scaled_logits();
  const Spread spread(z);
  const Rational length_over_t = spread.length / input.temperature();
  const Arb bound = Arb(input.positive("gain") * length_over_t) / sqrt(spread.scatter);
  return {z.size() > 2 ? bound : Arb(0), bound};
}

/// ||J|| <= 1/eps.
Sides lipschitz_sinkhorn(const Input& input) {
  return {sinkhorn_norm(input), Arb(1 / input.temperature())};
}

/// ||J|| <= 1/(2 eps).
Sides lipschitz_sinkhorn_sharp(const Input& input) {
  return {sinkhorn_norm(input), half_over(input.temperature())};
}

/// max over rows p of p_(1) (sum of the others + p_(2)).
Rational over_rows(std::vector<std::vector<Rational> > plan) {
  Rational most = 0;
  for (auto& p : plan) {
    std::ranges::sort(p);
    const Rational& second = p[p.size() - 2];
    Rational others = second;
    for (std::size_t j = 0; j + 1 < p.size(); ++j) others += p[j];
    most = std::max(most, Rational(p.back() * others));
  }
  return most;
}

Sides lipschitz_sinkhorn_local(const Input& input) {
  Arb norm = sinkhorn_norm(input);  // refuses what is no plan
  const auto plan = input.rows("plan");
  auto transposed = plan;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    for (std::size_t j = 0; j < plan.size(); ++j) transposed[j][i] = plan[i][j];
  }
  const Rational least = std::min(over_rows(plan), over_rows(transposed));
  return {std::move(norm), Arb(least / input.temperature())};
}

/// base^exponent.
Rational power(const Rational& base, unsigned long exponent) {
  Rational result;
  mpz_pow_ui(result.get_num_mpz_t(), base.get_num_mpz_t(), exponent);
  mpz_pow_ui(result.get_den_mpz_t(), base.get_den_mpz_t(), exponent);
  return result;
}

std::string polynomial_unmet(const Input& input) {
  return largest_size(input.numbers("logits")) <= input.not_negative("a") ? "" : "|l_i| <= a";
}

/// a_i = z_i^p/sqrt(L), |l_i| <= a: ||J|| <= p (a/T)^(p-1)/(sqrt(L) T). J is diagonal.
Sides lipschitz_polynomial(const Input& input) {
  require_normalizer(input, "polynomial");
  constexpr std::size_t kMaxDegree = 1000;
  const std::size_t p = input.count("p");
  require(p <= kMaxDegree, BadInputKind::too_large, "p", fmt::format("at most {}", kMaxDegree),
          fmt::format("{}", p));
  const std::vector<Rational> z = input.scaled_logits();
  const Rational t = input.temperature();
  const Arb root = sqrt(Arb(z.size()));
  const Rational slope = Rational(p) * power(largest_size(z), p - 1) / t;
  const Rational bound = Rational(p) * power(Rational(input.not_negative("a") / t), p - 1) / t;
  return {Arb(slope) / root, Arb(bound) / root};
}

}  // namespace

Checks normalizers_checks() {
  return {
      {"lipschitz.sigmoid", [](const Input& input) { return quotient_sides(input, "sigmoid"); }},
      {"lipschitz.softplus", [](const Input& input) { return quotient_sides(input, "softplus"); }},
      {"lipschitz.taylor", [](const Input& input) { return quotient_sides(input, "taylor"); }},
      {"lipschitz.scalable_softmax", lipschitz_scalable_softmax},
      {"lipschitz.sparsemax", lipschitz_sparsemax},
      {"lipschitz.entmax.any_length", lipschitz_entmax_any_length},
      {"lipschitz.entmax", lipschitz_entmax},
      {"lipschitz.self_adjusted", lipschitz_self_adjusted, self_adjusted_unmet},
      {"lipschitz.self_adjusted.repaired", lipschitz_self_adjusted_repaired, self_adjusted_kink},
      {"lipschitz.self_adjusted.sharp", lipschitz_self_adjusted_sharp, self_adjusted_kink},
      {"lipschitz.softmax1", lipschitz_softmax1},
      {"lipschitz.sigmoid_attention", lipschitz_sigmoid_attention},
      {"lipschitz.relu_attention", lipschitz_relu_attention},
      {"lipschitz.pooling", lipschitz_pooling, pooling_unmet},
      {"lipschitz.sinkhorn", lipschitz_sinkhorn},
      {"lipschitz.sinkhorn.sharp", lipschitz_sinkhorn_sharp},
      {"lipschitz.sinkhorn.local", lipschitz_sinkhorn_local},
      {"lipschitz.polynomial", lipschitz_polynomial, polynomial_unmet},
  };
}

}  // namespace attn::recheck
