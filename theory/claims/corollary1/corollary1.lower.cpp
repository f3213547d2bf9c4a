#include "theory/claims/corollary1/shared.hpp"

namespace attn::claims::corollary1_lower {

Claim claim() {
  return {
      .id = "corollary1.lower",
      .title = "The least weight that queries and keys allow",
      .statement =
          "$exp(-2 Delta/T)/L <= min_i a_i$ for $a = softmax(l/T)$, $l_i = q . k_i$ of a query "
          "$q$ and $L$ keys $k_i$, $T > 0$, $Delta = ||q|| max_j ||k_j||$",
      .paper = "Corollary 1",
      .provenance = FormulaOrigin::quoted,
      .argument =
          "lemma1.lower with $a = Delta$, since $|q . k_i| <= ||q|| ||k_i||$ (Cauchy-Schwarz), and "
          "$F(l) = exp(l/T)$, for which $m = exp(-Delta/T)$ and $M = exp(Delta/T)$. Attained when "
          "$q = 0$.",
      .kind = InputKind::query_keys,
      .evaluators = sides<kLeastWeight<kTwiceDelta>>,
      .example = R"({"query":["0"],"keys":[["1"],["1"]],"temperature":"1"})",
      .mutants = {mutant<kLeastWeight<kDelta>>("one_delta", "$Delta$ in place of $2 Delta$"),
                  mutant<kLeastWeight<kTwiceOwnDelta>>(
                      "own_key", "$||k_i||$ of the token itself in place of the longest key"),
                  on_rows(mutant<kUniformBelow>("no_delta", "$exp(2 Delta/T)$ left out")),
                  on_rows(mutant<kLeastWeight<kTwiceLeastProduct>>(
                      "least_product", "$min_j |q . k_j|$ in place of $Delta$"))},
  };
}

}  // namespace attn::claims::corollary1_lower
