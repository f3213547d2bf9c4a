#include "theory/claims/separability.hpp"

#include "theory/claims/families.hpp"

namespace attn {
namespace {

template <class S>
struct Sphere {
  S radius, r, delta;
  explicit Sphere(const Problem& problem)
      : radius(from<S>(problem.sphere_radius())),
        r(from<S>(problem.r())),
        delta(from<S>(problem.delta())) {}
};

/// The mean over the selected tokens.
template <class S, class Term>
S mean_over(const std::vector<OthersMoments<S>>& moments, Term term) {
  S sum(0.0);
  for (const auto& m : moments) sum += term(m);
  return sum / from_count<S>(moments.size());
}

/// 1 - (1/(r N)) sum xi_i <= E[N_s]/N.
struct Theorem2Lower {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const Sphere<S> sphere(problem);
    const S mean = mean_over(others_moments<S>(problem), [&](const OthersMoments<S>& m) {
      return largest_offset(m, sphere.radius, sphere.delta);
    });
    return {S(1.0) - mean / sphere.r, expected_share<S>(problem)};
  }
};

/// E[N_s]/N <= (1/N) sum exp(-(xi_i - r)^2 / (2 R^2)).
struct Theorem2Upper {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    using std::exp;
    const Sphere<S> sphere(problem);
    const S scale = S(2.0) * square(sphere.radius);
    const S mean = mean_over(others_moments<S>(problem), [&](const OthersMoments<S>& m) -> S {
      const S gap = largest_offset(m, sphere.radius, sphere.delta) - sphere.r;
      return exp(S(-(square(gap) / scale)));
    });
    return {expected_share<S>(problem), mean};
  }
};

/// 1 - (R^2/(N r^2)) sum_i sum_{j != i} a_j^2 <= E[N_s]/N.
struct Theorem2LowerSharp {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    const Sphere<S> sphere(problem);
    const S mean =
        mean_over(others_moments<S>(problem), [](const OthersMoments<S>& m) { return m.second; });
    return {S(1.0) - square(S(sphere.radius / sphere.r)) * mean, expected_share<S>(problem)};
  }
};

/// E[N_s]/N <= (1/N) sum exp(-max(mu_i - r, 0)^2 / (2 s2_i)).
struct Theorem2UpperRepaired {
  template <class S>
  static Sides<S> sides(const Problem& problem) {
    using std::exp;
    const Sphere<S> sphere(problem);
    const S dimension = from_count<S>(problem.dimension());
    const S radius2 = square(sphere.radius);
    const S mean = mean_over(others_moments<S>(problem), [&](const OthersMoments<S>& m) -> S {
      if (m.none) return S(1.0);
      const S s2 = radius2 * m.second;
      const S s4 = square(radius2) * m.fourth;
      const S spread = max(S(square(s2) - s4), S(0.0));  // pairs a_j^2 a_k^2: never negative
      const S fourth_moment = square(s2) + S(2.0) / dimension * spread;
      const S mu = s2 * sqrt_nonnegative(s2) / sqrt_nonnegative(fourth_moment);
      const S excess = max(S(mu - sphere.r), S(0.0));
      return exp(S(-(square(excess) / (S(2.0) * s2))));
    });
    return {expected_share<S>(problem), mean};
  }
};

constexpr std::string_view kBothAssumptions =
    "Assumptions 1 and 2 together (tokens at least delta apart have probability zero here, or no "
    "useful bound on it)";

/// Conditioning on Assumption 2 has positive probability, with a bound of use, in d = 3 only.
std::string_view separated(const Problem& problem) {
  if (problem.delta() == 0) return {};
  if (problem.dimension() != 3) return kBothAssumptions;
  const std::size_t pairs = problem.tokens() * (problem.tokens() - 1) / 2;
  const Rational closer = problem.delta() / problem.sphere_radius();
  return closer * closer * pairs < 4 ? std::string_view{} : kBothAssumptions;
}

/// r <= min xi_i, exactly: xi_i^2 is rational.
std::string_view r_below_every_offset(const Problem& problem) {
  if (const auto unmet = separated(problem); !unmet.empty()) return unmet;
  const Rational r2 = problem.r() * problem.r();
  const Rational radius2 = problem.sphere_radius() * problem.sphere_radius();
  const Rational delta2 = problem.delta() * problem.delta();
  for (const std::size_t i : problem.selected()) {
    Rational first = 0;
    Rational second = 0;
    for (const std::size_t j : problem.selected()) {
      if (j == i) continue;
      first += problem.weights()[j];
      second += problem.weights()[j] * problem.weights()[j];
    }
    const Rational square = first * first;
    if (r2 > radius2 * square - delta2 / 2 * (square - second)) return "r <= min_i xi_i";
  }
  return {};
}

std::string_view independent(const Problem& problem) {
  return problem.delta() == 0 ? std::string_view{}
                              : "Assumption 1 alone (independent tokens: delta = 0)";
}

