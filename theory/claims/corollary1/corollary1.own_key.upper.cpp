#include "theory/claims/corollary1/shared.hpp"

namespace attn::claims::corollary1_own_key_upper {

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  return {own_key_ratios<S>(context).times, S(1.0)};
};

Claim claim() {
  return {
      .id = "corollary1.own_key.upper",
      .title = "The largest weight, with each token's own key alone",
      .statement =
          "$max_i L a_i exp(-2 ||q|| ||k_i||/T) <= 1$ for $a = softmax(l/T)$, $l_i = q . k_i$ of "
          "a query $q$ and $L$ keys $k_i$, $T > 0$: $a_i <= exp(2 Delta/T)/L$ with $Delta = ||q|| "
          "||k_i||$, one key",
      .paper = "Corollary 1, read with the token's own key",
      .provenance = FormulaOrigin::quoted,
      .status = Status::refuted,
      .argument =
          "A key of zero has $Delta = 0$, so its weight would be at most $1/L$ whatever the other "
          "keys are; it is $1/(1 + e^-10)$ beside a key of logit -10.",
      .kind = InputKind::query_keys,
      .evaluators = sides<kSides>,
      .example = R"({"query":["1"],"keys":[["0"],["-10"]],"temperature":"1"})",
      .witness = {.lhs = "1.99990...", .rhs = "1"},
      .sentence =
          "The same bound from above, $a_i <= exp(2 Delta/T)/L$ with $Delta = ||q|| ||k||$ "
          "(Corollary 1).",
      .instead =
          "The upper bound needs the longest key too (corollary1.upper). The one that is attained"
          " is $a_i <= 1/(1 + (L-1) e^(-D/T))$ (corollary1.upper.sharp).",
  };
}

}  // namespace attn::claims::corollary1_own_key_upper
