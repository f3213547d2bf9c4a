#include "theory/claims/lemma2/shared.hpp"

namespace attn::claims::lemma2 {
namespace {

constexpr auto kSides = []<class S>(const CaseContext& problem) -> Sides<S> {
  const Normalized<S> f = normalize<S>(problem);
  return {jacobian_norm(problem, f), lemma2_bound(f)};
};

constexpr auto kExtremesSwapped = []<class S>(const CaseContext& problem) -> Sides<S> {
  const auto f = normalize<S>(problem);
  S most = f.value.front();
  S steepest(0.0);
  for (std::size_t i = 0; i < f.value.size(); ++i) {
    most = max(most, f.value[i]);
    steepest = max(steepest, S(abs(f.derivative[i])));
  }
  const S count = from_count<S>(f.value.size());
  return {jacobian_norm(problem, f), S(2.0) * steepest / (count * most)};
};

constexpr auto kSecondSlope = []<class S>(const CaseContext& problem) -> Sides<S> {
  const auto f = normalize<S>(problem);
  return {jacobian_norm(problem, f), second_slope(f)};
};

constexpr auto kSecondTermSwapped = []<class S>(const CaseContext& problem) -> Sides<S> {
  const auto f = normalize<S>(problem);
  S least = f.value.front();
  S most = f.value.front();
  S steepest(0.0);
  for (std::size_t i = 0; i < f.value.size(); ++i) {
    least = min(least, f.value[i]);
    most = max(most, f.value[i]);
    steepest = max(steepest, S(abs(f.derivative[i])));
  }
  const S count = from_count<S>(f.value.size());
  return {jacobian_norm(problem, f), steepest * least / (count * square(most))};
};

}  // namespace

Claim claim() {
  return {
      .id = "lemma2",
      .title = "How large the gradient of a normaliser gets",
      .statement =
          "$||J|| <= max|F'| (1/(L min F) + max F/(L (min F)^2))$, $a_i = F(l_i)/S$, $S = sum_j "
          "F(l_j)$, $J = da/dl$, $||J||$ its spectral norm, $F > 0$ differentiable in the logit "
          "$l$ ($l/T$ is what the normaliser reads, $T > 0$), which may depend on the number $L$ "
          "of logits, maxima over the given logits",
      .paper = "Lemma 2",
      .provenance = FormulaOrigin::reconstructed,
      .status = Status::proved,
      .argument =
          "$J = diag(F')/S - F F'^T/S^2$, $S = sum_j F(l_j)$, so $||J|| <= max|F'|/S + ||F|| "
          "||F'||/S^2$ with $S >= L min F$, $||F|| <= sqrt(L) max F$, $||F'|| <= sqrt(L) max|F'|$. "
          "Always at least twice too large: lemma2.oblique is at most half of it.",
      .kind = InputKind::normalized_row,
      .evaluators = sides<kSides>,
      .unmet = &breaks_lemma2,
      .steps = &lemma2_steps,
      .mutants = {mutant<kExtremesSwapped>("lemma2/swapped", "$max F$ in place of $min F$"),
                  scaled<kSides, 1, 3>("lemma2/third", "a third of the bound"),
                  on_rows(mutant<kSecondSlope>("lemma2/second",
                                               "the second largest $|F'|$ over $S$ as the bound")),
                  on_rows(mutant<kSecondTermSwapped>(
                      "lemma2/second_term",
                      "the second term alone, $min F$ and $max F$ exchanged"))},
  };
}

}  // namespace attn::claims::lemma2
