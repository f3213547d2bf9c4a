#include "theory/claims/theorem2/shared.hpp"

namespace attn::claims::theorem2_lower {

/// 1 - (1/(r N)) sum xi_i <= E[N_s]/N.
constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  const Sphere<S> sphere(context);
  const S mean = mean_over(others_sums<S>(context), [&](const PowerSums<S>& m) {
    return largest_offset(m, sphere.radius, sphere.delta);
  });
  return {S(1.0) - mean / sphere.r, expected_share<S>(context)};
};

constexpr auto kAllTokens = []<class S>(const CaseContext& context) -> Sides<S> {
  const auto s = evaluate<kSides, S>(context);
  const S share = from_count<S>(context.top_n()) / from_count<S>(context.tokens());
  return {S(1.0) - share * (S(1.0) - s.lhs), s.rhs};
};

constexpr auto kHalfOffset = []<class S>(const CaseContext& context) -> Sides<S> {
  const auto s = evaluate<kSides, S>(context);
  return {(S(1.0) + s.lhs) / S(2.0), s.rhs};
};

Claim claim() {
  return {
      .id = "theorem2.lower",
      .title = "At least so many selected tokens stay distinguishable",
      .statement =
          "$1 - (1/(r N)) sum_{i in I} xi_i <= E[N_s]/N$ for weights $a_i >= 0$ of sum 1, $I$ the "
          "$N < L$ tokens of the largest weights, and $x_i$ independent and uniform on the sphere "
          "of radius $R$ in $R^d$, their law conditioned on all $||x_j - x_k|| >= delta$ ($delta "
          "= 0$: no condition; $delta > 0$ is decided where $d = 3$ and $delta^2 L (L-1)/2 < 4 "
          "R^2$), where $N_s = #{i in I : ||a_i x_i - s|| <= r}$, $s = sum_{i in I} a_i x_i$, $r "
          "> 0$, $xi_i >= 0$ and $xi_i^2 = R^2 (sum_{j in I, j != i} a_j)^2 - (delta^2/2) "
          "sum_{j,k in I; j != k; j,k != i} a_j a_k$",
      .paper = "Theorem 2, lower bound",
      .provenance = FormulaOrigin::reconstructed,
      .argument =
          "$X_i = ||a_i x_i - s|| = ||sum_{j in I, j != i} a_j x_j||$, so that $X_i^2 = R^2 sum_{j "
          "in I, j != i} a_j^2 + sum_{j,k in I; j != k; j,k != i} a_j a_k x_j . x_k$. Given that "
          "all $||x_j - x_k|| >= delta$, $x_j . x_k = R^2 - ||x_j - x_k||^2/2 <= R^2 - delta^2/2$, "
          "so $X_i <= xi_i$ surely. Markov: $P(X_i > r) <= E[X_i]/r <= xi_i/r$, and $E[N_s]/N = "
          "(1/N) sum_{i in I} P(X_i <= r)$. Counted are the selected tokens in the ball; by the "
          "paper's definition in words, that all others are outside the closed ball of radius $r$ "
          "out to the nearest of them, $N_s = 0$ always (theorem2.lower.exclusive, "
          "separability.share.upper).",
      .kind = InputKind::sphere_embeddings,
      .evaluators = sides<kSides>,
      .attained = &is_met_in_rationals<kSides>,
      .unmet = &separated,
      .example = R"({"weights":["1/2","1/2"],"N":1,"M":"1","r":"1","delta":"0","dimension":1})",
      .mutants = {on_rows(mutant<kAllTokens>("all_tokens", "$1/(r L)$ in place of $1/(r N)$")),
                  on_rows(mutant<kHalfOffset>("half", "$xi_i$ halved"))},
  };
}

}  // namespace attn::claims::theorem2_lower
