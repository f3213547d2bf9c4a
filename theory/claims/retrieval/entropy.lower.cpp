#include <numeric>

#include "theory/attention/dispersion.hpp"
#include "theory/attention/softmax_row.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims::entropy_lower {
/// (s sqrt(L/(L-1)))^2.
Rational squared_gap(const CaseContext& problem) {
  const std::vector<Rational> z = problem.scaled_logits();
  const Rational count = problem.tokens();
  const Rational sum = std::accumulate(z.begin(), z.end(), Rational(0));
  return (count * squared_norm(z) - sum * sum) / (count - 1);
}

/// The entropy with one raised logit that is sqrt(`squared_gap`) above the others <= H(a).
template <class S>
Sides<S> one_raised(const CaseContext& problem, const Rational& squared_gap) {
  return {least_entropy(sqrt_nonnegative(from<S>(squared_gap)), problem.tokens() - 1),
          own_softmax<S>(problem).entropy()};
}

constexpr auto kSides = []<class S>(const CaseContext& problem) -> Sides<S> {
  return one_raised<S>(problem, squared_gap(problem));
};

/// s in place of s sqrt(L/(L-1)).
constexpr auto kLength = []<class S>(const CaseContext& problem) -> Sides<S> {
  const Rational count = problem.tokens();
  return one_raised<S>(problem, squared_gap(problem) * (count - 1) / count);
};

constexpr auto kHalf = []<class S>(const CaseContext& problem) -> Sides<S> {
  return one_raised<S>(problem, squared_gap(problem) / 4);
};

Claim claim() {
  return {
      .id = "entropy.lower",
      .title = "The least entropy that the spread of the logits allows",
      .statement =
          "$log(1 + (L-1) b) + s sqrt(L (L-1)) b/(1 + (L-1) b) <= H(a)$, $b = exp(-s "
          "sqrt(L/(L-1)))$, $H(a) = -sum_i a_i log a_i$ for $a = softmax(l/T)$, $l$ any $L >= 2$ "
          "logits, $T > 0$, $s$ the Euclidean length of $l/T$ less its mean",
      .paper = "arXiv 2303.06296: Entropy collapse",
      .provenance = FormulaOrigin::reconstructed,
      .argument =
          "With $z = l/T$ less its mean, $||z|| = s > 0$ (at $s = 0$ both sides are $log L$). On "
          "that sphere, which is compact, $H$ is least somewhere. There its gradient $-a_i (log "
          "a_i + H)$ is $m z_i + n$ for some $m$ and $n$. Multiplied by $z_i$ and summed: $m s^2 = "
          "-V$, $V >= 0$ the variance of $log a_i$ under $a$, so $m <= 0$. As $z_i = log a_i + "
          "const$, every $a_i$ is a zero of $p log p + H p + m log p + const$, whose second "
          "derivative $1/p - m/p^2$ is positive: there are two such $a_i$ at most. So at the least "
          "entropy some $k$ logits are raised above the rest, by $g = s sqrt(L/(k (L-k)))$. Let $x "
          "= k/L$, $g = t/sqrt(x (1-x))$, $t = s/sqrt(L)$, and $p = x e^g/(x e^g + 1 - x)$ be the "
          "weight of the raised. Then $log L - H = p log(p/x) + (1-p) log((1-p)/(1-x))$, and its "
          "derivative by $x$ times $x (1-x)$ is $g p (1-p) (1 - g (1 - 2x)/2) - (p - x)$. That is "
          "at most 0 where $g e^g (1 - g/2) + g^2 e^g x <= (e^g - 1) + (e^g - 1)^2 x$, which is so "
          "as $g - g^2/2 <= 1 - e^(-g)$ and $g e^(g/2) <= e^g - 1$. So $H$ is least at the least "
          "$x$, $k = 1$: the left-hand side. Attained by one raised logit.",
      .kind = InputKind::softmax_row,
      .evaluators = sides<kSides>,
      .attained = [](const CaseContext& problem) { return problem.others_tied(); },
      .example = R"({"logits":["3","0","0"],"temperature":"2"})",
      .mutants = {strict(), on_rows(mutant<kLength>("length", "$s$ in place of $s sqrt(L/(L-1))$")),
                  on_rows(mutant<kHalf>("half", "$s/2$ in place of $s$"))},
  };
}

}  // namespace attn::claims::entropy_lower
