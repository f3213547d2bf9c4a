#include "theory/claims/retrieval/shared.hpp"

namespace attn::claims::retrieval_renormalised {

/// ||x_i - x_j|| of the pair i in O, j in I whose square `choose` takes of any two.
template <class S>
S distance_chosen(const CaseContext& context, const auto& choose) {
  return with_embeddings<S>(context, [&]<class W>(const Rows<W>& x) -> S {
    W chosen = squared_distance(x[context.others().front()], x[context.selected().front()]);
    for (const std::size_t i : context.others()) {
      for (const std::size_t j : context.selected()) {
        chosen = choose(chosen, squared_distance(x[i], x[j]));
      }
    }
    return sqrt_nonnegative(from<S>(chosen));
  });
}

/// d1.
template <class S>
S spread(const CaseContext& context) {
  return distance_chosen<S>(context, []<class W>(const W& a, const W& b) { return max(a, b); });
}

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  return {renormalised_error<S>(context), mass_outside<S>(context) * spread<S>(context)};
};

constexpr auto kNearest = []<class S>(const CaseContext& context) -> Sides<S> {
  const auto least = []<class W>(const W& a, const W& b) -> W { return -max(-a, -b); };
  return {renormalised_error<S>(context),
          mass_outside<S>(context) * distance_chosen<S>(context, least)};
};

constexpr auto kSquared = []<class S>(const CaseContext& context) -> Sides<S> {
  return {renormalised_error<S>(context), square(mass_outside<S>(context)) * spread<S>(context)};
};

constexpr auto kDeletion = []<class S>(const CaseContext& context) -> Sides<S> {
  return {lost_length<S>(context), mass_outside<S>(context) * spread<S>(context)};
};

Claim claim() {
  return {
      .id = "retrieval.renormalised",
      .title = "The kept weights divided by their sum: the error is a matter of differences",
      .statement =
          "$||sum_i a_i x_i - s/A|| <= (1-A) d1$ for weights $a_i >= 0$ of sum 1, any vectors "
          "$x_i$ and $I$ any set of $N < L$ tokens with $A > 0$, $A = sum_{i in I} a_i$, $s = "
          "sum_{i in I} a_i x_i$, $d1 = max_{i not in I, j in I} ||x_i - x_j||$",
      .paper = "arXiv 2609.37879: Retrieval capacity, Proposition 2, for the weights divided by A",
      .argument =
          "With $c = s/A$ and $sum_{i not in I} a_i = 1 - A$: $sum_i a_i x_i - c = A c + sum_{i "
          "not in I} a_i x_i - c = sum_{i not in I} a_i (x_i - c)$. As $c$ is a mean of the "
          "selected $x_j$, $||x_i - c|| <= d1$. Attained where all $x_i$ outside are one vector "
          "and all selected another, as with two tokens. Softmax over the logits that are kept is "
          "$a_i/A$, exactly: this is the error of a pruned KV cache. Adding one vector to every "
          "$x_i$ leaves it as it is.",
      .kind = InputKind::chosen_embeddings,
      .evaluators = sides<kSides>,
      .attained = &attains_renormalised,
      .unmet = &some_mass,
      .example = R"({"weights":["3/4","1/4"],"embeddings":[["1","0"],["4","4"]],"set":[0]})",
      .mutants = {mutant<kDeletion>("deletion",
                                    "$s$ in place of $s/A$: the kept weights left as they are"),
                  strict(),
                  on_rows(mutant<kNearest>("nearest",
                                           "the least $||x_i - x_j||$ in place of the largest")),
                  on_rows(mutant<kSquared>("squared", "$(1-A)^2$ in place of $1 - A$"))},
  };
}

}  // namespace attn::claims::retrieval_renormalised
