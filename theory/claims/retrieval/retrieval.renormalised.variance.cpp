#include "theory/claims/retrieval/shared.hpp"

namespace attn::claims::retrieval_renormalised_variance {

template <class S>
struct Terms {
  S error;            ///< ||o - s/A||^2
  S inside, outside;  ///< A and 1 - A
  S variance;         ///< sum_i a_i ||x_i - o||^2
  S variance_inside;  ///< the part of I
};

/// Taken of embeddings about that of the largest weight.
constexpr auto kTerms = []<class S>(const CaseContext& context) {
  return with_weights<S>(context, [&]<class W>(const std::vector<W>& a, const Rows<W>&) {
    const Parts parts = own_parts(context);
    const std::vector<Rational>& origin = context.embeddings()[context.largest()];
    const std::vector<W> o = sum_about(context, a, context.score_order(), origin);
    const auto part = [&](const std::vector<std::size_t>& tokens) {
      W sum(0);
      for (const std::size_t i : tokens) {
        sum += a[i] * sum_of_squares<W>(o.size(), [&](std::size_t k) {
                 return W(from<W>(Rational(context.embeddings()[i][k] - origin[k])) - o[k]);
               });
      }
      return sum;
    };
    const Masses<W> mass(a, parts);
    const W kept = part(parts.kept);
    return Terms<S>{.error = from<S>(squared_norm(renormalised_offset(context, a, parts))),
                    .inside = from<S>(mass.inside),
                    .outside = from<S>(mass.outside),
                    .variance = from<S>(W(kept + part(parts.left_out))),
                    .variance_inside = from<S>(kept)};
  });
};

constexpr auto kSides = of(kTerms, []<class S>(const Terms<S>& t) -> Sides<S> {
  return {t.error, t.outside / t.inside * t.variance};
});

constexpr auto kWithoutMass = of(kTerms, []<class S>(const Terms<S>& t) -> Sides<S> {
  return {t.error, t.outside * t.variance};
});

/// With 1-A on the other side, which may be 0.
constexpr auto kInverse = of(kTerms, []<class S>(const Terms<S>& t) -> Sides<S> {
  return {t.error * t.outside, t.inside * t.variance};
});

constexpr auto kSquared = of(kTerms, []<class S>(const Terms<S>& t) -> Sides<S> {
  return {t.error, square(S(t.outside / t.inside)) * t.variance};
});

constexpr auto kInside = of(kTerms, []<class S>(const Terms<S>& t) -> Sides<S> {
  return {t.error, t.outside / t.inside * t.variance_inside};
});

Claim claim() {
  return {
      .id = "retrieval.renormalised.variance",
      .title = "The kept weights divided by their sum: the error by the variance of the embeddings",
      .statement =
          "$||o - s/A||^2 <= ((1-A)/A) sum_i a_i ||x_i - o||^2$, $o = sum_i a_i x_i$, for weights "
          "$a_i >= 0$ of sum 1, any vectors $x_i$ and $I$ any set of $N < L$ tokens with $A > 0$, "
          "$A = sum_{i in I} a_i$, $s = sum_{i in I} a_i x_i$",
      .paper = "arXiv 2512.07647, beside retrieval.renormalised",
      .argument =
          "$n = A (s/A - o) = sum_{i in I} a_i (x_i - o) = -sum_{i not in I} a_i (x_i - o)$. With "
          "$V_I$ and $V_O$ the two parts of the sum, Cauchy-Schwarz gives $||n||^2 <= A V_I$ and "
          "$||n||^2 <= (1-A) V_O$. If $A = 1$ both sides are 0; else $||n||^2 (1/A + 1/(1-A)) <= "
          "V_I + V_O$; divide by $A^2$. Attained where the $x_i$ of $I$ are one vector and those "
          "outside are one, as with two tokens. Beside retrieval.renormalised neither is always "
          "the sharper.",
      .kind = InputKind::chosen_embeddings,
      .evaluators = sides<kSides>,
      .attained = &attains_renormalised_variance,
      .unmet = &some_mass,
      .example = R"({"weights":["3/4","1/4"],"embeddings":[["1","0"],["4","4"]],"set":[0]})",
      .mutants = {mutant<kWithoutMass>("no_mass", "$1/A$ left out"),
                  mutant<kInverse>("inverse", "$A/(1-A)$ in place of $(1-A)/A$"),
                  mutant<kSquared>("squared", "$((1-A)/A)^2$ in place of $(1-A)/A$"),
                  on_rows(mutant<kInside>("inside", "the sum over $I$ alone")),
                  on_rows(exchanged<kSides>()), strict()},
  };
}

}  // namespace attn::claims::retrieval_renormalised_variance
