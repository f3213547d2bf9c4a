#include "theory/claims/retrieval/shared.hpp"

namespace attn::claims::retrieval_deletion_mass {
template <class S>
S longest(const CaseContext& context) {
  return sqrt_nonnegative(from<S>(longest_square_outside(context)));
}

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  return {lost_length<S>(context), mass_outside<S>(context) * longest<S>(context)};
};

constexpr auto kShortest = []<class S>(const CaseContext& context) -> Sides<S> {
  Rational shortest = longest_square_outside(context);
  for (const std::size_t i : context.others()) {
    shortest = std::min(shortest, squared_norm(context.embeddings()[i]));
  }
  return {lost_length<S>(context), mass_outside<S>(context) * sqrt_nonnegative(from<S>(shortest))};
};

constexpr auto kSquared = []<class S>(const CaseContext& context) -> Sides<S> {
  return {lost_length<S>(context), square(mass_outside<S>(context)) * longest<S>(context)};
};

Claim claim() {
  return {
      .id = "retrieval.deletion.mass",
      .title = "What is lost with the tokens that are left out: by their share of the weight",
      .statement =
          "$||sum_{i not in I} a_i x_i|| <= (1-A) max_{i not in I} ||x_i||$ for weights $a_i >= 0$ "
          "of sum 1, any vectors $x_i$ and $I$ any set of $N < L$ tokens, $A = sum_{i in I} a_i$",
      .paper = "arXiv 2609.37879: Retrieval capacity, Proposition 2",
      .provenance = FormulaOrigin::quoted,
      .argument =
          "By retrieval.deletion what is lost is at most $sum_{i not in I} a_i ||x_i||$, and the "
          "$a_i$ outside sum to $1 - A$. The maximum, printed over all tokens, is needed over "
          "those outside alone. Attained where these have the same embedding.",
      .kind = InputKind::chosen_embeddings,
      .evaluators = sides<kSides>,
      .attained = &attains_deletion_mass,
      .unmet = &breaks_theorem1,
      .example = R"({"weights":["1/2","1/4","1/4"],"embeddings":[["1"],["3"],["3"]],"set":[0]})",
      .mutants = {scaled<kSides, 3, 4>("scaled", "three quarters of the bound"), strict(),
                  on_rows(
                      mutant<kShortest>("shortest", "the shortest $x_i$ in place of the longest")),
                  on_rows(mutant<kSquared>("squared", "$(1-A)^2$ in place of $1 - A$"))},
  };
}

}  // namespace attn::claims::retrieval_deletion_mass
