#include "theory/claims/corollary1/shared.hpp"

namespace attn::claims::corollary1_lower {
namespace {

constexpr auto kSides = []<class S>(const CaseContext& problem) -> Sides<S> {
  using std::exp;
  const std::vector<S> a = attention_weights<S>(problem);
  return {exp(S(-twice_delta<S>(problem))) / from_count<S>(a.size()), a[problem.least()]};
};

constexpr auto kOneDeltaBelow = []<class S>(const CaseContext& problem) -> Sides<S> {
  using std::exp;
  const auto a = attention_weights<S>(problem);
  return {exp(S(-(twice_delta<S>(problem) / S(2.0)))) / from_count<S>(a.size()),
          a[problem.least()]};
};

/// exp(-2 ||q|| ||k_i|| / T) / L <= a_i for the token of the least weight.
constexpr auto kOwnKeyBelow = []<class S>(const CaseContext& problem) -> Sides<S> {
  using std::exp;
  const auto a = attention_weights<S>(problem);
  const std::size_t i = problem.least();
  return {exp(S(-twice_own_delta<S>(problem, i))) / from_count<S>(a.size()), a[i]};
};

constexpr auto kUniformBelow = []<class S>(const CaseContext& problem) -> Sides<S> {
  const auto a = attention_weights<S>(problem);
  return {S(1.0) / from_count<S>(a.size()), a[problem.least()]};
};

constexpr auto kLeastProductBelow = []<class S>(const CaseContext& problem) -> Sides<S> {
  using std::exp;
  const auto a = attention_weights<S>(problem);
  return {exp(S(-twice_least_product<S>(problem))) / from_count<S>(a.size()), a[problem.least()]};
};

}  // namespace

Claim claim() {
  return {
      .id = "corollary1.lower",
      .title = "The least weight that queries and keys allow",
      .statement =
          "$exp(-2 Delta/T)/L <= min_i a_i$ for $a = softmax(l/T)$, $l_i = q . k_i$ of a query "
          "$q$ and $L$ keys $k_i$, $T > 0$, $Delta = ||q|| max_j ||k_j||$",
      .paper = "Corollary 1",
      .provenance = FormulaOrigin::quoted,
      .status = Status::proved,
      .argument =
          "lemma1.lower with $a = Delta$, since $|q . k_i| <= ||q|| ||k_i||$ (Cauchy-Schwarz), and "
          "$F(l) = exp(l/T)$, for which $m = exp(-Delta/T)$ and $M = exp(Delta/T)$. Attained when "
          "$q = 0$.",
      .kind = InputKind::query_keys,
      .evaluators = sides<kSides>,
      .steps = &corollary1_steps,
      .example = R"({"query":["0"],"keys":[["1"],["1"]],"temperature":"1"})",
      .mutants = {mutant<kOneDeltaBelow>("corollary1.lower/one_delta",
                                         "$Delta$ in place of $2 Delta$"),
                  mutant<kOwnKeyBelow>("corollary1.lower/own_key",
                                       "$||k_i||$ of the token itself in place of the longest key"),
                  on_rows(mutant<kUniformBelow>("corollary1.lower/no_delta",
                                                "$exp(2 Delta/T)$ left out")),
                  on_rows(mutant<kLeastProductBelow>("corollary1.lower/least_product",
                                                     "$min_j |q . k_j|$ in place of $Delta$"))},
  };
}

}  // namespace attn::claims::corollary1_lower
