#include "theory/claims/section4/shared.hpp"

namespace attn::claims::dilution_peak {

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  return {peak_of_all<S>(context), S(1.0) / (S(1.0) + others_before<S>(context))};
};

Claim claim() {
  return {
      .id = "dilution.peak",
      .title = "The largest weight of softmax is said to fall as the context grows",
      .statement =
          "$max_i a'_i <= max_i a_i$, $a = softmax(l/T)$, $a'$ the softmax of all logits over $T$ "
          "once one or more, $appended$, come after $l$, $l$ any $L$ logits, $T > 0$",
      .paper = "Section 4, softmax",
      .provenance = FormulaOrigin::quoted,
      .status = Status::refuted,
      .argument =
          "Two logits 0, then a logit 1: the largest weight is $e/(e + 2)$, above $1/2$. It falls "
          "where no appended logit exceeds the largest of $l$, for then it is the weight of the "
          "same token.",
      .kind = InputKind::longer_row,
      .evaluators = sides<kSides>,
      .example = R"({"logits":["0","0"],"appended":["1"],"temperature":"1"})",
      .witness = {.lhs = "0.57611...", .rhs = "1/2"},
      .sentence = "\"Its peak value drops as the context grows\" (Section 4, of softmax).",
      .instead =
          "The weight of each token that was there falls, all of them by the same factor "
          "(dilution.peak.repaired). The largest weight of all may be that of a new token.",
  };
}

}  // namespace attn::claims::dilution_peak
