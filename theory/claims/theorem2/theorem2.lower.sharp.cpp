#include "theory/claims/theorem2/shared.hpp"

namespace attn::claims::theorem2_lower_sharp {

/// 1 - (1/N) sum_{i in I} m_i <= E[N_s]/N, m_i as `chance` finds it from X_i^2.
template <class S, class Chance>
Sides<S> beyond(const CaseContext& context, Chance chance) {
  return {S(1.0) - mean_over(squared_offsets<S>(context), chance), expected_share<S>(context)};
}

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  return beyond<S>(context, [](const SquaredOffset<S>& x) { return chance_beyond(x); });
};

constexpr auto kHalfVariance = []<class S>(const CaseContext& context) -> Sides<S> {
  return beyond<S>(context, [](SquaredOffset<S> x) {
    x.variance = x.variance / S(2.0);
    return chance_beyond(x);
  });
};

/// s2_i/r^2 halved, which is then below 1 up to r^2 = s2_i/2.
constexpr auto kHalfMoment = []<class S>(const CaseContext& context) -> Sides<S> {
  return beyond<S>(context, [](const SquaredOffset<S>& x) -> S {
    return min(S(x.mean / (S(2.0) * x.allowed)), S(1.0));
  });
};

constexpr auto kWithoutVariance = []<class S>(const CaseContext& context) -> Sides<S> {
  return beyond<S>(context, [](SquaredOffset<S> x) {
    x.variance = S(0.0);
    return chance_beyond(x);
  });
};

Claim claim() {
  return {
      .id = "theorem2.lower.sharp",
      .title = "The lower bound from second and fourth moments",
      .statement =
          "for $delta = 0$: $1 - (1/N) sum_{i in I} m_i <= E[N_s]/N$ for weights $a_i >= 0$ of "
          "sum 1, $I$ the $N < L$ tokens of the largest weights, and $x_i$ independent and "
          "uniform on the sphere of radius $R$ in $R^d$, where $N_s = #{i in I : ||a_i x_i - s|| "
          "<= r}$, $s = sum_{i in I} a_i x_i$, $r > 0$, $m_i = min(1, s2_i/r^2, v_i/(v_i + (r^2 - "
          "s2_i)^2))$ where $s2_i < r^2$ and 1 elsewhere, $s2_i = R^2 sum_{j in I, j != i} "
          "a_j^2$, $s4_i = R^4 sum_{j in I, j != i} a_j^4$, $v_i = (2/d) (s2_i^2 - s4_i)$",
      .paper = "Theorem 2, lower bound",
      .argument =
          "With $b_j = R a_j$ and independent unit vectors $u_j$, $X_i^2 = ||sum_{j in I, j != i} "
          "b_j u_j||^2 = s2_i + 2 sum_{j < k} b_j b_k u_j . u_k$, summed over pairs of the others. "
          "Each $u_j . u_k$ has mean 0 and, since $E[u u^T] = I/d$, second moment $1/d$; two "
          "different ones are uncorrelated, as one of the vectors is in only one of them. So $E "
          "X_i^2 = s2_i$, and the variance of $X_i^2$ is $(4/d) sum_{j < k} b_j^2 b_k^2 = (2/d) "
          "(s2_i^2 - s4_i) = v_i$. $P(X_i > r)$ is at most $s2_i/r^2$ (Markov for $X_i^2$), and "
          "where $s2_i < r^2$ at most $v_i/(v_i + (r^2 - s2_i)^2)$ (Cantelli for $X_i^2$): $P(X_i "
          "> r) <= m_i$, and $E[N_s]/N = (1/N) sum_{i in I} P(X_i <= r)$. Attained at $N = 1$, and "
          "at $N = 2$ unless $R a_j = r$ for one of the two. At $delta = 0$ never looser than "
          "theorem2.lower: $xi_i >= sqrt(s2_i)$, so that $xi_i/r >= min(1, s2_i/r^2) >= m_i$.",
      .kind = InputKind::sphere_embeddings,
      .evaluators = sides<kSides>,
      .attained = &is_met_in_rationals<kSides>,
      .unmet = &independent,
      .example =
          R"({"weights":["1/2","1/4","1/4"],"N":2,"M":"1","r":"1/3","delta":"0","dimension":3})",
      .sharpens = "theorem2.lower",
      .mutants = {mutant<kHalfVariance>("half_variance", "$v_i$ halved"),
                  on_rows(mutant<kWithoutVariance>("no_variance", "$v_i$ left out")),
                  on_rows(mutant<kHalfMoment>("half", "$min(1, s2_i/(2 r^2))$ in place of $m_i$")),
                  strict()},
  };
}

}  // namespace attn::claims::theorem2_lower_sharp
