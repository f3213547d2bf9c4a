#include "theory/attention/power_norm.hpp"
#include "theory/claims/corollary3/shared.hpp"

namespace attn::claims::softmax_lp {

/// T ||J v||_p: of v about the entry of the largest weight, which J does not see, (T J v)_i = a_i
/// (v_i - sum_j a_j v_j).
template <class S>
S moved(const CaseContext& context) {
  const auto& v = context.step();
  const std::vector<S> a = attention_weights<S>(context);
  std::vector<S> about_top;
  S mean(0.0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    about_top.push_back(from<S>(Rational(v[i] - v[context.largest()])));
    mean += a[i] * about_top[i];
  }
  std::vector<S> change;
  for (std::size_t i = 0; i < a.size(); ++i) change.push_back(a[i] * S(about_top[i] - mean));
  const bool is_still = std::ranges::all_of(v, [&](const Rational& x) { return x == v.front(); });
  return is_still ? S(0.0) : power_norm(change, context.exponent());
}

/// ||J v||_p and slope ||v||_p/T.
template <class S>
Sides<S> against(const CaseContext& context, const S& slope) {
  const S temperature = from<S>(context.temperature());
  return {moved<S>(context) / temperature,
          slope * power_norm<S>(context.step(), context.exponent()) / temperature};
}

/// `slope`: of the sorted weights.
template <auto slope>
constexpr auto kSlope = []<class S>(const CaseContext& context) -> Sides<S> {
  return against<S>(context, slope(found<S>(kSoftmax, context).w));
};

constexpr auto kSides =
    kSlope<[]<class S>(const SortedWeights<S>& w) -> S { return S(2.0) * w.a[0] * w.rest; }>;

constexpr auto kEuclidean =
    kSlope<[]<class S>(const SortedWeights<S>& w) -> S { return corollary3_local_upper(w); }>;

constexpr auto kSecond = kSlope<[]<class S>(const SortedWeights<S>& w) -> S {
  return S(2.0) * w.a[1] * S(S(1.0) - w.a[1]);
}>;

/// With two tokens J v is along (1, -1); with more no row of J may add up two terms.
bool is_met(const CaseContext& context) {
  const auto& v = context.step();
  const bool adds = context.exponent() == 1;
  if (v.size() == 2) return adds ? v[0] * v[1] <= 0 : v[0] == -v[1];
  const Rational& top = context.logits()[context.largest()];
  std::size_t moving = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (v[i] == 0) continue;
    ++moving;
    if (context.logits()[i] != top) return false;
  }
  return adds && moving == 1;
}

Claim claim() {
  return {
      .id = "softmax.lp",
      .title = "The gradient of softmax in the norm of any exponent, by its largest weight",
      .statement =
          "$||J h||_p <= 2 a_(1) (1 - a_(1)) ||h||_p/T$, $||h||_p = (sum_i |h_i|^p)^(1/p)$, $h$ "
          "any step of the logits, $p >= 1$ whole, $J = da/dl$, $a = softmax(l/T)$, $l$ any $L$ "
          "logits, $T > 0$, $a_(1)$ the largest weight",
      .paper = "arXiv 2510.23012, beside Corollary 3",
      .argument =
          "The row sums $r_i = sum_j |J_ij| = 2 a_i (1 - a_i)/T$ are at most $R = 2 a_(1) (1 - "
          "a_(1))/T$, since $a_(1) (1 - a_(1)) - a_i (1 - a_i) = (a_(1) - a_i)(1 - a_(1) - a_i) >= "
          "0$. By Jensen's inequality $|(J h)_i|^p <= (sum_j |J_ij| |h_j|)^p <= r_i^(p-1) sum_j "
          "|J_ij| |h_j|^p$. Summed over $i$, with $r_i <= R$ and $J$ symmetric, $||J h||_p^p <= "
          "R^(p-1) sum_j |h_j|^p r_j <= R^p ||h||_p^p$. $J$ is symmetric, so that its norms at $p$ "
          "and $p/(p-1)$ are equal. Attained by two tokens and $h = (1, -1)$ at every $p$, and at "
          "$p = 1$ by a step of the largest weight's logit alone. So the abstract's \"strictly "
          "below $1/2$\" for $1 < p < infinity$ is false for $L = 2$, where $J h = h/(2T)$ at "
          "equal logits; for $L >= 3$ it is true, for at most one weight is $1/2$ then, and "
          "Jensen's inequality is strict.",
      .kind = InputKind::step_norm,
      .evaluators = sides<kSides>,
      .attained = &is_met,
      .example = R"({"logits":["0","0"],"temperature":"1","step":["1","-1"],"p":3})",
      .mutants = {scaled<kSides, 1, 2>("half", "the bound halved"),
                  mutant<kEuclidean>("l2", "$a_(1) (1 - a_(1) + a_(2))/T$, the bound of $p = 2$"),
                  mutant<kSecond>("second", "$a_(2)$ in place of $a_(1)$"),
                  on_rows(thousandth<kSides>()), on_rows(exchanged<kSides>()), strict()},
  };
}

}  // namespace attn::claims::softmax_lp
