#include "theory/claims/retrieval/shared.hpp"

namespace attn::claims::retrieval_deletion {
constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  return {lost_length<S>(context), sum_of(contributions_outside<S>(context))};
};

constexpr auto kOrthogonal = []<class S>(const CaseContext& context) -> Sides<S> {
  return {lost_length<S>(context), length_of(contributions_outside<S>(context))};
};

constexpr auto kLargest = []<class S>(const CaseContext& context) -> Sides<S> {
  return {lost_length<S>(context), largest_of(contributions_outside<S>(context))};
};

Claim claim() {
  return {
      .id = "retrieval.deletion",
      .title = "What is lost with the tokens that are left out: at most what they contribute",
      .statement =
          "$||sum_{i not in I} a_i x_i|| <= sum_{i not in I} a_i ||x_i||$ for weights $a_i >= 0$ "
          "of any sum, any vectors $x_i$ and $I$ any set of $N < L$ tokens",
      .paper = "arXiv 2609.37879: Retrieval capacity, Proposition 2",
      .provenance = FormulaOrigin::quoted,
      .argument =
          "The triangle inequality. Attained where every $a_i x_i$ outside points one way or is 0. "
          "It is the error of weights that are masked after softmax, not that of a pruned cache "
          "(retrieval.renormalised); adding $b$ to every $x_i$ changes what is lost by $(1-A) b$.",
      .kind = InputKind::chosen_embeddings,
      .evaluators = sides<kSides>,
      .attained = &attains_deletion,
      .unmet = &lacks_weights,
      .example = R"({"weights":["1/2","1/4","1/4"],"embeddings":[["1"],["2"],["3"]],"set":[0]})",
      .mutants =
          {scaled<kSides, 3, 4>("scaled", "three quarters of the bound"), strict(),
           on_rows(mutant<kOrthogonal>(
               "orthogonal", "the root of the sum of squares, as of vectors at right angles")),
           on_rows(mutant<kLargest>("largest", "the largest contribution in place of their sum"))},
  };
}

}  // namespace attn::claims::retrieval_deletion
