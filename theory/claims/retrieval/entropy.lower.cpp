#include <numeric>

#include "theory/attention/dispersion.hpp"
#include "theory/attention/softmax_row.hpp"
#include "theory/claims/define.hpp"

namespace attn::claims::entropy_lower {
/// (s sqrt(L/(L-1)))^2.
Rational squared_gap(const CaseContext& context) {
  const std::vector<Rational> z = context.scaled_logits();
  const Rational count = context.tokens();
  const Rational sum = std::accumulate(z.begin(), z.end(), Rational(0));
  return (count * squared_norm(z) - sum * sum) / (count - 1);
}

/// The entropy with one raised logit that is sqrt(`squared_gap`) above the others <= H(a).
template <class S>
Sides<S> one_raised(const CaseContext& context, const Rational& squared_gap) {
  return {least_entropy(sqrt_nonnegative(from<S>(squared_gap)), context.tokens() - 1),
          own_softmax<S>(context).entropy()};
}

constexpr auto kSides = []<class S>(const CaseContext& context) -> Sides<S> {
  return one_raised<S>(context, squared_gap(context));
};

/// s in place of s sqrt(L/(L-1)).
constexpr auto kLength = []<class S>(const CaseContext& context) -> Sides<S> {
  const Rational count = context.tokens();
  return one_raised<S>(context, squared_gap(context) * (count - 1) / count);
};

constexpr auto kHalf = []<class S>(const CaseContext& context) -> Sides<S> {
  return one_raised<S>(context, squared_gap(context) / 4);
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
          "Let $z = l/T$, $d = s sqrt(L/(L-1))$, $q = (L-1) e^(-d)$ and $w = 1 - d q/(1 + q)$: the "
          "left-hand side is $h = log(1 + q) + 1 - w$. At $d = 0$ both sides are $log L$; let $d > "
          "0$. No weight changes when all logits move alike. With $x = sum_i e^(z_i)$, $H(a) = log "
          "x - (sum_i z_i e^(z_i))/x$, and $log x >= 1 + log y - y/x$ for every $y > 0$: so $H(a) "
          ">= h$ where $sum_i (1 + log y - h - z_i) e^(z_i) >= y$ for some $y$. Let $k = e^d - 1 - "
          "d$; then $2 k >= d^2 >= (2-d) k$. If $w k >= d^2$, move the largest logit to 0 and take "
          "$y = 1 + q$: the terms are $f(-z_i)$, $f(t) = (w + t) e^(-t)$. For $t >= 0$, $f$ is "
          "above its tangent at $d$: it is convex from $2 - w <= d$ on, concave before, and at 0 "
          "the difference is $e^(-d) (w k - d^2) >= 0$. The tangent falls, and the $-z_i$ of the "
          "other tokens add up to at most $(L-1) d$, by Cauchy's inequality. So the sum is at "
          "least $f(0) + (L-1) f(d) = y$. Else move the logits so that $sum_i z_i = d$, hence "
          "$sum_i z_i^2 = d^2$, and take $y = e^d + L - 1$: the terms are $f(z_i)$, $f(t) = (d + w "
          "- t) e^t$. Up to $d$, which no $z_i$ exceeds, $f$ is above the parabola that touches it "
          "at 0 and meets it at $d$, and whose leading coefficient is $(w k - d^2)/d^2 <= 0$: the "
          "derivative of the difference over $e^t - 1$ falls, from $d + w - 2 w k/d^2 >= 0$ at $t "
          "= 0$, so that the difference grows away from 0 and turns back at most once before it is "
          "0 again at $d$. The parabola's values add up to $L (d + w) + (d + w - 1) d + w k - d^2 "
          "= y$. Attained by one raised logit.",
      .kind = InputKind::softmax_row,
      .evaluators = sides<kSides>,
      .attained = [](const CaseContext& context) { return context.others_tied(); },
      .example = R"({"logits":["3","0","0"],"temperature":"2"})",
      .mutants = {strict(), on_rows(mutant<kLength>("length", "$s$ in place of $s sqrt(L/(L-1))$")),
                  on_rows(mutant<kHalf>("half", "$s/2$ in place of $s$"))},
  };
}

}  // namespace attn::claims::entropy_lower
