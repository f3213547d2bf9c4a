#include "theory/claims/retrieval/shared.hpp"

namespace attn::claims::retrieval_renormalised_better {
constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  return {renormalised_error<S>(context), lost_length<S>(context)};
};

Claim claim() {
  return {
      .id = "retrieval.renormalised.better",
      .title = "Dividing the kept weights by their sum is said to bring the output nearer",
      .statement =
          "$||sum_i a_i x_i - s/A|| <= ||sum_i a_i x_i - s||$ for weights $a_i >= 0$ of sum 1, any "
          "vectors $x_i$ and $I$ any set of $N < L$ tokens with $A > 0$, $A = sum_{i in I} a_i$, "
          "$s = sum_{i in I} a_i x_i$",
      .paper = "arXiv 2609.37879: Retrieval capacity, its finding on models read as a law",
      .provenance = FormulaOrigin::reconstructed,
      .status = Status::refuted,
      .argument =
          "Two tokens of weight $1/2$ at 1 and $-1$, the first kept: the output is 0, $s/A = 1$ "
          "and $s = 1/2$. With the means $c = s/A$ and $m$ of the tokens inside and outside, the "
          "two errors are $(1-A) ||m - c||$ and $(1-A) ||m||$: dividing helps just where $||m - "
          "c|| < ||m||$.",
      .kind = InputKind::chosen_embeddings,
      .evaluators = sides<kSides>,
      .attained = &loses_the_same,
      .unmet = &some_mass,
      .example = R"({"weights":["1/2","1/2"],"embeddings":[["1"],["-1"]],"set":[0]})",
      .witness = {.lhs = "1", .rhs = "1/2"},
  };
}

}  // namespace attn::claims::retrieval_renormalised_better
