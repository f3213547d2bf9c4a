#include "theory/claims/lemma1/shared.hpp"

namespace attn::claims::lemma1_lower_sharp {
namespace {

constexpr auto kSides = []<class S>(const CaseContext& problem) -> Sides<S> {
  const auto t = dispersion_terms<S>(problem);
  return {lemma1_lower_sharp_bound(t), t.least_weight};
};

constexpr auto kOneOtherFewerBelow = []<class S>(const CaseContext& problem) -> Sides<S> {
  auto t = dispersion_terms<S>(problem);
  t.count = t.count - S(1.0);
  return {lemma1_lower_sharp_bound(t), t.least_weight};
};

constexpr auto kUniformBelow = []<class S>(const CaseContext& problem) -> Sides<S> {
  const auto a = attention_weights<S>(problem);
  return {S(1.0) / from_count<S>(a.size()), a[problem.least()]};
};

bool one_at_the_lower_end(const CaseContext& problem) {
  return is_one_at(problem, -logit_bound(problem));
}

}  // namespace

Claim claim() {
  return {
      .id = "lemma1.lower.sharp",
      .title = "The least weight that bounded logits allow",
      .statement =
          "$m/(m+(L-1) M) <= min_i a_i$ for $a_i = F(l_i/T)/sum_j F(l_j/T)$ of $L$ logits with "
          "$|l_i| <= a$, $T > 0$, where $F > 0$ is continuous and does not depend on $L$, $m$ and "
          "$M$ its least and its largest value at $l/T$ with $|l| <= a$",
      .paper = "Lemma 1",
      .provenance = FormulaOrigin::derived,
      .status = Status::proved,
      .argument =
          "$a_i = F_i / (F_i + sum_{j != i} F_j)$ grows with $F_i >= m$ and falls with "
          "the others, each at most $M$. Attained with one logit where $F = m$ and all "
          "others where $F = M$.",
      .kind = InputKind::bounded_row,
      .evaluators = sides<kSides>,
      .attained = &one_at_the_lower_end,
      .unmet = &lemma1_unmet,
      .steps = &lemma1_steps,
      .example = R"({"logits":["-1","1","1"],"temperature":"1","normalizer":"softmax"})",
      .sharpens = "lemma1.lower",
      .mutants = {on_rows(mutant<kOneOtherFewerBelow>("lemma1.lower.sharp/one_fewer",
                                                      "$L - 2$ in place of $L - 1$")),
                  strict("lemma1.lower.sharp/strict"),
                  on_rows(mutant<kUniformBelow>("lemma1.lower.sharp/no_spread",
                                                "$M$ in place of $m$"))},
  };
}

}  // namespace attn::claims::lemma1_lower_sharp
