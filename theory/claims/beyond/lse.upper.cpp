#include <algorithm>

#include "theory/attention/case_context.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims::lse_upper {

/// q_k + k_k. [d]
std::vector<Rational> sums(const CaseContext& context) {
  std::vector<Rational> s = context.query();
  for (std::size_t k = 0; k < s.size(); ++k) s[k] += context.keys().front()[k];
  return s;
}

bool all_sums_equal(const CaseContext& context) {
  const std::vector<Rational> s = sums(context);
  return std::ranges::adjacent_find(s, std::not_equal_to<>()) == s.end();
}

/// log sum_k exp(s_k) about the largest s.
template <class S>
S log_sum_exp(const std::vector<Rational>& s) {
  using std::exp;
  const Rational top = *std::ranges::max_element(s);
  S sum(0.0);
  for (const Rational& value : s) sum += exp(from<S>(Rational(value - top)));
  return from<S>(top) + log_positive(sum);
}

template <class S>
S log_dimension(const std::vector<Rational>& s) {
  return log_positive(from_count<S>(s.size()));
}

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  const std::vector<Rational> s = sums(context);
  return {log_sum_exp<S>(s), from<S>(*std::ranges::max_element(s)) + log_dimension<S>(s)};
};

constexpr auto kWithoutDimension = []<class S>(const CaseContext& context) -> Sides<S> {
  const std::vector<Rational> s = sums(context);
  return {log_sum_exp<S>(s), from<S>(*std::ranges::max_element(s))};
};

constexpr auto kMean = []<class S>(const CaseContext& context) -> Sides<S> {
  const std::vector<Rational> s = sums(context);
  Rational mean = 0;
  for (const Rational& value : s) mean += value / s.size();
  return {log_sum_exp<S>(s), from<S>(mean) + log_dimension<S>(s)};
};

Claim claim() {
  return {
      .id = "lse.upper",
      .title = "A similarity by the log of a sum of exponentials",
      .statement =
          "$log sum_k exp(q_k + k_k) <= max_k (q_k + k_k) + log d$ for a query $q$ and a key $k$ "
          "of $d$ coordinates",
      .paper = "arXiv 2404.05843: Softmax attention with constant cost per token",
      .argument =
          "Each of the $d$ terms is at most $exp(max_k (q_k + k_k))$, and the logarithm increases. "
          "Attained where all $q_k + k_k$ are equal.",
      .kind = InputKind::query_key,
      .evaluators = sides<kSides>,
      .attained = &all_sums_equal,
      .example = R"({"query":["1","2"],"keys":[["1","0"]]})",
      .mutants = {on_rows(mutant<kWithoutDimension>("no_dimension", "$log d$ left out")),
                  on_rows(mutant<kMean>("mean", "the mean in place of the maximum")), strict()},
  };
}

}  // namespace attn::claims::lse_upper
