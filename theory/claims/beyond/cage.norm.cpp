#include "theory/attention/output.hpp"
#include "theory/claims/any_weights.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims::cage_norm {

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  return {output_length<S>(context), longest_embedding<S>(context)};
};

constexpr auto kShortest = []<class S>(const CaseContext& context) -> Sides<S> {
  S shortest = longest_embedding<S>(context);
  for (std::size_t i = 0; i < context.tokens(); ++i) {
    shortest = min(shortest, embedding_length<S>(context, i));
  }
  return {output_length<S>(context), shortest};
};

constexpr auto kLargestShare = []<class S>(const CaseContext& context) -> Sides<S> {
  const std::vector<S> a = attention_weights<S>(context);
  S largest(0.0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = max(largest, S(a[i] * embedding_length<S>(context, i)));
  }
  return {output_length<S>(context), largest};
};

constexpr auto kLeastWeight = []<class S>(const CaseContext& context) -> Sides<S> {
  const S least = attention_weights<S>(context)[context.least()];
  return {output_length<S>(context), least * longest_embedding<S>(context)};
};

Claim claim() {
  return {
      .id = "cage.norm",
      .title = "Weights of sum at most 1 do not lengthen what they mix",
      .statement =
          "$||sum_i a_i x_i|| <= max_i ||x_i||$ for $a_i >= 0$, $sum_i a_i <= 1$ and any vectors "
          "$x_i$",
      .paper = "arXiv 2005.09561: Normalized attention without probability cage",
      .provenance = FormulaOrigin::reconstructed,
      .argument =
          "The triangle inequality: $||sum a_i x_i|| <= sum a_i ||x_i|| <= (sum a_i) max ||x_i||$. "
          "Attained by weights of sum 1 where all embeddings are equal, and where the longest has "
          "all the weight.",
      .kind = InputKind::weighted_embeddings,
      .evaluators = sides<kSides>,
      .unmet = &sum_beyond_one,
      .example = R"({"weights":["1/2","1/2"],"embeddings":[["3","4"],["3","4"]]})",
      .mutants = {mutant<kShortest>("shortest", "$min_i$ in place of $max_i$"), strict(),
                  on_rows(mutant<kLargestShare>("largest_share",
                                                "$max_i a_i ||x_i||$ in place of $max_i ||x_i||$")),
                  on_rows(mutant<kLeastWeight>("least_weight", "the bound times $min_i a_i$"))},
  };
}

}  // namespace attn::claims::cage_norm