std::vector<Step> separability_steps(const Problem& problem) {
  using S = Interval<50>;
  const Sphere<S> sphere(problem);
  const auto moments = others_moments<S>(problem);
  return {
      {"E[N_s]/N", expected_share<S>(problem)},
      {"xi of the largest weight", largest_offset(moments.front(), sphere.radius, sphere.delta)},
      {"xi of the least selected", largest_offset(moments.back(), sphere.radius, sphere.delta)},
      {"mean of sum_{j != i} a_j^2",
       mean_over(moments, [](const OthersMoments<S>& m) { return m.second; })}};
}

/// One token selected: X_1 = 0, and every bound is 1.
constexpr std::string_view kOneSelected =
    R"({"weights":["1/2","1/2"],"N":1,"M":"1","r":"1","delta":"0","dimension":1})";

constexpr Claim kClaims[] = {
    {
        .id = "theorem2.lower",
        .title = "At least so many selected tokens stay distinguishable",
        .statement =
            "1 - (1/(r N)) sum_{i in I} xi_i <= E[N_s]/N for x_i independent and uniform on the "
            "sphere of radius R in R^d, I the N largest weights, where N_s = #{i in I : "
            "||a_i x_i - s|| <= r} and xi_i^2 = R^2 (sum_{j in I, j != i} a_j)^2 - "
            "(delta^2/2) sum_{j != k; j,k != i} a_j a_k",
        .paper = "Theorem 2, lower bound",
        .provenance = Provenance::reconstructed,
        .status = Status::proved,
        .argument =
            "X_i = ||a_i x_i - s|| = ||sum_{j in I, j != i} a_j x_j|| <= xi_i surely, since "
            "x_j . x_k <= R^2 - delta^2/2. Markov: P(X_i > r) <= E[X_i]/r <= xi_i/r.",
        .kind = SphereEmbeddings{},
        .evaluators = evaluators_of<Theorem2Lower>(),
        .unmet = &separated,
        .steps = &separability_steps,
        .example = kOneSelected,
    },
    {
        .id = "theorem2.upper",
        .title = "At most so many selected tokens stay distinguishable",
        .statement = "for r <= min xi_i and x_i as in theorem2.lower: E[N_s]/N <= (1/N) sum_{i in "
                     "I} exp(-(xi_i - r)^2/(2 R^2))",
        .paper = "Theorem 2, upper bound",
        .provenance = Provenance::reconstructed,
        .status = Status::refuted,
        .argument =
            "The proof puts xi_i >= E X_i where Hoeffding's inequality needs E X_i. d = 3, "
            "L = 10, all a = 1/10, N = 9, R = 1, r = 1/2, delta = 0: each X_i is the length "
            "of 8 steps of 1/10 in random directions; xi_i = 0.8, so the right-hand side is "
            "exp(-0.045) = 0.95599..., and the left-hand side is 0.98184... .",
        .kind = SphereEmbeddings{},
        .evaluators = evaluators_of<Theorem2Upper>(),
        .unmet = &r_below_every_offset,
        .steps = &separability_steps,
        .example =
            R"({"weights":["0","1/5","1/5","1/5","1/5","1/5"],"N":5,"M":"1","r":"3/4","delta":"0","dimension":3})",
    },
    {
        .id = "theorem2.lower.sharp",
        .title = "The lower bound from second moments",
        .statement = "1 - (R^2/(N r^2)) sum_{i in I} sum_{j in I, j != i} a_j^2 <= E[N_s]/N",
        .paper = "Theorem 2, lower bound",
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument = "Under Assumption 1 the cross terms vanish: E X_i^2 = R^2 sum_{j != i} a_j^2. "
                    "Chebyshev: P(X_i > r) <= E[X_i^2]/r^2. Tighter than theorem2.lower where each "
                    "offset is at most r; neither contains the other.",
        .kind = SphereEmbeddings{},
        .evaluators = evaluators_of<Theorem2LowerSharp>(),
        .unmet = &independent,
        .steps = &separability_steps,
        .example = kOneSelected,
        .sharpens = "theorem2.lower",
    },
    {
        .id = "theorem2.upper.repaired",
        .title = "The upper bound that holds",
        .statement =
            "E[N_s]/N <= (1/N) sum_{i in I} exp(-max(mu_i - r, 0)^2/(2 s2_i)), s2_i = R^2 "
            "sum_{j in I, j != i} a_j^2, s4_i = R^4 sum_{j != i} a_j^4, mu_i = s2_i^(3/2) / "
            "sqrt(s2_i^2 + (2/d)(s2_i^2 - s4_i)); a term is 1 where s2_i = 0",
        .paper = "Theorem 2, upper bound",
        .provenance = Provenance::derived,
        .status = Status::proved,
        .argument =
            "E X^2 = s2 and E X^4 = s2^2 + (2/d)(s2^2 - s4); by Hoelder E X >= "
            "(E X^2)^(3/2) / (E X^4)^(1/2) = mu. X changes by at most 2 R a_j when x_j does, "
            "so McDiarmid gives P(X <= mu - t) <= exp(-t^2/(2 s2)).",
        .kind = SphereEmbeddings{},
        .evaluators = evaluators_of<Theorem2UpperRepaired>(),
        .unmet = &independent,
        .steps = &separability_steps,
        .example = kOneSelected,
    },
};

}  // namespace

std::span<const Claim> separability_claims() {
  return kClaims;
}

}  // namespace attn
