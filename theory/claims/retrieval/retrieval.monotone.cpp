#include "theory/attention/attained.hpp"
#include "theory/claims/retrieval/shared.hpp"

namespace attn::claims::retrieval_monotone {

/// ||o - s/A|| of so many tokens: exactly 0 of all.
template <class S>
S error_of(const CaseContext& context, std::size_t count) {
  if (count == context.tokens()) return S(0.0);
  return renormalised_error<S>(context, largest_parts(context, count));
}

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  return {error_of<S>(context, context.top_n() + 1), error_of<S>(context, context.top_n())};
};

Claim claim() {
  return {
      .id = "retrieval.monotone",
      .title = "A cache of one token more is said to be never further off",
      .statement =
          "$||o - s'/A'|| <= ||o - s/A||$, $o = sum_i a_i x_i$, for weights $a_i >= 0$ of sum 1, "
          "any vectors $x_i$ and $I$ the $N < L$ tokens of the largest weights, $A = sum_{i in I} "
          "a_i$, $s = sum_{i in I} a_i x_i$, $A'$ and $s'$ the same of the $N + 1$ largest",
      .paper = "arXiv 2609.37879: Retrieval capacity, its search for the least N",
      .status = Status::refuted,
      .argument =
          "Weights $1/2, 1/4, 1/4$ of 0, 1 and $-1$: the first token alone is exact, and the first "
          "two are $1/3$ off; without dividing by the sum $1/4 > 0$. What falls with $N$ is $1 - "
          "A$, and with it the bounds.",
      .kind = InputKind::top_n_embeddings,
      .evaluators = sides<kSides>,
      .attained = &keeps_the_centre,
      .unmet = &breaks_theorem1,
      .example = R"({"weights":["1/2","1/4","1/4"],"embeddings":[["0"],["1"],["-1"]],"N":1})",
      .witness = {.lhs = "1/3", .rhs = "0"},
  };
}

}  // namespace attn::claims::retrieval_monotone
