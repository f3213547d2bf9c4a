#ifndef ATTN_RECHECK

#include <algorithm>

#include "theory/claims/normalizers/shared.hpp"

namespace attn::claims::lipschitz_self_adjusted_repaired {
namespace {

/// Where z reaches furthest from 0 on either side: low = min(0, z_min), high = max(0, z_max).
struct Reach {
  Rational low, high;

  explicit Reach(const std::vector<Rational>& z)
      : low(std::min(Rational(0), *std::ranges::min_element(z))),
        high(std::max(Rational(0), *std::ranges::max_element(z))) {}

  [[nodiscard]] Rational rho() const { return high - low; }
};

std::string_view differentiable(const Problem& problem) {
  const std::vector<Rational> z = problem.scaled_logits();
  const auto [low, high] = std::ranges::minmax(z);
  const bool off_zero = low != 0 && high != 0;
  const bool one_least = low > 0 || std::ranges::count(z, low) == 1;
  const bool one_largest = high < 0 || std::ranges::count(z, high) == 1;
  return off_zero && one_least && one_largest
             ? std::string_view{}
             : "z_min and z_max not 0, each unique or on the inner side of 0";
}

/// rho dv_i/dz_j of v_i = (z_i - low)/rho, exactly: low follows a negative least logit, and high a
/// positive largest one.
Rational slope(const std::vector<Rational>& z, const Reach& reach, std::size_t i, std::size_t j) {
  const Rational v = (z[i] - reach.low) / reach.rho();
  Rational slope = i == j ? 1 : 0;
  if (z[j] == reach.low) slope -= 1 - v;
  if (z[j] == reach.high) slope -= v;
  return slope;
}

/// ||J|| T, a_i = p_i v_i with p = softmax(z): da_i/dz_j = p_i (v_i (delta_ij - p_j) + dv_i/dz_j).
template <class S>
S norm_at_one(const std::vector<Rational>& z, const Reach& reach) {
  using std::exp;
  const Rational top = *std::ranges::max_element(z);
  std::vector<S> p;
  for (const Rational& value : z) p.push_back(exp(from<S>(Rational(value - top))));
  p = weights_of(p);
  const auto n = static_cast<Eigen::Index>(z.size());
  Matrix<S> jacobian(n, n);
  for (std::size_t i = 0; i < z.size(); ++i) {
    const S v = from<S>(Rational((z[i] - reach.low) / reach.rho()));
    S others(0.0);
    const auto entry = [&](std::size_t j, const S& softmax_part) {
      const S self_part = from<S>(Rational(slope(z, reach, i, j) / reach.rho()));
      jacobian(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          p[i] * S(softmax_part + self_part);
    };
    for (std::size_t j = 0; j < z.size(); ++j) {
      if (j == i) continue;
      entry(j, -(v * p[j]));
      others += p[j];
    }
    entry(i, v * others);
  }
  return spectral_norm(jacobian);
}

/// ||J|| against (half + root/rho)/T.
template <class S>
Sides<S> within(const Problem& problem, const S& half, const S& root) {
  const std::vector<Rational> z = problem.scaled_logits();
  const Reach reach(z);
  const S temperature = from<S>(problem.temperature());
  return {norm_at_one<S>(z, reach) / temperature,
          S(half + root / from<S>(reach.rho())) / temperature};
}

constexpr auto kSides = []<class S>(const Problem& problem) -> Sides<S> {
  return within(problem, S(0.5), sqrt_nonnegative(S(2.0)));
};

constexpr auto kWithoutRho = []<class S>(const Problem& problem) -> Sides<S> {
  return within(problem, S(0.5), S(0.0));
};

constexpr auto kWithoutHalf = []<class S>(const Problem& problem) -> Sides<S> {
  return within(problem, S(0.0), sqrt_nonnegative(S(2.0)));
};

}  // namespace

Claim claim() {
  return {
      .id = "lipschitz.self_adjusted.repaired",
      .title = "The gradient of Self-Adjusted Softmax where it has one",
      .statement =
          "$||J|| <= (1/2 + sqrt(2)/rho)/T$ for Self-Adjusted Softmax, $rho = max(0, z_(1)) - "
          "min(0, "
          "z_(L))$, $z_(1)$ the largest and $z_(L)$ the smallest entry of $z = l/T$",
      .paper = kOtherNormalizers,
      .provenance = Provenance::derived,
      .status = Status::proved,
      .argument =
          "$a_i = p_i v_i$ with $p = softmax(z)$ and $v_i = (z_i - min(0, z_(L)))/rho$ in $[0, "
          "1]$, so $T J = diag(v) (diag p - p p^T) + diag(p) V/rho$, where row $i$ of $V$ is $e_i "
          "- (1 - v_i) e_m - v_i e_M$, $e_m$ the unit vector of the least token or 0 where $z_(L) "
          "> 0$, and $e_M$ that of the largest or 0 where $z_(1) < 0$. The first part has norm at "
          "most $1/2$ (lemma2.sharp). $e_i$ is at most $sqrt(2)$ from a unit vector and from 0, "
          "hence from their convex combination, so that the second has Frobenius norm at most "
          "$sqrt(2) ||p||/rho <= sqrt(2)/rho$. No constant holds for all logits: "
          "lipschitz.self_adjusted.",
      .kind = RowOf{Normalizer::self_adjusted},
      .evaluators = sides<kSides>,
      .unmet = &differentiable,
      .hypotheses =
          "neither the least nor the largest z is 0, and each is unique or on the inner side of 0, "
          "so that the "
          "weights are differentiable; others are drawn too and counted as outside",
      .mutants = {mutant<kWithoutRho>("lipschitz.self_adjusted.repaired/no_rho",
                                      "$sqrt(2)/rho$ left out"),
                  mutant<kWithoutHalf>("lipschitz.self_adjusted.repaired/no_half",
                                       "$1/2$ left out"),
                  without_temperature<kSides>("lipschitz.self_adjusted.repaired/no_t")},
  };
}

}  // namespace attn::claims::lipschitz_self_adjusted_repaired

#else

#include <algorithm>

#include "theory/recheck/check.hpp"
#include "theory/recheck/norm.hpp"
#include "theory/recheck/own_normalizer.hpp"

namespace attn::recheck::lipschitz_self_adjusted_repaired {
namespace {

/// min(z, 0) and max(z, 0), and the token that each follows; none where it is 0.
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
};

/// A kink is where an end is 0, or is followed by two tokens.
std::string smooth(const Input& input) {
  const std::vector<Rational> z = input.scaled_logits();
  const Ends ends(z);
  const auto kink = [&](const Rational& end) {
    return std::ranges::count(z, end) > (end == 0 ? 0 : 1);
  };
  return kink(ends.low) || kink(ends.high) ? "weights that are differentiable" : "";
}

/// By the quotient rule, for a_i = n_i/(s rho) with n_i = e^(z_i) (z_i - low), s = sum_j e^(z_j).
Rows jacobian(const std::vector<Rational>& z) {
  const Ends ends(z);
  const std::size_t n = z.size();
  const Arb rho(Rational(ends.high - ends.low));
  std::vector<Arb> e;
  Arb s;
  for (const Rational& x : z) {
    e.push_back(exp(Arb(Rational(x - z[0]))));
    s += e.back();
  }
  Rows j(n, std::vector<Arb>(n));
  for (std::size_t col = 0; col < n; ++col) {
    const Arb low_moves(col == ends.least ? 1 : 0);
    const Arb high_moves(col == ends.largest ? 1 : 0);
    const Arb of_divisor = e[col] * rho + s * (high_moves - low_moves);
    for (std::size_t row = 0; row < n; ++row) {
      const Arb above_low(Rational(z[row] - ends.low));
      const Arb itself(row == col ? 1 : 0);
      const Arb of_numerator = e[row] * (itself * above_low + itself - low_moves);
      j[row][col] = (of_numerator * s * rho - e[row] * above_low * of_divisor) / square(s * rho);
    }
  }
  return j;
}

/// ||J|| <= (1/2 + sqrt(2)/rho)/T.
Sides sides(const Input& input) {
  require_normalizer(input, "self_adjusted");
  const std::vector<Rational> z = input.scaled_logits();
  const Ends ends(z);
  const Arb t(input.temperature());
  const Arb bound = Arb(Rational(1, 2)) + sqrt(Arb(2)) / Arb(Rational(ends.high - ends.low));
  return {spectral_norm(jacobian(z)) / t, bound / t};
}

}  // namespace

Check check() {
  return {.sides = &sides, .unmet = &smooth};
}

}  // namespace attn::recheck::lipschitz_self_adjusted_repaired

#endif
