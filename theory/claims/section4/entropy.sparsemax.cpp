#include "theory/claims/section4/lower_entropy.hpp"

namespace attn::claims::entropy_sparsemax {

constexpr auto kOwn = []<class S>(const CaseContext& context) -> S {
  return sparsemax_entropy<S>(context);
};

Claim claim() {
  return {
      .id = "entropy.sparsemax",
      .title = "Sparsemax has no more entropy than softmax",
      .statement =
          "$H(p) <= H(q)$, $H(a) = -sum_i a_i log a_i$ with $0 log 0 = 0$, $p$ sparsemax of $z = "
          "l/T$, $p_i = max(z_i - tau, 0)$ with $tau$ such that $sum_i p_i = 1$, $q = softmax(z)$, "
          "$l$ any $L$ logits, $T > 0$",
      .paper = "Section 4, other normalisers",
      .provenance = FormulaOrigin::quoted,
      .argument =
          "With $Z = sum_j exp(z_j)$ and $u_i = p_i$, $0 <= u_i <= 1$: $r_i = p_i/q_i$ does not "
          "fall as $z_i$ grows, for it is 0 where $u_i = 0$, else $Z exp(-tau) u_i exp(-u_i)$, and "
          "$t exp(-t)$ rises on $[0, 1]$. As $log q_i = z_i - log Z$ and $sum p = sum q$, $H(q) - "
          "H(p) = sum_{p_i > 0} p_i log(p_i/q_i) + sum_i (p_i - q_i) z_i$. The first sum is at "
          "least $sum_{p_i > 0} (p_i - q_i) >= 0$, by $x log(x/y) >= x - y$. The second is $(1/2) "
          "sum_{i,j} q_i q_j (r_i - r_j)(z_i - z_j) >= 0$, as $sum_i q_i = sum_i q_i r_i = 1$. "
          "Equal exactly where all logits are. Both sides are at the same $T$, whatever it is.",
      .kind = {InputKind::row_of, Normalizer::sparsemax},
      .evaluators = sides<kBelowSoftmax<kOwn>>,
      .attained = &all_logits_equal,
      .example = R"({"logits":["0","0"],"temperature":"1","normalizer":"sparsemax"})",
      .sentence = kLowerEntropySentence,
      .instead = kLowerEntropyInstead,
      .mutants = lower_entropy_mutants<kOwn, 8>("softmax at the temperature $T/8$"),
  };
}

}  // namespace attn::claims::entropy_sparsemax
