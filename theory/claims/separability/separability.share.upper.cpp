#include "theory/attention/nearest_outside.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims::separability_share_upper {

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  return {share_within_nearest<S>(context), from<S>(most_share_shown())};
};

Claim claim() {
  return {
      .id = "separability.share.upper",
      .title = "More than 16 selected tokens: at most 85 % of them are distinguishable",
      .statement =
          "$N_s/N <= 17/20$ for $N > 16$: at most 85 % of the selected tokens are "
          "distinguishable, $N_s = #{i in I : ||a_i x_i - s|| <= r}$ with $r = min_{j not in I} "
          "||a_j x_j - s||$, $s = sum_{i in I} a_i x_i$, for weights $a_i >= 0$ of sum 1, any "
          "vectors $x_i$ and $I$ the $N < L$ tokens of the largest weights",
      .paper = "Section 3.2, what its experiment on separability shows",
      .provenance = FormulaOrigin::quoted,
      .status = Status::refuted,
      .argument =
          "Seventeen tokens of weight $1/17$ at $x = 1$ and one of weight 0: $s = 1$, the one "
          "outside is at 0, so $r = 1$, and each of the others is $16/17$ from $s$. Not only on a "
          "line: for orthonormal $x_1, ..., x_17$ each is $4/17$ from $s$, and $r = ||s|| = "
          "1/sqrt(17)$. On the definition: the ball of Section 2.2 is closed, and $r = min_{j not "
          "in I} ||a_j x_j - s||$ (Section 3.2) is attained, so that the nearest token outside is "
          "in the ball and no selection leaves all others outside it: by the definition in words "
          "$N_s = 0$ for every input. Counted are the selected tokens in the ball, as the paper's "
          "own numbers must have. (arXiv 2609.37879 repairs it: $D_i < min_{j not in I} D_j$, "
          "strictly.)",
      .kind = InputKind::top_n_embeddings,
      .evaluators = sides<kSides>,
      .unmet = &many_selected,
      .example =
          R"({"weights":["0","1/17","1/17","1/17","1/17","1/17","1/17","1/17","1/17","1/17","1/17","1/17","1/17","1/17","1/17","1/17","1/17","1/17"],)"
          R"("embeddings":[["1"],["1"],["1"],["1"],["1"],["1"],["1"],["1"],["1"],["1"],["1"],["1"],["1"],["1"],["1"],["1"],["1"],["1"]],)"
          R"("N":17})",
      .witness = {.lhs = "1", .rhs = "17/20"},
      .sentence =
          "\"No more than about 80 % of the top-$N$ tokens can be simultaneously distinguished\" "
          "(introduction); beyond $N = 16$ the share \"saturates between 0.7 and 0.85\" (Section "
          "3.2).",
      .instead =
          "Nothing keeps the share below 1: 17 orthonormal embeddings of equal weight are all "
          "within the radius. What bounds it are the weights and the dimension "
          "(theorem2.upper.repaired), under the assumptions of Theorem 2.",
  };
}

}  // namespace attn::claims::separability_share_upper
