#include "theory/claims/theorem2/shared.hpp"

namespace attn::claims::theorem2_upper_repaired {

/// E[N_s]/N <= (1/N) sum_{i in I} of the chances that `chance` finds from X_i^2.
template <class S, class Chance>
Sides<S> within(const CaseContext& context, Chance chance) {
  return {expected_share<S>(context), mean_over(squared_offsets<S>(context), chance)};
}

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  return within<S>(context, [](const SquaredOffset<S>& x) { return chance_within(x); });
};

constexpr auto kHalfVariance = []<class S>(const CaseContext& context) -> Sides<S> {
  return within<S>(context, [](SquaredOffset<S> x) {
    x.variance = x.variance / S(2.0);
    return chance_within(x);
  });
};

constexpr auto kOffsetForMean = []<class S>(const CaseContext& context) -> Sides<S> {
  using std::exp;
  const Sphere<S> sphere(context);
  const S scale = S(2.0) * square(sphere.radius);
  const S mean = mean_over(others_sums<S>(context), [&](const PowerSums<S>& m) -> S {
    return exp(S(-(square(S(sphere.radius * m.first - sphere.r)) / scale)));
  });
  return {expected_share<S>(context), mean};
};

constexpr auto kWithoutVariance = []<class S>(const CaseContext& context) -> Sides<S> {
  return within<S>(context, [](SquaredOffset<S> x) {
    x.variance = S(0.0);
    return chance_within(x);
  });
};

Claim claim() {
  return {
      .id = "theorem2.upper.repaired",
      .title = "The upper bound that holds",
      .statement =
          "for $delta = 0$: $E[N_s]/N <= (1/N) sum_{i in I} v_i/(v_i + (s2_i - r^2)^2)$ for "
          "weights $a_i >= 0$ of sum 1, $I$ the $N < L$ tokens of the largest weights, and $x_i$ "
          "independent and uniform on the sphere of radius $R$ in $R^d$, where $N_s = #{i in I : "
          "||a_i x_i - s|| <= r}$, $s = sum_{i in I} a_i x_i$, $r > 0$, $s2_i = R^2 sum_{j in I, "
          "j != i} a_j^2$, $s4_i = R^4 sum_{j in I, j != i} a_j^4$, $v_i = (2/d) (s2_i^2 - "
          "s4_i)$; a term is 1 where $s2_i <= r^2$",
      .paper = "Theorem 2, upper bound",
      .argument =
          "$X_i^2$ has mean $s2_i$ and variance $v_i$ (theorem2.lower.sharp). Where $s2_i > r^2$, "
          "Cantelli's inequality gives $P(X_i <= r) = P(X_i^2 - s2_i <= -(s2_i - r^2)) <= v_i/(v_i "
          "+ (s2_i - r^2)^2)$; elsewhere the chance is at most 1. $E[N_s]/N = (1/N) sum_{i in I} "
          "P(X_i <= r)$. The terms below 1 fall as $d$ grows, like $1/d$: in many dimensions "
          "$X_i^2$ hardly varies. Attained at $a = (6, 2, 2, 1)/11$, $N = 3$, $d = 1$, $R = 1$, $r "
          "= 4/11$. With $delta = 8/5$ it fails, at $a = (1/3, 1/3, 1/3, 0)$, $N = 3$, $d = 3$, $R "
          "= 1$, $r = 2/5$: two steps of $1/3$, from tokens so far apart, end within $2/5$ surely, "
          "and $r^2 < s2_i = 2/9$.",
      .kind = InputKind::sphere_embeddings,
      .evaluators = sides<kSides>,
      .attained = &is_met_in_rationals<kSides>,
      .unmet = &independent,
      .example = R"({"weights":["6/11","2/11","2/11","1/11"],"N":3,"M":"1","r":"4/11",)"
                 R"("delta":"0","dimension":1})",
      .mutants = {on_rows(mutant<kOffsetForMean>(
                      "any_r", "the printed bound, without its hypothesis on $r$")),
                  mutant<kHalfVariance>("half_variance", "$v_i$ halved"),
                  on_rows(mutant<kWithoutVariance>("no_variance", "$v_i$ left out")), strict()},
  };
}

}  // namespace attn::claims::theorem2_upper_repaired
