#include "theory/claims/corollary1/shared.hpp"

namespace attn::claims::corollary1_own_key_lower {

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  return {own_key_ratios<S>(context).over, S(1.0)};
};

Claim claim() {
  return {
      .id = "corollary1.own_key.lower",
      .title = "The least weight, with each token's own key alone",
      .statement =
          "$max_i exp(-2 ||q|| ||k_i||/T)/(L a_i) <= 1$ for $a = softmax(l/T)$, $l_i = q . k_i$ "
          "of a query $q$ and $L$ keys $k_i$, $T > 0$: $exp(-2 Delta/T)/L <= a_i$ with $Delta = "
          "||q|| ||k_i||$, one key",
      .paper = "Corollary 1, read with the token's own key",
      .provenance = FormulaOrigin::quoted,
      .status = Status::refuted,
      .argument =
          "A key of zero has $Delta = 0$, so its weight would be at least $1/L$ whatever the other "
          "keys are; it is $1/(1 + e^10)$ beside a key of logit 10.",
      .kind = InputKind::query_keys,
      .evaluators = sides<kSides>,
      .example = R"({"query":["1"],"keys":[["0"],["10"]],"temperature":"1"})",
      .witness = {.lhs = "11013.7328...", .rhs = "1"},
      .sentence =
          "The weights lie between $exp(-2 Delta/T)/L$ and $exp(2 Delta/T)/L$ \"where $Delta = "
          "||q|| ||k||$\", with one key (Corollary 1).",
      .instead =
          "The lower bound needs the longest key, $Delta = ||q|| max_j ||k_j||$ "
          "(corollary1.lower). What counts is the spread of the logits: $1/(1 + (L-1) e^(D/T)) <="
          " a_i$, $D = max l - min l$, which is attained (corollary1.lower.sharp).",
  };
}

}  // namespace attn::claims::corollary1_own_key_lower
