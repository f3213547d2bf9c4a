#include "theory/attention/attained.hpp"
#include "theory/claims/theorem1/shared.hpp"

namespace attn::claims::theorem1_fixed_any_set {

Claim claim() {
  return {
      .id = "theorem1.fixed.any_set",
      .title = "The same bound for an arbitrary fixed set",
      .statement =
          "$D <= (1-A) d1 + X (A (L-N) - (1-A))$ for weights $a_i >= 0$ of sum 1, any vectors "
          "$x_i$ and $I$ any set of $N < L$ tokens, $A = sum_{i in I} a_i$, $s = sum_{i in I} a_i "
          "x_i$, $D = sum_{i not in I} ||a_i x_i - s||$, $d1 = max_{i not in I, j in I} ||x_i - "
          "x_j||$, $X = max_{j in I} ||x_j||$",
      .paper = "Theorem 1 (1), read for any set",
      .provenance = FormulaOrigin::quoted,
      .status = Status::refuted,
      .argument =
          "Where all $x$ are equal, $D$ is $||x||$ times $sum_{i not in I} |A - a_i|$ and the "
          "right-hand side $||x||$ times $sum_{i not in I} (A - a_i)$, which is negative where "
          "$I$ has little of the weight.",
      .kind = InputKind::set_embeddings,
      .evaluators = sides<kTheorem1>,
      .attained = &attains_theorem1,
      .unmet = &breaks_theorem1,
      .example = R"({"weights":["1/100","99/100"],"embeddings":[["1","0"],["1","0"]],"set":[0]})",
      .witness = {.lhs = "0.98", .rhs = "-0.98"},
      .sentence =
          "\"Fixed top-$N$ set. If $I_N$ is fixed\", the bound of Theorem 1 holds; read for any "
          "set of $N$ tokens.",
      .instead =
          "It holds for the $N$ largest weights (theorem1.fixed). For any set the absolute value "
          "of each $A - a_i$ has to be kept (theorem1.fixed.any_set.repaired).",
  };
}

}  // namespace attn::claims::theorem1_fixed_any_set
