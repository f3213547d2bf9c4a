#include "theory/attention/expectation.hpp"
#include "theory/claims/theorem2/shared.hpp"

namespace attn::claims::theorem2_lower_exclusive {

std::string_view on_the_line(const CaseContext& context) {
  const bool known = context.dimension() == 1 && context.delta() == 0;
  return known ? std::string_view{} : "dimension 1 and delta = 0";
}

std::vector<Rational> radii_of(const CaseContext& context, const std::vector<std::size_t>& tokens) {
  std::vector<Rational> radii;
  radii.reserve(tokens.size());
  for (const std::size_t i : tokens) {
    radii.emplace_back(context.sphere_radius() * context.weights()[i]);
  }
  return radii;
}

/// 1 - (1/(r N)) sum xi_i <= E[N_x]/N.
constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  const Sphere<S> sphere(context);
  const S mean = mean_over(others_sums<S>(context),
                           [&](const PowerSums<S>& m) -> S { return sphere.radius * m.first; });
  const Rational share = expected_exclusive_share(radii_of(context, context.selected()),
                                                  radii_of(context, context.others()), context.r());
  return {S(1.0) - mean / sphere.r, from<S>(share)};
};

Claim claim() {
  return {
      .id = "theorem2.lower.exclusive",
      .title = "At least so many selected tokens stay distinguishable from the others",
      .statement =
          "$1 - (1/(r N)) sum_{i in I} xi_i <= E[N_x]/N$ for weights $a_i >= 0$ of sum 1, $I$ the "
          "$N < L$ tokens of the largest weights, and $x_i$ independent and uniform on $-R$ and "
          "$R$, the sphere of dimension $d = 1$, $delta = 0$, where $N_x = N_s$ if no $a_j x_j$, "
          "$j not in I$, is within $r$ of $s$, and $N_x = 0$ else, $N_s = #{i in I : ||a_i x_i - "
          "s|| <= r}$, $s = sum_{i in I} a_i x_i$, $r > 0$, $xi_i = R sum_{j in I, j != i} a_j$",
      .paper = "Theorem 2, lower bound, with its definition of the ball",
      .provenance = FormulaOrigin::reconstructed,
      .status = Status::refuted,
      .argument =
          "The bound knows nothing of the tokens outside. One of weight 0 stands at the origin, "
          "within $r$ of $s$ wherever $||s|| <= r$. With two selected tokens of weight $1/2$ and "
          "$R = r = 1$ that is always so, while each $xi_i$ is $1/2$.",
      .kind = InputKind::sphere_embeddings,
      .evaluators = sides<kSides>,
      .attained = &is_met_in_rationals<kSides>,
      .unmet = &on_the_line,
      .example = R"({"weights":["1/2","1/2","0"],"N":2,"M":"1","r":"1","delta":"0","dimension":1})",
      .witness = {.lhs = "1/2", .rhs = "0"},
      .sentence =
          "An embedding counts where it \"remains within $B_r(s)$ while every non-selected "
          "embedding\" stays outside (Section 2.2).",
      .instead =
          "Counted so, the lower bound of Theorem 2 fails: one token outside, near $s$, takes all "
          "away. It holds for the count that looks at the selected tokens alone (theorem2.lower).",
  };
}

}  // namespace attn::claims::theorem2_lower_exclusive
