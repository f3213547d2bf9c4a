#include "theory/claims/retrieval/shared.hpp"

namespace attn::claims::retrieval_by_weight {

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  const std::size_t count = context.selected().size();
  return {renormalised_error<S>(context, largest_parts(context, count)),
          renormalised_error<S>(context)};
};

/// Known where the set is that of the largest weights.
bool is_largest(const CaseContext& context) {
  std::vector<std::size_t> set = context.selected();
  std::vector<std::size_t> largest = largest_parts(context, set.size()).kept;
  std::ranges::sort(set);
  std::ranges::sort(largest);
  return set == largest;
}

Claim claim() {
  return {
      .id = "retrieval.by_weight",
      .title = "No other tokens are said to be better kept than those of the largest weights",
      .statement =
          "$||o - s'/A'|| <= ||o - s/A||$, $o = sum_i a_i x_i$, for weights $a_i >= 0$ of sum 1, "
          "any vectors $x_i$ and $I$ any set of $N < L$ tokens with $A > 0$, $A = sum_{i in I} "
          "a_i$, $s = sum_{i in I} a_i x_i$, $A'$ and $s'$ the same of the $N$ tokens of the "
          "largest weights",
      .paper = "arXiv 2609.37879: Retrieval capacity, its question",
      .status = Status::refuted,
      .argument =
          "Weights $1/2, 1/4, 1/4$ of 1, 0 and $-2$: the output is 0, which the second token alone "
          "gives and the first does not; without dividing by the sum $1/2 > 0$. The largest "
          "weights have the least $1 - A$, so the least worst case over embeddings in a ball; the "
          "largest $a_i ||x_i||$ have the least sum of what is deleted, which bounds the error of "
          "deletion (retrieval.deletion). Of two tokens it holds.",
      .kind = InputKind::set_embeddings,
      .evaluators = sides<kSides>,
      .attained = &is_largest,
      .unmet = &some_mass,
      .example = R"({"weights":["1/2","1/4","1/4"],"embeddings":[["1"],["0"],["-2"]],"set":[1]})",
      .witness = {.lhs = "1", .rhs = "0"},
  };
}

}  // namespace attn::claims::retrieval_by_weight
