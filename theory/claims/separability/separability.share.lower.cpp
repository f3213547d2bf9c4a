#include "theory/attention/nearest_outside.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims::separability_share_lower {

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  return {from<S>(least_share_shown()), share_within_nearest<S>(context)};
};

Claim claim() {
  return {
      .id = "separability.share.lower",
      .title = "More than 16 selected tokens: at least 70 % of them are distinguishable",
      .statement =
          "$7/10 <= N_s/N$ for $N > 16$: at least 70 % of the selected tokens are "
          "distinguishable, $N_s = #{i in I : ||a_i x_i - s|| <= r}$ with $r = min_{j not in I} "
          "||a_j x_j - s||$, $s = sum_{i in I} a_i x_i$, for weights $a_i >= 0$ of sum 1, any "
          "vectors $x_i$ and $I$ the $N < L$ tokens of the largest weights",
      .paper = "Section 3.2, what its experiment on separability shows",
      .provenance = FormulaOrigin::quoted,
      .status = Status::refuted,
      .argument =
          "Seventeen tokens of weight $2/35$ at $x = 1$ and one of weight $1/35$ at 33: $s = "
          "34/35$, the one outside is at $33/35$, so $r = 1/35$, and each of the others is $32/35$ "
          "from $s$: none is in the ball. What the count leaves out of the definition in words is "
          "in separability.share.upper.",
      .kind = InputKind::top_n_embeddings,
      .evaluators = sides<kSides>,
      .unmet = &many_selected,
      .example =
          R"({"weights":["1/35","2/35","2/35","2/35","2/35","2/35","2/35","2/35","2/35","2/35","2/35","2/35","2/35","2/35","2/35","2/35","2/35","2/35"],)"
          R"("embeddings":[["33"],["1"],["1"],["1"],["1"],["1"],["1"],["1"],["1"],["1"],["1"],["1"],["1"],["1"],["1"],["1"],["1"],["1"]],)"
          R"("N":17})",
      .witness = {.lhs = "7/10", .rhs = "0"},
      .sentence =
          "\"The proportion of distinguishable tokens declines up to $N = 16$ and then saturates "
          "between 0.7 and 0.85\", read as a lower bound (Section 3.2).",
      .instead =
          "There is no such floor; what is proved depends on the weights and on $r$ "
          "(theorem2.lower, theorem2.lower.sharp).",
  };
}

}  // namespace attn::claims::separability_share_lower
