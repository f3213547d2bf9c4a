#include "theory/attention/output.hpp"
#include "theory/claims/any_weights.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims::norm_based_largest {

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  const std::vector<S> a = attention_weights<S>(context);
  const auto contribution = [&](std::size_t i) -> S {
    return a[i] * embedding_length<S>(context, i);
  };
  const S of_largest = contribution(context.largest());
  S most = of_largest;
  for (std::size_t i = 0; i < a.size(); ++i) most = max(most, contribution(i));
  return {most, of_largest};
};

/// Known where no enclosure of another contribution reaches that of the largest weight.
bool is_beyond_all_others(const CaseContext& context) {
  using S = ErrorDouble;
  const std::vector<S> a = attention_weights<S>(context);
  const std::size_t first = context.largest();
  const S of_largest = a[first] * embedding_length<S>(context, first);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (i != first && !certainly_less<S>(a[i] * embedding_length<S>(context, i), of_largest)) {
      return false;
    }
  }
  return true;
}

Claim claim() {
  return {
      .id = "norm_based.largest",
      .title = "The largest weight read as the largest contribution",
      .statement =
          "$max_i a_i ||x_i|| <= a_(1) ||x_(1)||$ for weights $a_i >= 0$ of any sum and any "
          "vectors $x_i$, $(1)$ the token of the largest weight, of tied ones the first",
      .paper = "arXiv 2004.10102: Attention is not only a weight",
      .provenance = FormulaOrigin::reconstructed,
      .status = Status::refuted,
      .argument =
          "A token of less weight contributes more where its embedding is longer. The sides are "
          "equal wherever the claim holds.",
      .kind = InputKind::weighted_embeddings,
      .evaluators = sides<kSides>,
      .attained = &is_beyond_all_others,
      .unmet = &lacks_weights,
      .example = R"({"weights":["3/5","2/5"],"embeddings":[["1"],["2"]]})",
      .witness = {.lhs = "4/5", .rhs = "3/5"},
  };
}

}  // namespace attn::claims::norm_based_largest
