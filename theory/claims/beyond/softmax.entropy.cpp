#include "theory/attention/softmax_row.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims::softmax_entropy {

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  return {colder_softmax<S>(context).entropy(), own_softmax<S>(context).entropy()};
};

constexpr auto kInProportion = []<class S>(const CaseContext& context) -> Sides<S> {
  const Rational share = context.colder() / context.temperature();
  return {colder_softmax<S>(context).entropy(), own_softmax<S>(context).entropy() * from<S>(share)};
};

constexpr auto kSecondWeight = []<class S>(const CaseContext& context) -> Sides<S> {
  return {colder_softmax<S>(context).weights.a[1], own_softmax<S>(context).weights.a[1]};
};

Claim claim() {
  return {
      .id = "softmax.entropy",
      .title = "A smaller temperature does not raise the entropy of softmax",
      .statement =
          "$H(T') <= H(T)$ for $0 < T' < T$, $H(T) = -sum_i a_i log a_i$ of $a = softmax(l/T)$, "
          "$l$ any $L$ logits",
      .paper = "arXiv 2410.01104: Softmax is not enough",
      .provenance = FormulaOrigin::quoted,
      .argument =
          "With $b = 1/T$, $Z = sum_i exp(b l_i)$ and $m = sum_i a_i l_i = d log Z/db$: $H = log Z "
          "- b m$, and $dm/db = sum_i a_i (l_i - m)^2$, so that $dH/db = m - m - b dm/db <= 0$. "
          "Equal exactly where all logits are.",
      .kind = InputKind::colder_row,
      .evaluators = sides<kSides>,
      .attained = &all_logits_equal,
      .unmet = &breaks_order_of_temperatures,
      .example = R"({"logits":["0","0"],"temperature":"1","colder":"1/2"})",
      .mutants = {on_rows(
                      mutant<kInProportion>("in_proportion", "$(T'/T) H(T)$ in place of $H(T)$")),
                  on_rows(mutant<kSecondWeight>("second", "$a_(2)$ in place of $H$")), strict()},
  };
}

}  // namespace attn::claims::softmax_entropy
