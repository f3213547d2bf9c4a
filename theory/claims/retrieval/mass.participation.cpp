#include "theory/claims/retrieval/shared.hpp"

namespace attn::claims::mass_participation {
/// A^2 and sum_i a_i^2.
template <class W>
struct Squares {
  W mass, all;
};

template <class W>
Squares<W> squares(const CaseContext& context, const std::vector<W>& a) {
  W mass(0);
  for (const std::size_t i : context.selected()) mass += a[i];
  return {.mass = square(mass), .all = squared_norm(a)};
}

template <class S>
Squares<S> squares(const CaseContext& context) {
  if (const auto a = rational_weights(context)) {
    const Squares<Rational> exact = squares(context, *a);
    return {.mass = from<S>(exact.mass), .all = from<S>(exact.all)};
  }
  return squares(context, attention_weights<S>(context));
}

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  const Squares<S> t = squares<S>(context);
  return {t.mass, from_count<S>(context.selected().size()) * t.all};
};

constexpr auto kOneToken = []<class S>(const CaseContext& context) -> Sides<S> {
  const Squares<S> t = squares<S>(context);
  return {t.mass, t.all};
};

constexpr auto kMass = []<class S>(const CaseContext& context) -> Sides<S> {
  const Squares<S> t = squares<S>(context);
  return {sqrt_nonnegative(t.mass), from_count<S>(context.selected().size()) * t.all};
};

/// Known of rational weights.
bool is_uniform_inside(const CaseContext& context) {
  const auto a = rational_weights(context);
  if (!a) return false;
  const Squares<Rational> t = squares(context, *a);
  return t.mass == t.all * Rational(context.selected().size());
}

Claim claim() {
  return {
      .id = "mass.participation",
      .title = "How many tokens it takes to hold a share of the weight",
      .statement =
          "$A^2 <= N sum_i a_i^2$, $A = sum_{i in I} a_i$, for weights $a_i$ of any sum and $I$ "
          "any set of $N < L$ tokens: a share $A$ of the weight takes $A^2/sum_i a_i^2$ tokens",
      .paper = "arXiv 2609.37879: Retrieval capacity, its question",
      .argument =
          "Cauchy-Schwarz over $I$: $A^2 <= N sum_{i in I} a_i^2$. Attained where all weights of "
          "$I$ are equal and all others 0.",
      .kind = InputKind::chosen_weights,
      .evaluators = sides<kSides>,
      .attained = &is_uniform_inside,
      .unmet = &lacks_weights,
      .example = R"({"weights":["1/2","1/2","0"],"N":2})",
      .mutants = {strict(), on_rows(mutant<kOneToken>("one", "$N$ left out")),
                  on_rows(mutant<kMass>("mass", "$A$ in place of $A^2$"))},
  };
}

}  // namespace attn::claims::mass_participation
