#include "theory/claims/section4/lower_entropy.hpp"

namespace attn::claims::entropy_entmax {

constexpr auto kOwn = []<class S>(const CaseContext& context) -> S {
  return EntmaxAt<S>(context, context.temperature()).entropy();
};

Claim claim() {
  return {
      .id = "entropy.entmax",
      .title = "1.5-entmax has no more entropy than softmax",
      .statement =
          "$H(p) <= H(q)$, $H(a) = -sum_i a_i log a_i$ with $0 log 0 = 0$, $p$ 1.5-entmax of $z = "
          "l/T$, $p_i = max(z_i/2 - tau, 0)^2$ with $tau$ such that $sum_i p_i = 1$, $q = "
          "softmax(z)$, $l$ any $L$ logits, $T > 0$",
      .paper = "Section 4, other normalisers",
      .provenance = FormulaOrigin::quoted,
      .argument =
          "As for entropy.sparsemax, with $u_i = max(z_i/2 - tau, 0)$, $0 <= u_i <= 1$, and "
          "$p_i/q_i = Z (exp(-tau) u_i exp(-u_i))^2$ where $u_i > 0$, which does not fall as $z_i$ "
          "grows. Equal exactly where all logits are.",
      .kind = {InputKind::row_of, Normalizer::entmax},
      .evaluators = sides<kBelowSoftmax<kOwn>>,
      .attained = &all_logits_equal,
      .example = R"({"logits":["0","0"],"temperature":"1","normalizer":"entmax"})",
      .sentence = kLowerEntropySentence,
      .instead = kLowerEntropyInstead,
      .mutants = lower_entropy_mutants<kOwn, 4>("softmax at the temperature $T/4$"),
  };
}

}  // namespace attn::claims::entropy_entmax
