#include "theory/claims/theorem2/shared.hpp"

namespace attn::claims::theorem2_upper {

/// E[N_s]/N <= (1/N) sum exp(-(xi_i - r)^2 / (2 R^2)).
constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  using std::exp;
  const Sphere<S> sphere(context);
  const S scale = S(2.0) * square(sphere.radius);
  const S mean = mean_over(others_sums<S>(context), [&](const PowerSums<S>& m) -> S {
    const S gap = largest_offset(m, sphere.radius, sphere.delta) - sphere.r;
    return exp(S(-(square(gap) / scale)));
  });
  return {expected_share<S>(context), mean};
};

Claim claim() {
  return {
      .id = "theorem2.upper",
      .title = "At most so many selected tokens stay distinguishable",
      .statement =
          "$E[N_s]/N <= (1/N) sum_{i in I} exp(-(xi_i - r)^2/(2 R^2))$ for weights $a_i >= 0$ of "
          "sum 1, $I$ the $N < L$ tokens of the largest weights, and $x_i$ independent and uniform "
          "on the sphere of radius $R$ in $R^d$, their law conditioned on all $||x_j - x_k|| >= "
          "delta$ ($delta = 0$: no condition; $delta > 0$ is decided where $d = 3$ and $delta^2 L "
          "(L-1)/2 < 4 R^2$), where $N_s = #{i in I : ||a_i x_i - s|| <= r}$, $s = sum_{i in I} "
          "a_i x_i$, $r > 0$, $xi_i >= 0$ and $xi_i^2 = R^2 (sum_{j in I, j != i} a_j)^2 - "
          "(delta^2/2) sum_{j,k in I; j != k; j,k != i} a_j a_k$",
      .paper = "Theorem 2, upper bound",
      .provenance = FormulaOrigin::reconstructed,
      .status = Status::refuted,
      .argument =
          "Of one selected token $s = a_1 x_1$: the share is 1, and every term of the bound is "
          "below 1 where $r > 0 = xi_1$; so it is wherever $r > max xi_i$, as $X_i <= xi_i$. The "
          "paper asks for no $r <= min xi_i$, and with that the bound is false too: ten weights "
          "$1/10$, $N = 9$, $R = 1$, $r = 1/2 <= xi_i = 4/5$, $delta = 0$, $d = 3$. The bound is "
          "$exp(-(3/10)^2/2) = 0.95599...$, the share, the chance that eight steps of $1/10$ in "
          "random directions end within $1/2$, $0.98184...$. The proof puts $xi_i >= E X_i$ where "
          "Hoeffding's inequality needs $E X_i$: $X_i$ is the length of a sum of steps in random "
          "directions, and $xi_i$ that of as many steps in one direction.",
      .kind = InputKind::sphere_embeddings,
      .evaluators = sides<kSides>,
      .unmet = &separated,
      .example = R"({"weights":["1/2","1/2"],"N":1,"M":"1","r":"1","delta":"0","dimension":3})",
      .witness = {.lhs = "1", .rhs = "0.60653..."},
      .sentence =
          "The share of distinguishable tokens is at most the mean of $exp(-(xi_i - r)^2/(2 "
          "R^2))$: \"once $r$ is smaller than $xi_i$ for many $i$, the exponential term decays "
          "rapidly\" (Theorem 2).",
      .instead =
          "$xi_i$ is the largest offset possible, not the mean that the inequality needs. With "
          "mean and variance of the squared offset in its place the bound holds, and falls as $d$"
          " grows (theorem2.upper.repaired).",
  };
}

}  // namespace attn::claims::theorem2_upper
