#include "theory/claims/corollary1/shared.hpp"

namespace attn::claims::corollary1_upper {
namespace {

constexpr auto kSides = []<class S>(const CaseContext& problem) -> Sides<S> {
  using std::exp;
  const std::vector<S> a = attention_weights<S>(problem);
  return {a[problem.largest()], exp(twice_delta<S>(problem)) / from_count<S>(a.size())};
};

constexpr auto kOneDeltaAbove = []<class S>(const CaseContext& problem) -> Sides<S> {
  using std::exp;
  const auto a = attention_weights<S>(problem);
  return {a[problem.largest()], exp((twice_delta<S>(problem) / S(2.0))) / from_count<S>(a.size())};
};

/// a_i <= exp(2 ||q|| ||k_i|| / T) / L for the token of the largest weight.
constexpr auto kOwnKeyAbove = []<class S>(const CaseContext& problem) -> Sides<S> {
  using std::exp;
  const auto a = attention_weights<S>(problem);
  const std::size_t i = problem.largest();
  return {a[i], exp(twice_own_delta<S>(problem, i)) / from_count<S>(a.size())};
};

constexpr auto kUniformAbove = []<class S>(const CaseContext& problem) -> Sides<S> {
  const auto a = attention_weights<S>(problem);
  return {a[problem.largest()], S(1.0) / from_count<S>(a.size())};
};

constexpr auto kLeastProductAbove = []<class S>(const CaseContext& problem) -> Sides<S> {
  using std::exp;
  const auto a = attention_weights<S>(problem);
  return {a[problem.largest()], exp(twice_least_product<S>(problem)) / from_count<S>(a.size())};
};

}  // namespace

Claim claim() {
  return {
      .id = "corollary1.upper",
      .title = "The largest weight that queries and keys allow",
      .statement =
          "$max_i a_i <= exp(2 Delta/T)/L$ for $a = softmax(l/T)$, $l_i = q . k_i$ of a query $q$ "
          "and $L$ keys $k_i$, $T > 0$, $Delta = ||q|| max_j ||k_j||$",
      .paper = "Corollary 1",
      .provenance = FormulaOrigin::quoted,
      .status = Status::proved,
      .argument =
          "lemma1.upper with $a = Delta$, since $|q . k_i| <= ||q|| ||k_i||$ (Cauchy-Schwarz), and "
          "$F(l) = exp(l/T)$, for which $m = exp(-Delta/T)$ and $M = exp(Delta/T)$. Attained when "
          "$q = 0$.",
      .kind = InputKind::query_keys,
      .evaluators = sides<kSides>,
      .steps = &corollary1_steps,
      .example = R"({"query":["0"],"keys":[["1"],["1"]],"temperature":"1"})",
      .mutants = {mutant<kOneDeltaAbove>("corollary1.upper/one_delta",
                                         "$Delta$ in place of $2 Delta$"),
                  mutant<kOwnKeyAbove>("corollary1.upper/own_key",
                                       "$||k_i||$ of the token itself in place of the longest key"),
                  on_rows(mutant<kUniformAbove>("corollary1.upper/no_delta",
                                                "$exp(2 Delta/T)$ left out")),
                  on_rows(mutant<kLeastProductAbove>("corollary1.upper/least_product",
                                                     "$min_j |q . k_j|$ in place of $Delta$"))},
  };
}

}  // namespace attn::claims::corollary1_upper
